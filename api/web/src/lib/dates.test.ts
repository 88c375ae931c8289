import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day, dayBefore, group, moment, lawToday, since, span, until } from './dates'

test('days', () => {
  assert.equal(day('2023-03-01'), '1er mars 2023')
  assert.equal(day('2023-03-14'), '14 mars 2023')
  assert.equal(day(''), '')
  assert.equal(day('2023-13-01'), '2023-13-01')
})

test('the day before', () => {
  assert.equal(dayBefore('2024-03-01'), '2024-02-29')
  assert.equal(dayBefore('2025-01-01'), '2024-12-31')
})

test('the day is that of Paris', () => {
  const evening = new Date('2026-11-24T23:30:00Z') // in Abidjan
  for (const [country, today] of Object.entries({ ci: '2026-11-24', sn: '2026-11-24', '': '2026-11-24', ohada: '2026-11-24', bj: '2026-11-25', fr: '2026-11-25', ht: '2026-11-24' })) assert.equal(lawToday(country, evening), today)
  assert.equal(lawToday('fr', new Date('2026-06-30T22:30:00Z')), '2026-07-01')
  assert.equal(lawToday(null, new Date('2026-12-31T23:59:00Z')), '2026-12-31')
})

test('groups of a list', () => {
  const now = new Date(2026, 10, 22, 0, 30)
  assert.equal(group(new Date(2026, 10, 22, 0, 1).toISOString(), now), 'Aujourd’hui')
  assert.equal(group(new Date(2026, 10, 21, 23, 59).toISOString(), now), 'Hier')
  assert.equal(group(new Date(2026, 10, 16, 1, 0).toISOString(), now), 'Les 7 derniers jours')
  assert.equal(group(new Date(2026, 10, 15, 1, 0).toISOString(), now), 'Les 30 derniers jours')
  assert.equal(group(new Date(2026, 7, 15).toISOString(), now), 'Août')
  assert.equal(group(new Date(2025, 7, 15).toISOString(), now), 'Août 2025')
})

test('times and spans', () => {
  const now = new Date(2026, 10, 22, 15, 0)
  assert.equal(moment(new Date(2026, 10, 22, 14, 5).toISOString(), now), 'aujourd’hui à 14:05')
  assert.equal(moment(new Date(2026, 2, 1, 9, 0).toISOString(), now), '1er mars 2026 à 09:00')
  assert.equal(since(new Date(2026, 10, 22, 14, 5).toISOString(), now), 'depuis aujourd’hui à 14:05')
  assert.equal(since(new Date(2026, 2, 1, 9, 0).toISOString(), now), 'depuis le 1er mars 2026 à 09:00')
  assert.equal(until(new Date(2026, 10, 22, 16, 0).toISOString(), now), 'jusqu’à aujourd’hui à 16:00')
  assert.equal(until(new Date(2027, 2, 1, 9, 0).toISOString(), now), 'jusqu’au 1er mars 2027 à 09:00')
  assert.equal(span(29), '0,03\u202fs')
  assert.equal(span(4000), '4\u202fs')
  assert.equal(span(61_000), '61\u202fs')
  assert.equal(span(600_000), '10\u202fmin')
})
