// Amendments that are not applied: the instruction at the left, the article at the right with what is proposed, and a decision by keys.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, download, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { AmendmentSettled, MissingText, WaitingAmendment } from '../api/types'
import { day, moment } from '../lib/dates'
import { articleWord, capital, count, plural, typeset } from '../lib/french'
import { useLoad, useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Failure, Show } from '../parts/ui'
import './amendments.css'

type Decision = 'accept' | 'mend' | 'reject'

/** Something of one amendment; of the page when none waits. */
type Of<T> = { id: string | undefined; of: T }

/** How many are shown at once; those that follow come as these are settled. */
const size = 50

async function both(signal: AbortSignal) {
  const [waiting, missing, decided] = await Promise.all([
    ok(api.GET('/api/v1/admin/versions/waiting', { params: { query: { page_size: size } }, signal })),
    ok(api.GET('/api/v1/admin/versions/missing', { signal })),
    ok(api.GET('/api/v1/admin/versions/decisions', { params: { query: { page_size: 10 } }, signal })),
  ])
  return { waiting, missing, decided }
}

export function Amendments() {
  useTitle('Modifications')
  const found = useLoad(both, [])
  return (
    <>
      <h1 tabIndex={-1}>Modifications en attente</h1>
      <Show of={found} waiting="Lecture des modifications…">
        {({ waiting, missing, decided }) => (
          <>
            <List items={waiting.items} total={waiting.total} decided={decided.items} onSettled={found.reload} />
            {typeof missing !== 'string' && missing.total > 0 && <Missing texts={missing.items} total={missing.total} />}
          </>
        )}
      </Show>
    </>
  )
}

function List({ items, total, decided, onSettled }: { items: WaitingAmendment[]; total: number; decided: AmendmentSettled[]; onSettled: () => void }) {
  const [at, go] = useState(0)
  // What is written and what was refused belong to one amendment: kept with its id, they need no effect to clear them, which
  // would run after the reader's next key.
  const [draft, setDraft] = useState<Of<string> | null>(null)
  const [refusal, setRefusal] = useState<Of<ApiError> | null>(null)
  const [busy, setBusy] = useState(false)
  const board = useRef<HTMLDivElement>(null)
  const here = items[Math.min(at, items.length - 1)]
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
  const edit = () => here?.target && here.article && mend(here.proposal ?? here.before ?? '')

  const key = (e: KeyboardEvent) => {
    if ((e.target as HTMLElement).matches('textarea')) {
      if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) settle('mend')
      else if (e.key === 'Escape') {
        mend(null)
        board.current?.focus()
      } else return
    } else if (e.ctrlKey || e.metaKey || e.altKey) return
    else if (e.key === 'ArrowDown') go(Math.min(items.length - 1, at + 1))
    else if (e.key === 'ArrowUp') go(Math.max(0, at - 1))
    else if (e.key === 'a' && here?.proposal) settle('accept')
    else if (e.key === 'r' && here?.target && here.article) settle('reject')
    else if (e.key === 'm') edit()
    else if (e.key === 'u') undo(decided[0])
    else return
    e.preventDefault()
  }
  return (
    <>
      {here ? (
        <div class="amendments" ref={board} tabIndex={0} role="group" aria-label="Modification à régler" onKeyDown={key}>
          <p class="meta" role="status">{count(Math.min(at, items.length - 1) + 1)} sur {plural(total, 'modification')}{here.cited > 0 && `, article cité par ${plural(here.cited, 'réponse')}`}</p>
          <Failure error={error} />
          <div class="amendment">
            <section aria-label="Ce que dit l’acte">
              <h2>L’acte</h2>
              <p><a href={`/textes/${here.act.id}${here.instruction.article_id ? `?article=${here.instruction.article_id}` : ''}`}>{here.act.title}</a>{here.instruction.number && `, ${articleWord(here.instruction.number)}`}{here.instruction.page > 0 && `, p. ${here.instruction.page}`}</p>
              <p class="doubt">{typeset(here.sentence)}</p>
              <div class="law-words" data-verbatim>{here.instruction.words}</div>
            </section>
            <section aria-label="L’article">
              <h2>{here.article ? capital(articleWord(here.article)) : 'Aucun article nommé'}</h2>
              <p>{here.target ? <a href={`/textes/${here.target.id}${here.article_id ? `?article=${here.article_id}` : ''}`}>{here.target.title}</a> : <>Texte absent du catalogue{'\u202f'}: {here.named || 'sans nom'}</>}</p>
              {text === null ? <Proposed a={here} /> : (
                <>
                  <label for="mended">Texte de tout l’article après la modification</label>
                  <textarea id="mended" rows={12} value={text} onInput={(e) => mend(e.currentTarget.value)} />
                </>
              )}
              {here.target && here.article ? (
                <div class="row">
                  {text !== null
                    ? <button type="button" class="main" aria-disabled={busy} onClick={() => settle('mend')}>Enregistrer <kbd>Ctrl Entrée</kbd></button>
                    : <>
                      {here.proposal && <button type="button" class="main" aria-disabled={busy} onClick={() => settle('accept')}>Accepter <kbd>a</kbd></button>}
                      <button type="button" onClick={edit}>Écrire le texte <kbd>m</kbd></button>
                    </>}
                  <button type="button" class="danger" aria-disabled={busy} onClick={() => settle('reject')}>Rejeter{text === null && <>{' '}<kbd>r</kbd></>}</button>
                </div>
              ) : <p class="meta">{here.target ? 'L’acte ne nomme pas d’article' : 'Le texte n’est pas connu'}{'\u202f'}: il n’y a rien à décider ici.</p>}
            </section>
          </div>
          <div class="row">
            <button type="button" disabled={at <= 0} onClick={() => go(Math.min(at, items.length - 1) - 1)}>Précédente</button>
            <button type="button" disabled={at >= items.length - 1} onClick={() => go(at + 1)}>Suivante</button>
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
          <li key={m.named + m.act.id}>{capital(m.named)} <span class="meta">{m.articles > 0 ? `${plural(m.articles, 'article')} l’attend${m.articles > 1 ? 'ent' : ''}` : m.repealed ? 'abrogé en entier' : plural(m.changes, 'modification')}, par </span><a href={`/textes/${m.act.id}`}>{m.act.title}</a></li>
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
