import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceWord } from './device'

test('browsers and systems', () => {
  const gecko = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const webkit = (system: string, rest: string) => `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`
  assert.equal(deviceWord(gecko), 'Firefox, Linux')
  assert.equal(deviceWord(webkit('Windows NT 10.0; Win64; x64', 'Chrome/131.0.0.0 Safari/537.36')), 'Chrome, Windows')
  assert.equal(deviceWord(webkit('Windows NT 10.0; Win64; x64', 'Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0')), 'Edge, Windows')
  assert.equal(deviceWord(webkit('Linux; Android 10; K', 'Chrome/131.0.0.0 Mobile Safari/537.36')), 'Chrome, Android')
  assert.equal(deviceWord(webkit('iPhone; CPU iPhone OS 18_1 like Mac OS X', 'Version/18.1 Mobile/15E148 Safari/604.1')), 'Safari, iPhone')
  assert.equal(deviceWord(webkit('Macintosh; Intel Mac OS X 10_15_7', 'Version/18.1 Safari/605.1.15')), 'Safari, Mac')
})

test('other programs', () => {
  assert.equal(deviceWord('curl/8.11.0'), 'curl/8.11.0')
  assert.equal(deviceWord('Firefox/140.0'), 'Firefox')
  assert.equal(deviceWord(null), 'Programme sans nom')
  assert.equal(deviceWord(''), 'Programme sans nom')
  assert.ok(deviceWord('x'.repeat(200)).length <= 60)
})
