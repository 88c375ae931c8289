import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, locate, named, parts, plain } from './marks'

test('marks are cut out, unknown numbers are dropped', () => {
  const known = (n: number) => n <= 2
  assert.deepEqual(parts('La loi. [1] Fin [2, 7].', known), [
    { text: 'La loi.' }, { cites: [1], raw: ' [1]' }, { text: ' Fin' }, { cites: [2], raw: ' [2, 7]' }, { text: '.' },
  ])
  assert.deepEqual(parts('Rien [9].', known), [{ text: 'Rien' }, { text: '.' }])
})

test('what a warning names is found in the text', () => {
  const warning = 'Une phrase ne cite aucune source : « Le préavis est de trois mois et… ». Le nombre « 3 mois » ne figure pas dans la source [1].'
  assert.deepEqual(named(warning), ['Le préavis est de trois mois et', '3 mois'])
  assert.deepEqual(named(null), [])
  const text = 'Donc. Le préavis  est de [1] trois\nmois et demi.'
  const at = locate(text, named(warning)[0]!)
  assert.ok(at)
  assert.equal(text.slice(...at), 'Le préavis  est de [1] trois\nmois et')
  assert.equal(locate(text, 'autre (chose'), null)
})

test('what is looked for is found without accents or case, in code points', () => {
  const text = '𝒳 Préavis, PRE\u0301AVIS, œuvre ﬁnale'
  const words = [...text]
  const at = (wanted: string) => found(text, plain(wanted)).map((m) => words.slice(m.start, m.end).join(''))
  assert.deepEqual(at('préavis'), ['Préavis', 'PRE\u0301AVIS'])
  assert.deepEqual(at('fin'), ['ﬁn'])
  assert.deepEqual(at('absent'), [])
  assert.deepEqual(found(text, ''), [])
  assert.deepEqual(found('aaa', 'aa'), [{ start: 0, end: 2 }])
})
