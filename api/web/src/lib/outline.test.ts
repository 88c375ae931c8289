import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Article } from '../api/types'
import { outline, validity } from './outline'

const article = (number: string, heading: string): Article => ({ id: number, number, heading, page: 1, position: 0, valid_from: null, valid_to: null, replaces: null })

test('articles stand under their headings, in the order of the text', () => {
  const made = outline([article('1', 'Titre I'), article('2', 'Titre I'), article('3', 'Titre II › Chapitre 1'), article('4', '')])
  assert.deepEqual(made.map((s) => [s.heading, s.articles.map((a) => a.number)]), [
    [['Titre I'], ['1', '2']], [['Titre II', 'Chapitre 1'], ['3']], [[], ['4']],
  ])
})

test('the first day out of force is out of force', () => {
  assert.equal(validity({ valid_from: '2023-07-01', valid_to: '2025-09-01' }, '2025-08-31'), 'law')
  assert.equal(validity({ valid_from: '2023-07-01', valid_to: '2025-09-01' }, '2025-09-01'), 'past')
  assert.equal(validity({ valid_from: '2023-07-01', valid_to: null }, '2023-06-30'), 'future')
  assert.equal(validity({ valid_from: null, valid_to: null }, '2023-06-30'), 'law')
})
