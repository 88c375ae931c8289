// The words of an article as law is set, alinéa by alinéa: with links or what was looked for, and what each says of itself where acts have changed it.
import type { ArticleLink, ChangedAlinea } from '../api/types'
import { isItem } from '../lib/rules'
import { nameOf } from '../lib/titles'
import { Linked } from './linked'
import { Marked } from './marked'
import './alineas.css'

/** Which act changed an alinea, on which of its pages; onPage opens the page of the text that prints the article. */
export function ChangedBy({ of: a, onPage }: { of: ChangedAlinea; onPage?: ((page: number) => void) | undefined }) {
  const printed = a.printed_page
  return (
    <small class="changed-by">{' '}modifié par <a href={`/textes/${a.document_id}${a.article_id ? `?article=${a.article_id}` : ''}`} data-verbatim>{nameOf(a.title) || 'un acte'}</a>{a.pages.length > 0 && `, p.\u00a0${a.pages.join(', ')}`}
      {printed !== null && onPage && <>{' '}<button type="button" class="quiet" onClick={() => onPage(printed)}>Imprimé avant, p.{'\u00a0'}{printed}</button></>}</small>
  )
}

interface Place { start: number; end: number }

/** What lies within a line, by its places there. */
const within = <T extends Place>(all: readonly T[], from: number, to: number): T[] => all.filter((p) => p.start >= from && p.end <= to).map((p) => ({ ...p, start: p.start - from, end: p.end - from }))

/** The words of an article. Places count code points, as the API does. Of alineas in a row that one act changed, the last says so; where something was looked for, it is marked and nothing else. */
export function Alineas({ words, links, marks, changed, onPage }: { words: string; links: readonly ArticleLink[]; marks: readonly Place[]; changed: readonly ChangedAlinea[]; onPage: (page: number) => void }) {
  const lines = words.split('\n')
  let at = 0
  return <>{lines.map((line, i) => {
    const from = at
    const to = from + [...line].length
    at = to + 1
    const by = marks.length === 0 ? changed.find((a) => a.start < to && a.end > from) : undefined
    const last = by && !changed.some((a) => a !== by && a.document_id === by.document_id && a.start >= by.end && a.start <= by.end + 1) && by.end <= at
    const end = i < lines.length - 1 && '\n'
    return (
      <span key={i} class={`alinea${isItem(line) ? ' item' : ''}${by ? ' altered' : ''}`}>
        <span data-verbatim>{marks.length > 0 ? <Marked of={{ text: line, marks: within(marks, from, to) }} /> : <Linked words={line} links={within(links, from, to)} />}{!last && end}</span>
        {last && <><ChangedBy of={by} onPage={onPage} />{end}</>}
      </span>
    )
  })}</>
}
