import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxes, firstPage } from './highlight'

test('boxes are scaled, and one a line', () => {
  const regions = [
    { page: 2, rect: [10, 100, 50, 112] }, { page: 2, rect: [51, 100.5, 90, 112] }, { page: 2, rect: [10, 114, 60, 126] },
    { page: 3, rect: [0, 0, 1, 1] },
  ]
  assert.deepEqual(boxes(regions, 2, 2), [
    { left: 20, top: 200, width: 160, height: 24 }, { left: 20, top: 228, width: 100, height: 24 },
  ])
  assert.equal(boxes(regions, 4, 2).length, 0)
})

test('two columns stay apart', () => {
  const regions = [{ page: 1, rect: [10, 100, 200, 112] }, { page: 1, rect: [300, 100, 500, 112] }]
  assert.equal(boxes(regions, 1, 1).length, 2)
})

test('the first page is that of the words', () => {
  assert.equal(firstPage(3, [{ page: 5, rect: [0, 0, 1, 1] }, { page: 4, rect: [0, 0, 1, 1] }]), 4)
  assert.equal(firstPage(3, []), 3)
  assert.equal(firstPage(null, []), 1)
})
