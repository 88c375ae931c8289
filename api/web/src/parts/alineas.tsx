// The alineas of an article that acts have changed: what each says of itself, and where the gazette prints what it was.
import type { ArticleLink, ChangedAlinea } from '../api/types'
import { nameOf, split } from '../lib/titles'
import { Linked } from './linked'
import './alineas.css'

/** Which act changed an alinea, on which of its pages; onPage opens the page of the text that prints the article. */
export function ChangedBy({ of: a, onPage }: { of: ChangedAlinea; onPage?: ((page: number) => void) | undefined }) {
  const printed = a.printed_page
  return (
    <small class="changed-by">{' '}modifié par <a href={`/textes/${a.document_id}${a.article_id ? `?article=${a.article_id}` : ''}`} data-verbatim>{nameOf(a.title) || 'un acte'}</a>{a.pages.length > 0 && `, p.\u00a0${a.pages.join(', ')}`}
      {printed !== null && onPage && <>{' '}<button type="button" class="quiet" onClick={() => onPage(printed)}>Imprimé avant, p.{'\u00a0'}{printed}</button></>}</small>
  )
}

/** The words of an article; alineas in a row that one act changed say so together, behind the last of them. */
export function Alineas({ words, links, changed, onPage }: { words: string; links: readonly ArticleLink[]; changed: readonly ChangedAlinea[]; onPage: (page: number) => void }) {
  const runs: ChangedAlinea[] = []
  for (const a of changed) {
    const last = runs.at(-1)
    if (last?.document_id === a.document_id && a.start <= last.end + 1) runs[runs.length - 1] = { ...last, end: a.end }
    else runs.push(a)
  }
  let at = 0
  return <>{split(words, runs).map((part, i) => part.on
    ? <span key={i} class="altered"><span data-verbatim><Linked words={part.text} links={links} /></span><ChangedBy of={runs[at++]!} onPage={onPage} /></span>
    : <span key={i} data-verbatim><Linked words={part.text} links={links} /></span>)}</>
}
