import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Article } from '../api/types'
import { outline, reference, validity } from './outline'

const article = (number: string, ...path: string[]): Article => ({ id: number, number, heading: '', path, page: 1, position: 0, valid_from: null, valid_to: null, replaces: null })

test('articles stand under their headings, in the order of the text', () => {
  const made = outline([article('1', 'Titre I'), article('2', 'Titre I'), article('3', 'Titre II', 'Chapitre 1'), article('4')])
  assert.deepEqual(made.map((s) => [s.heading, s.articles.map((a) => a.number)]), [
    [['Titre I'], ['1', '2']], [['Titre II', 'Chapitre 1'], ['3']], [[], ['4']],
  ])
})

test('a reference names the article, the text, the day and the page, and opens it', () => {
  const of = { id: 't', title: 'Loi n° 2023-07 portant Code du travail' }
  assert.equal(reference(article('26'), of, '2024-03-01', 'https://v.example'), 'Article 26, Loi n° 2023-07 portant Code du travail, texte en vigueur le 1er mars 2024, p. 1, https://v.example/textes/t?article=26&date=2024-03-01')
  assert.equal(reference(article(''), of, '', 'https://v.example'), 'Loi n° 2023-07 portant Code du travail, p. 1, https://v.example/textes/t?article=')
})

test('the first day out of force is out of force', () => {
  assert.equal(validity({ valid_from: '2023-07-01', valid_to: '2025-09-01' }, '2025-08-31'), 'law')
  assert.equal(validity({ valid_from: '2023-07-01', valid_to: '2025-09-01' }, '2025-09-01'), 'past')
  assert.equal(validity({ valid_from: '2023-07-01', valid_to: null }, '2023-06-30'), 'future')
  assert.equal(validity({ valid_from: null, valid_to: null }, '2023-06-30'), 'law')
})
