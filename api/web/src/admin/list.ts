// Lists that are read by cursor, page after page.
import { useEffect, useRef, useState } from 'preact/hooks'
import { asError, type ApiError } from '../api/errors'

export interface Cursor<T> {
  items: T[]
  next: string | null
  loading: boolean
  error: ApiError | null
  more: () => void
  reload: () => void
  replace: (item: T) => void
  remove: (item: T) => void
}

/** Reads a list from its beginning whenever one of deps changes. */
export function useCursor<T extends { id?: unknown }>(load: (before: string | undefined) => Promise<{ items: T[]; next_before: string | null }>, deps: readonly unknown[]): Cursor<T> {
  const [page, set] = useState<{ items: T[]; next: string | null; loading: boolean; error: ApiError | null }>({ items: [], next: null, loading: true, error: null })
  const [turn, again] = useState(0)
  const asked = useRef(0)
  const read = (before: string | null) => {
    const mine = ++asked.current
    set((p) => ({ ...p, loading: true, error: null }))
    load(before ?? undefined).then(
      (found) => mine === asked.current && set((p) => ({ items: before ? [...p.items, ...found.items] : found.items, next: found.next_before, loading: false, error: null })),
      (e: unknown) => mine === asked.current && set((p) => ({ ...p, loading: false, error: asError(e) })))
  }
  useEffect(() => read(null), [...deps, turn])
  return {
    ...page,
    more: () => void (page.next && !page.loading && read(page.next)),
    reload: () => again((n) => n + 1),
    replace: (item) => set((p) => ({ ...p, items: p.items.map((i) => (i.id === item.id ? item : i)) })),
    remove: (item) => set((p) => ({ ...p, items: p.items.filter((i) => i.id !== item.id) })),
  }
}
