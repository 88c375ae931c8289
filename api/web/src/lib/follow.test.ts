import assert from 'node:assert/strict'
import { test } from 'node:test'
import { follow, patience, pauses, type Send } from './follow'
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

/** A stream that says its parts at intervals in milliseconds and then nothing more, without an end. */
const silent = (parts: string[], every = 5) => new Response(new ReadableStream<Uint8Array>({
  async start(on) {
    for (const part of parts) {
      await new Promise((done) => setTimeout(done, every))
      try { on.enqueue(new TextEncoder().encode(part)) } catch { return }
    }
  },
}))

test('a stream that has fallen silent is given up and taken up again', async () => {
  patience.silence = 60
  const asked: (string | null)[] = []
  const answers = [silent([event(1, 'chunk', { text: 'La ' })]), stream(event(2, 'chunk', { text: 'loi' }) + final(3))]
  const phases: string[] = []
  const a = await follow(async (_path, init) => {
    asked.push(new Headers(init?.headers).get('Last-Event-ID'))
    return answers.shift()!
  }, begin('m', 'c'), (s) => phases.push(s.phase), new AbortController().signal)
  assert.equal(a.text, 'La loi')
  assert.deepEqual(asked, [null, '1'])
  assert.ok(phases.includes('lost'))
  patience.silence = 35_000
})

test('a stream that says that it is there is waited for', async () => {
  patience.silence = 100
  let asked = 0
  const a = await follow(async () => {
    asked++
    return silent([...Array<string>(20).fill(': keep-alive\n\n'), event(1, 'chunk', { text: 'loi' }) + final(2)], 20)
  }, begin('m', 'c'), () => undefined, new AbortController().signal)
  assert.equal(a.text, 'loi')
  assert.equal(asked, 1)
  patience.silence = 35_000
})

test('a request that nobody answers is asked again', async () => {
  patience.silence = 30
  let asked = 0
  const a = await follow(async (_path, init) => {
    if (asked++ === 0) return new Promise<Response>((_done, fail) => init?.signal?.addEventListener('abort', () => fail(new TypeError('aborted'))))
    return stream(event(1, 'chunk', { text: 'loi' }) + final(2))
  }, begin('m', 'c'), () => undefined, new AbortController().signal)
  assert.equal(a.text, 'loi')
  assert.equal(asked, 2)
  patience.silence = 35_000
})
