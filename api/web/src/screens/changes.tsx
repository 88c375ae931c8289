// How a text changes: the days on which it does, which act made the wording of an article, and the old wording beside the new one.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { Article, AssembledBy, ChangeDay, Diff, PendingAmendment } from '../api/types'
import { day, dayBefore } from '../lib/dates'
import { articleWord, capital, plural } from '../lib/french'
import { Failure } from '../parts/ui'

/** The days on which a text changes, to choose from. */
export function Days({ of, on, onDay }: { of: readonly ChangeDay[]; on: string; onDay: (d: string) => void }) {
  if (of.length < 2) return null
  return (
    <>
      <label for="days">Dates du texte</label>
      <select id="days" value={of.some((d) => d.date === on) ? on : ''} onChange={(e) => onDay(e.currentTarget.value)}>
        <option value="">{on ? 'Une autre date' : 'Choisir une date'}</option>
        {of.map((d, i) => <option key={d.date} value={d.date}>{day(d.date)}{i === 0 ? ', entrée en vigueur' : d.articles > 0 && `, ${plural(d.articles, 'article')}`}</option>)}
      </select>
    </>
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
export function Changed({ document, a, by }: { document: string; a: Article; by: AssembledBy }) {
  const [diff, show] = useState<Diff | null>(null)
  const [failed, fail] = useState<ApiError | null>(null)
  const [reading, read] = useState(false)
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
  const side = (hidden: 'ajoute' | 'retire') => diff.parts.map((p, i) => p.type === hidden ? null : p.type === 'egal' ? p.text : p.type === 'retire' ? <del key={i}>{p.text}</del> : <ins key={i}>{p.text}</ins>)
  const old = diff.from && !diff.from.abroge
  return (
    <div class="compared">
      <section aria-label="Avant"><h4>Jusqu’au {day(dayBefore(from))}</h4>{old ? <div class="law-text" data-verbatim>{side('ajoute')}</div> : <p class="meta">L’article n’existait pas.</p>}</section>
      <section aria-label="Après"><h4>À partir du {day(from)}</h4><div class="law-text" data-verbatim>{side('retire')}</div></section>
    </div>
  )
}
