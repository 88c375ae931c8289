import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin, ended, lose, paced, regain, take, wholeSentences, type Answer, type AnswerEvent } from './stream'

const chunk = (id: number, text: string): AnswerEvent => ({ id: String(id), event: 'chunk', data: JSON.stringify({ text }) })
const all = (events: AnswerEvent[], from: Answer = begin('m', 'c')) => events.reduce(take, from)

test('chunks are the text, in order, each once', () => {
  const a = all([chunk(1, 'La '), chunk(2, 'loi'), chunk(2, 'loi'), chunk(1, 'La ')])
  assert.equal(a.text, 'La loi')
  assert.equal(a.lastId, '2')
  assert.equal(a.phase, 'writing')
})

test('a reset drops what was shown', () => {
  const a = all([chunk(1, 'faux'), { id: '1000000', event: 'reset', data: '{}' }, chunk(1000001, 'vrai')])
  assert.equal(a.text, 'vrai')
  assert.equal(a.resets, 1)
})

test('the end is the end', () => {
  const final = { id: '3', event: 'final', data: JSON.stringify({ citations: [{ index: 1 }], validation: { ok: true, warning: null }, latency_ms: 12, model: 'x' }) }
  const a = all([chunk(1, 'a'), final, chunk(4, 'b')])
  assert.equal(a.text, 'a')
  assert.equal(a.phase, 'done')
  assert.equal(a.latencyMs, 12)
  assert.equal(a.citations.length, 1)
  assert.ok(ended(a) && lose(a) === a)
})

test('an error without a number is a lost connection, one with a number the end', () => {
  const lost = all([chunk(1, 'a'), { event: 'error', data: '{"detail":"x"}' }])
  assert.equal(lost.phase, 'lost')
  assert.equal(lost.text, 'a')
  assert.equal(lost.lastId, '1')
  assert.equal(regain(lost).phase, 'writing')
  const failed = all([{ id: '2', event: 'error', data: '{"detail":"Panne."}' }], lost)
  assert.equal(failed.phase, 'failed')
  assert.equal(failed.error, 'Panne.')
})

test('what is no JSON changes nothing', () => {
  const a = all([{ id: '1', event: 'chunk', data: '{' }, { id: '1', event: 'chunk', data: 'null' }])
  assert.deepEqual(a, begin('m', 'c'))
})

test('whole sentences', () => {
  assert.equal(wholeSentences('Un mot'), '')
  assert.equal(wholeSentences('Une phrase. [1] Une au'), 'Une phrase. [1]')
  assert.equal(wholeSentences('Selon l’art. 3 de'), '')
  assert.equal(wholeSentences('Voici :\n\n- un'), 'Voici :\n\n')
})

test('whole sentences go on behind those that are known', () => {
  const text = 'Une phrase. [1] Selon l’art. 3 de la loi, deux. Trois ! Qua'
  const heard = (s: string) => s.replace(/\[\d+\]/g, '').trimEnd() // a mark may come with the sentence behind it
  let whole = ''
  for (let n = 1; n <= text.length; n++) {
    whole = wholeSentences(text.slice(0, n), whole.length)
    assert.equal(heard(whole), heard(wholeSentences(text.slice(0, n))))
  }
})

test('much that comes at once is drawn by parts, whole in the end', () => {
  const come: Answer = { ...begin('m', 'c'), text: 'trois mots ici '.repeat(400) + 'x'.repeat(3000), phase: 'done', latencyMs: 3 }
  let shown = begin('m', 'c')
  let frames = 0
  for (; shown !== come; frames++) {
    const next = paced(shown, come)
    assert.ok(next.text.length - shown.text.length <= 600 && (next.text.length > shown.text.length || next === come))
    assert.ok(next === come || next.phase === 'writing' && come.text.startsWith(next.text) && next.latencyMs === null)
    shown = next
  }
  assert.ok(frames >= come.text.length / 600 && frames < 20)
  const reset = { ...begin('m', 'c'), text: 'Autre. '.repeat(300), resets: 1, phase: 'writing' as const }
  assert.equal(paced(shown, reset), reset) // nothing of it is what is shown
  const last: Answer = { ...come, text: 'Un mot.' }
  assert.deepEqual([paced(begin('m', 'c'), last).phase, paced({ ...last, phase: 'writing' }, last)], ['writing', last])
})
