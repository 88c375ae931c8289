// The gazettes: dropped here, followed while they are read, and what to do about those that were not.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, ok } from '../api/client'
import { asError, failureOf } from '../api/errors'
import { send } from '../api/session'
import type { Ingestion, IngestionState, WaitingCounts } from '../api/types'
import { clock, moment } from '../lib/dates'
import { read } from '../lib/follow'
import { count, ingestionStates, plural, readableNow, stateWord, typeset } from '../lib/french'
import { named } from '../lib/once'
import { useSettled, useTitle, type Loaded } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Dialog } from '../parts/ui'
import { useCursor } from './list'
import { More } from './more'

export const underWay = (f: Ingestion) => f.state === 'queued' || f.state === 'running'

export function Files({ query, waiting: told }: { query: Record<string, string>; waiting: Loaded<WaitingCounts> }) {
  const { route } = useLocation()
  useTitle('Gazettes')
  const state = ingestionStates.includes(query.etat as IngestionState) ? (query.etat as IngestionState) : undefined
  const [text, write] = useState('')
  const q = useSettled(text).trim()
  const load = (before?: string) => ok(api.GET('/api/v1/admin/ingestions', { params: { query: { limit: 50, ...(q ? { q } : {}), ...(state ? { state } : {}), ...(before ? { before } : {}) } } })) as Promise<{ items: Ingestion[]; next_before: string | null }>
  const list = useCursor<Ingestion>(load, [state, q])
  const states = list.items.map((f) => f.state).join()
  const shown = useRef('')
  useEffect(() => { // the first list comes beside what waits
    if (shown.current) told.reload()
    shown.current = states
  }, [states])
  const waiting = told.data
  const by = waiting?.files
  // What is at work may be far down the list, behind all that was added after it.
  const [working, atWork] = useState<Ingestion[]>([])
  useEffect(() => {
    if (state || q) return atWork([])
    let gone = false
    void ok(api.GET('/api/v1/admin/ingestions', { params: { query: { limit: 20, state: 'running' } } })).then((r) => gone || atWork(r.items as Ingestion[]), () => undefined)
    return () => { gone = true }
  }, [state, q, states, by?.running])
  const changed = (f: Ingestion) => {
    list.replace(f)
    atWork((all) => all.map((w) => (w.id === f.id ? f : w)))
  }
  useRefined(list.items, () => load().then((r) => r.items), changed)
  const files = [...working.filter((w) => !list.items.some((f) => f.id === w.id)), ...list.items].sort((a, b) => Number(b.state === 'running') - Number(a.state === 'running'))
  return (
    <>
      <h1 tabIndex={-1}>Gazettes</h1>
      <Drop files={list.items} onTaken={list.reload} />
      <input type="search" class="find" aria-label="Chercher une gazette" placeholder="Nom du fichier" maxLength={255} value={text} onInput={(e) => write(e.currentTarget.value)} />
      <div class="chips" role="group" aria-label="État">
        <button type="button" class={state ? 'chip' : 'chip on'} aria-pressed={!state} onClick={() => route('/admin')}>Toutes</button>
        {ingestionStates.map((s) => <button key={s} type="button" class={s === state ? 'chip on' : 'chip'} aria-pressed={s === state} onClick={() => route(`/admin?etat=${s}`)}>{stateWord(s)}{by?.[s] ? ` (${count(by[s])})` : ''}</button>)}
      </div>
      {waiting && <Progress waiting={waiting} />}
      {(state === 'failed' || state === 'cancelled') && <Again files={list.items} changed={list.replace} />}
      <ul class="rows">{files.map((f) => <File key={f.id} file={f} changed={changed} gone={() => list.remove(f)} />)}</ul>
      <More of={list} none={q ? 'Aucune gazette n’a ces lettres dans son nom.' : 'Aucune gazette ici. Déposez un PDF pour commencer.'} />
    </>
  )
}

/** How far all files under way have come, and when they will have ended. */
function Progress({ waiting: { files, ended, seconds_left: left } }: { waiting: WaitingCounts }) {
  const under = (files.queued ?? 0) + (files.running ?? 0)
  if (under < 2) return null
  return (
    <p class="advance">
      <progress max={ended + under} value={ended} aria-label="Gazettes lues" />
      <span class="meta" role="status">{plural(under, 'gazette')} en cours{left !== null && `, terminé vers ${clock(new Date(Date.now() + left * 1000))}`}</span>
    </p>
  )
}

/** Takes up all files of the list that are at rest, one after the other; the first refusal ends it. */
function Again({ files, changed }: { files: readonly Ingestion[]; changed: (f: Ingestion) => void }) {
  const [left, go] = useState(0)
  const rest = files.filter((f) => f.state === 'failed' || f.state === 'cancelled')
  if (rest.length < 2 && left === 0) return null
  const all = async () => {
    for (const [i, f] of rest.entries()) {
      go(rest.length - i)
      changed((await ok(api.POST('/api/v1/admin/ingestions/{id}/retry', { params: { path: { id: f.id } } }))) as Ingestion)
    }
    notify(`${plural(rest.length, 'gazette est reprise', 'gazettes sont reprises')}.`)
  }
  return (
    <p class="row"><button type="button" disabled={left > 0} onClick={() => void all().catch((e: unknown) => notify(asError(e).message)).finally(() => go(0))}>
      {left > 0 ? `Reprise… encore ${count(left)}` : `Reprendre les ${count(rest.length)} gazettes de la liste`}
    </button></p>
  )
}

const sending = 'Envoi…'

/** Where files are dropped; each is sent after the other. */
function Drop({ files, onTaken }: { files: readonly Ingestion[]; onTaken: () => void }) {
  const [over, setOver] = useState(false)
  const [said, say] = useState<{ name: string; text: string; bad: boolean; id?: string }[]>([])
  const queue = useRef(Promise.resolve())
  const input = useRef<HTMLInputElement>(null)
  const put = (name: string, text: string, bad = false, id?: string) => say((all) => [...all.filter((s) => s.name !== name), { name, text, bad, ...(id && { id }) }])
  const take = (files: Iterable<File>) => {
    for (const file of files) {
      put(file.name, 'En attente d’envoi…')
      queue.current = queue.current.then(async () => {
        put(file.name, sending)
        const body = new FormData()
        body.append('file', file)
        // Of the file that is chosen again the browser tells no more than this; its bytes are compared by the API.
        const { name, answered } = named(() => sessionStorage, `file ${file.size} ${file.lastModified} ${file.name}`)
        try {
          const r = await send('/api/v1/admin/documents', { method: 'POST', body, headers: { 'Idempotency-Key': name } })
          answered(r.status)
          if (!r.ok) throw await failureOf(r)
          put(file.name, 'Reçu, la lecture commence.', false, ((await r.json()) as { ingestion_id: string }).ingestion_id)
          onTaken()
        } catch (e) {
          const error = asError(e)
          put(file.name, error.fields.file ?? error.message, true)
        }
      })
    }
  }
  return (
    <section class={over ? 'drop over' : 'drop'} aria-label="Ajouter des gazettes" onDragOver={(e) => {
      e.preventDefault()
      setOver(true)
    }} onDragLeave={() => setOver(false)} onDrop={(e) => {
      e.preventDefault()
      setOver(false)
      take(e.dataTransfer?.files ?? [])
    }}>
      <p>Déposez des PDF ici, de 256{'\u202f'}Mio au plus, ou <button type="button" class="link" onClick={() => input.current?.click()}>choisissez des fichiers</button>.</p>
      <input ref={input} type="file" class="sr" tabIndex={-1} aria-label="Gazettes à ajouter" accept="application/pdf,.pdf" multiple onChange={(e) => {
        take([...(e.currentTarget.files ?? [])])
        e.currentTarget.value = ''
      }} />
      <div role="status">{said.length > 0 && <ul>{said.map((s) => {
        const read = files.find((f) => f.id === s.id && !underWay(f))
        const bad = s.bad || read?.state === 'failed'
        if (said.length > toldEach && !bad && s.text !== sending) return null
        return <li key={s.name} class={bad ? 'fault' : ''}><strong class="verbatim">{s.name}</strong>{'\u202f'}: {!read ? s.text : read.state === 'failed' ? typeset(read.error || 'La lecture a échoué.') : `${stateWord(read.state)}, ${plural(read.documents.length, 'texte')}.`}</li>
      })}{said.length > toldEach && <li>{plural(said.filter((s) => s.id).length, 'gazette reçue', 'gazettes reçues')} sur {count(said.length)}.</li>}</ul>}</div>
    </section>
  )
}

/** Of more files than these, only those that are being sent or were not taken or read are told one by one. */
const toldEach = 8

// Who follows which file. All share one stream: a browser opens six connections to a server, and a page of files under way
// would hold them all.
const followed = new Map<string, Set<(f: Ingestion) => void>>()
let following: AbortController | undefined

/** Follows a file while something happens to it; a stream that ends before that is taken up again. */
export function useFollowed(file: Ingestion | undefined, changed: (f: Ingestion) => void): void {
  const active = file !== undefined && underWay(file)
  const tell = useRef(changed)
  tell.current = changed
  useEffect(() => {
    if (!active || !file) return
    const mine = (f: Ingestion) => tell.current(f)
    const of = followed.get(file.id) ?? new Set()
    followed.set(file.id, of.add(mine))
    if (!following) void followAll((following = new AbortController()).signal, file.updated_at)
    return () => {
      of.delete(mine)
      if (of.size === 0) followed.delete(file.id)
      if (followed.size > 0) return
      following?.abort()
      following = undefined
    }
  }, [file?.id, active])
}

/** Tells those who follow files what happens to them, from a moment on. The stream ends when nothing is under way; then and when it is lost, each file is asked for once, because it may be gone. */
async function followAll(signal: AbortSignal, after: string): Promise<void> {
  const tell = (f: Ingestion) => {
    if (f.updated_at > after) after = f.updated_at
    followed.get(f.id)?.forEach((each) => each(f))
  }
  while (!signal.aborted) {
    try {
      const r = await send(`/api/v1/admin/ingestion-events?after=${encodeURIComponent(after)}`, { signal })
      if (r.ok && r.body) await read(r.body, (e) => e.event !== 'error' && tell(JSON.parse(e.data) as Ingestion), signal)
      for (const id of signal.aborted ? [] : [...followed.keys()]) {
        const file = await api.GET('/api/v1/admin/ingestions/{id}', { params: { path: { id } }, signal })
        if (file.response.status === 404) followed.delete(id)
        else if (file.data) tell(file.data as Ingestion)
      }
    } catch {
      // Lost: taken up again below.
    }
    if (!signal.aborted) await new Promise((done) => setTimeout(done, 1500))
  }
}

// How long after the end of the reading the pace of what follows is known, and how often it is asked again.
const refinedFirst = 8_000
const refinedAgain = 30_000

/** Asks again for files of which one is readable but its texts are not yet found as precisely as the others, until all are. */
export function useRefined(files: readonly Ingestion[], again: () => Promise<readonly Ingestion[]>, changed: (f: Ingestion) => void): void {
  const read = useRef(new Set<string>()) // files whose reading ended while they were shown
  for (const f of files) if (underWay(f)) read.current.add(f.id)
  const lacks = files.some((f) => f.state === 'done' && f.refined_in_seconds !== null)
  const ended = files.filter((f) => f.state === 'done' && read.current.has(f.id)).map((f) => f.id).join()
  useEffect(() => {
    if (!lacks && !ended) return
    const ask = () => {
      read.current.clear()
      void again().then((now) => now.forEach(changed), () => undefined)
    }
    const timer = lacks ? setInterval(ask, refinedAgain) : setTimeout(ask, refinedFirst)
    return () => clearTimeout(timer)
  }, [lacks, lacks || ended])
}

const stages: Record<string, string> = { queued: 'en attente', pages: 'lecture des pages', texts: 'découpage des textes', save: 'enregistrement', done: 'terminé' }

/** How far a file has come. */
export function Advance({ file }: { file: Ingestion }) {
  if (!underWay(file)) return null
  return (
    <p class="advance">
      <progress max={Math.max(1, file.pages_total)} value={file.pages_done} aria-label={`Pages lues de ${file.filename}`} />
      <span class="meta">{stages[file.stage] ?? file.stage}, {file.pages_total ? `page ${count(file.pages_done)} sur ${count(file.pages_total)}` : 'pages à compter'}</span>
    </p>
  )
}

function File({ file, changed, gone }: { file: Ingestion; changed: (f: Ingestion) => void; gone: () => void }) {
  useFollowed(file, changed)
  const act = (what: Promise<Ingestion | undefined>, then?: () => void) => void what.then((now) => {
    if (now) changed(now)
    then?.()
  }, (e: unknown) => notify(asError(e).message))
  const path = { id: file.id }
  const [forgetting, forget] = useState(false)
  return (
    <li class={`file ${file.state}`}>
      <div class="file-head">
        <a href={`/admin/gazettes/${file.id}`} class="verbatim">{file.filename}</a>
        <span class={`state ${file.state}`}>{stateWord(file.state)}</span>
      </div>
      <p class="meta">{plural(file.pages_total, 'page')}, {plural(file.documents.length, 'texte')}, ajouté {moment(file.created_at)}</p>
      <Advance file={file} />
      {file.refined_in_seconds !== null && <p class="meta">{readableNow(file.refined_in_seconds)}</p>}
      {file.error && <p class={file.state === 'failed' ? 'fault' : 'meta'}>{typeset(file.error)}</p>}
      <div class="row">
        <a href={`/admin/gazettes/${file.id}`}>{file.state === 'review' ? 'Relire' : 'Ouvrir'}</a>
        {(file.state === 'failed' || file.state === 'cancelled') && <button type="button" class="quiet" onClick={() => act(ok(api.POST('/api/v1/admin/ingestions/{id}/retry', { params: { path } })) as Promise<Ingestion>)}>Reprendre</button>}
        {(file.state === 'done' || file.state === 'review') && <button type="button" class="quiet" onClick={() => act(ok(api.POST('/api/v1/admin/ingestions/{id}/recut', { params: { path } })) as Promise<Ingestion>)}>Découper de nouveau</button>}
        {underWay(file) && <button type="button" class="quiet" onClick={() => act(ok(api.POST('/api/v1/admin/ingestions/{id}/cancel', { params: { path } })) as Promise<Ingestion>)}>Abandonner</button>}
        {!underWay(file) && file.documents.length === 0 && <button type="button" class="quiet" onClick={() => forget(true)}>Oublier</button>}
      </div>
      {forgetting && (
        <Dialog title="Oublier la gazette" onClose={() => forget(false)}>
          <p><span class="verbatim">{file.filename}</span> et ce qui en a été lu seront supprimés. Pour la lire plus tard, il faudra l’ajouter de nouveau.</p>
          <div class="row">
            <button type="button" class="danger" onClick={() => {
              forget(false)
              act(ok(api.DELETE('/api/v1/admin/ingestions/{id}', { params: { path } })).then(() => undefined), gone)
            }}>Oublier</button>
            <button type="button" onClick={() => forget(false)}>Garder</button>
          </div>
        </Dialog>
      )}
    </li>
  )
}
