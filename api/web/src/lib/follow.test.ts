import assert from 'node:assert/strict'
import { test } from 'node:test'
import { follow, pauses, type Send } from './follow'
import { begin } from './stream'

pauses.fill(1)

const stream = (text: string, headers: Record<string, string> = {}) => new Response(text, { headers })
const event = (id: number, name: string, data: unknown) => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const final = (id: number) => event(id, 'final', { citations: [], validation: { ok: true, warning: null }, latency_ms: 1, model: 'x' })

test('a stream that breaks off is taken up behind the last event', async () => {
  const asked: (string | null)[] = []
  const answers = [stream(event(1, 'chunk', { text: 'La ' })), null, stream(': keep-alive\n\n' + event(2, 'chunk', { text: 'loi' }) + final(3))]
  const send: Send = async (_path, init) => {
    asked.push(new Headers(init?.headers).get('Last-Event-ID'))
    const r = answers.shift()
    if (!r) throw new TypeError('offline')
    return r
  }
  const phases: string[] = []
  const a = await follow(send, begin('m', 'c'), (s) => phases.push(s.phase), new AbortController().signal)
  assert.equal(a.text, 'La loi')
  assert.equal(a.phase, 'done')
  assert.deepEqual(asked, [null, '1', '1'])
  assert.ok(phases.includes('lost'))
})

test('the stream of the question is read first', async () => {
  const a = await follow(async () => assert.fail('asked again'), begin('m', 'c'), () => undefined, new AbortController().signal, stream(event(1, 'chunk', { text: 'x' }) + final(2)))
  assert.equal(a.text, 'x')
})

test('an answer that is gone ends, and who leaves is left', async () => {
  const a = await follow(async () => new Response('{}', { status: 404 }), begin('m', 'c'), () => undefined, new AbortController().signal)
  assert.equal(a.phase, 'failed')
  const gone = new AbortController()
  const left = await follow(async () => { gone.abort(); throw new TypeError('aborted') }, begin('m', 'c'), () => undefined, gone.signal)
  assert.equal(left.phase, 'waiting')
})
