// The screens that a link of a message opens.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { tokenOf } from '../lib/link'

/** The token of the link that was followed, taken out of the address bar, where it could be read or sent on; it is kept in memory alone. */
export function useLinkToken(): [string | null, (token: string | null) => void] {
  const [token, set] = useState(() => tokenOf(location.hash))
  useEffect(() => {
    const take = () => {
      const found = tokenOf(location.hash)
      if (found === null) return
      history.replaceState(history.state, '', location.pathname + location.search)
      set(found)
    }
    take()
    addEventListener('hashchange', take) // the link was put into the bar of this very screen
    return () => removeEventListener('hashchange', take)
  }, [])
  return [token, set]
}

/** A screen that takes the place of a form: its heading gets the focus, and is so told. */
export function Instead({ title, children }: { title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1} ref={heading}>{title}</h1>
      {children}
    </main>
  )
}
