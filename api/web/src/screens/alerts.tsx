// What the account follows, what has changed in it, and who else is told.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { Delivery, Webhook } from '../api/types'
import { moment } from '../lib/dates'
import { typeset } from '../lib/french'
import { useSending } from '../parts/form'
import { useLoad } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Failure, Field, Show } from '../parts/ui'

const kinds: Record<string, string> = { text: 'Texte', article: 'Article', answer: 'Réponse', search: 'Recherche', scope: 'Domaine' }
const states: Record<Delivery['state'], string> = { queued: 'attend', running: 'en cours', done: 'remis', failed: 'abandonné' }

/** Does things one at a time, and keeps what went wrong. */
function useOne(): { busy: boolean; error: ApiError | null; run: (work: () => Promise<unknown>) => Promise<void> } {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  return { busy, error, run: async (work) => {
    if (busy) return
    setBusy(true)
    setError(null)
    await work().catch((e: unknown) => setError(asError(e)))
    setBusy(false)
  } }
}

export function Alerts() {
  const alerts = useLoad((signal) => ok(api.GET('/api/v1/me/alerts', { params: { query: { limit: 20 } }, signal })), [])
  const follows = useLoad((signal) => ok(api.GET('/api/v1/me/follows', { signal })), [])
  const { busy, error, run } = useOne()
  const leave = (id: string) => run(async () => {
    await ok(api.DELETE('/api/v1/me/follows/{id}', { params: { path: { id } } }))
    follows.reload()
    alerts.reload()
  })
  const tell = (mail: boolean) => run(async () => {
    await ok(api.PATCH('/api/v1/me/alerts', { body: { mail } }))
    notify(mail ? 'Un résumé vous sera envoyé.' : 'Plus aucun résumé ne vous sera envoyé.')
    alerts.reload()
  })
  return (
    <section class="part alerts" aria-labelledby="alertes">
      <h2 id="alertes" tabIndex={-1}>Alertes</h2>
      <Failure error={error} />
      <Show of={alerts} waiting="Lecture des alertes…">{({ items, mail }) => (
        <>
          <p><label><input type="checkbox" checked={mail} disabled={busy} onChange={(e) => void tell(e.currentTarget.checked)} /> En recevoir un résumé par courriel</label></p>
          {items.length === 0 ? <p>Rien n’a changé dans ce que vous suivez.</p> : <ul class="sessions">{items.map((a) => (
            <li key={a.id}><div><a href={a.path}>{a.title}</a><p>{typeset(a.sentence)}</p><p class="meta">{moment(a.at)} · suivi{'\u202f'}: {a.label}</p></div></li>
          ))}</ul>}
        </>
      )}</Show>
      <h3>Ce que vous suivez</h3>
      <p class="meta">Les textes que vous suivez se lisent aussi <a href="/hors-ligne">sans réseau</a>, dans ce navigateur.</p>
      <Show of={follows} waiting="Lecture de ce que vous suivez…">{({ items }) => items.length === 0
        ? <p>Le bouton Suivre, auprès d’un texte, d’un article, d’une réponse ou d’une recherche, vous avertit de ses changements.</p>
        : <ul class="sessions" data-follows>{items.map((f) => (
          <li key={f.id}><div>{f.document_id ? <a href={`/textes/${f.document_id}${f.article_id ? `?article=${f.article_id}` : ''}`}>{f.label}</a> : f.label}<p class="meta">{kinds[f.kind]}</p></div>
            <button type="button" disabled={busy} onClick={() => void leave(f.id)} aria-label={`Ne plus suivre ${f.label}`}>Ne plus suivre</button></li>
        ))}</ul>}</Show>
      <Webhooks />
    </section>
  )
}

function Webhooks() {
  const list = useLoad((signal) => ok(api.GET('/api/v1/me/webhooks', { signal })), [])
  const [url, setURL] = useState('')
  const [secret, setSecret] = useState('')
  const form = useSending()
  const { busy, error, run } = useOne()
  return (
    <Show of={list} waiting="Lecture des webhooks…">{({ items, enabled }) => !enabled && items.length === 0 ? null : (
      <>
        <h3>Webhooks</h3>
        <Failure error={error} />
        <ul class="sessions" data-webhooks>{items.map((w) => <Row key={w.id} w={w} busy={busy} run={(work) => run(async () => {
          await work()
          list.reload()
        })} />)}</ul>
        {secret && <p role="status">Le secret qui signe les messages, montré cette seule fois{'\u202f'}: <code class="verbatim">{secret}</code></p>}
        {enabled && <form class="stack" ref={form.at} onSubmit={(e) => void form.send(e, async () => {
          const made = await ok(api.POST('/api/v1/me/webhooks', { body: { url } }))
          setSecret(made.secret)
          setURL('')
          list.reload()
        })}>
          <Failure error={form.error} />
          <Field label="Adresse d’un programme à avertir" hint="En https, et publique." error={form.error?.fields['url']}>{(told) => <input {...told} name="url" type="url" required value={url} onInput={(e) => setURL(e.currentTarget.value)} />}</Field>
          <button disabled={form.busy}>Ajouter le webhook</button>
        </form>}
      </>
    )}</Show>
  )
}

function Row({ w, busy, run }: { w: Webhook; busy: boolean; run: (work: () => Promise<unknown>) => Promise<void> }) {
  const [shown, show] = useState(0)
  const path = { path: { id: w.id } }
  return (
    <li>
      <div><span class="verbatim">{w.url}</span>
        <p class="meta">{w.active ? (w.failing_since ? `échoue depuis le ${moment(w.failing_since)}` : 'allumé') : 'éteint'}{w.reason && ` · ${typeset(w.reason)}`}</p>
        {shown > 0 && <Deliveries key={shown} webhook={w.id} busy={busy} />}
      </div>
      <div class="row">
        {w.active && <button type="button" disabled={busy} onClick={() => void run(() => ok(api.POST('/api/v1/me/webhooks/{id}/test', { params: path })).then(() => show(shown + 1)))}>Essayer</button>}
        <button type="button" onClick={() => show(shown > 0 ? 0 : 1)} aria-expanded={shown > 0}>Envois</button>
        <button type="button" disabled={busy} onClick={() => void run(() => ok(api.PATCH('/api/v1/me/webhooks/{id}', { params: path, body: { active: !w.active } })))}>{w.active ? 'Éteindre' : 'Rallumer'}</button>
        <button type="button" class="danger" disabled={busy} onClick={() => void run(() => ok(api.DELETE('/api/v1/me/webhooks/{id}', { params: path })))}>Supprimer</button>
      </div>
    </li>
  )
}

/** Whether a delivery is over. One that is done again still has the status of before. */
const ended = (d: Delivery) => d.state === 'done' || d.state === 'failed'

function Deliveries({ webhook, busy }: { webhook: string; busy: boolean }) {
  const list = useLoad((signal) => ok(api.GET('/api/v1/me/webhooks/{id}/deliveries', { params: { path: { id: webhook } }, signal })), [webhook])
  const again = (id: string) => void ok(api.POST('/api/v1/me/webhooks/{id}/deliveries/{delivery_id}', { params: { path: { id: webhook, delivery_id: id } } })).then(() => list.reload(), (e: unknown) => notify(asError(e).message))
  return (
    <Show of={list} waiting="Lecture des envois…">{({ items }) => (
      <>
        {items.length === 0 ? <p>Rien ne lui a été envoyé.</p> : <ul data-deliveries>{items.slice(0, 20).map((d) => (
          <li key={d.id}>{moment(d.created_at)}{'\u202f'}: {d.test ? 'essai' : d.title}, <strong>{states[d.state]}</strong>{d.status !== null && (ended(d) || d.error) && ` (${d.status})`}{d.error && ` – ${typeset(d.error)}`}
            {ended(d) && <> <button type="button" class="link" disabled={busy} onClick={() => again(d.id)}>Refaire l’envoi</button></>}</li>
        ))}</ul>}
        <button type="button" class="link" onClick={() => list.reload()}>Relire les envois</button>
      </>
    )}</Show>
  )
}
