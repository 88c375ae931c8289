// Where on the pages of a gazette a doubt is.
import type { Doubt, PageLine, Review } from '../api/types'
import type { Selection } from './desk'
import { isDatum } from './review'

/** A page to look at for a doubt, and what there: the words it was read from, or the beginning or the end of the text. */
export interface Spot { page: number; what: 'words' | 'head' | 'end' }

/** What a person looks at to settle a doubt. A datum that was not found stands in the title or below the text. */
export function spotsOf(r: Review, d: Doubt): Spot[] {
  if (d.words && d.page) return [{ page: d.page, what: 'words' }]
  const head: Spot = { page: r.first_page, what: 'head' }
  const end: Spot = { page: r.last_page, what: 'end' }
  if (isDatum(d.field)) return [head, end]
  return [d.page && d.page === r.last_page && r.last_page > r.first_page ? end : { page: d.page ?? r.first_page, what: 'head' }]
}

/** The lines of a page that a spot means; null where none is found. */
export function linesAt(spot: Spot, r: Review, d: Doubt, lines: readonly PageLine[]): Selection | null {
  const one = (fits: (l: PageLine) => boolean, last: boolean): Selection | null => {
    const place = last ? lines.findLastIndex(fits) : lines.findIndex(fits)
    return place < 0 ? null : { from: place, to: place }
  }
  const run = (fits: (l: PageLine) => boolean, last: boolean): Selection | null => {
    let { from, to } = one(fits, last) ?? { from: -1, to: -1 }
    if (from < 0) return null
    while (from > 0 && fits(lines[from - 1]!)) from--
    while (to < lines.length - 1 && fits(lines[to + 1]!)) to++
    return { from, to }
  }
  const mine = (l: PageLine) => l.document_id === r.id
  const own = (label: string) => (l: PageLine) => l.label === label && mine(l)
  const number = /^Article (.+)$/.exec(d.words ?? '')?.[1]
  switch (spot.what) {
    case 'words':
      return (number ? run((l) => l.article === number && mine(l), true) : null) ?? wordsAt(d.words ?? '', lines)
    case 'head':
      return run(own('head'), false) ?? one(mine, false)
    case 'end':
      return run(own('signature'), true) ?? one(mine, true)
  }
}

const tokens = (text: string): string[] => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The lines that have words in their order: the one with the most of them from the first on, and those that go on. */
function wordsAt(words: string, lines: readonly PageLine[]): Selection | null {
  const wanted = tokens(words)
  const taken = (line: PageLine | undefined, first: number): number => tokens(line?.text ?? '').reduce((n, t) => (t === wanted[first + n] ? n + 1 : n), 0)
  let best = { from: -1, n: 0 }
  lines.forEach((l, i) => {
    const n = taken(l, 0)
    if (n > best.n) best = { from: i, n }
  })
  if (best.n === 0) return null
  let { from: end, n } = best
  for (let more = taken(lines[end + 1], n); more > 0; more = taken(lines[end + 1], n)) [end, n] = [end + 1, n + more]
  return { from: best.from, to: end }
}

/** What is shown of a page around lines: as wide as they are or half the page, and not higher than a hand. In points. */
export function viewOf(lines: readonly PageLine[], width: number, height: number): { x: number; y: number; width: number; height: number } {
  const left = Math.min(...lines.map((l) => l.rect[0]!)), right = Math.max(...lines.map((l) => l.rect[2]!))
  const top = Math.min(...lines.map((l) => l.rect[1]!)), bottom = Math.max(...lines.map((l) => l.rect[3]!))
  const wide = Math.min(width, Math.max(right - left + 2 * around, width / 2))
  const high = Math.min(height, bottom - top + 2 * around, wide / 2)
  const within = (edge: number, size: number, most: number) => Math.max(0, Math.min(edge, most - size))
  return { x: within((left + right - wide) / 2, wide, width), y: within(top - around, high, height), width: wide, height: high }
}

const around = 24 // points: two lines
