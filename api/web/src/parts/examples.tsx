// What can be asked: questions about articles of the catalogue.
import type { ComponentChildren } from 'preact'
import { api, ok, open } from '../api/client'
import { typeset, wait } from '../lib/french'
import { guestsCountry, useHome } from './country'
import { keepDraft, useLoad } from './hooks'

export function Examples({ onPick, children }: { onPick: (question: string) => void; children: ComponentChildren }) {
  const { pays } = useHome()
  const { data } = useLoad(() => ok(api.GET('/api/v1/examples', { params: { query: ofCountry(pays) } })), [pays])
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

const ofCountry = (pays: string | null | undefined) => (pays ? { pays } : {})

let asked: { pays: string | null; answer: ReturnType<typeof ask> } | null = null
const ask = (pays: string | null) => ok(open.GET('/api/v1/examples', { params: { query: ofCountry(pays) } }))

/** The questions for guests of a country, asked for once. */
export function readOpenExamples(pays: string | null = guestsCountry()) {
  if (asked?.pays !== pays) {
    asked = { pays, answer: ask(pays).catch((e: unknown) => {
      asked = null
      throw e
    }) }
  }
  return asked.answer
}

/** Questions to be asked, by onPick or once signed in; nothing where the catalogue is not public. */
export function OpenExamples({ onPick }: { onPick: ((question: string) => void) | null }) {
  const { pays } = useHome()
  const { data } = useLoad(() => readOpenExamples(pays), [pays])
  return (
    <>
      <Refined minutes={data?.refined_in_minutes} />
      {data && data.items.length > 0 && (
        <section class="examples" aria-labelledby="examples">
          <h2 id="examples">Par exemple</h2>
          <ul>{data.items.map(({ question }) => (
            <li key={question}>{onPick
              ? <button type="button" class="link" onClick={() => onPick(question)}>{typeset(question)}</button>
              : <a href="/connexion" onClick={() => keepDraft(question)}>{typeset(question)}</a>}</li>
          ))}</ul>
        </section>
      )}
    </>
  )
}
