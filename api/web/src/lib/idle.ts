// Work that nobody waits for.

/** How long a browser that does not tell whether it has anything to do is left alone between two pieces, in milliseconds. */
const apart = 100

/** Does pieces of work one after the other, when and for as long as the browser has nothing else to do. The function that it gives ends it. */
export function whenIdle(work: readonly (() => void)[]): () => void {
  const tells = typeof requestIdleCallback === 'function'
  let at = 0
  let waits = 0
  const next = () => {
    if (at < work.length) waits = tells ? requestIdleCallback(some) : Number(setTimeout(some, apart))
  }
  const some = (left?: IdleDeadline) => {
    do work[at++]!()
    while (at < work.length && left && left.timeRemaining() > 5)
    next()
  }
  next()
  return () => (tells ? cancelIdleCallback(waits) : clearTimeout(waits))
}
