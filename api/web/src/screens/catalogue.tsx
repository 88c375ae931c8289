// The catalogue: searched as one types, narrowed by chips; the address holds the state.
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import type { DocType, LegalDocument, Statut } from '../api/types'
import { day } from '../lib/dates'
import { count, docTypeWord, docTypes, plural, statutWord, statuts } from '../lib/french'
import { useDomains } from '../parts/composer'
import { useLoad, useSettled, useTitle } from '../parts/hooks'
import { Pages, Show, Status } from '../parts/ui'
import './catalogue.css'

const size = 20

/** The address of the catalogue in another state. A change of what is looked for begins at the first page. */
export function address(query: Record<string, string>, change: Record<string, string>): string {
  const next = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...query, ...('page' in change ? {} : { page: '' }), ...change })) {
    if (value && !(name === 'page' && value === '1')) next.set(name, value)
  }
  const text = next.toString()
  return '/textes' + (text ? `?${text}` : '')
}

export function Catalogue({ query }: { query: Record<string, string> }) {
  const { route } = useLocation()
  const [q, setQ] = useState(query.q ?? '')
  const settled = useSettled(q)
  const mine = useRef(query.q ?? '')
  useTitle('Textes')
  useEffect(() => {
    if (settled.trim() === mine.current) return
    mine.current = settled.trim()
    route(address(query, { q: mine.current }), true)
  }, [settled])
  useEffect(() => { // the browser's back button
    if ((query.q ?? '') === mine.current) return
    mine.current = query.q ?? ''
    setQ(mine.current)
  }, [query.q])
  const page = Math.max(1, Number(query.page) || 1)
  const found = useLoad((signal) => ok(api.GET('/api/v1/documents', {
    params: {
      query: {
        page, page_size: size, ...(query.q ? { q: query.q } : {}), ...(query.domaine ? { domaine: query.domaine } : {}),
        ...(docTypes.includes(query.type as DocType) ? { doc_type: query.type as DocType } : {}),
        ...(statuts.includes(query.statut as Statut) ? { statut: query.statut as Statut } : {}),
      },
    }, signal,
  })), [page, query.q, query.domaine, query.type, query.statut])
  const domains = useDomains()
  const chip = (name: string, value: string, word: string, n?: number) => {
    const on = query[name] === value
    return <a key={value} class={on ? 'chip on' : 'chip'} aria-current={on ? 'true' : undefined} href={address(query, { [name]: on ? '' : value })}>{word}{n !== undefined && ` (${count(n)})`}</a>
  }
  return (
    <main class="wide catalogue" id="contenu">
      <h1 tabIndex={-1}>Textes</h1>
      <form role="search" onSubmit={(e) => e.preventDefault()}>
        <label class="sr" for="find-text">Chercher un texte</label>
        <input id="find-text" type="search" placeholder="Titre ou numéro" value={q} onInput={(e) => setQ(e.currentTarget.value)} />
      </form>
      <div class="facets">
        <div role="group" aria-label="Statut" class="chips">{statuts.map((s) => chip('statut', s, statutWord(s)))}</div>
        <div role="group" aria-label="Type" class="chips">{docTypes.map((t) => chip('type', t, docTypeWord(t)))}</div>
        <div role="group" aria-label="Domaine" class="chips">{domains.filter((d) => d.documents_count > 0 || d.code === query.domaine).map((d) => chip('domaine', d.code, d.label, d.documents_count))}</div>
      </div>
      <Show of={found} waiting="Recherche dans les textes…">
        {(list) => (
          <>
            <p class="meta" role="status">{list.total === 0 ? 'Aucun texte ne correspond.' : plural(list.total, 'texte')}{list.total === 0 && <>{' '}<a href="/textes">Voir tous les textes</a></>}</p>
            <ol class="texts">{list.items.map((d) => <Row key={d.id} d={d} domain={domains.find((x) => x.code === d.domaine)?.label ?? d.domaine} />)}</ol>
            <Pages page={page} last={Math.ceil(list.total / size)} href={(n) => address(query, { page: String(n) })} />
          </>
        )}
      </Show>
    </main>
  )
}

function Row({ d, domain }: { d: LegalDocument; domain: string }) {
  return (
    <li>
      <a href={`/textes/${d.id}`}>{d.title}</a>
      <p class="meta">
        {d.nature || docTypeWord(d.doc_type)}{d.numero_officiel && ` n° ${d.numero_officiel}`} · {day(d.date_promulgation)}{domain && ` · ${domain}`} · <Status statut={d.statut} />
      </p>
    </li>
  )
}
