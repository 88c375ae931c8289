import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begun, handover, left } from './handover'

function store(): () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return () => ({ getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => void kept.set(k, v), removeItem: (k) => void kept.delete(k) })
}

test('a renewal whose page has gone is waited for, not for long', () => {
  const s = store()
  assert.equal(left(s, 1000), 0)
  const end = begun(s, 1000)
  assert.equal(left(s, 1000), handover)
  assert.equal(left(s, 1500), handover - 500)
  assert.equal(left(s, 1000 + handover), 0)
  assert.equal(left(s, 900), 0) // a clock that was set back
  end()
  assert.equal(left(s, 1500), 0)
})

test('a browser that keeps nothing waits for nobody', () => {
  const never = () => { throw new Error('no') }
  begun(never, 1)()
  assert.equal(left(never, 1), 0)
})
