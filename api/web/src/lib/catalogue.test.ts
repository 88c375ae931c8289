import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, narrowed, wanted, yearChange, yearOf } from './catalogue'

test('an address says what is looked for, and what it has wrong is left out', () => {
  const w = wanted({ q: ' préavis ', objet: 'article', statut: 'modifie', type: 'code', pays: 'bj', date: '2025-02-01', du: 'hier', tri: 'recent', page: '3' })
  assert.deepEqual([w.q, w.kind, w.statut, w.type, w.pays, w.date, w.from, w.order, w.page], ['préavis', 'article', 'modifie', 'code', 'bj', '2025-02-01', '', 'recent', 3])
  const odd = wanted({ q: 'x', objet: 'page', statut: 'peut-être', type: 'roman', tri: 'hasard', page: '-2' })
  assert.deepEqual([odd.kind, odd.statut, odd.type, odd.order, odd.page], ['', '', '', '', 1])
  const none = wanted({ objet: 'article', pays: 'bj', nature: 'Ordonnance', date: '2025-02-01', domaine: 'travail' })
  assert.deepEqual([none.kind, none.pays, none.nature, none.date, none.domaine], ['', 'bj', 'Ordonnance', '2025-02-01', 'travail'])
})

test('a change begins at the first page, a page keeps the rest', () => {
  const query = { q: 'sel gris', page: '4', statut: 'abroge' }
  assert.equal(address(query, { statut: '' }), '/textes?q=sel+gris')
  assert.equal(address(query, { page: '5' }), '/textes?q=sel+gris&page=5&statut=abroge')
  assert.equal(address(query, { page: '1' }), '/textes?q=sel+gris&statut=abroge')
  assert.equal(address({}, {}), '/textes')
})

test('a year is a span of days, and goes as it came', () => {
  const change = yearChange(wanted({}), '2024')
  assert.deepEqual(change, { du: '2024-01-01', au: '2024-12-31' })
  const w = wanted(change)
  assert.equal(yearOf(w), '2024')
  assert.equal(narrowed(w), 1)
  assert.deepEqual(yearChange(w, '2024'), { du: '', au: '' })
  assert.equal(yearOf(wanted({ du: '2024-01-01' })), '')
})
