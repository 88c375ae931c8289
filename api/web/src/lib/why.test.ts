import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidenceWord, featureRows, percent, value } from '../admin/why-words'

test('what is known of articles is a table: groups of rows, one column an article', () => {
  const groups = featureRows([{ covered: 0.5, words: 1, brand_new: 3 }, { covered: 0.25 }])
  assert.deepEqual(groups.map((g) => g.title), ['Par les mots', 'Ce qu’il dit de la question', 'Autres'])
  assert.deepEqual(groups[1]!.rows[0]!.of, [0.5, 0.25])
  assert.deepEqual(groups[0]!.rows, [{ name: 'words', word: 'Mots communs, part du meilleur passage', of: [1, null] }])
  assert.deepEqual(groups[2]!.rows[0], { name: 'brand_new', word: 'brand_new', of: [3, null] })
  assert.deepEqual(featureRows([]), [])
})

test('numbers are written as French does', () => {
  assert.deepEqual([value(0.4321), value(-1.5), value(2), percent(0.625)], ['0,43', '−1,5', '2', '63\u202f%'])
  assert.deepEqual([evidenceWord('margin'), evidenceWord('covered'), evidenceWord('x')], ['Écart avec le deuxième', 'Part de la question, intitulés et titre compris', 'x'])
})
