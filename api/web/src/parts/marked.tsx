// Words of a text with what matched marked.
import { split } from '../lib/catalogue'

export function Marked({ of }: { of: { text: string; marks: readonly { start: number; end: number }[] } }) {
  return <>{split(of.text, of.marks).map((p, i) => (p.on ? <mark key={i}>{p.text}</mark> : p.text))}</>
}
