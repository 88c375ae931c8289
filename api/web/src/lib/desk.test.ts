import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageLine } from '../api/types'
import { clampSelection, editOf } from './desk'

const line = (text: string): PageLine => ({ rect: [0, 0, 1, 1], text, label: 'article', confidence: 1, text_index: 0, document_id: null, article: null })
const lines = [line('un'), line('deux'), line('trois')]

test('keys are edits of the chosen lines', () => {
  assert.deepEqual(editOf('m', 3, lines, { from: 1, to: 1 }), { kind: 'merge', line: { page: 3, rect: [0, 0, 1, 1], text: 'deux' } })
  assert.deepEqual(editOf('x', 3, lines, { from: 0, to: 2 }), {
    kind: 'move', to: 'loose', line: { page: 3, rect: [0, 0, 1, 1], text: 'un' }, through: { page: 3, rect: [0, 0, 1, 1], text: 'trois' },
  })
  assert.deepEqual(editOf('s', 3, lines, { from: 0, to: 0 }), { ask: 'split' })
  assert.equal(editOf('q', 3, lines, { from: 0, to: 0 }), null)
  assert.equal(editOf('m', 3, [], { from: 0, to: 0 }), null)
})

test('a selection stays on the page', () => {
  assert.deepEqual(clampSelection({ from: 4, to: 9 }, 3), { from: 2, to: 2 })
  assert.deepEqual(clampSelection({ from: 1, to: 2 }, 3), { from: 1, to: 2 })
  assert.deepEqual(clampSelection({ from: 1, to: 2 }, 0), { from: 0, to: 0 })
})
