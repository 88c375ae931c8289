// Texts that are kept in the browser, to be read without a network: those that the account follows.
import worker from '../offline-worker.js?file'
import { api, file, ok } from '../api/client'
import { untilSignOut } from '../api/session'
import type { Follow } from '../api/types'

/** A text as it is kept, and since when. */
export interface Kept { id: string; title: string; date?: string; gazette?: { name: string; number?: string; day?: string }; articles: { id: string; number: string; heading: string; text: string }[]; since: number }

const texts = 'vigueur-textes'
const shell = 'vigueur-page'

/** How many texts are kept at most, and for how many milliseconds one is not read again. */
const most = 50
const fresh = 24 * 3600 * 1000

const can = (): boolean => 'serviceWorker' in navigator && 'caches' in globalThis
const at = (id: string): string => `/hors-ligne/${id}`

/** Keeps the texts that the account follows, with the page to read them. Nothing is kept where nothing is followed, and no more once the person signs out. */
export async function keepAll(): Promise<void> {
  if (!can()) return
  const signal = untilSignOut()
  const { items } = await ok(api.GET('/api/v1/me/follows', { signal }))
  if (items.every((f) => !f.document_id)) return (await caches.has(texts)) ? forgetKept() : undefined
  const { pays } = await ok(api.GET('/api/v1/me', { signal }))
  await keep(items, pays, signal)
  await import('../screens/offline')
  signal.throwIfAborted()
  await keepPage()
}

/** Keeps followed texts, those of a country first, and forgets the others. */
async function keep(items: readonly Follow[], pays: string, signal: AbortSignal): Promise<void> {
  const followed = items.filter((f) => f.document_id).sort((a, b) => Number(b.pays === pays) - Number(a.pays === pays))
  const ids = [...new Set(followed.map((f) => f.document_id!))].slice(0, most)
  await navigator.serviceWorker.register(worker, { scope: '/' })
  const kept = await caches.open(texts)
  for (const r of await kept.keys()) if (!ids.some((id) => r.url.endsWith(at(id)))) await kept.delete(r)
  for (const id of ids) {
    signal.throwIfAborted()
    const old = await kept.match(at(id))
    if (old && Date.now() - Number(old.headers.get('X-Kept')) < fresh) continue
    try {
      const address = `/api/v1/documents/${id}/export?format=json`
      const today = await file(`${address}&date=${new Date().toISOString().slice(0, 10)}`, signal).catch(() => file(address, signal))
      await kept.put(at(id), new Response(await today.blob(), { headers: { 'Content-Type': 'application/json', 'X-Kept': String(Date.now()) } }))
    } catch {
      // It is kept the next time.
    }
  }
}

/** The texts that this browser keeps. */
export async function keptTexts(): Promise<Kept[]> {
  if (!can()) return []
  const kept = await caches.open(texts)
  const all = await Promise.all((await kept.matchAll()).map(async (r) => ({ ...((await r.json()) as Kept), since: Number(r.headers.get('X-Kept')) })))
  return all.sort((a, b) => a.title.localeCompare(b.title, 'fr'))
}

/** Keeps the files of the page that are loaded, and drops those of earlier ones. */
async function keepPage(): Promise<void> {
  await navigator.serviceWorker.ready
  const kept = await caches.open(shell)
  const loaded = performance.getEntriesByType('resource').map((e) => new URL(e.name).pathname).filter((p) => p.startsWith('/assets/') && !p.includes('pdf'))
  const wanted = new Set([...loaded, '/'])
  for (const r of await kept.keys()) if (!wanted.has(new URL(r.url).pathname)) await kept.delete(r)
  await kept.addAll([...wanted])
}

export async function forgetKept(): Promise<void> {
  if (!can()) return
  await caches.delete(texts)
  await caches.delete(shell)
  for (const r of await navigator.serviceWorker.getRegistrations()) await r.unregister()
}
