import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Review } from '../api/types'
import { decisionOf, doubtedOf, formOf, lackingOf, sourceOf } from './review'

const r = {
  id: 'a', title: 'Décret n° 7', doc_type: 'decret', nature: 'Décret', numero_officiel: '7', date_promulgation: '0001-01-01', date_entree_vigueur: '2024-02-01', domaine: '',
  doubts: [{ field: 'date_promulgation', reason: 'illisible', confidence: 0, words: 'le 3 mars', page: 2 }, { field: 'numero_officiel', reason: 'deux numéros', confidence: 0.4 }, { field: 'texte', reason: 'coupé ?', confidence: 0.3 }],
  evidence: [{ field: 'numero_officiel', words: 'n° 7', page: 1, confidence: 0.4 }],
} as unknown as Review

test('what is doubtful is told with the decision, and what is changed', () => {
  const form = { ...formOf(r), date_promulgation: '2024-03-03 ', domaine: 'travail' }
  assert.deepEqual(decisionOf(r, form, 'accept'), { decision: 'accept', numero_officiel: '7', date_promulgation: '2024-03-03', domaine: 'travail' })
  assert.deepEqual(decisionOf(r, form, 'reject'), { decision: 'reject' })
  assert.deepEqual(decisionOf(r, { ...formOf(r), nature: '' }, 'accept'), { decision: 'accept', numero_officiel: '7', nature: null })
})

test('what was not read is empty, and not told as if it had been', () => {
  assert.equal(formOf(r).date_promulgation, '')
  assert.equal('date_promulgation' in decisionOf(r, formOf(r), 'accept'), false)
})

test('what cannot be accepted as it is lacks a datum of which nothing was read', () => {
  assert.deepEqual(lackingOf(r), ['date_promulgation'])
  assert.deepEqual(lackingOf({ ...r, doubts: r.doubts.slice(1) }), [])
})

test('data in doubt stand beside the words they were read from', () => {
  assert.deepEqual(doubtedOf(r), ['numero_officiel', 'date_promulgation'])
  assert.deepEqual(sourceOf(r, 'date_promulgation'), { words: 'le 3 mars', page: 2 })
  assert.deepEqual(sourceOf(r, 'numero_officiel'), { words: 'n° 7', page: 1 })
  assert.equal(sourceOf(r, 'domaine'), null)
})
