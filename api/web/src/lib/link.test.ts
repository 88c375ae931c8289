import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenOf } from './link'

test('the token of a link', () => {
  assert.equal(tokenOf('#jeton=4Yq1mJ8s-Qf0_c7Z'), '4Yq1mJ8s-Qf0_c7Z')
  assert.equal(tokenOf('#jeton=abc%20'), 'abc')
  assert.equal(tokenOf('#jeton='), '')
  assert.equal(tokenOf('#contenu'), null)
  assert.equal(tokenOf(''), null)
  assert.equal(tokenOf('#jeton=%E0%A4'), '\ufffd') // what is no UTF-8 throws nothing
})
