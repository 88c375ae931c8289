import assert from 'node:assert/strict'
import { test } from 'node:test'
import { articleWord, count, modelWord, plural, readableNow, shorten, typeset } from './french'

test('narrow no-break spaces stand before high punctuation and inside guillemets', () => {
  assert.equal(typeset('Quoi ? « L\'article » : oui ; non !'), 'Quoi\u202f? «\u202fL’article\u202f»\u202f: oui\u202f; non\u202f!')
  assert.equal(typeset('12:30, http://x'), '12:30, http://x')
  assert.equal(typeset('déjà\u00a0: bon'), 'déjà\u202f: bon')
  assert.equal(typeset(typeset('a : b')), typeset('a : b'))
})

test('an answer without a model is told by what it is', () => {
  assert.equal(modelWord('extractif'), 'passages cités sans rédaction')
  assert.equal(modelWord('un-modele-8b'), 'un-modele-8b')
})

test('numbers and plurals', () => {
  assert.equal(count(1204), '1\u202f204')
  assert.equal(count(1234567), '1\u202f234\u202f567')
  assert.equal(plural(0, 'texte'), '0 texte')
  assert.equal(plural(1, 'texte'), '1 texte')
  assert.equal(plural(2, 'texte'), '2 textes')
  assert.equal(plural(3, 'travail', 'travaux'), '3 travaux')
})

test('articles', () => {
  assert.equal(articleWord('26'), 'article 26')
  assert.equal(articleWord('L. 1224-1'), 'article L. 1224-1')
  assert.equal(articleWord('Annexe I'), 'Annexe I')
  assert.equal(articleWord(''), 'texte')
})

test('texts are cut at a word', () => {
  assert.equal(shorten('un  deux\ntrois', 40), 'un deux trois')
  assert.equal(shorten('un deux trois quatre', 14), 'un deux trois…')
  assert.equal(shorten('anticonstitutionnellement', 10).length, 10)
})

test('what is readable is told with the time until it is found more precisely', () => {
  for (const [seconds, when] of [[0, 'une minute'], [61, '2 minutes'], [720, '12 minutes'], [7201, '3 heures']] as const) {
    assert.equal(readableNow(seconds), `Lisible dès maintenant, plus précis dans ${when}.`)
  }
})
