// What the page says in passing, at the foot of the screen, with at most one thing to do about it.
import { useEffect, useState } from 'preact/hooks'
import './notice.css'

interface Notice { id: number; text: string; action?: string | undefined; act?: (() => void) | undefined; ms: number }

let next = 1
let shown: Notice[] = []
const listeners = new Set<() => void>()
const changed = () => listeners.forEach((f) => f())

/** Says something for a while; act is called when the person takes the action. */
export function notify(text: string, options: { action?: string; act?: () => void; ms?: number } = {}): () => void {
  const id = next++
  shown = [...shown, { id, text, ms: 6000, ...options }]
  changed()
  const close = () => {
    shown = shown.filter((n) => n.id !== id)
    changed()
  }
  setTimeout(close, options.ms ?? 6000)
  return close
}

export function Notices() {
  const [, redraw] = useState(0)
  useEffect(() => {
    const f = () => redraw((n) => n + 1)
    listeners.add(f)
    return () => void listeners.delete(f)
  }, [])
  return (
    <div class="notices" role="status">
      {shown.map((n) => (
        <p key={n.id} class="notice">
          <span>{n.text}</span>
          {n.action && (
            <button type="button" onClick={() => {
              shown = shown.filter((other) => other.id !== n.id)
              changed()
              n.act?.()
            }}>{n.action}</button>
          )}
        </p>
      ))}
    </div>
  )
}
