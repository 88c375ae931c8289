// The reader's own country, whose law answers and is listed first: chosen once, kept in the account, and in the browser for who has none.
import { useEffect, useState } from 'preact/hooks'
import { api, ok, open } from '../api/client'
import { asError } from '../api/errors'
import { current } from '../api/session'
import { everyCountry } from '../lib/catalogue'
import { countryWord } from '../lib/french'
import { zones } from '../lib/zones'
import { useLoad, useWho } from './hooks'
import { notify } from './notice'

const key = 'vigueur.pays'

/** undefined: not known yet; null: nobody has chosen; empty: the law of all. */
type Choice = string | null | undefined

/** The country that this browser keeps; null: nobody has chosen. */
export function guestsCountry(): string | null {
  try {
    const kept = localStorage.getItem(key)
    return kept === everyCountry ? '' : kept
  } catch {
    return null
  }
}

let shown: { of: string; pays: Promise<string | null> } | null = null
const listeners = new Set<(pays: Choice) => void>()

/** The choice of whoever is there; of an account that has none, whether its owner wanted that is known in this browser. */
function read(): Promise<string | null> {
  const of = current().user?.id ?? ''
  if (shown?.of !== of) {
    const mine = (shown = { of, pays: of === '' ? Promise.resolve(guestsCountry()) : ok(api.GET('/api/v1/me')).then((me) => me.pays || (guestsCountry() === '' ? '' : null)) })
    mine.pays.catch(() => {
      if (shown === mine) shown = null
    })
  }
  return shown.pays
}

async function choose(pays: string): Promise<void> {
  const of = current().user?.id ?? ''
  try {
    if (of) await ok(api.PATCH('/api/v1/me', { body: { pays } }))
  } catch (e) {
    notify(asError(e).message)
    return
  }
  try {
    localStorage.setItem(key, pays || everyCountry)
  } catch {
    // A browser that keeps nothing asks again.
  }
  shown = { of, pays: Promise.resolve(pays) }
  for (const f of listeners) f(pays)
  notify(pays ? `Vos questions portent sur le droit de ce pays\u202f: ${countryWord(pays)}.` : 'Vos questions portent sur le droit de tous les pays.')
}

let listed: ReturnType<typeof list> | null = null
const list = () => ok(open.GET('/api/v1/countries')).then((all) => all.map((c) => ({ ...c, word: countryWord(c.pays) })).sort((a, b) => a.word.localeCompare(b.word, 'fr')))

/** The countries to choose from, asked for once. */
export const readCountries = () => (listed ??= list().catch((e: unknown) => {
  listed = null
  throw e
}))

export const useCountries = () => useLoad(readCountries, []).data ?? []

/** The reader's country and how to choose another. */
export function useHome(): { pays: Choice; choose: (pays: string) => Promise<void> } {
  const id = useWho().user?.id
  const [pays, set] = useState<Choice>(undefined)
  useEffect(() => {
    let here = true
    read().then((p) => here && set(p), () => here && set(null))
    listeners.add(set)
    return () => {
      here = false
      listeners.delete(set)
    }
  }, [id])
  return { pays, choose }
}

/** The country beside a box, to be changed there. */
export function CountryChip() {
  const { pays, choose } = useHome()
  const countries = useCountries()
  if (pays === undefined || countries.length < 2 && !pays) return null
  return (
    <label class={pays ? 'chip on country' : 'chip country'}>
      <span class="sr">Le droit de ce pays répond</span>
      <select value={pays ?? '?'} onChange={(e) => void choose(e.currentTarget.value)}>
        {pays === null && <option value="?">Votre pays</option>}
        <option value="">Tous les pays</option>
        {pays && !countries.some((c) => c.pays === pays) && <option value={pays}>{countryWord(pays)}</option>}
        {countries.map((c) => <option key={c.pays} value={c.pays}>{c.word}</option>)}
      </select>
    </label>
  )
}

/** The question on arrival, which one tap answers. */
export function CountryQuestion() {
  const { pays, choose } = useHome()
  const countries = useCountries()
  if (pays !== null || countries.length < 2) return null
  return (
    <section class="which-country" aria-labelledby="which-country">
      <h2 id="which-country">Le droit de quel pays{'\u202f'}?</h2>
      <p class="chips">
        {countries.map((c) => <button key={c.pays} type="button" class="chip" onClick={() => void choose(c.pays)}>{c.word}</button>)}
        <button type="button" class="chip" onClick={() => void choose('')}>Tous les pays</button>
      </p>
    </section>
  )
}

/** The country whose law a text is, of all that there are. */
export function CountrySelect({ value, onPick, ...attrs }: { value: string; onPick: (pays: string) => void; id?: string }) {
  const codes = [...new Set([...Object.keys(zones), ...(value ? [value] : [])])].map((c) => ({ pays: c, word: countryWord(c) }))
  codes.sort((a, b) => a.word.localeCompare(b.word, 'fr'))
  return <select {...attrs} name="pays" value={value} onChange={(e) => onPick(e.currentTarget.value)}><option value="">Aucun seul (une union), ou inconnu</option>{codes.map((c) => <option key={c.pays} value={c.pays}>{c.word}</option>)}</select>
}
