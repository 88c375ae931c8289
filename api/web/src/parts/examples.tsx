// What can be asked: questions that the catalogue answers surely, or else about articles that it has.
import type { ComponentChildren } from 'preact'
import { api, ok, open } from '../api/client'
import type { Example } from '../api/types'
import { articleWord, capital, countryWord, shorten, typeset, wait } from '../lib/french'
import { keepDraft, useLoad } from './hooks'

export function Examples({ onPick, children }: { onPick: (question: string) => void; children: ComponentChildren }) {
  const { data } = useLoad(() => ok(api.GET('/api/v1/examples')), [])
  return (
    <div class="empty">
      <p class="lead">Posez une question : la réponse cite l’article et la page de la gazette.</p>
      {children}
      <Refined minutes={data?.refined_in_minutes} />
      {data && data.items.length > 0 && (
        <>
          <h2>Par exemple</h2>
          <ul>{data.items.map(({ question }) => <li key={question}><button type="button" class="link" onClick={() => onPick(question)}>{typeset(question)}</button></li>)}</ul>
        </>
      )}
    </div>
  )
}

/** That texts have come which are not found as well as the others yet. */
const Refined = ({ minutes = 0 }: { minutes: number | undefined }) => minutes === 0 ? null : <p class="meta">Des textes sont arrivés{'\u202f'}: les réponses seront plus précises dans {wait(minutes)}.</p>

let asked: ReturnType<typeof ask> | null = null
const ask = () => ok(open.GET('/api/v1/examples'))

/** The questions for guests, asked for once. */
export const readOpenExamples = () => (asked ??= ask().catch((e: unknown) => {
  asked = null
  throw e
}))

/** A question with the words that answer it, and others to be asked, by onPick or once signed in; nothing where the catalogue is not public. */
export function AnsweredExample({ onPick }: { onPick: ((question: string) => void) | null }) {
  const { data } = useLoad(readOpenExamples, [])
  const shown = data?.items.find((e) => e.answer)
  if (!data || !shown?.answer) return <Refined minutes={data?.refined_in_minutes} />
  return (
    <section class="answered" aria-labelledby="answered">
      <h2 id="answered">{typeset(shown.question)}</h2>
      <blockquote data-verbatim>{shown.answer.quote.length > 400 ? shorten(shown.answer.quote, 400) : shown.answer.quote}</blockquote>
      <p class="meta"><ExampleSource example={shown} answer={shown.answer} /></p>
      {data.items.length > 1 && (
        <>
          <h3>À demander ensuite</h3>
          <ul>{data.items.filter((e) => e !== shown).map(({ question }) => (
            <li key={question}>{onPick
              ? <button type="button" class="link" onClick={() => onPick(question)}>{typeset(question)}</button>
              : <a href="/connexion" onClick={() => keepDraft(question)}>{typeset(question)}</a>}</li>
          ))}</ul>
        </>
      )}
    </section>
  )
}

function ExampleSource({ example: { number, title }, answer: { adresse, page, pays } }: { example: Example; answer: NonNullable<Example['answer']> }) {
  const name = `${capital(articleWord(number))}, ${title}`
  return <>{adresse ? <a href={adresse}>{name}</a> : name}, p.{'\u00a0'}{page}{pays.length > 0 && ` · ${pays.map(countryWord).join(', ')}`}</>
}
