// A renewal of the session that outlives its page. A reload aborts what a page asks for, and the answer that would have
// put the renewed token into the browser's cookie would be lost: the request is sent so that it goes on, and the page that
// comes waits for it, for a token that is used twice is taken for stolen.

/** How long a renewal is waited for whose page has gone, in milliseconds. */
export const handover = 2000

const key = 'vigueur.renewing'

/** A browser may refuse its storage as a whole. */
type Store = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Notes that a renewal begins; the function that is given notes its end. */
export function begun(store: Store, now: number): () => void {
  try {
    store().setItem(key, String(now))
  } catch {
    // A browser that keeps nothing: nobody waits.
  }
  return () => {
    try {
      store().removeItem(key)
    } catch {
      // As above.
    }
  }
}

/** How long to wait for a renewal that somebody began and whose end nobody noted, in milliseconds. */
export function left(store: Store, now: number): number {
  try {
    const at = Number(store().getItem(key) ?? NaN)
    return at <= now && now < at + handover ? at + handover - now : 0
  } catch {
    return 0
  }
}
