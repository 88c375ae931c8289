// Where one is signed in, and ending it there.
import { useLocation } from 'preact-iso'
import { useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import { signOutEverywhere } from '../api/session'
import type { OpenSession } from '../api/types'
import { moment } from '../lib/dates'
import { deviceWord } from '../lib/device'
import { useLoad } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Failure, Show } from '../parts/ui'
import './sessions.css'
import { quit } from '../parts/quit'

/** Ends a session of one's own; one that has ended meanwhile is as good. */
async function end(id: string): Promise<void> {
  await ok(api.DELETE('/api/v1/auth/sessions/{id}', { params: { path: { id } } })).catch((e: unknown) => {
    if (asError(e).status !== 404) throw e
  })
}

export function Sessions() {
  const { route } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const list = useLoad((signal) => ok(api.GET('/api/v1/auth/sessions', { signal })), [])
  /** Does something, one thing at a time. */
  const run = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setError(null)
    await work().catch((e: unknown) => setError(asError(e)))
    setBusy(false)
  }
  const close = (sessions: OpenSession[]) => run(async () => {
    try {
      for (const s of sessions) await end(s.id)
      notify(sessions.length === 1 ? 'La session est fermée.' : 'Vos autres sessions sont fermées.')
      heading.current?.focus() // the button that had the focus goes
    } finally {
      list.reload()
    }
  })
  const leave = (how: () => Promise<void>) => run(async () => {
    await how()
    route('/')
  })
  return (
    <section class="part" aria-labelledby="sessions">
      <h2 id="sessions" ref={heading} tabIndex={-1}>Sessions</h2>
      <p>Une autre session que vous fermez n’est plus renouvelée, et s’éteint dans l’heure. Quitter partout agit aussitôt, ici aussi.</p>
      <Failure error={error} />
      <Show of={list} waiting="Lecture des sessions…">{({ items }) => {
        const others = items.filter((s) => !s.current)
        return (
          <>
            <ul class="sessions">{items.map((s) => <Row key={s.id} s={s} busy={busy} onEnd={() => void (s.current ? leave(quit) : close([s]))} />)}</ul>
            <div class="row">
              {others.length > 0 && others.length < items.length && <button type="button" disabled={busy} onClick={() => void close(others)}>Fermer toutes les autres</button>}
              <button type="button" class="danger" disabled={busy} onClick={() => void leave(signOutEverywhere)}>Quitter partout</button>
            </div>
          </>
        )
      }}</Show>
    </section>
  )
}

function Row({ s, busy, onEnd }: { s: OpenSession; busy: boolean; onEnd: () => void }) {
  const device = deviceWord(s.client)
  return (
    <li data-current={s.current}>
      <div>
        <strong class="verbatim" {...(s.client ? { title: s.client } : {})}>{device}</strong>{s.current && ' (cette session)'}
        <p class="meta">Dernier usage : {moment(s.renewed_at)}. Ouverture : {moment(s.started_at)}.</p>
      </div>
      {s.current
        ? <button type="button" disabled={busy} onClick={onEnd}>Quitter cette session</button>
        : <button type="button" disabled={busy} onClick={onEnd} aria-label={`Fermer la session de ${device}, ouverte ${moment(s.started_at)}`}>Fermer</button>}
    </li>
  )
}
