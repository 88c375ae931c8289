import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alineas, cut, doubted, plain, strays, warming, type Cut } from './markdown'

const sentence = (n: number) => `La durée du préavis est fixée par le contrat ou la loi au point ${n} [1].`
const long = Array.from({ length: 40 }, (_, i) => sentence(i)).join(' ')

test('a text that grows keeps its blocks and pieces, and says in the end what it says at once', () => {
  const whole = `Premier **alinéa**.\nSa suite\n1. un\n2. deux\n\nTitre\n---\n- un\n- deux\n\n${long}\n   \nAprès\n    un retrait\n\n> cité\n\na | b\n--|--\n1 | 2\n\nUn chemin \\\\* et la suite.\n\nFin [2].\n`
  let before: Cut | undefined
  for (let n = 1; n <= whole.length; n++) {
    before = cut(whole.slice(0, n), before)
    assert.deepEqual(before.blocks, cut(whole.slice(0, n)).blocks, whole.slice(0, n))
  }
  assert.deepEqual(before!.blocks, cut(whole).blocks)
  assert.equal(before!.blocks.map((b) => b.pieces.join('')).join('').replace(/\s/g, ''), whole.replace(/\s/g, ''))
})

test('a long paragraph is cut behind sentences, and stays so cut', () => {
  const of = (n: number) => cut(long.slice(0, n)).blocks[0]!.pieces
  const all = of(long.length)
  assert.ok(all.length > 5)
  assert.ok(all.slice(0, -1).every((p) => /\[1\]\.$/.test(p)))
  for (let n = 1; n < long.length; n += 7) assert.deepEqual(of(n).slice(0, -1), all.slice(0, of(n).length - 1))
})

test('what Markdown marks is never cut', () => {
  const bold = `Ainsi : **${long}** et la suite. ${long}`
  const pieces = cut(bold).blocks[0]!.pieces
  assert.ok(pieces[0]!.includes('** et la suite.'))
  assert.equal(pieces.join(''), bold)
  assert.equal(cut(`${long} \\* ${long}`).blocks[0]!.pieces.length, 1)
})

test('what is doubted is found across pieces, once', () => {
  const block = cut(long).blocks[0]!
  const first = block.pieces[0]!
  const phrase = first.slice(-30, -5).replace(/ \[1\].*/, '')
  const across = first.slice(-12) + block.pieces[1]!.slice(0, 12)
  for (const wanted of [phrase, across.trim()]) {
    const ranges = doubted(block, [wanted, wanted.slice(0, 8)])
    assert.equal(ranges.length, block.pieces.length)
    assert.ok(ranges.flat().length >= 1, wanted)
    for (const r of ranges) for (let i = 1; i < r.length; i++) assert.ok(r[i]![0] > r[i - 1]![1])
  }
})

test('marks of no source are seen', () => {
  assert.equal(strays('Fin [1, 2].', (n) => n < 3), false)
  assert.equal(strays('Fin [1, 7].', (n) => n < 3), true)
  assert.equal(strays('Sans marque.', () => false), false)
})

test('what Markdown marks nothing in is words and marks, and nothing else', () => {
  const known = (n: number) => n < 3
  assert.deepEqual(plain('Le préavis dure un mois [1, 7]. Il court.\n', known), [{ text: 'Le préavis dure un mois' }, { cites: [1], raw: ' [1, 7]' }, { text: '. Il court.' }])
  for (const marked of ['un **gras**', 'un _mot_', 'du `code`', '~~barré~~', 'un <b>', 'R&amp;D', '[lien](x)', 'une \\*', 'deux\nlignes']) assert.equal(plain(marked, known), null, marked)
})

test('no line ends inside of guillemets or before high punctuation', () => {
  assert.deepEqual(plain('Il dispose : « La loi ; le décret » [1]. Quoi ? A:b', () => true), [
    { text: 'Il dispose\u202f: «\u202fLa loi\u202f; le décret\u202f»' }, { cites: [1], raw: ' [1]' }, { text: '. Quoi\u202f? A:b' }])
})

test('what is doubted is said of words and marks too, across marks', () => {
  const piece = 'Il dure « un mois » [1]. Il court du jour dit.'
  const phrase = 'un mois » [1]. Il court'
  const at = piece.indexOf(phrase)
  assert.deepEqual(plain(piece, () => true, [[0, 2], [at, at + phrase.length]]), [
    { text: 'Il', doubted: true }, { text: ' dure «\u202f' }, { text: 'un mois\u202f»', doubted: true }, { cites: [1], raw: ' [1]' },
    { text: '. Il court', doubted: true }, { text: ' du jour dit.' }])
  assert.equal(plain('Il *dure*.', () => true, [[0, 2]]), null)
})

test('a long paragraph is set as several, which stay as they are', () => {
  const of = (n: number) => cut(long.slice(0, n)).blocks[0]!.pieces
  const all = alineas(of(long.length))
  assert.ok(all.length > 1)
  assert.deepEqual(all.flatMap(([from, to]) => of(long.length).slice(from, to)), of(long.length))
  for (const [from, to] of all.slice(0, -1)) {
    const length = of(long.length).slice(from, to).join('').length
    assert.ok(length >= 1200 && length < 1800, String(length))
  }
  for (let n = 1; n < long.length; n += 7) {
    const before = alineas(of(n))
    assert.deepEqual(before.slice(0, -1), all.slice(0, before.length - 1))
  }
  assert.deepEqual(alineas(['Un mot.']), [[0, 1]])
  assert.deepEqual(alineas(of(long.length), true), [[0, of(long.length).length]]) // as it was written, once it is whole
  const endless = cut(long.repeat(3)).blocks[0]!.pieces
  assert.deepEqual(alineas(endless, true), alineas(endless))
})

test('what is done ahead of an answer changes nothing of it', () => {
  const before = cut(long)
  for (const piece of warming.slice(0, -4)) piece() // the rest needs a document
  assert.deepEqual(cut(long), before)
})
