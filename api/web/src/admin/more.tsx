// The foot of a list that is read by cursor.
import { Failure, Waiting } from '../parts/ui'
import type { Cursor } from './list'

export function More({ of, none }: { of: Cursor<never> | Cursor<any>; none: string }) {
  return (
    <>
      <Failure error={of.error} retry={of.reload} />
      {of.loading && <Waiting text="Lecture de la liste…" />}
      {!of.loading && !of.error && of.items.length === 0 && <p class="meta">{none}</p>}
      {of.next && !of.loading && <button type="button" onClick={of.more}>Plus anciens</button>}
    </>
  )
}
