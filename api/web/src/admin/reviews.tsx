// The texts that wait for a person, of all gazettes: what is doubtful in each, to be said here and settled several at a
// time, or on the desk beside its page. Everything is done by keys. They are grouped by what they wait for: a group is
// settled at once, after it was shown.
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { Review } from '../api/types'
import { count, fieldWord, plural, typeset } from '../lib/french'
import { decisionOf, doubtedOf, formOf, isDatum, lackingOf, type Form } from '../lib/review'
import { useLoad, useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Dialog, Failure, Pages, Show } from '../parts/ui'
import { DatumField } from './datum'
import './reviews.css'

const size = 20

interface Waiting { ingestion_id: string; filename: string; review: Review }

export function Reviews({ query }: { query: Record<string, string> }) {
  const { route } = useLocation()
  useTitle('Textes à relire')
  const group = query.attend ?? ''
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1)
  const found = useLoad((signal) => ok(api.GET('/api/v1/admin/reviews', { params: { query: { page, page_size: size, ...(group ? { group } : {}) } }, signal })), [group, page])
  const at = (g: string, n: number) => {
    const wanted = new URLSearchParams({ ...(g && { attend: g }), ...(n > 1 && { page: String(n) }) }).toString()
    return `/admin/relecture${wanted && `?${wanted}`}`
  }
  return (
    <>
      <h1 tabIndex={-1}>Textes à relire</h1>
      <Show of={found} waiting="Lecture des textes à relire…">
        {(list) => (
          <>
            {list.groups.length > 0 && (
              <div class="chips" role="group" aria-label="Données douteuses">
                <button type="button" class={group ? 'chip' : 'chip on'} aria-pressed={!group} onClick={() => route(at('', 1))}>Toutes</button>
                {list.groups.map((g) => <button key={g.fields} type="button" class={g.fields === group ? 'chip on' : 'chip'} aria-pressed={g.fields === group} onClick={() => route(at(g.fields, 1))}>{groupWord(g.fields)}<span class="chip-count">{count(g.texts)}</span></button>)}
              </div>
            )}
            {list.groups.filter((g) => g.fields === group).map((g) => <Whole key={g.fields} group={g} onSettled={found.reload} />)}
            <p class="meta" role="status">{list.total === 0 ? 'Aucun texte à relire.' : `${plural(list.total, 'texte')} à relire`}</p>
            {list.total > 0 && list.items.length === 0 && <p>Il n’y a pas tant de pages. <a href={at(group, 1)}>Revenir à la première</a></p>}
            <Batch items={list.items} onSettled={found.reload} />
            <Pages page={page} last={Math.ceil(list.total / size)} href={(n) => at(group, n)} />
          </>
        )}
      </Show>
    </>
  )
}

interface Group { fields: string; texts: number; files: number; lacking: number }

const groupWord = (fields: string): string => fields.split('+').map(fieldWord).join(', ')

/** A group as a whole: it is fetched, counted, confirmed and then accepted, each text as it was when it was fetched. */
function Whole({ group, onSettled }: { group: Group; onSettled: () => void }) {
  const [shown, show] = useState<{ ready: Review[]; lacking: number } | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const work = async (of: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setError(null)
    try { await of() } catch (e) { setError(asError(e)) }
    setBusy(false)
  }
  const preview = () => work(async () => {
    const all: Review[] = []
    for (let page = 1; ; page++) {
      const list = await ok(api.GET('/api/v1/admin/reviews', { params: { query: { page, page_size: 100, group: group.fields } } }))
      all.push(...list.items.map((i) => i.review))
      if (list.items.length < 100) break
    }
    const ready = all.filter((r) => lackingOf(r).length === 0)
    show({ ready, lacking: all.length - ready.length })
  })
  const accept = (ready: Review[]) => work(async () => {
    show(null)
    let done = 0
    for (let at = 0; at < ready.length; at += 50) {
      const decisions = ready.slice(at, at + 50).map((r) => ({ document_id: r.id, decision: 'accept' as const, version: r.version, group: group.fields }))
      const { items } = await ok(api.POST('/api/v1/admin/reviews', { body: { decisions } }))
      done += items.filter((o) => o.done).length
    }
    const left = ready.length - done
    notify(`${plural(done, 'texte')} au catalogue.${left > 0 ? ` ${plural(left, 'texte')} en revue\u202f: changé ou déjà réglé.` : ''}`)
    onSettled()
  })
  return (
    <>
      <p class="row"><button type="button" disabled={busy} onClick={() => void preview()}>Accepter tout le groupe…</button>
        <span class="meta">{plural(group.texts, 'texte')} de {plural(group.files, 'fichier')}{group.lacking > 0 && `, dont ${plural(group.lacking, 'texte')} auquel manque une donnée`}</span></p>
      <Failure error={error} />
      {shown && (
        <Dialog title={`Accepter le groupe\u202f: ${groupWord(group.fields)}`} onClose={() => show(null)}>
          <p>{plural(shown.ready.length, 'texte')} au catalogue, comme lu. {shown.lacking > 0 && `${plural(shown.lacking, 'texte')} en revue\u202f: une donnée est à donner.`}</p>
          <ul class="preview">
            {shown.ready.map((r) => <li key={r.id}><span class="verbatim">{r.title}</span> {r.doubts.map((d, i) => d.words && <span key={i} class="meta"> {fieldWord(d.field)}{'\u202f'}: «{'\u202f'}<span class="verbatim">{d.words}</span>{'\u202f'}», p. {d.page}</span>)}</li>)}
          </ul>
          <div class="row">
            <button type="button" class="main" disabled={shown.ready.length === 0} onClick={() => void accept(shown.ready)}>Accepter ({shown.ready.length})</button>
            <button type="button" onClick={() => show(null)}>Annuler</button>
          </div>
        </Dialog>
      )}
    </>
  )
}

type Decision = 'accept' | 'reject'

/** The texts of a page, several of which can be settled at once. What is not settled stays, with its reason. */
function Batch({ items, onSettled }: { items: Waiting[]; onSettled: () => void }) {
  const { route } = useLocation()
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [forms, setForms] = useState<Record<string, Form>>({})
  const [refused, refuse] = useState<Record<string, { detail: string; missing: string[] }>>({})
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const [rejecting, reject] = useState<Waiting[] | null>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => choose((c) => new Set([...c].filter((id) => items.some((i) => i.review.id === id)))), [items])
  const form = (r: Review) => forms[r.id] ?? formOf(r)
  const picked = items.filter((i) => chosen.has(i.review.id))
  const toggle = (ids: string[], on: boolean) => choose((c) => new Set(on ? [...c, ...ids] : [...c].filter((id) => !ids.includes(id))))

  const settle = async (of: Waiting[], decision: Decision) => {
    reject(null)
    if (busy || of.length === 0) return
    setBusy(true)
    setError(null)
    try {
      const decisions = of.map((i) => ({ document_id: i.review.id, ...decisionOf(i.review, form(i.review), decision), decision, version: i.review.version }))
      const { items: outcomes } = await ok(api.POST('/api/v1/admin/reviews', { body: { decisions } }))
      const done = outcomes.filter((o) => o.done)
      refuse(Object.fromEntries(outcomes.filter((o) => !o.done).map((o) => [o.document_id, { detail: o.detail ?? '', missing: o.missing }])))
      if (done.length > 0) {
        const one = done.length === 1
        notify(decision === 'accept' ? (one ? 'Le texte entre au catalogue.' : `${count(done.length)} textes entrent au catalogue.`) : one ? 'Le texte est rejeté.' : `${count(done.length)} textes sont rejetés.`)
        toggle(done.map((o) => o.document_id), false)
        list.current?.focus() // the rows that had the focus go
      }
      onSettled() // also for what was refused because it has changed
    } catch (e) {
      const refusal = asError(e)
      setError({ ...refusal, message: Object.values(refusal.fields)[0] ?? refusal.message })
    }
    setBusy(false)
  }
  const ask = (of: Waiting[], decision: Decision) => (decision === 'reject' ? of.length > 0 && reject(of) : void settle(of, decision))
  const key = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test((e.target as HTMLElement).tagName) && !(e.target as HTMLElement).matches('[type=checkbox]')) return
    const boxes = [...list.current!.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
    const row = (e.target as HTMLElement).closest('li.review-row')
    const now = boxes.findIndex((b) => b.closest('li') === row)
    const here = items[now]
    const of = picked.length > 0 ? picked : here ? [here] : []
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') boxes[Math.max(0, Math.min(boxes.length - 1, now + (e.key === 'ArrowDown' ? 1 : -1)))]?.focus()
    else if (e.key === 'a') ask(of, 'accept')
    else if (e.key === 'r') ask(of, 'reject')
    else if (e.key === 'o' && here) route(`/admin/gazettes/${here.ingestion_id}?page=${here.review.first_page}`)
    else if (e.key === 'f' && row) row.querySelector<HTMLElement>('.datum input, .datum textarea, .datum select')?.focus()
    else return
    e.preventDefault()
  }
  if (items.length === 0) return null
  return (
    <div class="batch">
      <div class="batch-bar">
        <label class="check"><input type="checkbox" checked={picked.length === items.length} onChange={(e) => toggle(items.map((i) => i.review.id), e.currentTarget.checked)} /> Tout choisir</label>
        <button type="button" class="main" disabled={busy || picked.length === 0} onClick={() => ask(picked, 'accept')}>Accepter{picked.length > 0 && ` (${picked.length})`}</button>
        <button type="button" class="danger" disabled={busy || picked.length === 0} onClick={() => ask(picked, 'reject')}>Rejeter{picked.length > 0 && ` (${picked.length})`}</button>
        <span class="meta keys">Flèches{'\u202f'}: textes. <kbd>Espace</kbd> choisit, <kbd>a</kbd> accepte, <kbd>r</kbd> rejette, <kbd>f</kbd> va au doute, <kbd>o</kbd> ouvre l’atelier.</span>
      </div>
      <Failure error={error} />
      <ul class="rows" ref={list} tabIndex={-1} aria-label="Textes à relire" onKeyDown={key}>
        {items.map((w) => (
          <Row key={w.review.id} w={w} on={chosen.has(w.review.id)} form={form(w.review)} refused={refused[w.review.id]}
            onChoose={(on) => toggle([w.review.id], on)} onForm={(f) => setForms((all) => ({ ...all, [w.review.id]: f }))} />
        ))}
      </ul>
      {rejecting && (
        <Dialog title={rejecting.length === 1 ? 'Rejeter le texte' : `Rejeter ${count(rejecting.length)} textes`} onClose={() => reject(null)}>
          <p>{rejecting.length === 1 ? 'Il n’entrera pas au catalogue. Sa gazette reste.' : 'Ils n’entreront pas au catalogue. Leurs gazettes restent.'}</p>
          <div class="row">
            <button type="button" class="danger" onClick={() => void settle(rejecting, 'reject')}>Rejeter</button>
            <button type="button" onClick={() => reject(null)}>Garder</button>
          </div>
        </Dialog>
      )}
    </div>
  )
}

interface RowProps { w: Waiting; on: boolean; form: Form; refused: { detail: string; missing: string[] } | undefined; onChoose: (on: boolean) => void; onForm: (f: Form) => void }

function Row({ w, on, form, refused, onChoose, onForm }: RowProps) {
  const { review: r } = w
  const asked = [...new Set([...doubtedOf(r), ...(refused?.missing ?? []).filter(isDatum)])]
  const others = r.doubts.filter((d) => !isDatum(d.field))
  const title = r.title || 'Texte sans titre'
  return (
    <li class={on ? 'review-row on' : 'review-row'}>
      <input type="checkbox" aria-label={`Choisir ${title}`} checked={on} onChange={(e) => onChoose(e.currentTarget.checked)} />
      <div>
        <a class="verbatim" href={`/admin/gazettes/${w.ingestion_id}?page=${r.first_page}`}>{title}</a>
        <p class="meta"><span class="verbatim">{w.filename}</span>, {r.first_page === r.last_page ? `p. ${r.first_page}` : `p. ${r.first_page} à ${r.last_page}`}, {plural(r.articles_count, 'article')}</p>
        {refused && <p class="fault" role="alert">{typeset(refused.detail) || 'Ce texte n’a pas pu être réglé.'}</p>}
        {others.map((d, i) => <p key={i} class="doubt"><strong>{fieldWord(d.field)}</strong>{'\u202f'}: {typeset(d.reason)}{d.words && <span class="meta"> «{'\u202f'}<span class="verbatim">{d.words}</span>{'\u202f'}»{d.page && `, p. ${d.page}`}</span>}</p>)}
        {asked.length > 0 && (
          <div class="asked">
            {asked.map((f) => <DatumField key={f} r={r} field={f} value={form[f]} error={refused?.missing.includes(f) ? 'À donner pour accepter le texte.' : undefined} onInput={(v) => onForm({ ...form, [f]: v })} />)}
          </div>
        )}
      </div>
    </li>
  )
}
