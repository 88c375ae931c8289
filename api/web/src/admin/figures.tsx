// Questions, times and opinions by day, as small plots; the same figures stand in a table.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import type { AlertFigures, DayStats } from '../api/types'
import { day, moment, span } from '../lib/dates'
import { count, plural } from '../lib/french'
import { useLoad, useTitle } from '../parts/hooks'
import { Table } from './table'
import { Show } from '../parts/ui'

export function Figures() {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  useTitle('Chiffres')
  const found = useLoad((signal) => ok(api.GET('/api/v1/admin/stats', { params: { query: { ...(from ? { from } : {}), ...(to ? { to } : {}) } }, signal })), [from, to])
  return (
    <>
      <h1 tabIndex={-1}>Chiffres</h1>
      <div class="row dates">
        <label>Du <input type="date" value={from} max="9999-12-31" onChange={(e) => setFrom(e.currentTarget.value)} /></label>
        <label>au <input type="date" value={to} max="9999-12-31" onChange={(e) => setTo(e.currentTarget.value)} /></label>
      </div>
      <Show of={found} waiting="Lecture des chiffres…">
        {({ items, alerts }) => (
          <>
            <div class="plots">
              <Plot title="Questions par jour" days={items} of={(d) => d.questions} say={count} />
              <Plot title="Temps de réponse, médian" days={items} of={(d) => d.latency_ms.p50} say={span} />
              <Plot title="Temps de réponse, 95e centile" days={items} of={(d) => d.latency_ms.p95} say={span} />
              <Plot title="Réponses jugées utiles" days={items} of={(d) => d.feedback.up} say={count} />
              <Plot title="Réponses jugées pas utiles" days={items} of={(d) => d.feedback.down} say={count} />
              <Plot title="Réponses en échec" days={items} of={(d) => d.failed} say={count} />
            </div>
            <Uncertain from={from} to={to} />
            <Models days={items} />
            <Told of={alerts} />
            <details>
              <summary>Les mêmes chiffres en tableau</summary>
              <Table label="Chiffres par jour" rows={[...items].reverse()} id={(d) => d.day} columns={[
                { head: 'Jour', of: (d) => day(d.day), class: 'when' },
                { head: 'Questions', of: (d) => count(d.questions) },
                { head: 'Échecs', of: (d) => count(d.failed) },
                { head: 'Médian', of: (d) => (d.latency_ms.p50 === null ? '' : span(d.latency_ms.p50)) },
                { head: '95e centile', of: (d) => (d.latency_ms.p95 === null ? '' : span(d.latency_ms.p95)) },
                { head: 'Utiles', of: (d) => count(d.feedback.up) },
                { head: 'Pas utiles', of: (d) => count(d.feedback.down) },
              ]} />
            </details>
          </>
        )}
      </Show>
    </>
  )
}

/** The questions that the catalogue did not surely answer: what it lacks, or is not found. Those that could tell who asked are only counted. */
function Uncertain({ from, to }: { from: string; to: string }) {
  const found = useLoad((signal) => ok(api.GET('/api/v1/admin/questions', { params: { query: { ...(from ? { from } : {}), ...(to ? { to } : {}) } }, signal })), [from, to])
  return (
    <section aria-labelledby="sans-reponse">
      <h2 id="sans-reponse">Questions sans réponse sûre</h2>
      <Show of={found} waiting="Lecture des questions…">
        {({ items, unsure, refused, hidden, askers }) => (
          <>
            <p class="meta">{unsure + refused === 0 ? 'Aucune ces jours-là.' : `${plural(refused, 'question')} sans réponse, ${plural(unsure, 'réponse incertaine', 'réponses incertaines')}.`}
              {hidden > 0 && ` ${plural(hidden, 'n’est pas montrée', 'ne sont pas montrées')}\u202f: ${askers > 1 ? `moins de ${count(askers)} comptes ont posé la même question` : 'sans compte'}, sans donner d’avis.`}</p>
            {items.length > 0 && <Table label="Questions sans réponse sûre" rows={items} id={(q) => q.question} columns={[
              { head: 'Question', of: (q) => q.question, class: 'verbatim' },
              { head: 'Posée', of: (q) => `${count(q.asked)} fois` },
              { head: 'Sans réponse', of: (q) => count(q.refused) },
              { head: 'Comptes', of: (q) => count(q.people) },
              { head: 'Dernière fois', of: (q) => moment(q.last_at), class: 'when' },
              { head: 'Pourquoi', of: (q) => (q.answer_id ? <a href={`/admin/reponses/${q.answer_id}`} aria-label={`Voir d’où vient la réponse à « ${q.question} »`}>Voir</a> : '') },
            ]} />}
          </>
        )}
      </Show>
    </section>
  )
}

/** What each model took at each server over all the days; nothing where none was asked. */
function Models({ days }: { days: DayStats[] }) {
  const sums = new Map<string, DayStats['models'][number]>()
  for (const u of days.flatMap((d) => d.models)) {
    const key = JSON.stringify([u.model, u.server]), sum = sums.get(key)
    sums.set(key, sum ? { ...u, requests: sum.requests + u.requests, tokens_in: sum.tokens_in + u.tokens_in, tokens_out: sum.tokens_out + u.tokens_out,
      estimated: sum.estimated || u.estimated, cost: sum.cost + u.cost } : u)
  }
  if (sums.size === 0) return null
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Modèles interrogés">
      <table>
        <caption>Modèles interrogés ces jours-là{'\u202f'}; coût dans la monnaie des prix réglés (VIGUEUR_MODEL_PRICES)</caption>
        <thead><tr><th scope="col">Modèle</th><th scope="col">Serveur</th><th scope="col">Demandes</th><th scope="col">Jetons lus</th><th scope="col">Jetons écrits</th><th scope="col">Coût</th></tr></thead>
        <tbody>{[...sums].map(([key, u]) => (
          <tr key={key}>
            <th scope="row">{u.model}</th><td>{u.server}</td><td>{count(u.requests)}</td>
            <td>{u.estimated && 'environ '}{count(u.tokens_in)}</td><td>{u.estimated && 'environ '}{count(u.tokens_out)}</td>
            <td>{u.cost.toLocaleString('fr-FR', { maximumFractionDigits: 4 })}</td>
          </tr>
        ))}</tbody>
      </table>
    </div>
  )
}

/** What accounts follow, what they were told, and what waits. */
function Told({ of }: { of: AlertFigures }) {
  const rows: [string, number][] = [
    ['Sujets suivis', of.follows], ['Comptes qui suivent', of.followers],
    ['Changements du droit, en trente jours', of.changes], ['Changements pas encore comparés à ce qui est suivi', of.changes_pending],
    ['Alertes, en trente jours', of.alerts], ['Alertes qui attendent leur résumé par courriel', of.alerts_pending],
    ['Webhooks allumés', of.webhooks], ['Webhooks qui échouent', of.webhooks_failing], ['Webhooks éteints', of.webhooks_off],
    ['Envois qui attendent', of.deliveries_pending], ['Envois abandonnés, en trente jours', of.deliveries_failed],
  ]
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Alertes">
      <table>
        <caption>Alertes, à présent</caption>
        <tbody>{rows.map(([word, n]) => <tr key={word}><th scope="row">{word}</th><td>{count(n)}</td></tr>)}</tbody>
      </table>
    </div>
  )
}

/** A figure by day as bars; its greatest and its last value are told. */
function Plot({ title, days, of, say }: { title: string; days: DayStats[]; of: (d: DayStats) => number | null; say: (n: number) => string }) {
  const values = days.map(of)
  const most = Math.max(0, ...values.map((v) => v ?? 0))
  const last = values.at(-1) ?? null
  const w = 100 / Math.max(1, values.length)
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {values.every((v) => v === null)
        ? <p class="meta">Aucune réponse ces jours-là.</p>
        : <p><strong>{last === null ? 'Aucune réponse' : say(last)}</strong> <span class="meta">le dernier jour{'\u202f'}; au plus {say(most)}</span></p>}
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label={`${title}, de ${days[0] ? day(days[0].day) : ''} à ${days.at(-1) ? day(days.at(-1)!.day) : ''}`}>
        {values.map((v, i) => v !== null && v > 0 && <rect key={i} x={i * w} width={w * 0.8} y={30 - (v / most) * 30} height={(v / most) * 30} />)}
        <line x1="0" x2="100" y1="30" y2="30" />
      </svg>
      {days.length > 0 && <p class="meta axis" aria-hidden="true"><span>{day(days[0]!.day)}</span><span>{day(days.at(-1)!.day)}</span></p>}
    </figure>
  )
}
