// Why an answer is what it is: how its question was read, what decided, which articles were looked at, and what is cited.
// All of it is as it was kept when the answer was made.
import type { ComponentChildren } from 'preact'
import { api, ok } from '../api/client'
import type { Explanation } from '../api/types'
import { day, moment, span } from '../lib/dates'
import { articleWord, capital, countryWord, modelWord, shorten, typeset } from '../lib/french'
import { useLoad, useTitle } from '../parts/hooks'
import { Table } from './table'
import { Show } from '../parts/ui'
import { evidenceWord, featureRows, languageWord, percent, value } from './why-words'
import './why.css'

type Candidate = Explanation['why']['candidates'][number]

const verdicts = { sure: 'Donnée pour sûre', unsure: 'Articles qui peuvent répondre', likely: 'Article qui répond probablement', unlikely: 'Rien qui réponde, sans doute' }
const states = { done: 'terminée', failed: 'en échec', cancelled: 'interrompue' }

export function Why({ id }: { id: string }) {
  useTitle('Pourquoi cette réponse')
  const found = useLoad((signal) => ok(api.GET('/api/v1/admin/answers/{id}/why', { params: { path: { id } }, signal })), [id])
  return (
    <>
      <h1 tabIndex={-1}>Pourquoi cette réponse{'\u202f'}?</h1>
      <Show of={found} waiting="Lecture de l’explication…">{(e) => <Explained e={e} />}</Show>
    </>
  )
}

function Explained({ e }: { e: Explanation }) {
  const titles = useTexts([...e.why.candidates.map((c) => c.document_id), ...e.sentences.map((s) => s.document_id)])
  const w = e.why
  return (
    <div class="why">
      {e.question === null
        ? <p class="meta">La question et la réponse d’une autre personne ne sont montrées que si elle a donné son avis sur la réponse.</p>
        : <blockquote class="verbatim pre">{e.question}</blockquote>}
      <p class="meta">
        Réponse {states[e.state]}, {moment(e.created_at)}{e.latency_ms !== null && <>, en {span(e.latency_ms)}</>}
        {e.rating && <> · jugée {e.rating === 'up' ? 'utile' : 'pas utile'}</>}
      </p>
      <Section title="La question, comme elle a été lue"><Read of={w.question} /></Section>
      <Section title="Ce qui a décidé"><Decided w={w} /></Section>
      <Section title="Les articles considérés"><Candidates list={w.candidates} titles={titles} /></Section>
      <Section title="Ce que la réponse cite"><Cited e={e} titles={titles} /></Section>
      <Section title="La vérification">
        <p>{e.validation === null ? 'Cette réponse n’a pas été vérifiée.' : e.validation.ok ? 'Chaque phrase tient devant ce qu’elle cite.' : 'Quelque chose ne tient pas.'}{' '}
          {e.validation?.warning && typeset(e.validation.warning)}</p>
      </Section>
      {e.answer !== null && <details><summary>La réponse, telle qu’elle est gardée</summary><p class="verbatim pre">{e.answer}</p></details>}
    </div>
  )
}

const Section = ({ title, children }: { title: string; children: ComponentChildren }) => <section><h2>{title}</h2>{children}</section>

/** The titles of texts by their ids; of one that is gone there is none. */
function useTexts(ids: string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)].sort()
  const read = useLoad(async (signal) => new Map(await Promise.all(wanted.map((id) => ok(api.GET('/api/v1/documents/{id}', { params: { path: { id } }, signal }))
    .then((d) => [id, d.title] as const, () => [id, ''] as const)))), [wanted.join()])
  return read.data ?? new Map()
}

function Read({ of: q }: { of: Explanation['why']['question'] }) {
  const facts: [string, string][] = [
    ['Langue', languageWord(q.language)], ['Politesse', q.courtesy], ['Demande', q.asks.join(', ')], ['Statut demandé', q.status.join(', ')],
    ['Pays', q.countries.map(countryWord).join(', ')], ['Droit du', day(q.day)], ['Suite', q.leans ? 'elle s’appuie sur ce qui a été dit avant' : ''],
  ]
  return (
    <>
      <dl class="facts">{facts.filter(([, told]) => told).map(([name, told]) => <><dt>{name}</dt><dd>{told}</dd></>)}</dl>
      {q.references.length > 0 && (
        <>
          <h3>Ce qu’elle nomme</h3>
          <ul>
            {q.references.map((r, i) => (
              <li key={i}>
                <span class="verbatim">{r.name}</span>{r.articles.length > 0 && <>, {r.articles.map(articleWord).join(', ')}</>}
                {r.texts.length > 0 && <>{'\u202f'}: <span class="verbatim">{r.texts.join(' ; ')}</span></>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Decided({ w }: { w: Explanation['why'] }) {
  const { gate, search, writer } = w
  const how = [search.sentences ? 'par les mots, par le sens et par les phrases' : search.meant ? 'par les mots et par le sens' : 'par les mots seuls', search.read ? `${search.read} articles lus avec la question` : '', search.unread ? `${search.unread} non lus, faute de temps` : ''].filter(Boolean).join(', ')
  return (
    <>
      {gate
        ? (
          <>
            <p><strong>{verdicts[gate.verdict]}.</strong> La probabilité que le premier article réponde est de {percent(gate.probability)}{'\u202f'}; à partir de {percent(gate.sure)}, la réponse est donnée pour sûre.</p>
            <Bar part={gate.probability} mark={gate.sure} />
          </>
        )
        : <p>{writer.written ? 'Le catalogue répond lui-même, par ses articles, ses dates et ses relations : rien n’était à décider.' : search.closed ? 'Aucun texte ne peut répondre, ou le texte demandé n’est pas au catalogue.' : 'Rien n’a été trouvé.'}</p>}
      <p class="meta">Recherche {how}, en {span(search.ms)}.{writer.model && <> Réponse : {modelWord(writer.model)}.</>}{writer.instead && <> {typeset(writer.instead)}</>}</p>
      {gate && Object.keys(gate.evidence).length > 0 && (
        <details>
          <summary>Ce dont cette probabilité est faite</summary>
          <table class="numbers">
            <thead><tr><th scope="col">Indice</th><th scope="col">Valeur</th></tr></thead>
            <tbody>{Object.entries(gate.evidence).map(([name, x]) => <tr key={name}><th scope="row">{evidenceWord(name)}</th><td>{value(x)}</td></tr>)}</tbody>
          </table>
        </details>
      )}
    </>
  )
}

/** A share as a bar, with the place from which on it counts. */
function Bar({ part, mark }: { part: number; mark?: number }) {
  const at = (p: number) => `${Math.max(0, Math.min(1, p)) * 100}%`
  return <span class="bar" aria-hidden="true"><span style={{ inlineSize: at(part) }} />{mark !== undefined && <i style={{ insetInlineStart: at(mark) }} />}</span>
}

const articleOf = (c: { article: string | null }) => (c.article ? capital(articleWord(c.article)) : 'Le texte')

function Candidates({ list, titles }: { list: Candidate[]; titles: ReadonlyMap<string, string> }) {
  if (list.length === 0) return <p class="meta">Aucun.</p>
  const groups = featureRows(list.map((c) => c.features))
  return (
    <>
      <Table label="Articles considérés" rows={list.map((c, i) => ({ ...c, rank: i + 1 }))} id={(c) => c.article_id} row={1} columns={[
        { head: 'Rang', of: (c) => c.rank },
        { head: 'Article', of: (c) => (
          <>
            <a href={`/textes/${c.document_id}?article=${c.article_id}`}>{articleOf(c)}</a>
            <span class="meta verbatim">{titles.get(c.document_id) === '' ? 'texte retiré du catalogue' : shorten(titles.get(c.document_id) ?? '', 110)}</span>
            {c.mode === 'reference' && <span class="meta">nommé par la question</span>}
          </>
        ) },
        { head: 'Probabilité qu’il réponde', of: (c) => <span>{percent(c.probability)} <Bar part={c.probability} /></span> },
        { head: 'Cité', of: (c) => (c.cited > 0 ? `[${c.cited}]` : 'non') },
      ]} />
      {groups.length > 0 && (
        <details>
          <summary>Ce qui était su de chacun</summary>
          <p class="meta">Les parts vont de 0 à 1{'\u202f'}; un rang est 0 pour le premier et d’autant plus négatif qu’il est loin. Ce qui vaut 0 ou ne s’applique pas est laissé vide.</p>
          <div class="scroll" tabIndex={0} role="region" aria-label="Ce qui était su de chaque article">
            <table class="numbers">
              <thead><tr><th scope="col">Indice</th>{list.map((c, i) => <th key={c.article_id} scope="col" title={titles.get(c.document_id)}>{i + 1}. {articleOf(c)}</th>)}</tr></thead>
              {groups.map((g) => (
                <tbody key={g.title}>
                  <tr><th scope="rowgroup" colSpan={list.length + 1}>{g.title}</th></tr>
                  {g.rows.map((r) => <tr key={r.name}><th scope="row">{r.word}</th>{r.of.map((x, i) => <td key={i}>{x === null ? '' : value(x)}</td>)}</tr>)}
                </tbody>
              ))}
            </table>
          </div>
        </details>
      )}
    </>
  )
}

function Cited({ e, titles }: { e: Explanation; titles: ReadonlyMap<string, string> }) {
  if (e.sentences.length === 0) return <p class="meta">Rien.</p>
  return (
    <ol class="cited">
      {e.sentences.map((s) => (
        <li key={s.index} value={s.index}>
          <a href={`/textes/${s.document_id}${s.article_id ? `?article=${s.article_id}` : ''}`}>{articleOf(s)}</a> <span class="meta verbatim">{shorten(titles.get(s.document_id) ?? '', 110)}</span>
          <p class="quoted verbatim">«{'\u202f'}{s.text}{'\u202f'}»</p>
        </li>
      ))}
    </ol>
  )
}
