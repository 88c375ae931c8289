// What the keys of the desk do with the lines that are chosen.
import type { EditKind, EditRequest, PageLine } from '../api/types'

/** The lines that are chosen: from is the first, to the last. */
export interface Selection { from: number; to: number }

type Ref = EditRequest['line']

export const lineRef = (page: number, line: PageLine): Ref => ({ page, rect: line.rect, text: line.text })

export const clampSelection = (s: Selection, n: number): Selection =>
  n === 0 ? { from: 0, to: 0 } : s.to < n ? s : { from: Math.min(s.from, n - 1), to: n - 1 }

/** What must be asked before an edit can be sent. */
export type Asked = 'split' | 'renumber' | 'retitle' | 'retitle-article' | 'correct' | 'correct-article'

/** The edit that a key stands for, or what it must ask first; null when the key means nothing. */
export function editOf(key: string, page: number, lines: readonly PageLine[], at: Selection): EditRequest | { ask: Asked; through?: Ref } | null {
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
    case 't':
      return { ask: 'retitle' }
    case 'i':
      return { ask: 'retitle-article' }
    case 'c':
      return { ask: 'correct' }
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
