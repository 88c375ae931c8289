// An answer as law is set: each quoted article apart, under what it is. The text that comes stays one that can be read by itself:
// « L’article 26 de la loi n° 2023-07 dispose : « … » [1] ».

/** A quoted article as the answer writes it. */
export interface Rule {
  /** What is quoted, as it is introduced: « L’article 26 de la loi n° 2023-07 ». */
  name: string
  /** Which act made these words, as the answer says it: « modifié par l’article 2 de la loi n° 2025-03 (…) »; or empty. */
  made: string
  /** The words, as they are printed, a line each. */
  quote: string
  /** The numbers of its sources; the first is the article's. Empty while it is being written. */
  cites: number[]
}

/** A part of an answer: words, which may be Markdown, or a quoted article. */
export type Part = string | Rule

const begins = /(^|\n)(?:Droit cité : [^–\n]+ – )?((?:[LlDd][eu’][^\n]*?) dispose|Et, pour l’article [^\n«]+?) : « /g
const ends = / »((?: ?\[\d+(?:, ?\d+)*\])+)(?=\s|$)/g
const how = /(?:, ((?:modifié par|tel qu|qui donne le texte de) ?[\s\S]*?)),?$/

/** Cuts an answer into words and quoted articles, in order; one that is still being written goes on to the end. */
export function cutRules(text: string): Part[] {
  const out: Part[] = []
  let at = 0
  const words = (to: number) => {
    const before = text.slice(at, to).trim()
    if (before !== '') out.push(before)
  }
  begins.lastIndex = 0
  for (let m = begins.exec(text); m; m = begins.exec(text)) {
    const from = m.index + m[0].length
    ends.lastIndex = from
    const end = ends.exec(text)
    words(m.index)
    const intro = m[2]!.replace(/ dispose$/, '')
    const made = how.exec(intro)
    out.push({
      name: intro.slice(0, made?.index ?? intro.length).replace(/,$/, '').replace(/^l/, 'L'), made: made?.[1] ?? '',
      quote: text.slice(from, end?.index ?? text.length), cites: (end?.[1]?.match(/\d+/g) ?? []).map(Number),
    })
    at = begins.lastIndex = end ? end.index + end[0].length : text.length
  }
  words(text.length)
  return out
}

/** Says once what is said of two editions of a text with the same words. */
export function onceForEditions(text: string): string {
  const edition = / \(texte du ([^)\n]+)\)/
  const said = new Map<string, number>()
  const out: { words: string; days: string[] }[] = []
  for (const words of text.split('\n\n')) {
    const day = edition.exec(words)?.[1]
    const same = day === undefined ? undefined : said.get(words.replace(edition, ''))
    if (same !== undefined) out[same]!.days.push(day!)
    else {
      if (day !== undefined) said.set(words.replace(edition, ''), out.length)
      out.push({ words, days: day === undefined ? [] : [day] })
    }
  }
  return out.map(({ words, days }) => days.length < 2 ? words : words.replace(edition, ` (textes du ${days.slice(0, -1).join(', du ')} et du ${days.at(-1)})`)).join('\n\n')
}

/** Whether a line of a law is an item of a list. */
export const isItem = (line: string): boolean => /^(?:[-–—•*]|\d{1,3}\s?[.)°]|[a-zA-Z][.)]|[ivx]{1,5}[.)])\s?[-–]?\s*\S/.test(line)
