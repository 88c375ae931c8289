// Small hooks that every screen uses.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, open } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import { current, listen, type Who } from '../api/session'

/** Who is there, at each change. */
export function useWho(): Who {
  const [who, set] = useState(current)
  useEffect(() => {
    set(current()) // it may have changed since the first render
    return listen(set)
  }, [])
  return who
}

/** How who is there reads the catalogue: a guest without a session, where it is open to everybody. */
export function useReads(): { api: typeof api; guest: boolean } {
  const guest = !useWho().user
  return { api: guest ? open : api, guest }
}

export interface Loaded<T> {
  data: T | undefined
  error: ApiError | null
  loading: boolean
  reload: () => void
  set: (data: T) => void
}

/** Loads something, again whenever one of deps changes; what comes late of an earlier load is dropped. What was loaded stays while it is loaded anew. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, deps: readonly unknown[]): Loaded<T> {
  const [state, set] = useState<{ data: T | undefined; error: ApiError | null; loading: boolean }>({ data: undefined, error: null, loading: true })
  const [turn, again] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    set((s) => ({ ...s, loading: true, error: null }))
    load(leaving.signal).then(
      (data) => leaving.signal.aborted || set({ data, error: null, loading: false }),
      (e: unknown) => leaving.signal.aborted || set((s) => ({ ...s, error: asError(e), loading: false })),
    )
    return () => leaving.abort()
  }, [...deps, turn])
  return { ...state, reload: () => again((n) => n + 1), set: (data) => set({ data, error: null, loading: false }) }
}

/** The window's title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Vigueur` : 'Vigueur'
  }, [title])
}

/** A value that follows another one when it has been still for ms. */
export function useSettled<T>(value: T, ms = 250): T {
  const [settled, set] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => set(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** How far something that has become so is drawn: 0 in the frame in which it did, one more in each frame behind it, up to most. What is so from the beginning is drawn at once. Much that changes at once is laid out and painted in parts, none of which holds the reader up. */
export function useSteps(so: boolean, most: number): number {
  const [step, set] = useState(so ? most : 0)
  useEffect(() => {
    if (!so) set(0)
    else if (step < most) set(step + 1)
  }, [so, step])
  return so ? step : 0
}

/** The last value, for handlers that outlive a render. */
export function useLatest<T>(value: T): { readonly current: T } {
  const ref = useRef(value)
  ref.current = value
  return ref
}

/** What a conversation's box holds before it is sent, under this name. */
export const draftOf = (conversation: string | null): string => `vigueur.draft.${conversation ?? 'new'}`

/** Puts a question into the box of a new conversation, which is opened later in this tab. */
export const keepDraft = (question: string): void => sessionStorage.setItem(draftOf(null), question)

/** Remembers what a person typed for as long as the tab lives. */
export function useDraft(key: string): [string, (text: string) => void] {
  const [text, set] = useState(() => sessionStorage.getItem(key) ?? '')
  const of = useRef(key)
  useEffect(() => {
    if (of.current === key) return
    of.current = key
    set(sessionStorage.getItem(key) ?? '')
  }, [key])
  return [text, (next) => {
    set(next)
    if (next) sessionStorage.setItem(key, next)
    else sessionStorage.removeItem(key)
  }]
}
