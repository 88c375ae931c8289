// Words of a text with what matched marked, and titles, in which no line ends within the number of an act.
import type { ComponentChildren } from 'preact'
import { runs, split } from '../lib/titles'

interface Matched { text: string; marks: readonly { start: number; end: number }[] }

const shown = (parts: readonly { text: string; on: boolean }[]): ComponentChildren => parts.map((p, i) => (p.on ? <mark key={i}>{p.text}</mark> : p.text))

export function Marked({ of }: { of: Matched }) {
  return <>{shown(split(of.text, of.marks))}</>
}

/** A title; its signs stay as they are, so that what is copied is the true number. */
export function Title({ of }: { of: Matched | string }) {
  const { text, marks } = typeof of === 'string' ? { text: of, marks: [] } : of
  return <>{runs(split(text, marks)).map((r, i) => (r.whole ? <span key={i} class="number">{shown(r.parts)}</span> : shown(r.parts)))}</>
}
