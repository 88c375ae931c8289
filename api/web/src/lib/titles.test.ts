import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOf, runs, split } from './titles'

test('marks count code points', () => {
  assert.deepEqual(split('𝕏 le préavis', [{ start: 5, end: 12 }]), [{ text: '𝕏 le ', on: false }, { text: 'préavis', on: true }])
  assert.deepEqual(split('sel', []), [{ text: 'sel', on: false }])
  assert.deepEqual(split('', []), [])
  assert.deepEqual(split('abc', [{ start: 0, end: 2 }, { start: 1, end: 3 }]), [{ text: 'ab', on: true }, { text: 'c', on: false }])
})

test('no line ends within a number or between a guillemet and its word', () => {
  const cut = (text: string, marks: { start: number; end: number }[] = []) => runs(split(text, marks)).map((r) => [r.whole, r.parts.map((p) => (p.on ? `[${p.text}]` : p.text)).join('')])
  assert.deepEqual(cut('Loi n° 2008-28/AN du 8 mai, n°97-022/PRES.'), [[false, 'Loi '], [true, 'n° 2008-28/AN'], [false, ' du 8 mai, '], [true, 'n°97-022/PRES'], [false, '.']])
  assert.deepEqual(cut('N° 3 portant', [{ start: 3, end: 8 }]), [[true, 'N° [3]'], [false, '[ por]tant']])
  assert.deepEqual(cut('Décret (n° 5), nº sans chiffre'), [[false, 'Décret ('], [true, 'n° 5'], [false, '), nº sans chiffre']])
  assert.deepEqual(cut('prêt « aux communes » rurales « A »'), [[false, 'prêt '], [true, '« aux'], [false, ' '], [true, 'communes »'], [false, ' rurales '], [true, '« A »']])
  assert.deepEqual(cut('Code du travail'), [[false, 'Code du travail']])
  assert.deepEqual(cut(''), [])
})

test('an act is named up to its day', () => {
  assert.equal(nameOf('Loi n° 2025-03 du 4 mars 2025 modifiant la loi du 1er mai 2020'), 'Loi n° 2025-03 du 4 mars 2025')
  assert.equal(nameOf('Dahir n° 1-74-447 du 1er août 1974 portant code'), 'Dahir n° 1-74-447 du 1er août 1974')
  assert.equal(nameOf('Code du travail'), 'Code du travail')
})
