// Dates and times in French. Dates of the law are days without a zone; times are told in the viewer's own.
import { zones } from './zones'

const narrow = '\u202f'
const months = ['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet', 'août', 'septembre', 'octobre', 'novembre', 'décembre']

/** « 1er mars 2023 » of « 2023-03-01 »; what is no date stays as it is. */
export function day(iso: string): string {
  const m = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso)
  if (!m || !months[Number(m[2]) - 1]) return iso
  const d = Number(m[3])
  return `${d === 1 ? '1er' : d} ${months[Number(m[2]) - 1]} ${Number(m[1])}`
}

/** The day before a day, as YYYY-MM-DD. */
export function dayBefore(iso: string): string {
  const at = new Date(`${iso}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() - 1)
  return at.toISOString().slice(0, 10)
}

/** The day of an instant in the viewer's zone, as YYYY-MM-DD. */
export function localDay(instant: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${String(instant.getFullYear()).padStart(4, '0')}-${two(instant.getMonth() + 1)}-${two(instant.getDate())}`
}

/** Today where a law is in force, as YYYY-MM-DD: in its country, and in UTC, the time of Abidjan and Dakar, for a union or none. The server and its database say the same. */
export function lawToday(country: string | null | undefined, now = new Date()): string {
  return new Intl.DateTimeFormat('fr-CA', { timeZone: zones[country ?? ''] ?? 'UTC', year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

/** « 14:05 » in the viewer's zone. */
export function clock(instant: Date): string {
  return `${String(instant.getHours()).padStart(2, '0')}:${String(instant.getMinutes()).padStart(2, '0')}`
}

/** « aujourd’hui à 14:05 », « 3 mars 2026 à 14:05 ». */
export function moment(iso: string, now = new Date()): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const of = localDay(at)
  return `${of === localDay(now) ? 'aujourd’hui' : day(of)} à ${clock(at)}`
}

/** « depuis aujourd’hui à 14:05 », « depuis le 3 mars 2026 à 14:05 ». */
export function since(iso: string, now = new Date()): string {
  const at = moment(iso, now)
  return /^\d/.test(at) ? `depuis le ${at}` : `depuis ${at}`
}

/** « jusqu’à aujourd’hui à 14:05 », « jusqu’au 3 mars 2026 à 14:05 ». */
export function until(iso: string, now = new Date()): string {
  const at = moment(iso, now)
  return /^\d/.test(at) ? `jusqu’au ${at}` : `jusqu’à ${at}`
}

/** The heading under which an instant stands in a list grouped by day. */
export function group(iso: string, now = new Date()): string {
  const at = new Date(iso)
  const midnight = (d: Date) => Date.UTC(d.getFullYear(), d.getMonth(), d.getDate())
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000)
  if (days <= 0) return 'Aujourd’hui'
  if (days === 1) return 'Hier'
  if (days < 7) return 'Les 7 derniers jours'
  if (days < 30) return 'Les 30 derniers jours'
  const word = months[at.getMonth()]!
  return word[0]!.toUpperCase() + word.slice(1) + (at.getFullYear() === now.getFullYear() ? '' : ` ${at.getFullYear()}`)
}

/** A span of time as a person says it: « 0,03 s », « 4 s », « 2 min », « 3 h ». */
export function span(ms: number): string {
  const s = ms / 1000
  if (s < 1) return `${s.toFixed(2).replace('.', ',')}${narrow}s`
  if (s < 10) return `${s.toFixed(1).replace('.', ',').replace(/,0$/, '')}${narrow}s`
  if (s < 120) return `${Math.round(s)}${narrow}s`
  if (s < 7200) return `${Math.round(s / 60)}${narrow}min`
  return `${Math.round(s / 3600)}${narrow}h`
}
