import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageLine } from '../api/types'
import { articleText, clampSelection, editOf, placeAfter, sameArticle } from './desk'

const line = (text: string): PageLine => ({ rect: [0, 0, 1, 1], text, label: 'article', confidence: 1, text_index: 0, document_id: null, article: null })
const lines = [line('un'), line('deux'), line('trois')]

test('keys are edits of the chosen lines', () => {
  assert.deepEqual(editOf('m', 3, lines, { from: 1, to: 1 }), { kind: 'merge', line: { page: 3, rect: [0, 0, 1, 1], text: 'deux' } })
  assert.deepEqual(editOf('x', 3, lines, { from: 0, to: 2 }), {
    kind: 'move', to: 'loose', line: { page: 3, rect: [0, 0, 1, 1], text: 'un' }, through: { page: 3, rect: [0, 0, 1, 1], text: 'trois' },
  })
  assert.deepEqual(editOf('s', 3, lines, { from: 0, to: 0 }), { ask: 'split' })
  assert.deepEqual(editOf('a', 3, lines, { from: 0, to: 0 }), { ask: 'begin-article' })
  assert.deepEqual(editOf('o', 3, lines, { from: 0, to: 0 }), { ask: 'renumber-onward' })
  assert.equal(editOf('q', 3, lines, { from: 0, to: 0 }), null)
  assert.equal(editOf('m', 3, [], { from: 0, to: 0 }), null)
})

test('a selection stays on the page', () => {
  assert.deepEqual(clampSelection({ from: 4, to: 9 }, 3), { from: 2, to: 2 })
  assert.deepEqual(clampSelection({ from: 1, to: 2 }, 3), { from: 1, to: 2 })
  assert.deepEqual(clampSelection({ from: 1, to: 2 }, 0), { from: 0, to: 0 })
})

test('lines are taken along, and put behind another one', () => {
  const done = editOf('d', 3, lines, { from: 0, to: 1 })
  assert.ok(done && 'carry' in done)
  assert.deepEqual(placeAfter(done.carry, 5, lines[2]!), {
    kind: 'move', to: 'after', line: { page: 3, rect: [0, 0, 1, 1], text: 'un' }, through: { page: 3, rect: [0, 0, 1, 1], text: 'deux' },
    after: { page: 5, rect: [0, 0, 1, 1], text: 'trois' },
  })
})

test('an article is corrected whole where there is one', () => {
  assert.equal(editOf('w', 3, lines, { from: 0, to: 0 }), null)
  const of = { ...line('Art. 2'), article: '2' }
  assert.deepEqual(editOf('w', 3, [of], { from: 0, to: 0 }), { ask: 'correct-article' })
  assert.equal(sameArticle(of, { ...of, text: 'suite' }), true)
  assert.equal(sameArticle(of, { ...of, text_index: 1 }), false)
  assert.equal(sameArticle(lines[0]!, lines[1]!), false)
})

test('the words of an article are its lines without its head', () => {
  const text = (...words: string[]) => articleText(words.map(line))
  assert.equal(text('Article 1er. — Le prix du cumin est', 'fixé à vingt écus.'), 'Le prix du cumin est fixé à vingt écus.')
  assert.equal(text('« Art. 36 bis (nouveau). – La durée du tra-', 'vail est libre :', '1° le lundi ;', '2° le mardi.'), 'La durée du travail est libre :\n1° le lundi ;\n2° le mardi.')
  assert.equal(text('Le prix est libre.'), 'Le prix est libre.')
  assert.equal(text('Articles de Paris, vente libre.'), 'Articles de Paris, vente libre.')
})
