import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Verification } from '../api/types'
import { opens, pieces, quotedWeight, quotedWord, toReview } from './verified'

const reference = { start: 5, end: 13, name: 'loi n° 5', state: 'abroge', told: '', inherited: false, texts: [], articles: [] } as const
const quotation = { start: 18, end: 31, reference: 0, verdict: 'identique', told: '', words: '', article: '', elsewhere: false, differences: [], url: '' } as const
const report = (over: Partial<Verification>): Verification => ({ date: '2026-01-01', pays: '', text: 'Vu 🙂 loi n° 5 : « un deux trois »', references: [], quotations: [], more: false, ...over }) as Verification

test('the text is cut at what was found, in code points', () => {
  const got = pieces(report({ references: [{ ...reference }] as never, quotations: [{ ...quotation }] as never }))
  assert.deepEqual(got.map((p) => p.text), ['Vu 🙂 ', 'loi n° 5', ' : « ', 'un deux trois', ' »'])
  assert.equal(got.map((p) => p.text).join(''), 'Vu 🙂 loi n° 5 : « un deux trois »')
  assert.deepEqual(got[1], { text: 'loi n° 5', id: 'ref-0', word: 'abrogé', weight: 'bad' })
})

test('what overlaps or is empty is no mark', () => {
  const got = pieces(report({ references: [{ ...reference }, { ...reference, start: 8 }, { ...reference, start: 13 }] as never }))
  assert.equal(got.filter((p) => p.id).length, 1)
  assert.deepEqual(pieces(report({ text: '' })), [])
})

test('words of another article are no exact quotation', () => {
  assert.equal(quotedWord(quotation as never), 'citation exacte')
  assert.equal(quotedWord({ ...quotation, elsewhere: true } as never), 'autre article')
  assert.equal(quotedWeight({ ...quotation, elsewhere: true } as never), 'changed')
})

test('an article opens on the day of the report', () => {
  assert.equal(opens('a', 'b', '2026-01-01'), '/textes/a?article=b&date=2026-01-01')
  assert.equal(opens('a', null, '2026-01-01'), '/textes/a?date=2026-01-01')
})

test('what is wrong and what nothing can be told of is to be looked at', () => {
  const states = (...all: string[]) => all.map((state) => ({ ...reference, state }))
  const verdicts = (...all: string[]) => all.map((verdict) => ({ ...quotation, verdict }))
  assert.equal(toReview(report({ references: states('en_vigueur', 'modifie', 'interne') as never, quotations: verdicts('identique') as never })), 0)
  assert.equal(toReview(report({ references: states('abroge', 'pas_encore', 'absent', 'ambigu', 'sans_texte') as never })), 5)
  assert.equal(toReview(report({ quotations: [...verdicts('differente', 'absente', 'non_comparee'), { ...quotation, elsewhere: true }] as never })), 4)
})
