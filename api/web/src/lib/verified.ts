// What the check of a text found, as it is shown.
import type { Verification } from '../api/types'
import { typeset } from './french'

type Reference = Verification['references'][number]
type Quotation = Verification['quotations'][number]

/** How grave a state or a verdict is: a class of marks and labels. */
export type Weight = 'good' | 'changed' | 'bad' | 'neutral'

const states: Record<Reference['state'], [string, Weight]> = {
  en_vigueur: ['en vigueur', 'good'], modifie: ['modifié', 'changed'], abroge: ['abrogé', 'bad'], pas_encore: ['pas encore en vigueur', 'bad'],
  absent: ['introuvable', 'bad'], ambigu: ['ambigu', 'changed'], interne: ['de votre texte', 'neutral'], sans_texte: ['sans texte', 'neutral'],
}
const verdicts: Record<Quotation['verdict'], [string, Weight]> = {
  identique: ['citation exacte', 'good'], differente: ['citation différente', 'changed'], absente: ['citation absente', 'bad'], non_comparee: ['citation non comparée', 'neutral'],
}

export const verifiedWord = (s: Reference['state']): string => states[s][0]
export const verifiedWeight = (s: Reference['state']): Weight => states[s][1]

/** The word for a quotation; one whose words are in another article than the one that is named is no exact one. */
export const quotedWord = (q: Quotation): string => (q.elsewhere ? 'autre article' : verdicts[q.verdict][0])
export const quotedWeight = (q: Quotation): Weight => (q.elsewhere ? 'changed' : verdicts[q.verdict][1])

const doubted = (r: Reference) => verifiedWeight(r.state) === 'bad' || r.state === 'ambigu' || r.state === 'sans_texte'

/** How many references and quotations a person should look at: those that are wrong, and those of which nothing can be told. */
export function toReview(of: Pick<Verification, 'references' | 'quotations'>): number {
  return of.references.filter(doubted).length + of.quotations.filter((q) => quotedWeight(q) !== 'good').length
}

/** What to look at in a report, the gravest first: how many of each word. */
export function faults(of: Pick<Verification, 'references' | 'quotations'>): { word: string; weight: Weight; n: number }[] {
  const all = [
    ...of.references.filter(doubted).map((r) => ({ word: verifiedWord(r.state), weight: verifiedWeight(r.state) })),
    ...of.quotations.filter((q) => quotedWeight(q) !== 'good').map((q) => ({ word: quotedWord(q), weight: quotedWeight(q) })),
  ]
  const counted = new Map<string, { word: string; weight: Weight; n: number }>()
  for (const f of all) counted.set(f.word, { ...f, n: (counted.get(f.word)?.n ?? 0) + 1 })
  return [...counted.values()].sort((a, b) => gravity[a.weight] - gravity[b.weight] || b.n - a.n)
}

const gravity: Record<Weight, number> = { bad: 0, changed: 1, neutral: 2, good: 3 }

/** The references of a report with their quotations, the gravest first, and of equals in the order of the text; null: quotations without one. */
export function byGravity(of: Verification): (number | null)[] {
  const worst = (at: number | null) => Math.min(
    at === null || !doubted(of.references[at]!) ? gravity.good : gravity[verifiedWeight(of.references[at]!.state)],
    ...of.quotations.filter((q) => q.reference === at).map((q) => gravity[quotedWeight(q)]))
  const all: (number | null)[] = of.references.map((_, i) => i)
  if (of.quotations.some((q) => q.reference === null)) all.push(null)
  return all.map((at) => ({ at, worst: worst(at) })).sort((a, b) => a.worst - b.worst).map(({ at }) => at)
}

/** The remarks that a file is given back with: what a person should look at, with the right words. */
export function remarks(of: Verification): { start: number; end: number; text: string }[] {
  return [
    ...of.references.filter(doubted).map((r) => ({ start: r.start, end: r.end, text: `${verifiedWord(r.state)}\u202f: ${r.told}` })),
    ...of.quotations.filter((q) => quotedWeight(q) !== 'good').map((q) => ({ start: q.start, end: q.end, text: `${quotedWord(q)}\u202f: ${q.told}${q.verdict === 'differente' ? `\nDans la loi\u202f: «\u202f${q.words}\u202f»` : ''}` })),
  ].sort((a, b) => a.start - b.start)
}

/** A part of the text: words, with the reference or the quotation that they are. */
export interface Piece { text: string; id?: string; word?: string; weight?: Weight }

/** Cuts the text of a report at its references and quotations, in order; what overlaps an earlier one is left out. */
export function pieces(of: Verification): Piece[] {
  const marks = [
    ...of.references.map((r, i) => ({ start: r.start, end: r.end, id: `ref-${i}`, word: verifiedWord(r.state), weight: verifiedWeight(r.state) })),
    ...of.quotations.map((q, i) => ({ start: q.start, end: q.end, id: `cit-${i}`, word: quotedWord(q), weight: quotedWeight(q) })),
  ].sort((a, b) => a.start - b.start)
  const points = [...of.text]
  const cut = (from: number, to: number) => points.slice(from, to).join('')
  const out: Piece[] = []
  let at = 0
  for (const { start, end, ...mark } of marks) {
    if (start < at || end <= start) continue
    if (start > at) out.push({ text: cut(at, start) })
    out.push({ text: cut(start, end), ...mark })
    at = end
  }
  if (at < points.length) out.push({ text: cut(at, points.length) })
  return out
}

/** Where an article or a text of the report opens, on the day of the report. */
export function opens(document: string, article: string | null, day: string): string {
  return `/textes/${document}?${article ? `article=${article}&` : ''}date=${day}`
}

/** A sentence of the report as it is set. */
export const told = (s: string): string => typeset(s)
