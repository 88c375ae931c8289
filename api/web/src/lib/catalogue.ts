// What is looked for in the catalogue, as its address says it.
import type { DocType, Statut } from '../api/types'
import { docTypes, statuts } from './french'

/** What stands in an address for the texts of all countries, where the reader has one. */
export const everyCountry = 'tous'

/** The orders of what is found by words, and of texts; the first is the usual one. */
export const foundOrders = ['pertinence', 'recent', 'ancien'] as const
export const textOrders = ['recent', 'ancien', 'titre'] as const
export type Order = (typeof foundOrders)[number] | (typeof textOrders)[number]

/** What is looked for. Empty: nothing is said of it. */
export interface Wanted {
  q: string
  kind: 'article' | 'texte' | ''
  statut: Statut | ''
  type: DocType | ''
  nature: string
  domaine: string
  pays: string
  /** Law of that day only. */
  date: string
  /** Promulgated from that day on, and up to that day. */
  from: string
  to: string
  order: Order | ''
  page: number
}

const isDay = (s: string | undefined): string => (s && /^\d{4}-\d{2}-\d{2}$/.test(s) ? s : '')
const oneOf = <T extends string>(s: string | undefined, all: readonly T[]): T | '' => (all.includes(s as T) ? (s as T) : '')

/** Reads an address; what it has wrong is left out. Without words there are texts only, without a country those of home. */
export function wanted(query: Record<string, string>, home = ''): Wanted {
  const q = (query.q ?? '').trim().slice(0, 200)
  const words = q !== ''
  return {
    q, kind: words ? oneOf(query.objet, ['article', 'texte'] as const) : '', statut: oneOf(query.statut, statuts), type: oneOf(query.type, docTypes),
    nature: query.nature ?? '', domaine: query.domaine ?? '', pays: query.pays === everyCountry ? '' : query.pays ?? home, date: isDay(query.date),
    from: isDay(query.du), to: isDay(query.au), order: oneOf<Order>(query.tri, words ? foundOrders : textOrders), page: Math.max(1, Math.trunc(Number(query.page)) || 1),
  }
}

/** The address of the catalogue in another state. A change of what is looked for begins at the first page. */
export function address(query: Record<string, string>, change: Record<string, string>): string {
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...('page' in change ? {} : { page: '' }), ...change })) {
    if (value && !(name === 'page' && value === '1')) next.set(name, value)
  }
  const text = next.toString()
  return '/textes' + (text ? `?${text}` : '')
}

/** The parameters that narrow a search. */
export const narrowing = ['objet', 'statut', 'type', 'nature', 'domaine', 'pays', 'date', 'du', 'au'] as const

/** The change of the address that takes every filter off. */
export const unnarrowed = (home: string): Record<string, string> => ({ ...Object.fromEntries(narrowing.map((n) => [n, ''])), pays: home && everyCountry })

/** How many of them are in force; the two ends of a span of days are one. */
export function narrowed(w: Wanted): number {
  return [w.kind, w.statut, w.type, w.nature, w.domaine, w.pays, w.date, w.from || w.to].filter(Boolean).length
}

/** The change of the address that asks for a year, or no longer for it. */
export function yearChange(w: Wanted, year: string): Record<string, string> {
  return yearOf(w) === year ? { du: '', au: '' } : { du: `${year}-01-01`, au: `${year}-12-31` }
}

/** The year that is asked for, if it is one. */
export function yearOf(w: Wanted): string {
  const year = w.from.slice(0, 4)
  return w.from === `${year}-01-01` && w.to === `${year}-12-31` ? year : ''
}
