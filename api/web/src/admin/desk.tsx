// The desk where a doubtful gazette is mended: beside its page, with the lines in the colours of what they were taken for,
// its doubts come one after the other, with the pictures of their places. Everything is done by keys.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError } from '../api/errors'
import type { Doubt, Edit, EditRequest, Ingestion, PageLine, Review } from '../api/types'
import { moment } from '../lib/dates'
import { plural, shorten, readableNow, stateWord, typeset } from '../lib/french'
import { linesAt, type Spot } from '../lib/place'
import { articleText, clampSelection, editOf, kindWord, lineRef, placeAfter, reach, sameArticle, type Carried, type Selection } from '../lib/desk'
import { useLatest, useLoad, useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Show, Waiting } from '../parts/ui'
import { Ask, type Question } from './ask'
import { DeskPage, useLines } from './desk-page'
import { Advance, underWay, useFollowed, useRefined } from './files'
import { ReviewForm } from './review'
import { NextFile, Strip } from './strip'
import './desk.css'

export function Desk({ id, query }: { id: string; query: Record<string, string> }) {
  const path = { id }
  const file = useLoad((signal) => ok(api.GET('/api/v1/admin/ingestions/{id}', { params: { path }, signal })) as Promise<Ingestion>, [id])
  const [turn, again] = useState(0)
  const reviews = useLoad((signal) => ok(api.GET('/api/v1/admin/ingestions/{id}/review', { params: { path }, signal })), [id, turn])
  const edits = useLoad((signal) => ok(api.GET('/api/v1/admin/ingestions/{id}/edits', { params: { path }, signal })), [id, turn])
  useTitle(file.data?.filename ?? 'Gazette')
  const edited = useRef(false)
  useFollowed(file.data, (now) => {
    file.set(now)
    if (underWay(now)) return
    edited.current = false
    again((n) => n + 1)
  })
  useRefined(file.data ? [file.data] : [], () => ok(api.GET('/api/v1/admin/ingestions/{id}', { params: { path } })).then((f) => [f as Ingestion]), file.set)
  useEffect(() => { // a file that was cut anew before it could be followed
    if (!edited.current || !file.data || underWay(file.data)) return
    edited.current = false
    again((n) => n + 1)
  }, [file.data])
  return (
    <main class="desk" id="contenu">
      <Show of={file} waiting="Ouverture de la gazette…">
        {(f) => (
          <>
            <header class="desk-head">
              <a href="/admin">Gazettes</a>
              <h1 tabIndex={-1} class="verbatim">{f.filename}</h1>
              <span class={`state ${f.state}`}>{stateWord(f.state)}</span>
              <Advance file={f} />
              {f.refined_in_seconds !== null && <span class="meta">{readableNow(f.refined_in_seconds)}</span>}
              {f.error && <span class="meta">{typeset(f.error)}</span>}
            </header>
            {f.pages_total > 0
              ? <Bench file={f} reviews={reviews.data?.items} edits={edits.data?.items ?? []} turn={turn} first={Number(query.page) || 0}
                onEdit={() => {
                  edited.current = true
                  file.reload()
                }} onSettled={() => {
                  file.reload()
                  again((n) => n + 1)
                }} />
              : <Waiting text="Aucune page n’a encore été lue." />}
          </>
        )}
      </Show>
    </main>
  )
}

interface BenchProps { file: Ingestion; reviews: Review[] | undefined; edits: Edit[]; turn: number; first: number; onEdit: () => void; onSettled: () => void }

function Bench({ file, reviews: waiting, edits, turn, first, onEdit, onSettled }: BenchProps) {
  const reviews = waiting ?? []
  const [page, setPage] = useState(first || 1)
  const [chosen, choose] = useState('')
  const [sought, seek] = useState<{ spot: Spot; d: Doubt; of: string } | null>(null)
  const [at, select] = useState<Selection>({ from: 0, to: 0 })
  const [asking, ask] = useState<Question | null>(null)
  const [carried, carry] = useState<Carried | null>(null)
  const surface = useRef<HTMLDivElement>(null)
  const editing = useRef(false)
  const shown = useRef<typeof sought>(null) // whose lines were selected
  const loaded = useLines(file.id, page, turn)
  const lines = loaded.data?.page === page ? loaded.data.lines : []
  const busy = underWay(file)
  // The text whose doubts are shown: the one that was chosen, or on the page that was asked for, or the first.
  const now = reviews.find((r) => r.id === chosen) ?? reviews.find((r) => r.first_page <= first && first <= r.last_page) ?? reviews[0]
  useEffect(() => { // lines that come anew leave the selection where somebody has put it
    const due = sought !== shown.current && sought?.spot.page === page && now && lines.length > 0
    if (due) shown.current = sought
    const at = due ? linesAt(sought.spot, now, sought.d, lines) : null
    select((s) => at ?? clampSelection(s, lines.length))
  }, [lines, sought])

  const send = (body: EditRequest) => void ok(api.POST('/api/v1/admin/ingestions/{id}/edits', { params: { path: { id: file.id } }, body })).then(() => {
    ask(null)
    carry(null)
    editing.current = true
    notify(`${kindWord(body.kind)}${'\u202f'}: la gazette est découpée de nouveau.`)
    onEdit()
  }, (e: unknown) => {
    const error = asError(e)
    notify(Object.values(error.fields)[0] ?? error.message)
  })
  const undo = (e: Edit | undefined) => {
    if (!e) return notify('Il n’y a rien à annuler.')
    ok(api.DELETE('/api/v1/admin/ingestions/{id}/edits/{edit_id}', { params: { path: { id: file.id, edit_id: e.id } } })).then(() => {
      notify('La correction est annulée.')
      onEdit()
    }, (error: unknown) => notify(asError(error).message))
  }
  const live = edits.filter((e) => !e.undone_at)
  const act = (key: string): boolean => {
    const line = lines[at.from]
    if (key === 'u') return undo(live.at(-1)), true
    if (!line) return false
    if (busy) {
      notify('La gazette est en cours de découpage. Un instant.')
      return true
    }
    const done = editOf(key, page, lines, at)
    if (!done) return false
    if ('carry' in done) carry(done.carry)
    else if ('ask' in done && done.ask === 'correct-article') {
      void wholeArticle(file, page, lines, at.from).then((words) => ask({ kind: done.ask, line: lineRef(page, line), of: line, words, onSend: send }),
        (e: unknown) => notify(asError(e).message))
    } else if ('ask' in done) ask({ kind: done.ask, line: lineRef(page, line), of: line, onSend: send, ...(done.through ? { through: done.through } : {}) })
    else send(done)
    return true
  }
  const turnTo = (n: number) => {
    setPage(Math.max(1, Math.min(file.pages_total, n)))
    select({ from: 0, to: 0 })
  }
  const place = () => {
    const line = lines[at.to]
    if (!carried || !line) return
    if (busy) notify('La gazette est en cours de découpage. Un instant.')
    else send(placeAfter(carried, page, line))
  }
  const latest = useLatest({ act, turnTo, place, carried, page, lines, at, asking })
  useEffect(() => { // a doubt has its own place to begin
    if (waiting?.length === 0) surface.current?.focus({ preventScroll: true })
  }, [waiting])
  const key = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || latest.current.asking) return
    const { lines, at, page } = latest.current
    const move = (by: number) => {
      const to = Math.max(0, Math.min(lines.length - 1, (e.shiftKey ? at.to : by > 0 ? at.to : at.from) + by))
      select(e.shiftKey ? { from: Math.min(at.from, to), to } : { from: to, to })
    }
    if (e.key === 'ArrowDown') move(1)
    else if (e.key === 'ArrowUp') move(-1)
    else if (e.key === 'ArrowRight' || e.key === 'PageDown') turnTo(page + 1)
    else if (e.key === 'ArrowLeft' || e.key === 'PageUp') turnTo(page - 1)
    else if (latest.current.carried && e.key === 'Enter') latest.current.place()
    else if (latest.current.carried && e.key === 'Escape') carry(null)
    else if (e.key === 'Enter') document.querySelector<HTMLFormElement>('.review-form')?.requestSubmit()
    else if (e.key === 'q') document.querySelector<HTMLElement>('.review-form .danger')?.click()
    else if (e.key === 'f') (document.querySelector<HTMLElement>('.review-form [aria-invalid=true]') ?? document.querySelector<HTMLElement>('.review-form input'))?.focus()
    else if (!latest.current.act(e.key)) return
    e.preventDefault()
  }
  return (
    <div class="bench">
      <section class="surface" aria-label="Page">
        <div class="row page-bar">
          <button type="button" onClick={() => turnTo(page - 1)} disabled={page === 1}>Précédente</button>
          <label>Page <input type="number" min={1} max={file.pages_total} value={page} onChange={(e) => turnTo(Number(e.currentTarget.value) || 1)} /> sur {file.pages_total}</label>
          <button type="button" onClick={() => turnTo(page + 1)} disabled={page === file.pages_total}>Suivante</button>
        </div>
        <Strip file={file.id} page={page} turn={turn} onPage={turnTo} />
        <div ref={surface} tabIndex={0} role="application" aria-label="Lignes de la page. Flèches haut et bas pour choisir, lettres pour corriger." aria-describedby="desk-keys" class="surface-keys" onKeyDown={key}>
          <DeskPage id={file.id} page={page} width={loaded.data?.width ?? 595} height={loaded.data?.height ?? 842} lines={lines} at={at} onSelect={(s) => {
            select(s)
            surface.current?.focus({ preventScroll: true })
          }} />
          {loaded.error && <p class="meta">{loaded.error.message}</p>}
        </div>
        <details class="legend">
          <summary>Couleurs des lignes</summary>
          <ul class="plain">
            {Object.entries(labels).map(([label, word]) => <li key={label}><span class={`label ${label}`}>{word}</span></li>)}
            <li><span class="label unsure">contour en tirets</span> la lecture de la ligne n’est pas sûre</li>
          </ul>
        </details>
      </section>
      <aside class="beside-page" aria-label="Corrections">
        {carried && (
          <section class="carried" role="status">
            <p>À placer{'\u202f'}: <span class="verbatim">{shorten(carried.words, 90)}</span>{carried.through && ' et la suite'}. Choisissez la ligne d’avant, sur n’importe quelle page.</p>
            <div class="row"><button type="button" class="main" onClick={place}>Placer après la ligne choisie <kbd>Entrée</kbd></button><button type="button" onClick={() => carry(null)}>Renoncer <kbd>Échap</kbd></button></div>
          </section>
        )}
        {now && <ReviewForm key={now.id} file={file.id} r={now} turn={turn} onPage={turnTo} onSettled={onSettled} onSettle={() => (editing.current = false)} onSpot={(spot, d, field) => {
          const same = sought !== null && sought.d.reason === d.reason && sought.d.words === d.words && sought.of === now.title
          if (same && editing.current) return // cut again, and as doubtful as before
          setPage(spot.page)
          seek({ spot, d, of: now.title })
          if (!editing.current) (field ?? surface.current)?.focus({ preventScroll: true }) // who corrects lines goes on with them
        }} />}
        <Current line={lines[at.from]} n={at.to - at.from + 1} busy={busy} act={act} />
        {reviews.length > 1 && (
          <section>
            <h2>Autres textes à relire</h2>
            <ul class="plain">{reviews.filter((r) => r !== now).map((r) => <li key={r.id}><button type="button" class="link verbatim" onClick={() => choose(r.id)}>{shorten(r.title, 90) || 'Texte sans titre'}</button> <span class="meta">p. {r.first_page}</span></li>)}</ul>
          </section>
        )}
        {waiting?.length === 0 && <NextFile />}
        <Kind file={file} onDone={onEdit} />
        <Edits edits={edits} onUndo={undo} />
        <section>
          <h2>Textes de la gazette</h2>
          <ul class="plain">{file.documents.map((d) => <li key={d.id}><a class="verbatim" href={`/textes/${d.id}`}>{shorten(d.title, 110)}</a></li>)}</ul>
        </section>
      </aside>
      {asking && <Ask question={asking} onClose={() => {
        ask(null)
        surface.current?.focus()
      }} />}
    </div>
  )
}

/** The words of the article that a line is of, on its page and on those that it goes on for. */
async function wholeArticle(file: Ingestion, page: number, lines: readonly PageLine[], at: number): Promise<string> {
  const of = lines[at]!
  const read = async (n: number) => (await ok(api.GET('/api/v1/admin/ingestions/{id}/pages/{page}/lines', { params: { path: { id: file.id, page: n } } }))).lines
  const own = (all: readonly PageLine[]) => all.filter((l) => sameArticle(l, of))
  let found = own(lines)
  for (let n = page - 1; n >= Math.max(1, page - reach); n--) {
    const more = own(await read(n))
    if (more.length === 0) break
    found = [...more, ...found]
  }
  for (let n = page + 1; n <= Math.min(file.pages_total, page + reach); n++) {
    const more = own(await read(n))
    if (more.length === 0) break
    found = [...found, ...more]
  }
  return articleText(found)
}

const keys: [string, string][] = [
  ['s', 'un texte commence ici'], ['m', 'continue le texte d’avant'], ['a', 'un article commence ici'], ['r', 'numéro de l’article'], ['o', 'numéros à la suite d’ici'], ['t', 'titre du texte'], ['i', 'titre de l’article'],
  ['c', 'corriger les mots'], ['w', 'corriger l’article entier'], ['d', 'déplacer après…'], ['x', 'hors de tout texte'], ['p', 'au texte d’avant'], ['n', 'au texte d’après'], ['u', 'annuler la dernière'],
]

const labels: Record<string, string> = { head: 'titre d’un texte', preamble: 'visas et formules', article: 'article', section: 'intertitre', signature: 'signature', annex: 'annexe', reasons: 'exposé des motifs', loose: 'hors de tout texte', aside: 'mis à part (sommaire, en-tête, annonce)' }

/** The line that is chosen, and what can be done with it. */
function Current({ line, n, busy, act }: { line: PageLine | undefined; n: number; busy: boolean; act: (key: string) => boolean }) {
  return (
    <section class="current">
      <h2>{n > 1 ? plural(n, 'ligne choisie', 'lignes choisies') : 'Ligne choisie'}</h2>
      {line
        ? <p aria-live="polite"><span class={`label ${line.label}`}>{labels[line.label]}</span>{line.article && <> · {line.article}</>}<br /><span class="verbatim">{shorten(line.text, 160)}</span></p>
        : <p class="meta">Aucune ligne n’est connue sur cette page.</p>}
      <div class="key-list" id="desk-keys">
        {keys.map(([key, word]) => <button key={key} type="button" disabled={key !== 'u' && (!line || busy)} onClick={() => act(key)}><kbd>{key}</kbd> {word}</button>)}
      </div>
      <p class="meta">Flèches{'\u202f'}: lignes et pages. Maj et flèches{'\u202f'}: plusieurs lignes. <kbd>f</kbd>{'\u202f'}: données douteuses.</p>
    </section>
  )
}

function Edits({ edits, onUndo }: { edits: Edit[]; onUndo: (e: Edit) => void }) {
  if (edits.length === 0) return null
  return (
    <section>
      <h2>Corrections</h2>
      <ul class="plain">
        {[...edits].reverse().map((e) => (
          <li key={e.id} class={e.undone_at ? 'undone' : ''}>
            {kindWord(e.kind)}, p. {e.lines[0]!.page}{'\u202f'}: <span class="verbatim">{shorten(e.text ?? e.title ?? e.number ?? e.lines[0]!.text, 70)}</span>
            <span class="meta"> {e.by ?? 'ligne de commande'}, {moment(e.created_at)}{e.undone_at && ', annulée'}</span>
            {e.fault && !e.undone_at && <p class="fault">{typeset(e.fault)}</p>}
            {!e.undone_at && <button type="button" class="quiet" onClick={() => onUndo(e)}>Annuler</button>}
          </li>
        ))}
      </ul>
    </section>
  )
}

const kinds: Record<string, string> = {
  law: 'des textes de droit', no_law: 'pas de droit', draft: 'un projet', coordinated: 'un texte coordonné', compilation: 'un recueil',
}

/** What the file is, as a person says it. */
function Kind({ file, onDone }: { file: Ingestion; onDone: () => void }) {
  const say = (kind: string) => void ok(api.PATCH('/api/v1/admin/ingestions/{id}', { params: { path: { id: file.id } }, body: { kind: (kind || null) as 'law' | null } })).then(() => {
    notify('La gazette est découpée de nouveau.')
    onDone()
  }, (e: unknown) => notify(asError(e).message))
  return (
    <label>Ce fichier contient{' '}
      <select value={file.kind ?? ''} onChange={(e) => say(e.currentTarget.value)}>
        <option value="">ce qui y est lu</option>
        {Object.entries(kinds).map(([kind, word]) => <option key={kind} value={kind}>{word}</option>)}
      </select>
    </label>
  )
}
