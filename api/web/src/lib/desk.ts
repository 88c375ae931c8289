// What the keys of the desk do with the lines that are chosen.
import type { EditKind, EditRequest, PageLine } from '../api/types'

/** The lines that are chosen: from is the first, to the last. */
export interface Selection { from: number; to: number }

type Ref = EditRequest['line']

export const lineRef = (page: number, line: PageLine): Ref => ({ page, rect: line.rect, text: line.text })

export const clampSelection = (s: Selection, n: number): Selection =>
  n === 0 ? { from: 0, to: 0 } : s.to < n ? s : { from: Math.min(s.from, n - 1), to: n - 1 }

/** What must be asked before an edit can be sent. */
export type Asked = 'split' | 'renumber' | 'begin-article' | 'renumber-onward' | 'retitle' | 'retitle-article' | 'correct' | 'correct-article'

/** Lines that are taken along, to be put behind another one. */
export interface Carried { line: Ref; through?: Ref; words: string }

/** The edit that puts lines behind another one. */
export const placeAfter = (c: Carried, page: number, after: PageLine): EditRequest =>
  ({ kind: 'move', line: c.line, ...(c.through ? { through: c.through } : {}), to: 'after', after: lineRef(page, after) })

/** The edit that a key stands for, or what it must ask first, or the lines that it takes along; null when the key means nothing. */
export function editOf(key: string, page: number, lines: readonly PageLine[], at: Selection): EditRequest | { ask: Asked; through?: Ref } | { carry: Carried } | null {
  const first = lines[at.from]
  const last = lines[at.to]
  if (!first || !last) return null
  const line = lineRef(page, first)
  const through = at.to > at.from ? { through: lineRef(page, last) } : {}
  switch (key) {
    case 's':
      return { ask: 'split', ...through }
    case 'm':
      return { kind: 'merge', line }
    case 'r':
      return { ask: 'renumber' }
    case 'a':
      return { ask: 'begin-article' }
    case 'o':
      return { ask: 'renumber-onward' }
    case 't':
      return { ask: 'retitle' }
    case 'i':
      return { ask: 'retitle-article' }
    case 'c':
      return { ask: 'correct' }
    case 'w':
      return first.article === null ? null : { ask: 'correct-article' }
    case 'd':
      return { carry: { line, words: first.text, ...through } }
    case 'x':
      return { kind: 'move', line, to: 'loose', ...through }
    case 'p':
      return { kind: 'move', line, to: 'previous', ...through }
    case 'n':
      return { kind: 'move', line, to: 'next', ...through }
  }
  return null
}

const words: Record<EditKind, string> = {
  split: 'Texte commencé', merge: 'Texte réuni', move: 'Lignes déplacées', renumber: 'Article renuméroté', retitle: 'Titre changé', correct: 'Mots corrigés',
}
export const kindWord = (k: EditKind): string => words[k]

/** How many pages an article that is corrected whole may go on for, each way. */
export const reach = 12

const articleHead = /^\s*(?:« ?)?(?:Art(?:icle)?s?\b\.?)\s*(?:\d[\p{L}\d-]*|[LRDA]\.? ?\d[\d-]*|premier|unique|[IVXLC]+\b)(?:\s+(?:bis|ter|quater))?\s*(?:\((?:nouveau|nouvelle)\))?(?:\s*[.:—–-])*\s*/iu

/** Whether two lines are of one article of one text. */
export const sameArticle = (a: PageLine, b: PageLine): boolean => a.article !== null && a.article === b.article && a.text_index === b.text_index

/** The words of an article as its lines have them, without its head: an alinéa a line, words broken at a line's end mended. A person reads it over before it is sent. */
export function articleText(lines: readonly PageLine[]): string {
  let out = ''
  for (const [i, l] of lines.entries()) {
    const text = (i === 0 ? l.text.replace(articleHead, '') : l.text).trim()
    if (text === '') continue
    if (out === '') out = text
    else if (/\p{Ll}-$/u.test(out) && /^\p{Ll}/u.test(text)) out = out.slice(0, -1) + text
    else out += (/[.;:]»?$/.test(out) ? '\n' : ' ') + text
  }
  return out
}
