import assert from 'node:assert/strict'
import { test } from 'node:test'
import { named } from './once'

function store(): () => Pick<Storage, 'getItem' | 'setItem'> {
  const kept = new Map<string, string>()
  return () => ({ getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => void kept.set(k, v) })
}

/** As the API reads it. */
const form = /^[A-Za-z0-9._~:+/=-]{1,255}$/

test('what is sent again after a lost connection has its name', () => {
  const s = store()
  const first = named(s, 'question 1')
  assert.match(first.name, form)
  for (const status of [0, 500, 502, 503, 504, 401, 408, 429]) {
    first.answered(status)
    assert.equal(named(s, 'question 1').name, first.name, String(status))
  }
})

test('what the API has told of is named anew', () => {
  for (const status of [200, 201, 202, 400, 403, 404, 409, 413, 422]) {
    const s = store()
    const first = named(s, 'question 1')
    first.answered(0)
    named(s, 'question 1').answered(status)
    assert.notEqual(named(s, 'question 1').name, first.name, String(status))
  }
})

test('another body has another name, and each keeps its own', () => {
  const s = store()
  const one = named(s, 'inquiry {"company":"A"}')
  one.answered(0)
  const two = named(s, 'inquiry {"company":"B"}')
  assert.notEqual(two.name, one.name)
  two.answered(202)
  assert.equal(named(s, 'inquiry {"company":"A"}').name, one.name)
})

test('the latest are remembered, and what was tried again is one of them', () => {
  const s = store()
  const kept = named(s, '0').name
  for (let i = 1; i < 20; i++) named(s, String(i))
  assert.equal(named(s, '0').name, kept)
  const dropped = named(s, '1').name
  for (let i = 20; i < 40; i++) named(s, String(i))
  assert.notEqual(named(s, '1').name, dropped)
})

test('a browser that keeps nothing, or something else, names each time', () => {
  const never = () => { throw new Error('no') }
  const n = named(never, 'a')
  assert.match(n.name, form)
  n.answered(200)
  assert.notEqual(named(never, 'a').name, n.name)
  for (const odd of ['{', '{}', 'null']) {
    assert.match(named(() => ({ getItem: () => odd, setItem: () => undefined }), 'a').name, form)
  }
})
