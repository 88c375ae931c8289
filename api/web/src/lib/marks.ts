// The marks of an answer: « [1] », « [1, 2] », and the words that a warning names.

/** A part of a text: words, doubted ones among them, or the numbers of a mark. */
export type Part = { text: string; doubted?: true } | { cites: number[]; raw: string }

/** Cuts a text at its marks. A mark of which no number is known is left out; of one that has some, those. */
export function parts(text: string, known: (n: number) => boolean): Part[] {
  const out: Part[] = []
  let at = 0
  for (const m of text.matchAll(/ ?\[(\d+(?:, ?\d+)*)\]/g)) {
    const cites = m[1]!.split(',').map(Number).filter(known)
    out.push({ text: text.slice(at, m.index) })
    if (cites.length > 0) out.push({ cites, raw: m[0] })
    at = m.index + m[0].length
  }
  out.push({ text: text.slice(at) })
  return out.filter((p) => !('text' in p) || p.text !== '')
}

/** What a warning quotes of the answer: the beginnings of the sentences, the numbers and the dates that it names. */
export function named(warning: string | null | undefined): string[] {
  if (!warning) return []
  const found: string[] = []
  for (const m of warning.matchAll(/(?:source|citation|nombre|date|article|texte)[^«»]{0,20}«[\s\u202f\u00a0]*((?:[^«»]|«[^»]*»)+?)[\s\u202f\u00a0]*»/gi)) {
    found.push(m[1]!.replace(/…$/, '').trim())
  }
  return found.filter((w) => w !== '')
}

/** Where a text has a quoted phrase, whatever its blanks and marks: start and end, or null. */
export function locate(text: string, phrase: string): [number, number] | null {
  const words = phrase.split(/\s+/).filter(Boolean).map((w) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return null
  const m = new RegExp(words.join('(?:\\s|\\[\\d+(?:, ?\\d+)*\\])+')).exec(text)
  return m ? [m.index, m.index + m[0].length] : null
}

/** What is compared when something is looked for: without accents or case. */
export const plain = (s: string): string => s.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Where a text has words that are looked for, given as plain() makes them: places in code points, in order. */
export function found(text: string, wanted: string): { start: number; end: number }[] {
  if (wanted === '') return []
  const of: number[] = [] // the code point that each unit of flat was made of
  let flat = ''
  let n = 0
  for (const point of text) {
    const made = plain(point)
    for (let i = 0; i < made.length; i++) of.push(n)
    flat += made
    n++
  }
  const out: { start: number; end: number }[] = []
  for (let at = flat.indexOf(wanted); at >= 0; at = flat.indexOf(wanted, at + wanted.length)) {
    out.push({ start: of[at]!, end: of[at + wanted.length - 1]! + 1 })
  }
  return out
}
