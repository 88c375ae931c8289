// What a person says of a doubtful text: the data as they are corrected, and the decision that is sent.
import type { Doubt, Review, ReviewDecision } from '../api/types'

/** The data of a text that a decision may set, in the order in which they are read. */
export const data = ['title', 'doc_type', 'nature', 'numero_officiel', 'date_promulgation', 'date_entree_vigueur', 'domaine', 'pays'] as const
export type Datum = (typeof data)[number]
export type Form = Record<Datum, string>

export const isDatum = (field: string): field is Datum => data.includes(field as Datum)

/** Whether nothing was read of a datum: what the text has in its place is made up. */
const unread = (r: Review, f: Datum): boolean => r.doubts.some((d) => d.field === f && d.confidence === 0)

/** The data without which a text cannot be accepted, and of which nothing was read. */
export const lackingOf = (r: Review): Datum[] => (['doc_type', 'date_promulgation'] as const).filter((f) => unread(r, f))

const readOf = (r: Review, f: Datum): string => (unread(r, f) ? '' : f === 'pays' ? (r.pays?.[0] ?? '') : (r[f] ?? ''))

/** The data of a text as they were read, empty where nothing was. */
export const formOf = (r: Review): Form => Object.fromEntries(data.map((f) => [f, readOf(r, f)])) as Form

/** The doubts of a text that a person settles, one after the other: a day in force that hangs on a promulgation nobody read is settled with it. */
export const stepsOf = (r: Review): Doubt[] => r.doubts.filter((d) => !(d.field === 'date_entree_vigueur' && d.confidence === 0 && unread(r, 'date_promulgation')))

/** The data that are in doubt and can be said, in their order. */
export const doubtedOf = (r: Review): Datum[] => data.filter((f) => stepsOf(r).some((d) => d.field === f))

/** The words that a datum was read from, and their page. */
export function sourceOf(r: Review, field: Datum): { words: string; page: number } | null {
  const doubt = r.doubts.find((d) => d.field === field)
  const read = r.evidence.find((e) => e.field === field)
  const words = doubt?.words || read?.words
  return words ? { words, page: doubt?.page ?? read?.page ?? 0 } : null
}

/** The decision about a text. What is changed is told; what is doubtful and stays as it is, is told too: so it is settled. */
export function decisionOf(r: Review, form: Form, decision: 'accept' | 'reject'): ReviewDecision {
  if (decision === 'reject') return { decision }
  const said: Partial<Record<Datum, string | null>> = {}
  for (const f of data) {
    const value = form[f].trim()
    if (value !== readOf(r, f)) said[f] = value || null
    else if (value !== '' && r.doubts.some((d) => d.field === f)) said[f] = value
  }
  return { decision, ...said } as ReviewDecision
}
