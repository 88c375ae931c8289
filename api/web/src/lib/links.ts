// Where the references of an article stand in its words, or in a part of them.
import type { ArticleLink } from '../api/types'

/** A piece of words, which may be a link. */
export interface Piece { words: string; link?: ArticleLink }

/** Cuts words at references, which follow each other in the order of the article; those that a part of it lacks are left out. */
export function linked(words: string, links: readonly ArticleLink[]): Piece[] {
  const out: Piece[] = []
  let at = 0
  for (const link of links) {
    const from = words.indexOf(link.name, at)
    if (from < 0) continue
    if (from > at) out.push({ words: words.slice(at, from) })
    out.push({ words: link.name, link })
    at = from + link.name.length
  }
  if (at < words.length) out.push({ words: words.slice(at) })
  return out
}

/** Whether an article may have references at all: it names articles or texts. */
export const mayRefer = (words: string): boolean => /\bart(?:icle|s?\.)|\bn\s?[°º]|\bcode\b|\bconstitution\b|\bloi\b|\bd[ée]cret\b|\bacte uniforme\b/i.test(words)
