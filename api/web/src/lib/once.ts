// A request that is done once, however often it is sent. The connection may be lost between what the API did and its saying
// so: what was meant then keeps its name (Idempotency-Key) until the API has said what became of it, also over a reload of
// the page. What is meant anew has a name of its own, and so has what was changed before it was sent again: the API refuses
// one name for two requests.

const key = 'vigueur.once'

/** How many are remembered of which nobody knows what became of them. */
const most = 20

/** A browser may refuse its storage as a whole. */
type Store = () => Pick<Storage, 'getItem' | 'setItem'>

/** Each with its name, the latest last. */
type Open = [intention: string, name: string][]

/** The name of a request; answered is to be called with the status that came, 0 when none did. */
export interface Named { name: string; answered: (status: number) => void }

/** Names what is meant: the same again while nobody knows what became of it, otherwise anew. */
export function named(store: Store, intention: string): Named {
  const open = read(store)
  const name = open.find(([i]) => i === intention)?.[1] ?? random()
  write(store, [...open.filter(([, n]) => n !== name), [intention, name]])
  return {
    name,
    answered: (status) => {
      if (told(status)) write(store, read(store).filter(([, n]) => n !== name))
    },
  }
}

/** A reply that tells what became of a request, this one and the ones before: a gateway's does not, nor one that is given before the request is looked at. */
const told = (status: number) => status >= 200 && status < 500 && ![401, 408, 425, 429].includes(status)

/** 128 bits, also where the page came without TLS. */
const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')

function read(store: Store): Open {
  try {
    const open = JSON.parse(store().getItem(key) ?? '[]') as unknown
    return Array.isArray(open) ? (open as Open) : []
  } catch {
    return []
  }
}

function write(store: Store, open: Open): void {
  try {
    store().setItem(key, JSON.stringify(open.slice(-most)))
  } catch {
    // A browser that keeps nothing: each time it is sent counts for itself.
  }
}
