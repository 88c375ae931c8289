// The conversations: by day, to be searched, renamed and deleted; beside the chat, on a phone in front of it.
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError } from '../api/errors'
import { send } from '../api/session'
import type { Conversation } from '../api/types'
import { group } from '../lib/dates'
import { useSettled } from './hooks'
import { notify } from './notice'
import { Failure, Waiting } from './ui'
import type { ApiError } from '../api/errors'
import './conversations.css'

/** How long a deletion can be undone, in milliseconds. */
const undo = 5000

/** Deletions that were asked for while the page was left: nobody saw their end. */
const leaving = {
  all(): string[] {
    return (sessionStorage.getItem('vigueur.leaving') ?? '').split(' ').filter(Boolean)
  },
  set(ids: readonly string[]): void {
    sessionStorage.setItem('vigueur.leaving', ids.join(' '))
  },
}

export function Conversations({ current, open, onClose, changed }: { current: string | null; open: boolean; onClose: () => void; changed: number }) {
  const { route } = useLocation()
  const [q, setQ] = useState('')
  const wanted = useSettled(q)
  const list = useList(wanted.trim(), changed)
  const [gone, setGone] = useState<ReadonlySet<string>>(() => new Set(leaving.all()))
  const [renaming, rename] = useState<string | null>(null)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (open) panel.current?.querySelector('input')?.focus()
  }, [open])

  const back = (id: string) => setGone((g) => new Set([...g].filter((other) => other !== id)))
  const erase = (id: string) => void send(`/api/v1/conversations/${id}`, { method: 'DELETE', keepalive: true }).then((r) => {
    if (!r.ok && r.status !== 404) throw new Error(String(r.status))
    list.drop(id)
  }).catch(() => {
    back(id)
    notify('La conversation n’a pas pu être supprimée.')
  }).then(() => leaving.set(leaving.all().filter((other) => other !== id)))
  useEffect(() => {
    if (list.loading || list.error) return
    const left = leaving.all().filter((id) => list.items.some((c) => c.id === id))
    leaving.set(left)
    left.forEach(erase)
  }, [list.loading])
  const remove = (c: Conversation) => {
    setGone((g) => new Set(g).add(c.id))
    if (c.id === current) route('/')
    const settle = () => {
      clearTimeout(timer)
      removeEventListener('pagehide', leave)
    }
    const now = () => {
      settle()
      erase(c.id)
    }
    // What leaves the page before the time is over deletes at once.
    const leave = () => {
      leaving.set([...leaving.all(), c.id])
      now()
    }
    const timer = setTimeout(now, undo)
    addEventListener('pagehide', leave)
    notify('Conversation supprimée.', { action: 'Annuler', ms: undo, act: () => {
      settle()
      back(c.id)
    } })
  }
  const groups = new Map<string, Conversation[]>()
  for (const c of list.items) {
    if (gone.has(c.id)) continue
    const name = group(c.last_message_at)
    groups.set(name, [...(groups.get(name) ?? []), c])
  }
  return (
    <nav class={open ? 'side open' : 'side'} aria-label="Conversations" ref={panel} onKeyDown={(e) => {
      if (e.key === 'Escape' && open) {
        e.preventDefault()
        onClose()
      }
    }}>
      <div class="side-head">
        <a class="button" href="/" onClick={onClose}>Nouvelle question</a>
        <button type="button" class="quiet only-phone" onClick={onClose}>Fermer</button>
      </div>
      <label class="sr" for="find">Chercher dans les conversations</label>
      <input id="find" type="search" placeholder="Chercher" value={q} onInput={(e) => setQ(e.currentTarget.value)} />
      <div class="side-list" tabIndex={0} role="group" aria-label="Liste des conversations" onScroll={(e) => {
        const t = e.currentTarget
        if (t.scrollHeight - t.scrollTop - t.clientHeight < 200) list.more()
      }}>
        <Failure error={list.error} retry={list.reload} />
        {list.loading && list.items.length === 0 && <Waiting text="Lecture des conversations…" />}
        {!list.loading && !list.error && groups.size === 0 && <p class="meta">{wanted ? 'Aucune conversation ne contient ces mots.' : 'Vos conversations apparaîtront ici.'}</p>}
        {[...groups].map(([name, items]) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {items.map((c) => (
                <li key={c.id}>
                  {renaming === c.id
                    ? <Rename c={c} onDone={(title) => {
                      if (title) list.rename(c.id, title)
                      rename(null)
                    }} />
                    : (
                      <>
                        <a href={`/c/${c.id}`} {...(c.id === current ? { 'aria-current': 'page' as const } : {})} onClick={onClose} title={c.title}>{c.title}</a>
                        <span class="row-actions">
                          <button type="button" class="quiet" aria-label={`Renommer ${c.title}`} onClick={() => rename(c.id)}>Renommer</button>
                          <button type="button" class="quiet" aria-label={`Supprimer ${c.title}`} onClick={() => remove(c)}>Supprimer</button>
                        </span>
                      </>
                    )}
                </li>
              ))}
            </ul>
          </section>
        ))}
        {list.next && <button type="button" class="quiet" onClick={list.more}>Plus anciennes</button>}
      </div>
    </nav>
  )
}

function Rename({ c, onDone }: { c: Conversation; onDone: (title: string | null) => void }) {
  const [title, setTitle] = useState(c.title)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const save = async (e: Event) => {
    e.preventDefault()
    if (title.trim() === '' || title.trim() === c.title) return onDone(null)
    try {
      const renamed = await ok(api.PATCH('/api/v1/conversations/{id}', { params: { path: { id: c.id } }, body: { title } }))
      onDone(renamed.title)
    } catch (e) {
      const error = asError(e)
      notify(error.fields.title ?? error.message)
    }
  }
  return (
    <form class="rename" onSubmit={save}>
      <input ref={input} aria-label="Nouveau titre" value={title} maxLength={255} onInput={(e) => setTitle(e.currentTarget.value)} onBlur={() => onDone(null)}
        onKeyDown={(e) => {
          if (e.key !== 'Escape') return
          e.preventDefault()
          e.stopPropagation()
          onDone(null)
        }} />
    </form>
  )
}

interface Page { items: Conversation[]; next: string | null; loading: boolean; error: ApiError | null }

/** The list, page after page; read again from its beginning when something of it has changed. */
function useList(q: string, changed: number) {
  const [page, set] = useState<Page>({ items: [], next: null, loading: true, error: null })
  const [turn, again] = useState(0)
  const asked = useRef(0)
  const load = (before: string | null) => {
    const mine = ++asked.current
    set((p) => ({ ...p, loading: true, error: null }))
    ok(api.GET('/api/v1/conversations', { params: { query: { ...(q ? { q } : {}), ...(before ? { before } : {}), limit: 50 } } })).then((found) => {
      if (mine !== asked.current) return
      set((p) => ({ items: before ? [...p.items, ...found.items] : found.items, next: found.next_before, loading: false, error: null }))
    }, (e: unknown) => mine === asked.current && set((p) => ({ ...p, loading: false, error: asError(e) })))
  }
  useEffect(() => load(null), [q, changed, turn])
  return {
    ...page,
    more: () => void (page.next && !page.loading && load(page.next)),
    reload: () => again((n) => n + 1),
    drop: (id: string) => set((p) => ({ ...p, items: p.items.filter((c) => c.id !== id) })),
    rename: (id: string, title: string) => set((p) => ({ ...p, items: p.items.map((c) => (c.id === id ? { ...c, title } : c)) })),
  }
}
