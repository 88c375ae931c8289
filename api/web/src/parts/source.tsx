// The source that is being read: what it is, what became of it, its article with the cited words marked, then its page.
import { useEffect, useRef } from 'preact/hooks'
import { ok } from '../api/client'
import type { ChangedAlinea, Citation } from '../api/types'
import { day, lawToday } from '../lib/dates'
import { articleWord, capital } from '../lib/french'
import { locate } from '../lib/marks'
import { ChangedBy } from './alineas'
import { useLoad, useReads } from './hooks'
import { notify } from './notice'
import { GazettePage } from './page-image'
import { Status } from './ui'
import { Linked, publicText, useLinks } from './linked'
import { Title } from './marked'
import './source.css'

/** The source of a citation; all are the citations of its answer, among which one goes on. */
export function SourcePanel({ citation: c, all, onGo, onClose }: { citation: Citation; all: readonly Citation[]; onGo: (c: Citation) => void; onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { api, guest } = useReads()
  const text = useLoad((signal) => guest ? Promise.resolve(null) : ok(api.GET('/api/v1/documents/{id}', { params: { path: { id: c.document_id } }, signal })), [c.document_id]).data
  const copy = () => {
    const place = [c.article && capital(articleWord(c.article)), c.title, c.page && `p.\u00a0${c.page}`].filter(Boolean).join(', ')
    navigator.clipboard.writeText(`«\u202f${c.excerpt}\u202f» (${place})`).then(() => notify('Citation copiée avec sa source.'), () => notify('Le navigateur n’a pas permis la copie.'))
  }
  const at = all.findIndex((other) => other.index === c.index)
  useEffect(() => {
    const back = document.activeElement as HTMLElement | null
    heading.current?.focus({ preventScroll: true }) // the article below scrolls to its cited words
    return () => back?.isConnected && back.focus()
  }, [])
  return (
    <aside class="source" aria-label="Source" onKeyDown={(e) => {
      if (e.key === 'Escape') {
        e.preventDefault()
        onClose()
      }
    }}>
      <button type="button" class="quiet close" onClick={onClose}>Fermer</button>
      <h2 ref={heading} tabIndex={-1}><Title of={c.title} /></h2>
      <p class="meta">
        {c.article && <>{capital(articleWord(c.article))}</>}
        {c.numero_officiel && <>{'\u00a0'}· n°{'\u00a0'}{c.numero_officiel}</>}
        {text && <>{'\u00a0'}· {day(text.date_promulgation)}</>}{c.etat_au && <>{'\u00a0'}· version consolidée au {day(c.etat_au)}</>}{'\u00a0'}· <Status statut={c.statut} />
      </p>
      {c.relations.length > 0 && (
        <ul class="relations">
          {c.relations.map((r, i) => (
            <li key={i}>{r.type === 'abroge_par' ? 'Abrogé' : 'Modifié'} par <a href={`/textes/${r.document_id}?article=${r.article_id}`}>{r.title}</a>, le {day(r.date)}</li>
          ))}
        </ul>
      )}
      {all.length > 1 && (
        <p class="row citations-bar">
          <button type="button" class="quiet" disabled={at <= 0} onClick={() => onGo(all[at - 1]!)} aria-label="Citation précédente">Précédente</button>
          <span class="meta" role="status">Citation {at + 1} sur {all.length}</span>
          <button type="button" class="quiet" disabled={at >= all.length - 1} onClick={() => onGo(all[at + 1]!)} aria-label="Citation suivante">Suivante</button>
        </p>
      )}
      <Article key={c.index} of={c} />
      <p class="row"><button type="button" class="quiet" onClick={copy}>Copier la citation</button> <a href={guest ? publicText(c.document_id, c.article) : `/textes/${c.document_id}${c.article_id ? `?article=${c.article_id}` : ''}`}>Lire le texte</a> <a href={c.url} target="_blank" rel="noopener">Ouvrir le PDF</a></p>
      <GazettePage key={c.index} documentId={c.document_id} page={c.page} regions={c.regions} />
    </aside>
  )
}

/** The article that a citation is of: as printed, or as acts have changed it by today where it has the cited words only so. */
async function articleOf(api: ReturnType<typeof useReads>['api'], c: Citation, signal: AbortSignal): Promise<{ text: string; changed: readonly ChangedAlinea[] }> {
  const article_id = c.article_id
  if (!article_id) return { text: '', changed: [] }
  const read = (query: { date?: string }) => ok(api.GET('/api/v1/documents/{id}/articles/{article_id}', { params: { path: { id: c.document_id, article_id }, query }, signal }))
  const { text } = await read({})
  const place = locate(text, c.excerpt)
  if (place) return { text, changed: [] }
  const now = await read({ date: lawToday(c.pays?.[0]) }).catch(() => null)
  const cited = now && locate(now.text, c.excerpt)
  if (!cited) return { text, changed: [] }
  const [from, to] = cited.map((at) => [...now.text.slice(0, at)].length) as [number, number]
  return { text: now.text, changed: (now.assembled_by?.alineas ?? []).filter((a) => a.start < to && a.end > from) }
}

/** The article with the cited words marked, and what changed their alineas; the words alone while it comes, where it has others today, and for who may not read the catalogue. */
function Article({ of: c }: { of: Citation }) {
  const article = c.article_id
  const { api } = useReads()
  const { text, changed } = useLoad((signal) => articleOf(api, c, signal), [c.document_id, article, c.excerpt]).data ?? { text: '', changed: [] }
  const links = useLinks(c.document_id, article, '', text || null)
  const place = text ? locate(text, c.excerpt) : null
  const mark = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = mark.current?.closest('blockquote')
    if (!box || !mark.current) return
    box.scrollTop = mark.current.offsetTop - box.offsetTop - 24
    box.scrollIntoView({ block: 'nearest' }) // large letters and lists of changes push it down
  }, [text])
  return (
    <>
      <blockquote data-verbatim>
        {place ? <><Linked words={text.slice(0, place[0])} links={links} /><mark ref={mark}><Linked words={text.slice(...place)} links={links} /></mark><Linked words={text.slice(place[1])} links={links} /></> : <mark>{c.excerpt}</mark>}
      </blockquote>
      {changed.map((a) => <p key={a.start} class="meta"><ChangedBy of={a} /></p>)}
    </>
  )
}
