// The session: the access token is kept in memory alone, the refresh token is the browser's, in a cookie that no script
// reads. The tabs of a browser refresh one after the other (Web Locks) and tell each other the new token
// (BroadcastChannel); what is kept in localStorage is that there is a session, never a secret.
import type { Session, User } from './types'
import { begun, left } from '../lib/handover'
import { failureOf, type ApiError } from './errors'

/** Who is there. expired: somebody was, and the session has ended; the screen stays as it was. */
export interface Who {
  state: 'unknown' | 'anonymous' | 'signed-in' | 'expired'
  user: User | null
  /** Nothing is open to the person but choosing a second factor. */
  mustEnroll?: boolean
}

/** A sign-in that goes on with a code. */
export interface Pending { pending: string }

const hint = 'vigueur.session'
const leaving = 'vigueur.leaving' // somebody signed out, and the server does not know
let who: Who = { state: 'unknown', user: null }
let token = ''
let good = 0 // until when the token is good, in milliseconds
const listeners = new Set<(w: Who) => void>()
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('vigueur.session')

type News = { kind: 'token'; token: string; good: number; user: User; mustEnroll: boolean } | { kind: 'name'; id: string; name: string } | { kind: 'out' }

export const current = (): Who => who

export function listen(f: (w: Who) => void): () => void {
  listeners.add(f)
  return () => void listeners.delete(f)
}

function become(next: Who): void {
  who = next
  for (const f of listeners) f(who)
}

function store(s: Session, tell: boolean): void {
  token = s.access_token
  good = Date.now() + s.expires_in * 1000
  if (tell) {
    keep(hint, true)
    keep(leaving, false)
    tabs?.postMessage({ kind: 'token', token, good, user: s.user, mustEnroll: !!s.must_enroll } satisfies News)
  }
  become({ state: 'signed-in', user: s.user, mustEnroll: !!s.must_enroll })
}

function forget(state: 'anonymous' | 'expired'): void {
  token = ''
  good = 0
  keep(hint, false)
  become({ state: state === 'expired' && who.user ? 'expired' : 'anonymous', user: state === 'expired' ? who.user : null })
}

function keep(name: string, yes: boolean): void {
  try {
    if (yes) localStorage.setItem(name, '1')
    else localStorage.removeItem(name)
  } catch {
    // A browser that keeps nothing: the next load begins signed out.
  }
}

function kept(name: string): boolean {
  try {
    return localStorage.getItem(name) === '1'
  } catch {
    return false
  }
}

tabs?.addEventListener('message', (e: MessageEvent<News>) => {
  const news = e.data
  if (news.kind === 'out') forget('anonymous')
  else if (news.kind === 'name') rename(news.id, news.name)
  else if (news.good > good && (!who.user || who.user.id === news.user.id)) {
    token = news.token
    good = news.good
    become({ state: 'signed-in', user: news.user, mustEnroll: news.mustEnroll })
  }
})

const post = (path: string, body: unknown, more: RequestInit = {}): Promise<Response> =>
  fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), ...more })

/** Renews the session by the cookie, so that a reload meanwhile costs nothing: see handover.ts. Only one tab does at a time. */
async function renew(): Promise<Response> {
  const wait = left(() => localStorage, Date.now())
  if (wait > 0) await new Promise((done) => setTimeout(done, wait))
  const end = begun(() => localStorage, Date.now())
  try {
    const ask = () => post('/api/v1/auth/refresh', {}, { keepalive: true })
    // When the connection was cut, the session may have been renewed all the same: the server gives the reply that was lost
    // once more, for some seconds.
    return await ask().catch(() => new Promise((done) => setTimeout(done, 1000)).then(ask))
  } finally {
    end()
  }
}

/** Begins: a browser that has a session takes it up again. */
export async function start(): Promise<void> {
  await finishSignOut()
  if (kept(hint)) await refresh('')
  else become({ state: 'anonymous', user: null })
}

let refreshing: Promise<boolean> | null = null

/** Gets a new token, unless another tab or request has meanwhile replaced the stale one. */
export function refresh(stale: string): Promise<boolean> {
  refreshing ??= alone(async () => {
    if (token !== '' && token !== stale && Date.now() < good) return true
    try {
      const r = await renew()
      if (r.ok) {
        store((await r.json()) as Session, true)
        return true
      }
      if (r.status === 401 || r.status === 422) forget('expired')
      else if (who.state === 'unknown') become({ state: 'anonymous', user: null })
      return false
    } catch {
      if (who.state === 'unknown') become({ state: 'anonymous', user: null })
      return false
    }
  }).finally(() => (refreshing = null))
  return refreshing
}

/** Runs f while no other tab does. */
function alone<T>(f: () => Promise<T>): Promise<T> {
  return navigator.locks ? (navigator.locks.request('vigueur.refresh', f) as Promise<T>) : f()
}

/** Signs in; the error is the API's own. An account with a second factor goes on with signInCode. */
export async function signIn(email: string, password: string): Promise<ApiError | Pending | null> {
  const r = await post('/api/v1/auth/login', { email, password, cookie: true })
  if (r.status === 202) return { pending: ((await r.json()) as { pending_token: string }).pending_token }
  return opened(r)
}

/** The second step: a code of the program, or a recovery code. */
export const signInCode = async (pending: string, code: string): Promise<ApiError | null> =>
  opened(await post('/api/v1/auth/login/code', { pending_token: pending, code, cookie: true }))

/** Takes up the session of a reply, or gives the API's refusal. */
export async function opened(r: Response): Promise<ApiError | null> {
  if (!r.ok) return failureOf(r)
  adopt((await r.json()) as Session)
  return null
}

/** Takes up a session that the API has begun. */
export function adopt(s: Session): void {
  const before = who.user?.id
  store(s, true)
  if (before && before !== who.user?.id) location.assign('/') // nothing of the former person stays
}

let parting = new AbortController()

/** Ends when the person begins to sign out: for requests that nobody waits for. */
export const untilSignOut = (): AbortSignal => parting.signal

/** Ends the session in this browser, all tabs. False if that did not reach the server: the session is open there until
 *  finishSignOut, or the next start of the page, has told it. */
export async function signOut(): Promise<boolean> {
  parting.abort()
  parting = new AbortController()
  const done = (await told()) || (await new Promise((on) => setTimeout(on, 1000)).then(told))
  leave()
  keep(leaving, !done)
  return done
}

/** Tells the server of a sign-out that did not reach it; false if it still does not. */
export async function finishSignOut(): Promise<boolean> {
  if (!kept(leaving)) return true
  const done = await told()
  if (done) keep(leaving, false)
  return done
}

/** Tells the server that the session is over. */
async function told(): Promise<boolean> {
  const r = await alone(() => post('/api/v1/auth/logout', {}, { keepalive: true })).catch(() => null)
  return r !== null && (r.ok || r.status === 401 || r.status === 422) // the last two: there is no session
}

/** Ends all sessions of the person, in every browser; throws the API's refusal. */
export async function signOutEverywhere(): Promise<void> {
  const r = await send('/api/v1/auth/sessions', { method: 'DELETE' })
  if (!r.ok) throw await failureOf(r)
  leave()
}

function leave(): void {
  tabs?.postMessage({ kind: 'out' } satisfies News)
  forget('anonymous')
}

function rename(id: string, name: string): void {
  if (who.user?.id === id) become({ ...who, user: { ...who.user, full_name: name } })
}

/** The person has another name: all tabs show it. */
export function renamed(name: string): void {
  if (!who.user) return
  tabs?.postMessage({ kind: 'name', id: who.user.id, name } satisfies News)
  rename(who.user.id, name)
}

/** The session has ended on the server: the screen stays, and asks to sign in. */
export const expire = (): void => forget('expired')

/** Waits while the session has ended and nobody has signed in again. */
function back(signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = listen((w) => {
      if (w.state === 'expired') return
      leave()
      resolve()
    })
    signal?.addEventListener('abort', () => {
      leave()
      reject(signal.reason as Error)
    })
  })
}

/** fetch with the session's token: renewed before it ends, and once more when it is refused. What is asked of a session that has ended waits until its person has signed in again, and is then done. */
export async function send(input: string | Request, init: RequestInit = {}): Promise<Response> {
  const signal = init.signal ?? (typeof input === 'string' ? null : input.signal)
  if (who.state === 'signed-in' && Date.now() > good - 30_000) await refresh(token)
  if (current().state === 'expired') await back(signal)
  const attempt = (): Promise<Response> => {
    const request = new Request(typeof input === 'string' ? input : input.clone(), init)
    if (token) request.headers.set('Authorization', `Bearer ${token}`)
    return fetch(request)
  }
  const used = token
  const r = await attempt()
  if (r.status !== 401 || !who.user) return r
  if (!(await refresh(used))) {
    if (current().state !== 'expired') return r
    await back(signal)
  }
  return attempt()
}
