// The outline of a text: its articles under the headings that lead to them.
import type { Article } from '../api/types'

export interface Section { heading: string[]; articles: Article[] }

/** Groups articles that follow each other under the same path of headings. */
export function outline(articles: readonly Article[]): Section[] {
  const out: Section[] = []
  for (const a of articles) {
    const last = out.at(-1)
    const heading = a.heading ? a.heading.split(' › ') : []
    if (last && last.heading.join(' › ') === heading.join(' › ')) last.articles.push(a)
    else out.push({ heading, articles: [a] })
  }
  return out
}

/** How an article stands on a day: law, not yet, or no longer. */
export function validity(a: Pick<Article, 'valid_from' | 'valid_to'>, on: string): 'law' | 'future' | 'past' {
  if (a.valid_to !== null && a.valid_to <= on) return 'past'
  if (a.valid_from !== null && a.valid_from > on) return 'future'
  return 'law'
}
