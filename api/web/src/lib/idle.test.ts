import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { whenIdle } from './idle'

type Idle = (deadline: { timeRemaining: () => number }) => void
const browser = globalThis as unknown as { requestIdleCallback?: (f: Idle) => number; cancelIdleCallback?: (n: number) => void }
afterEach(() => {
  delete browser.requestIdleCallback
  delete browser.cancelIdleCallback
})

const pieces = (done: number[], n: number) => Array.from({ length: n }, (_, i) => () => void done.push(i))

test('as much is done as there is time for, at least one piece, in order', () => {
  const waiting: Idle[] = []
  browser.requestIdleCallback = (f) => waiting.push(f)
  const done: number[] = []
  whenIdle(pieces(done, 5))
  let left = 12
  waiting.shift()!({ timeRemaining: () => (left -= 4) }) // 8, then 4
  assert.deepEqual(done, [0, 1])
  waiting.shift()!({ timeRemaining: () => 0 })
  assert.deepEqual(done, [0, 1, 2])
  waiting.shift()!({ timeRemaining: () => 50 })
  assert.deepEqual(done, [0, 1, 2, 3, 4])
  assert.equal(waiting.length, 0)
})

test('what is ended does no more', () => {
  const ended: number[] = []
  browser.requestIdleCallback = () => 7
  browser.cancelIdleCallback = (n) => ended.push(n)
  whenIdle(pieces([], 1))()
  assert.deepEqual(ended, [7])
})

test('a browser that does not tell gets one piece at a time', async () => {
  const done: number[] = []
  await new Promise<void>((all) => whenIdle([...pieces(done, 2), all]))
  assert.deepEqual(done, [0, 1])
})
