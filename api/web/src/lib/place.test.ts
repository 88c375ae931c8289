import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Doubt, PageLine, Review } from '../api/types'
import { linesAt, spotsOf, viewOf } from './place'

const r = { id: 'a', first_page: 1, last_page: 2, doubts: [], evidence: [] } as unknown as Review
const line = (text: string, label = 'article', article: string | null = null, of: string | null = 'a'): PageLine => ({ rect: [50, 100, 250, 110], text, label, confidence: 1, text_index: 0, document_id: of, article } as PageLine)
const doubt = (d: Partial<Doubt>): Doubt => ({ field: 'articles', reason: '', confidence: 0.4, ...d }) as Doubt

test('a datum that was not found is looked for in the title and below the text', () => {
  assert.deepEqual(spotsOf(r, doubt({ field: 'date_promulgation' })), [{ page: 1, what: 'head' }, { page: 2, what: 'end' }])
  assert.deepEqual(spotsOf(r, doubt({ field: 'title', words: 'LOI', page: 1 })), [{ page: 1, what: 'words' }])
  assert.deepEqual(spotsOf(r, doubt({ field: 'complet', page: 2 })), [{ page: 2, what: 'end' }])
  const lines = [line('MINISTÈRE', 'loose', null, null), line('LOI n° 1', 'head'), line('sur le sel', 'head'), line('Vu', 'preamble'), line('Le Président', 'signature'), line('LOI n° 2', 'head', null, 'b')]
  assert.deepEqual(linesAt({ page: 1, what: 'head' }, r, doubt({}), lines), { from: 1, to: 2 })
  assert.deepEqual(linesAt({ page: 1, what: 'end' }, r, doubt({}), lines), { from: 4, to: 4 })
})

test('words are found on their lines, however they are broken and accented', () => {
  const lines = [line('La loi'), line('portant création d’une'), line('caisse, et de la loi'), line('Art. 4')]
  const at = (words: string) => linesAt({ page: 1, what: 'words' }, r, doubt({ words, page: 1 }), lines)
  assert.deepEqual(at('portant CREATION d’une caisse'), { from: 1, to: 2 })
  assert.deepEqual(at('d’une loi'), { from: 1, to: 2 })
  assert.equal(at('signature'), null)
})

test('an article is all of its lines on the page, the last of its number', () => {
  const lines = [line('Art. 2', 'article', '2'), line('Art. 3', 'article', '3'), line('Art. 2', 'article', '2'), line('suite', 'article', '2'), line('Art. 2', 'article', '2', 'b')]
  assert.deepEqual(linesAt({ page: 1, what: 'words' }, r, doubt({ words: 'Article 2', page: 1 }), lines), { from: 2, to: 3 })
})

test('a view stays on the page and shows what is around', () => {
  assert.deepEqual(viewOf([line('x')], 600, 800), { x: 0, y: 76, width: 300, height: 58 })
  assert.deepEqual(viewOf([{ ...line('x'), rect: [500, 790, 600, 800] }], 600, 800), { x: 300, y: 742, width: 300, height: 58 })
})
