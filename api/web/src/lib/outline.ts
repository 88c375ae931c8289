// The outline of a text: its articles under the headings that lead to them.
import type { Article } from '../api/types'
import { day } from './dates'
import { articleWord, capital } from './french'

export interface Section { heading: string[]; articles: Article[] }

/** Groups articles that follow each other under the same path of headings. */
export function outline(articles: readonly Article[]): Section[] {
  const out: Section[] = []
  for (const a of articles) {
    const last = out.at(-1)
    if (last && last.heading.join('\n') === a.path.join('\n')) last.articles.push(a)
    else out.push({ heading: a.path, articles: [a] })
  }
  return out
}

/** An article as it is cited in a letter: « Article 26, Loi n° 2023-07 …, texte en vigueur le 1er mars 2024, p. 12, https://… ». */
export function reference(a: Pick<Article, 'id' | 'number' | 'page'>, of: { id: string; title: string }, on: string, origin: string): string {
  return [a.number === '' ? '' : capital(articleWord(a.number)), of.title, on && `texte en vigueur le ${day(on)}`, `p. ${a.page}`, `${origin}/textes/${of.id}?${new URLSearchParams({ article: a.id, ...(on && { date: on }) })}`].filter(Boolean).join(', ')
}

/** How an article stands on a day: law, not yet, or no longer. */
export function validity(a: Pick<Article, 'valid_from' | 'valid_to'>, on: string): 'law' | 'future' | 'past' {
  if (a.valid_to !== null && a.valid_to <= on) return 'past'
  if (a.valid_from !== null && a.valid_from > on) return 'future'
  return 'law'
}
