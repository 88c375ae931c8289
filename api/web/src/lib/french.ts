// French typography and the words for the API's codes.
import type { DocType, IngestionState, InquiryStatus, Role, Statut } from '../api/types'

const narrow = '\u202f'

/** Puts narrow no-break spaces where French has them, and typographic apostrophes, into a sentence that is ours or the API's. Never used on the text of the law. */
export function typeset(text: string): string {
  return text
    .replace(/[ \u00a0]+([;:!?»])/g, narrow + '$1')
    .replace(/«[ \u00a0]+/g, '«' + narrow)
    .replace(/(\p{L})'(?=\p{L})/gu, '$1’')
}

/** A whole number with thousands apart: 1 204. */
export function count(n: number): string {
  return String(Math.trunc(n)).replace(/\B(?=(\d{3})+(?!\d))/g, narrow)
}

/** "1 texte", "2 textes"; the French plural begins at two. */
export function plural(n: number, one: string, many = one + 's'): string {
  return `${count(n)} ${Math.abs(n) < 2 ? one : many}`
}

/** A time to wait, in minutes or in hours where minutes would be many. */
export const wait = (minutes: number): string => minutes <= 1 ? 'une minute' : minutes > 120 ? plural(Math.ceil(minutes / 60), 'heure') : plural(minutes, 'minute')

/** That texts can be read, and when they are found more precisely. */
export const readableNow = (seconds: number): string => `Lisible dès maintenant, plus précis dans ${wait(Math.ceil(seconds / 60))}.`

const types: Record<DocType, string> = {
  loi: 'Loi', decret: 'Décret', arrete: 'Arrêté', circulaire: 'Circulaire', code: 'Code', constitution: 'Constitution',
}
export const docTypes = Object.keys(types) as DocType[]
export const docTypeWord = (t: string): string => types[t as DocType] ?? t

const statuses: Record<Statut, string> = { en_vigueur: 'En vigueur', modifie: 'Modifié', abroge: 'Abrogé' }
export const statuts = Object.keys(statuses) as Statut[]
export const statutWord = (s: string): string => statuses[s as Statut] ?? s

const states: Record<IngestionState, string> = {
  queued: 'En attente', running: 'En cours', review: 'À relire', done: 'Terminé', failed: 'En échec', cancelled: 'Annulé',
}
export const ingestionStates = Object.keys(states) as IngestionState[]
export const stateWord = (s: string): string => states[s as IngestionState] ?? s

const inquiryWords: Record<InquiryStatus, string> = { new: 'Nouvelle', read: 'Lue', answered: 'Réponse donnée', closed: 'Close' }
export const inquiryStatuses = Object.keys(inquiryWords) as InquiryStatus[]
export const inquiryWord = (s: string): string => inquiryWords[s as InquiryStatus] ?? s

const roleWords: Record<Role, string> = { user: 'Lecteur', editor: 'Éditeur', admin: 'Administrateur' }
export const roles = Object.keys(roleWords) as Role[]
export const roleWord = (r: string): string => roleWords[r as Role] ?? r

/** What wrote an answer: a model by its name; without one, passages are cited as they are. */
export const modelWord = (m: string): string => (m === 'extractif' ? 'passages cités sans rédaction' : m)

/** The words for the fields of a text, as forms and doubts name them. */
const fields: Record<string, string> = {
  title: 'Titre', doc_type: 'Type', nature: 'Nature', domaine: 'Domaine', numero_officiel: 'Numéro',
  date_promulgation: 'Date de promulgation', date_entree_vigueur: 'Entrée en vigueur', statut: 'Statut', signataires: 'Signataires',
  abroge_par: 'Abrogé par', remplace: 'Remplace', articles: 'Articles', texte: 'Texte', complet: 'Étendue du texte', pays: 'Pays',
}
export const fieldWord = (f: string): string => fields[f] ?? f

/** An article's number as it is said: « article 26 », « article 1er »; a heading that is no number stays as it is. */
export function articleWord(number: string): string {
  if (number === '') return 'texte' // one that is not cut into articles
  return /^\d|^[LRDA]\.? ?\d|^[IVXLC]+$|^(unique|premier)/i.test(number) ? `article ${number}` : number
}

/** The same words with a capital in front. */
export const capital = (words: string): string => words.replace(/^\p{L}/u, (c) => c.toUpperCase())

/** Cuts a text at a word. */
export function shorten(text: string, limit: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.length <= limit) return flat
  const cut = flat.slice(0, limit - 1)
  const at = cut.lastIndexOf(' ')
  return cut.slice(0, at > limit / 2 ? at : limit - 1).replace(/[\s,;:(«]+$/, '') + '…'
}

const regions = typeof Intl.DisplayNames === 'undefined' ? null : new Intl.DisplayNames(['fr'], { type: 'region', fallback: 'none' })

/** The name of a country by its two letters, of a state in no list what it calls itself; what is no country's stays as it is. */
export function countryWord(code: string): string {
  if (code.startsWith('x-')) return code.slice(2)
  return (/^[a-z]{2}$/i.test(code) && regions?.of(code.toUpperCase())) || code.toUpperCase()
}
