// A conversation as the chat has it: its turns, the answer that is being written, asking and stopping.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, failureOf, type ApiError } from '../api/errors'
import { send } from '../api/session'
import type { DocType, Message } from '../api/types'
import { follow, opened } from '../lib/follow'
import { named } from '../lib/once'
import { begin, ended, paced, type Answer } from '../lib/stream'
import { useLatest } from '../parts/hooks'

/** What narrows a question. */
export interface Filters { domaine?: string; doc_type?: DocType; date?: string; document_id?: string; titre?: string; model?: string }

/** A question and its answer. */
export interface Turn {
  key: string
  question: string
  answer: Answer | null
  /** Of an answer that was read, not followed. */
  createdAt?: string
  filters?: Filters
  /** Of an answer that was read: what its reader thought of it. */
  rating?: 'up' | 'down' | null
}

export interface Talk {
  turns: Turn[]
  title: string
  loading: boolean
  error: ApiError | null
  busy: boolean
  corpus: number
  changes: number
  /** The conversation that the turns are of, null before the first question. */
  settledId: string | null
  filters: Filters
  setFilters: (f: Filters) => void
  ask: (question: string) => Promise<boolean>
  refused: ApiError | null
  stop: () => void
  reload: () => void
}

/** The tabs of a browser tell each other of questions, so that both show the answer. */
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('vigueur.questions')

const kept = (id: string | null) => `vigueur.filters.${id ?? 'new'}`

function keptFilters(id: string | null): Filters {
  try {
    return JSON.parse(sessionStorage.getItem(kept(id)) ?? '{}') as Filters
  } catch {
    return {}
  }
}

/** The turns of stored messages. An answer without a validation is still being written. */
export function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = []
  for (const m of messages) {
    if (m.role === 'user') turns.push({ key: m.id, question: m.content, answer: null })
    else {
      const base = begin(m.id, '')
      const answer: Answer = m.validation
        ? { ...base, text: m.content, phase: 'done', citations: m.citations, seeAlso: m.see_also ?? [], validation: m.validation, certainty: m.certainty, latencyMs: m.latency_ms, model: m.model, country: m.filters.pays ?? null }
        : base
      const last = turns[turns.length - 1]
      if (last && !last.answer) turns[turns.length - 1] = { ...last, key: m.id, answer, createdAt: m.created_at, filters: m.filters, rating: m.rating }
      else turns.push({ key: m.id, question: '', answer, createdAt: m.created_at, filters: m.filters, rating: m.rating })
    }
  }
  return turns
}

export function useConversation(id: string | null, made: (id: string) => void): Talk {
  const [turns, setTurns] = useState<Turn[]>([])
  const [title, setTitle] = useState('')
  const [loading, setLoading] = useState(id !== null)
  const [error, setError] = useState<ApiError | null>(null)
  const [refused, setRefused] = useState<ApiError | null>(null)
  const [settledId, setSettled] = useState<string | null>(id)
  const [filters, setFilters] = useState<Filters>(() => keptFilters(id))
  const [changes, setChanges] = useState(0)
  const [corpus, setCorpus] = useState(0)
  const [turn, again] = useState(0)
  const mine = useRef<string | null>(null) // the conversation that is shown already
  const leaving = useRef(new AbortController())
  const latest = useLatest({ turns, settledId, filters })

  const update = (key: string, answer: Answer) => setTurns((all) => all.map((t) => (t.key === key ? { ...t, answer } : t)))
  const watch = (key: string, from: Answer, response?: Response) => {
    const signal = leaving.current.signal
    let shown = from
    let come = from
    let waits = false
    const draw = () => {
      waits = false
      if (signal.aborted || shown === come) return
      shown = document.hidden ? come : paced(shown, come)
      update(key, shown)
      if (shown !== come) soon()
    }
    // Events that come faster than the screen is drawn are drawn together. What makes the elements is a task by itself,
    // beside the one that lays them out and paints them.
    const soon = () => {
      if (!waits) requestAnimationFrame(() => setTimeout(draw))
      waits = true
    }
    const report = (a: Answer) => {
      come = a
      if (document.hidden && ended(a)) draw() // of a tab that nobody sees no frame is drawn
      else soon()
    }
    void follow(send, from, report, signal, response).then((a) => {
      if (!signal.aborted && ended(a)) setChanges((n) => n + 1)
    })
  }

  // Before anything else can happen here: a question asked between the first drawing and a later effect was dropped with
  // what was there before.
  useLayoutEffect(() => {
    if (id !== null && id === mine.current && turn === 0) return
    leaving.current.abort()
    leaving.current = new AbortController()
    const signal = leaving.current.signal
    mine.current = id
    setSettled(id)
    setRefused(null)
    setError(null)
    setFilters(keptFilters(id))
    setTurns([])
    setTitle('')
    setLoading(id !== null)
    if (id === null) return
    ok(api.GET('/api/v1/conversations/{id}', { params: { path: { id } }, signal })).then((whole) => {
      if (signal.aborted) return
      const read = turnsOf(whole.messages)
      setTurns(read)
      setTitle(whole.conversation.title)
      setLoading(false)
      for (const t of read) if (t.answer && !ended(t.answer)) watch(t.key, t.answer)
    }, (e: unknown) => {
      if (signal.aborted) return
      setLoading(false)
      setError(asError(e))
    })
  }, [id, turn])
  useEffect(() => () => leaving.current.abort(), [])
  useEffect(() => {
    if (!tabs) return
    const asked = (e: MessageEvent<string>) => {
      if (e.data === latest.current.settledId) again((n) => n + 1)
    }
    tabs.addEventListener('message', asked)
    return () => tabs.removeEventListener('message', asked)
  }, [])
  useEffect(() => {
    ok(api.GET('/api/v1/documents', { params: { query: { page_size: 1 } } })).then((found) => setCorpus(found.total), () => undefined)
  }, [])

  const busy = turns.some((t) => t.answer && !ended(t.answer))
  const ask = async (question: string): Promise<boolean> => {
    const { settledId: of, filters: by } = latest.current
    const { model, titre: _, ...narrow } = by
    const body = JSON.stringify({ question, ...(of ? { conversation_id: of } : {}), filters: narrow, ...(model ? { model } : {}) })
    const { name: key, answered } = named(() => sessionStorage, `question ${body}`)
    setRefused(null)
    setTurns((all) => [...all, { key, question, answer: begin('', of ?? ''), filters: by }])
    const signal = leaving.current.signal
    const drop = () => setTurns((all) => all.filter((t) => t.key !== key))
    const refuse = (e: ApiError) => {
      if (signal.aborted) return false
      drop()
      setRefused(e)
      return false
    }
    let r: Response
    try {
      r = await send('/api/v1/chat-rag/stream', {
        method: 'POST', headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key }, signal, body,
      })
    } catch (e) {
      return refuse(asError(e))
    }
    answered(r.status)
    if (!r.ok) return refuse(await failureOf(r))
    const from = opened(r)
    // It had come in though nobody heard of it, and the conversation was read since.
    if (latest.current.turns.some((t) => t.answer?.messageId === from.messageId)) {
      drop()
      void r.body?.cancel()
      return true
    }
    update(key, from)
    if (!of) {
      mine.current = from.conversationId
      setSettled(from.conversationId)
      setTitle(question.length > 80 ? question.slice(0, 79) + '…' : question)
      sessionStorage.setItem(kept(from.conversationId), JSON.stringify(by))
      sessionStorage.removeItem(kept(null))
      made(from.conversationId)
    } else tabs?.postMessage(of)
    setChanges((n) => n + 1)
    watch(key, from, r)
    return true
  }

  return {
    turns, title, loading, error, refused, busy, corpus, changes, settledId, filters, ask,
    setFilters: (f) => {
      setFilters(f)
      sessionStorage.setItem(kept(latest.current.settledId), JSON.stringify(f))
    },
    stop: () => {
      for (const t of latest.current.turns) {
        if (t.answer?.messageId && !ended(t.answer)) {
          void ok(api.POST('/api/v1/chat-rag/stream/{message_id}/cancel', { params: { path: { message_id: t.answer.messageId } } })).catch(() => undefined)
        }
      }
    },
    reload: () => again((n) => n + 1),
  }
}
