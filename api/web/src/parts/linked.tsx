// The words of the law with its references as links, each with a card that says where it leads.
import { useState } from 'preact/hooks'
import { ok } from '../api/client'
import type { ArticleLink } from '../api/types'
import { articleWord, capital } from '../lib/french'
import { linked, mayRefer } from '../lib/links'
import { useLoad, useReads } from './hooks'
import { Title } from './marked'
import { Status } from './ui'
import './linked.css'

const none: ArticleLink[] = []

/** The references of an article on a day, or as printed; none while words is null. */
export function useLinks(document: string, article: string | null, date: string, words: string | null): ArticleLink[] {
  const { api } = useReads()
  const wanted = article !== null && words !== null && mayRefer(words)
  return useLoad((signal) => wanted
    ? ok(api.GET('/api/v1/documents/{id}/articles/{article_id}/references', { params: { path: { id: document, article_id: article }, query: date ? { date } : {} }, signal })).then((found) => found.items)
    : Promise.resolve(none), [document, article, date, wanted]).data ?? none
}

/** Words with links. */
export function Linked({ words, links }: { words: string; links: readonly ArticleLink[] }) {
  const { guest } = useReads()
  const [card, show] = useState<{ link: ArticleLink; at: DOMRect } | null>(null)
  if (links.length === 0) return <>{words}</>
  const hide = () => show(null)
  return (
    <>
      {linked(words, links).map(({ words: some, link }, i) => link
        ? <a key={i} class="refers" href={address(link, guest)} onPointerEnter={(e) => e.pointerType === 'mouse' && show({ link, at: e.currentTarget.getBoundingClientRect() })} onPointerLeave={hide}
          onFocus={(e) => e.currentTarget.matches(':focus-visible') && show({ link, at: e.currentTarget.getBoundingClientRect() })} onBlur={hide} onClick={hide} onKeyDown={(e) => e.key === 'Escape' && hide()}>{some}</a>
        : some)}
      {card && <LinkCard {...card} />}
    </>
  )
}

/** Where a text, or an article of it, is read without an account. */
export const publicText = (id: string, article: string | null): string => `/akn/texte/${id}${article ? `?article=${encodeURIComponent(article)}` : ''}`

const address = (l: ArticleLink, guest: boolean): string => guest
  ? publicText(l.document_id, l.number)
  : `/textes/${l.document_id}${l.article_id ? `?article=${l.article_id}` : ''}`

function LinkCard({ link: l, at }: { link: ArticleLink; at: DOMRect }) {
  const width = Math.min(360, innerWidth - 24)
  const left = Math.max(12, Math.min(at.left - 20, innerWidth - width - 12))
  const place = at.bottom + 240 < innerHeight || at.top < 260 ? { top: `${at.bottom + 6}px` } : { bottom: `${innerHeight - at.top + 6}px` }
  return (
    <span class="link-card" role="tooltip" style={{ left: `${left}px`, width: `${width}px`, ...place }}>
      <strong><Title of={l.title} /></strong>
      <span class="meta">{l.number && `${capital(articleWord(l.number))} · `}{l.state === 'pas_encore' ? 'Pas encore en vigueur' : <Status statut={l.state} />}</span>
      {l.words && <span class="link-words">{l.words}</span>}
    </span>
  )
}
