// Amendments that are not applied: the instruction at the left, the article at the right with what is proposed, and a decision by keys.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, download, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { AmendmentSettled, MissingText, UndecidedAct, WaitingAmendment } from '../api/types'
import { day, moment } from '../lib/dates'
import { articleWord, capital, count, plural, typeset } from '../lib/french'
import { useLoad, useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Failure, Show } from '../parts/ui'
import './amendments.css'

type Decision = 'accept' | 'mend' | 'reject'

/** Something of one amendment; of the page when none waits. */
type Of<T> = { id: string | undefined; of: T }

/** How many are loaded at once. */
const size = 50

async function read(page: number, signal: AbortSignal) {
  const [waiting, missing, decided, unclear, silent] = await Promise.all([
    ok(api.GET('/api/v1/admin/versions/waiting', { params: { query: { page, page_size: size } }, signal })),
    ok(api.GET('/api/v1/admin/versions/missing', { signal })),
    ok(api.GET('/api/v1/admin/versions/decisions', { params: { query: { page_size: 10 } }, signal })),
    ok(api.GET('/api/v1/admin/versions/acts', { params: { query: { page_size: 10 } }, signal })),
    ok(api.GET('/api/v1/admin/versions/acts', { params: { query: { orders: 'none', page_size: 10 } }, signal })),
  ])
  return { waiting, missing, decided, unclear, silent }
}

const setSilent = (act: string, silent: boolean) => silent
  ? ok(api.POST('/api/v1/admin/versions/acts/{id}', { params: { path: { id: act } } }))
  : ok(api.DELETE('/api/v1/admin/versions/acts/{id}', { params: { path: { id: act } } }))

export function Amendments() {
  useTitle('Modifications')
  // The place among all that wait: it lies on the page that is loaded, or the page follows it.
  const [at, go] = useState(0)
  const page = Math.floor(at / size) + 1
  const found = useLoad((signal) => read(page, signal), [page])
  useEffect(() => {
    const total = found.data?.waiting.total
    if (total !== undefined && at > 0 && at >= total) go(Math.max(0, total - 1))
  }, [found.data, at])
  return (
    <>
      <h1 tabIndex={-1}>Modifications en attente</h1>
      <Show of={found} waiting="Lecture des modifications…">
        {({ waiting, missing, decided, unclear, silent }) => (
          <>
            <List here={waiting.items[at - (waiting.page - 1) * size]} at={at} total={waiting.total} go={go} decided={decided.items} onSettled={found.reload} />
            <Acts unclear={unclear} silent={silent} onSaid={found.reload} />
            {typeof missing !== 'string' && missing.total > 0 && <Missing texts={missing.items} total={missing.total} />}
          </>
        )}
      </Show>
    </>
  )
}

interface Queue { here: WaitingAmendment | undefined; at: number; total: number; go: (at: number) => void; decided: AmendmentSettled[]; onSettled: () => void }

function List({ here, at, total, go, decided, onSettled }: Queue) {
  // What is written and what was refused belong to one amendment: kept with its id, they need no effect to clear them, which
  // would run after the reader's next key.
  const [draft, setDraft] = useState<Of<string> | null>(null)
  const [refusal, setRefusal] = useState<Of<ApiError> | null>(null)
  const [busy, setBusy] = useState(false)
  const board = useRef<HTMLDivElement>(null)
  const text = draft?.id === here?.id ? draft?.of ?? null : null
  const error = refusal?.id === here?.id ? refusal?.of ?? null : null
  const mend = (words: string | null) => setDraft(words === null ? null : { id: here?.id, of: words })

  useEffect(() => {
    if (text !== null) board.current?.querySelector('textarea')?.focus()
  }, [text === null])

  const run = async (what: () => Promise<unknown>, said: string) => {
    if (busy) return
    setBusy(true)
    setRefusal(null)
    try {
      await what()
      notify(said)
      mend(null)
      board.current?.focus()
      onSettled()
    } catch (e) {
      const why = asError(e)
      setRefusal({ id: here?.id, of: { ...why, message: Object.values(why.fields)[0] ?? why.message } })
    }
    setBusy(false)
  }
  const settle = (decision: Decision) => here && void run(() => ok(api.POST('/api/v1/admin/versions/waiting/{id}', {
    params: { path: { id: here.id } }, body: decision === 'mend' ? { decision, text: text ?? '' } : { decision },
  })), decision === 'reject' ? 'La modification n’est pas appliquée.' : 'Le texte de l’article est arrêté.')
  const undo = (of: AmendmentSettled | undefined) => of && void run(() => ok(api.DELETE('/api/v1/admin/versions/decisions/{id}', { params: { path: { id: of.id } } })), 'La décision est annulée.')
  const silence = () => here && void run(() => setSilent(here.act.id, true), 'Ce texte n’ordonne rien.')
  const edit = () => here?.target && here.article && mend(here.proposal ?? here.before ?? '')

  const key = (e: KeyboardEvent) => {
    if ((e.target as HTMLElement).matches('textarea')) {
      if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) settle('mend')
      else if (e.key === 'Escape') {
        mend(null)
        board.current?.focus()
      } else return
    } else if (e.ctrlKey || e.metaKey || e.altKey) return
    else if (e.key === 'ArrowDown') go(Math.min(total - 1, at + 1))
    else if (e.key === 'ArrowUp') go(Math.max(0, at - 1))
    else if (e.key === 'a' && here?.proposal) settle('accept')
    else if (e.key === 'r' && here?.target && here.article) settle('reject')
    else if (e.key === 'm') edit()
    else if (e.key === 't') silence()
    else if (e.key === 'u') undo(decided[0])
    else return
    e.preventDefault()
  }
  return (
    <>
      {total > 0 ? (
        <div class="amendments" ref={board} tabIndex={0} role="group" aria-label="Modification à régler" onKeyDown={key}>
          <p class="meta" role="status">{count(Math.min(at + 1, total))} sur {plural(total, 'modification')}{here && here.cited > 0 && `, article cité par ${plural(here.cited, 'réponse')}`}{here && here.articles > 1 && `, un de ${count(here.articles)} articles que l’acte laisse en attente`}</p>
          <Failure error={error} />
          {here && <div class="amendment">
            <section aria-label="Ce que dit l’acte">
              <h2>L’acte</h2>
              <p><a href={`/textes/${here.act.id}${here.instruction.article_id ? `?article=${here.instruction.article_id}` : ''}`}>{here.act.title}</a>{here.instruction.number && `, ${articleWord(here.instruction.number)}`}{here.instruction.page > 0 && `, p. ${here.instruction.page}`}</p>
              <p class="doubt">{typeset(here.sentence)}</p>
              <div class="law-words" data-verbatim>{here.instruction.words}</div>
              <p class="row"><button type="button" class="quiet" aria-disabled={busy} onClick={silence}>Aucun ordre dans tout ce texte <kbd>t</kbd></button></p>
            </section>
            <section aria-label="L’article">
              <h2>{here.article ? capital(articleWord(here.article)) : 'Aucun article nommé'}</h2>
              <p>{here.target && <a href={`/textes/${here.target.id}${here.article_id ? `?article=${here.article_id}` : ''}`}>{here.target.title}</a>}</p>
              {text === null ? <Proposed a={here} /> : (
                <>
                  <label for="mended">Texte de tout l’article après la modification</label>
                  <textarea id="mended" rows={12} value={text} onInput={(e) => mend(e.currentTarget.value)} />
                </>
              )}
              {here.target && here.article && (
                <div class="row">
                  {text !== null
                    ? <button type="button" class="main" aria-disabled={busy} onClick={() => settle('mend')}>Enregistrer <kbd>Ctrl Entrée</kbd></button>
                    : <>
                      {here.proposal && <button type="button" class="main" aria-disabled={busy} onClick={() => settle('accept')}>Accepter <kbd>a</kbd></button>}
                      <button type="button" onClick={edit}>Écrire le texte <kbd>m</kbd></button>
                    </>}
                  <button type="button" class="danger" aria-disabled={busy} onClick={() => settle('reject')}>Rejeter{text === null && <>{' '}<kbd>r</kbd></>}</button>
                </div>
              )}
            </section>
          </div>}
          <div class="row">
            <button type="button" disabled={at <= 0} onClick={() => go(at - 1)}>Précédente</button>
            <button type="button" disabled={at >= total - 1} onClick={() => go(at + 1)}>Suivante</button>
            <span class="meta">Flèches{'\u202f'}: modifications. <kbd>u</kbd> annule la dernière décision.</span>
          </div>
        </div>
      ) : <p>Aucune modification n’attend.</p>}
      {!here && <Failure error={error} />}
      {decided.length > 0 && (
        <section aria-label="Dernières décisions">
          <h2>Dernières décisions</h2>
          <ul class="decided">
            {decided.map((d) => (
              <li key={d.id}>{words[d.decision]}{'\u202f'}: {articleWord(d.article)}, <a href={`/textes/${d.target.document_id}`}>{d.target.title || 'texte retiré'}</a> <span class="meta">{moment(d.settled_at)}{d.date && `, dès le ${day(d.date)}`}</span>{' '}
                <button type="button" class="quiet" aria-disabled={busy} onClick={() => undo(d)}>Annuler</button></li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** The acts with passages on which there is nothing to decide one by one, and those that a person has said to order nothing. */
function Acts({ unclear, silent, onSaid }: { unclear: { items: UndecidedAct[]; total: number }; silent: { items: UndecidedAct[]; total: number }; onSaid: () => void }) {
  const [busy, setBusy] = useState(false)
  const say = async (act: string, nothing: boolean) => {
    if (busy) return
    setBusy(true)
    try {
      await setSilent(act, nothing)
      notify(nothing ? 'Ce texte n’ordonne rien.' : 'Ce texte est lu à nouveau.')
      onSaid()
    } catch (e) { notify(asError(e).message) }
    setBusy(false)
  }
  return (
    <>
      {unclear.total > 0 && (
        <section aria-label="Actes aux ordres obscurs">
          <h2>{capital(plural(unclear.total, 'acte'))} aux ordres obscurs</h2>
          <p class="meta">Des passages semblent modifier un texte sans qu’on sache lequel, ou quel article{' '}: il n’y a rien à y décider un par un.</p>
          <ul class="decided">
            {unclear.items.map((u) => (
              <li key={u.act.id}><a href={`/textes/${u.act.id}`}>{u.act.title}</a> <span class="meta">{plural(u.passages, 'passage')}, dont «{' '}<span data-verbatim>{u.first.slice(0, 120)}{u.first.length > 120 && '…'}</span>{' '}»</span>{' '}
                <button type="button" class="quiet" aria-disabled={busy} onClick={() => void say(u.act.id, true)}>Aucun ordre dans tout ce texte</button></li>
            ))}
          </ul>
        </section>
      )}
      {silent.total > 0 && (
        <section aria-label="Textes qui n’ordonnent rien">
          <h2>{capital(plural(silent.total, 'texte'))} sans ordre</h2>
          <ul class="decided">
            {silent.items.map((u) => (
              <li key={u.act.id}><a href={`/textes/${u.act.id}`}>{u.act.title}</a>{' '}
                <button type="button" class="quiet" aria-disabled={busy} onClick={() => void say(u.act.id, false)}>Annuler</button></li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** How many texts to fetch are shown; the file has all. */
const shown = 100

/** The texts that acts change and that are not here: what to fetch, the most awaited first. */
function Missing({ texts, total }: { texts: MissingText[]; total: number }) {
  const csv = () => void download('/api/v1/admin/versions/missing?format=csv', 'textes-a-chercher.csv').catch((e: unknown) => notify(asError(e).message))
  return (
    <section aria-label="Textes à chercher">
      <h2>{capital(plural(total, 'texte'))} à chercher</h2>
      <p class="meta">Des actes les modifient ou les abrogent, et le catalogue ne les a pas. <button type="button" class="quiet" onClick={csv}>Tout en CSV</button></p>
      <ul class="decided">
        {texts.slice(0, shown).map((m) => (
          <li key={m.named + m.act.id}>{capital(m.named)} <span class="meta">· {m.articles > 0 ? `${plural(m.articles, 'article')} l’attend${m.articles > 1 ? 'ent' : ''}` : m.repealed ? 'abrogé en entier' : plural(m.changes, 'modification')}, par </span><a href={`/textes/${m.act.id}`}>{m.act.title}</a></li>
        ))}
      </ul>
    </section>
  )
}

const words: Record<Decision, string> = { accept: 'Accepté', mend: 'Écrit', reject: 'Rejeté' }

/** The article as it would be, with what leaves and what comes marked; as it was if nothing is proposed. */
function Proposed({ a }: { a: WaitingAmendment }) {
  if (a.parts.length > 0) {
    return <div class="law-words" data-verbatim>{a.parts.map((p, i) => (p.type === 'egal' ? p.text : p.type === 'retire' ? <del key={i}>{p.text}</del> : <ins key={i}>{p.text}</ins>))}</div>
  }
  if (a.before === null) return <p class="meta">L’article n’existait pas la veille.</p>
  return <><p class="meta">Rien n’est proposé. L’article la veille{'\u202f'}:</p><div class="law-words" data-verbatim>{a.before}</div></>
}
