// The catalogue: articles and texts searched as one types, titles suggested, narrowed by counted values; the address
// holds the state. Without words, its texts.
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import type { SearchPage } from '../api/types'
import { address, everyCountry, foundOrders, narrowed, textOrders, unnarrowed, wanted, type Order, type Wanted } from '../lib/catalogue'
import { countryWord, plural } from '../lib/french'
import { useHome } from '../parts/country'
import { FollowButton } from '../parts/follow'
import { useLoad, useSettled, useTitle } from '../parts/hooks'
import { TitleBox, useTitles } from '../parts/titles'
import { Pages, Show, Waiting } from '../parts/ui'
import { Facets } from './facets'
import { Hit, TitleRow } from './hits'
import './catalogue.css'

const size = 20

/** What was found: by words articles and texts, else texts. */
interface Found { of: Wanted; last: number; search: SearchPage }

async function find(w: Wanted, signal: AbortSignal): Promise<Found> {
  const search = await ok(api.GET('/api/v1/search', {
    params: {
      query: {
        q: w.q, page: w.page, page_size: size, ...(w.from && { promulgation_from: w.from }), ...(w.to && { promulgation_to: w.to }), ...(w.kind && { kind: w.kind }), ...(w.domaine && { domaine: w.domaine }),
        ...(w.type && { doc_type: w.type }), ...(w.statut && { statut: w.statut }), ...(w.nature && { nature: w.nature }), ...(w.pays && { pays: w.pays }), ...(w.date && { date: w.date }), ...(w.order && { sort: w.order }),
      },
    }, signal,
  }))
  return { of: w, last: Math.ceil(search.total / size), search }
}

export function Catalogue({ query }: { query: Record<string, string> }) {
  const { pays } = useHome()
  return pays === undefined ? <main class="wide" id="contenu"><Waiting text="Lecture des textes…" /></main> : <Results query={query} home={pays ?? ''} />
}

function Results({ query, home }: { query: Record<string, string>; home: string }) {
  const { route } = useLocation()
  const w = wanted(query, home)
  const [q, setQ] = useState(w.q)
  const settled = useSettled(q)
  const mine = useRef(w.q)
  useTitle(w.q ? `${w.q}, textes` : 'Textes')
  const look = (words: string) => {
    mine.current = words.trim()
    if (mine.current !== w.q) route(address(query, { q: mine.current }), true)
  }
  useEffect(() => {
    if (settled.trim() !== mine.current) look(settled)
  }, [settled])
  useEffect(() => { // the browser's back button
    if (w.q === mine.current) return
    mine.current = w.q
    setQ(w.q)
  }, [w.q])
  useSlash()
  const found = useLoad((signal) => find(w, signal), [JSON.stringify(w)])
  return (
    <main class="wide catalogue" id="contenu">
      <h1 tabIndex={-1}>Textes</h1>
      <form role="search" onSubmit={(e) => e.preventDefault()}>
        <TitleBox value={q} pays={w.pays} label="Chercher dans les textes et leurs articles" placeholder="Mots, titre ou numéro" onInput={setQ} onSearch={() => look(q)} onPick={(t) => route(`/textes/${t.id}`)} />
      </form>
      <Show of={found} waiting={w.q ? 'Recherche dans les articles…' : 'Lecture des textes…'}>
        {(f) => (
          <div class="searched" aria-busy={found.loading || JSON.stringify(f.of) !== JSON.stringify(w)}>
            <Facets w={w} query={query} home={home} counts={f.search.facets} />
            <section aria-label="Résultats" class="results">
              <div class="results-head">
                <p class="meta" role="status">{told(f)}{home && query.pays === undefined && <>{' '}Le droit de votre pays{'\u202f'}: {countryWord(home)}. <a href={address(query, { pays: everyCountry })}>Tous les pays</a></>}</p>
                {w.q && <FollowButton key={JSON.stringify([w.q, w.type, w.nature, w.domaine, w.pays])} quiet about="cette recherche" of={{ kind: 'search', q: w.q, ...(w.type && { doc_type: w.type }), nature: w.nature || null, domaine: w.domaine || null, pays: w.pays || null }} />}
                {!w.q && (w.type || w.nature || w.domaine || w.pays) && <FollowButton key={JSON.stringify([w.type, w.nature, w.domaine, w.pays])} quiet about="ces textes" of={{ kind: 'scope', ...(w.type && { doc_type: w.type }), nature: w.nature || null, domaine: w.domaine || null, pays: w.pays || null }} />}
                {f.search.total > 0 && <Sorting w={w} onSort={(order) => route(address(query, { tri: order }))} />}
              </div>
              {f.search.items.length === 0 ? <Nothing w={w} query={query} home={home} words={w.q === '' ? 1 : f.search.words} /> : (
                <ol class="texts" start={(f.of.page - 1) * size + 1}>
                  {f.search.items.map((h) => <Hit key={h.article?.id ?? h.document.id} h={h} date={f.of.date} />)}
                </ol>
              )}
              <Pages page={w.page} last={f.last} href={(n) => address(query, { page: String(n) })} />
            </section>
          </div>
        )}
      </Show>
    </main>
  )
}

/** How much was found, and how well. */
function told({ of, search }: Found): string {
  if (search.total === 0) return 'Rien n’est trouvé.'
  if (of.q === '') return plural(search.total, 'texte')
  const few = search.words_matched < search.words ? ` Aucun n’a tous les mots : voici ce qui en a au moins ${search.words_matched} sur ${search.words}.` : ''
  const instead = search.respelled ? ` Cherché : « ${search.respelled} ».` : ''
  return `${plural(search.total, 'résultat')}.${instead}${few}`
}

const orderWords: Record<Order, string> = { pertinence: 'Les plus proches', recent: 'Les plus récents', ancien: 'Les plus anciens', titre: 'Par titre' }

function Sorting({ w, onSort }: { w: Wanted; onSort: (order: string) => void }) {
  const orders: readonly Order[] = w.q ? foundOrders : textOrders
  return (
    <label class="sorting">Ordre
      <select value={w.order || orders[0]!} onChange={(e) => onSort(e.currentTarget.value === orders[0] ? '' : e.currentTarget.value)}>
        {orders.map((o) => <option key={o} value={o}>{orderWords[o]}</option>)}
      </select>
    </label>
  )
}

/** Nothing was found: what could be done about it. */
function Nothing({ w, query, home, words }: { w: Wanted; query: Record<string, string>; home: string; words: number }) {
  const near = useTitles(w.q, w.pays)
  if (w.page > 1) return <p>Il n’y a pas tant de pages. <a href={address(query, { page: '' })}>Revenir à la première</a></p>
  return (
    <div class="nothing">
      {words === 0
        ? <p>Ces mots sont dans tous les textes (« le », « de », « est »…){'\u202f'}: ajoutez ce dont il s’agit.</p>
        : <p>{w.q ? 'Aucun article et aucun texte n’a ces mots' : 'Aucun texte ne correspond'}{narrowed(w) > 0 ? ' avec ces filtres.' : '.'}</p>}
      <p class="row">
        {narrowed(w) > 0 && <a href={address(query, unnarrowed(home))}>Chercher sans filtre</a>}
        {w.q && <a href="/textes">Voir tous les textes</a>}
        {w.q && <a href="/">Poser la question</a>}
      </p>
      {w.q && near.items.length > 0 && (
        <>
          <h2>Titres qui ressemblent</h2>
          <ol class="texts">{near.items.map((t) => <TitleRow key={t.id} t={t} />)}</ol>
        </>
      )}
    </div>
  )
}

/** The key / goes to the search box. */
function useSlash(): void {
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.key !== '/' || e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return
      if (/^(INPUT|TEXTAREA|SELECT)$/.test((e.target as HTMLElement).tagName)) return
      e.preventDefault()
      document.querySelector<HTMLInputElement>('#find-text')?.select()
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [])
}
