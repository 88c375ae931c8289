// Titles in pieces: what matched, and the numbers of acts.

/** A text in parts, those that matched apart. Places count code points, as the API does. */
export function split(text: string, marks: readonly { start: number; end: number }[]): { text: string; on: boolean }[] {
  const points = [...text]
  const out: { text: string; on: boolean }[] = []
  let at = 0
  for (const m of marks) {
    if (m.start < at || m.end <= m.start) continue
    if (m.start > at) out.push({ text: points.slice(at, m.start).join(''), on: false })
    out.push({ text: points.slice(m.start, m.end).join(''), on: true })
    at = m.end
  }
  if (at < points.length) out.push({ text: points.slice(at).join(''), on: false })
  return out
}

/** The name of an act without its subject, up to its day: « Loi n° 2025-03 du 4 mars 2025 »; the whole title where it has none. */
export const nameOf = (title: string): string => /^.*?\bdu \d{1,2}(?:er)? \p{L}+ \d{4}/u.exec(title)?.[0] ?? title

/** What no line ends within: the number of an act, from its « n° » to the sign that ends it, and a guillemet with the word beside it. */
const unbroken = /n[°º]\s*\d(?:[^\s,;:()«»]*[\p{L}\d])?|«\s[^\s«»]+(?:\s»)?|[^\s«»]+\s»/giu

export interface Run { whole: boolean; parts: { text: string; on: boolean }[] }

/** A title in runs, with what matched in them; no line must end within a whole one. */
export function runs(parts: readonly { text: string; on: boolean }[]): Run[] {
  const cuts = [...parts.map((p) => p.text).join('').matchAll(unbroken)].flatMap((m) => [m.index, m.index + m[0].length])
  const out: Run[] = []
  let at = 0
  let within = -1
  for (const p of parts) {
    for (let rest = p.text; rest !== '';) {
      const passed = cuts.filter((c) => c <= at).length // an odd number of borders passed: within a whole one
      const next = cuts[passed]
      const text = next === undefined ? rest : rest.slice(0, next - at)
      if (passed === within) out.at(-1)!.parts.push({ text, on: p.on })
      else out.push({ whole: passed % 2 === 1, parts: [{ text, on: p.on }] })
      within = passed
      at += text.length
      rest = rest.slice(text.length)
    }
  }
  return out
}
