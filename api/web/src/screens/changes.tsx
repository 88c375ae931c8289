// How a text changes: the days on which it does, which act made the wording of an article, and the old wording beside the new one.
import { Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { Article, AssembledBy, ChangeDay, Diff, PendingAmendment } from '../api/types'
import { day, dayBefore } from '../lib/dates'
import { articleWord, capital, plural } from '../lib/french'
import { useLoad, useSettled } from '../parts/hooks'
import { Failure, Show } from '../parts/ui'

/** The days that changed a text, to be gone through; what a day changed is compared at its articles. */
export function Days({ of, on, today, changed, onDay }: { of: readonly ChangeDay[]; on: string; today: string; changed: readonly Article[]; onDay: (d: string) => void }) {
  const days = of.filter((d, i) => i === 0 || d.articles > 0)
  const here = days.findLastIndex((d) => d.date <= (on || days[0]!.date))
  const [slid, slide] = useState({ to: here, from: here })
  if (slid.from !== here) slide({ to: here, from: here }) // an effect would come after what the reader slides next
  const at = slid.from === here ? slid.to : here
  const settled = useSettled(at, 200)
  useEffect(() => {
    if (settled === at && at !== here && days[at]) onDay(days[at].date)
  }, [settled])
  const d = days[Math.max(at, 0)]
  if (days.length < 2 || !d) return null
  const words = `${day(d.date)}, ${at > 0 ? plural(d.articles, 'article') : 'entrée en vigueur'}`
  return (
    <div class="days">
      <label for="days">Les jours qui ont changé ce texte</label>
      <input id="days" type="range" min={0} max={days.length - 1} step={1} value={Math.max(at, 0)} aria-valuetext={words} list="days-list" onInput={(e) => slide({ to: Number(e.currentTarget.value), from: here })} />
      <datalist id="days-list">{days.map((one, i) => <option key={one.date} value={i} />)}</datalist>
      <p class="row meta"><output for="days">{words}{d.date > today && ', à venir'}</output>{d.acts.map((act) => <a key={act.document_id} href={`/textes/${act.document_id}`}>{act.title}</a>)}</p>
      {changed.length > 0 && <p class="row meta">{changed.map((a) => <a key={a.id} href={`#art-${a.id}`}>{capital(articleWord(a.number))}</a>)}</p>}
    </div>
  )
}

/** The wordings of an article, one after the other. */
export function Timeline({ document, a, on, onDay }: { document: string; a: Article; on: string; onDay: (d: string) => void }) {
  const [open, toggle] = useState(false)
  const found = useLoad((signal) => open ? ok(api.GET('/api/v1/documents/{id}/articles/{article_id}/versions', { params: { path: { id: document, article_id: a.id } }, signal })) : Promise.resolve(null), [document, a.id, open])
  return (
    <details class="timeline" onToggle={(e) => toggle(e.currentTarget.open)}>
      <summary>Ses rédactions</summary>
      {open && <Failure error={found.error} retry={found.reload} />}
      {found.data && <ol>{found.data.items.map((v, i) => {
        const here = (v.valid_from === null || v.valid_from <= on) && (v.valid_to === null || v.valid_to > on)
        const words = v.abroge ? `Abrogé le ${day(v.valid_from ?? '')}` : v.valid_from ? `Depuis le ${day(v.valid_from)}` : 'À l’origine'
        return <li key={i}>{here || v.abroge ? <span aria-current={here ? 'true' : undefined}>{words}</span> : <button type="button" class="link" onClick={() => onDay(v.valid_from ?? dayBefore(v.valid_to ?? ''))}>{words}</button>}{v.assembled_by && <>, par <a href={`/textes/${v.assembled_by.document_id}`}>{v.assembled_by.title || 'un acte'}</a></>}</li>
      })}</ol>}
    </details>
  )
}

/** What cites an article: the law, and how many answers. */
export function CitedBy({ document, a, date }: { document: string; a: Article; date: string }) {
  const found = useLoad((signal) => ok(api.GET('/api/v1/documents/{id}/articles/{article_id}/cited-by', { params: { path: { id: document, article_id: a.id }, query: date ? { date } : {} }, signal })), [document, a.id, date])
  return (
    <section class="timeline" aria-label={`Cité par\u202f: ${articleWord(a.number)}`}>
      <Show of={found} waiting="Recherche de ce qui cite l’article…">
        {({ items, answers }) => (
          <>
            <ul>{items.map((c) => <li key={c.article_id}><a href={`/textes/${c.document_id}?article=${c.article_id}`}>{capital(articleWord(c.number))}{c.document_id !== document && <>, {c.title}</>}</a></li>)}</ul>
            <p class="meta">{items.length === 0 && 'Aucun article du catalogue n’y renvoie. '}{answers > 0 && (answers === 1 ? 'Une réponse le cite.' : `${answers} réponses le citent.`)}</p>
          </>
        )}
      </Show>
    </section>
  )
}

/** What other texts would change in a text, and what waits for a person: its wording may be another than is shown. */
export function Pending({ of, total }: { of: readonly PendingAmendment[]; total: number }) {
  if (total === 0) return null
  return (
    <details class="keep pending">
      <summary>{total === 1 ? 'Une modification de ce texte attend une vérification' : `${total} modifications de ce texte attendent une vérification`}</summary>
      <p>D’autres textes disent modifier celui-ci, et le service n’a pas pu le faire avec certitude. Lisez-les avec lui{'\u202f'}:</p>
      <ul>{of.map((p, i) => (
        <li key={i}>{p.article ? capital(articleWord(p.article)) : 'Le texte'}, par <a href={`/textes/${p.act.document_id}${p.instruction.article_id ? `?article=${p.instruction.article_id}` : ''}`}>{p.act.title}{p.instruction.number && `, ${articleWord(p.instruction.number)}`}</a>{p.instruction.page > 0 && `, p. ${p.instruction.page}`}{'\u202f'}: <q data-verbatim>{p.instruction.words}</q> <span class="meta">{p.sentence}</span></li>
      ))}</ul>
      {total > of.length && <p class="meta">Les {of.length} premières sur {total}.</p>}
    </details>
  )
}

/** Which act made the wording of an article, where it says so, and what it changed. */
export function Changed({ document, a, by, opened }: { document: string; a: Article; by: AssembledBy; opened: boolean }) {
  const [diff, show] = useState<Diff | null>(null)
  const [failed, fail] = useState<ApiError | null>(null)
  const [reading, read] = useState(false)
  useEffect(() => {
    if (opened) compare()
  }, [])
  const compare = () => {
    if (diff) return show(null)
    if (!a.valid_from) return
    fail(null)
    read(true)
    ok(api.GET('/api/v1/documents/{id}/articles/{article_id}/diff', { params: { path: { id: document, article_id: a.id }, query: { from: dayBefore(a.valid_from), to: a.valid_from } } }))
      .then(show, (e: unknown) => fail(asError(e))).finally(() => read(false))
  }
  return (
    <>
      <p class="meta changed">Modifié par {by.instructions.map((i, n) => <span key={n}>{n > 0 && '; '}<a href={`/textes/${by.document_id}${i.article_id ? `?article=${i.article_id}` : ''}`}>{n === 0 && `${by.title || 'un acte'}, `}{i.number ? articleWord(i.number) : 'l’acte'}</a>{i.page > 0 && `, p. ${i.page}`}</span>)} · {by.notice}
        {a.valid_from && <>{' '}<button type="button" class="quiet" aria-expanded={diff !== null} disabled={reading} onClick={compare}>{diff ? 'Fermer la comparaison' : 'Comparer'}</button></>}</p>
      <Failure error={failed} retry={compare} />
      {diff && <Compared diff={diff} from={a.valid_from ?? ''} />}
    </>
  )
}

/** The old and the new wording side by side, with what left and what came marked. */
export function Compared({ diff, from }: { diff: Diff; from: string }) {
  // The blank behind what left or came is not marked.
  const side = (hidden: 'ajoute' | 'retire') => diff.parts.map((p, i) => {
    const words = p.text.trimEnd()
    return p.type === hidden ? null : p.type === 'egal' ? p.text : <Fragment key={i}>{p.type === 'retire' ? <del>{words}</del> : <ins>{words}</ins>}{p.text.slice(words.length)}</Fragment>
  })
  const old = diff.from && !diff.from.abroge
  return (
    <div class="compared">
      <section aria-label="Avant"><h4>Jusqu’au {day(dayBefore(from))}</h4>{old ? <div class="law-text" data-verbatim>{side('ajoute')}</div> : <p class="meta">L’article n’existait pas.</p>}</section>
      <section aria-label="Après"><h4>À partir du {day(from)}</h4><div class="law-text" data-verbatim>{side('retire')}</div></section>
    </div>
  )
}
