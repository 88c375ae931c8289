// The chat: a conversation, the box, and beside it the source that is being read.
import { useLocation } from 'preact-iso'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { asError } from '../api/errors'
import type { Citation } from '../api/types'
import { useConversation } from './conversation'
import { AnswerView } from '../parts/answer'
import { Composer } from '../parts/composer'
import { Conversations } from '../parts/conversations'
import { Examples } from '../parts/examples'
import { SourcePanel } from '../parts/source'
import { useLatest, useTitle } from '../parts/hooks'
import { Failure, Waiting } from '../parts/ui'
import { download } from '../api/client'
import { notify } from '../parts/notice'
import './chat.css'

export function Chat({ id }: { id: string | null }) {
  const { route } = useLocation()
  const talk = useConversation(id, (made) => route(`/c/${made}`, true))
  const [source, open] = useState<{ citation: Citation; answer: string } | null>(null)
  const [drawer, setDrawer] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  useTitle(talk.title)
  useEffect(() => {
    open(null)
    setDrawer(false)
    if (matchMedia('(min-width: 48rem)').matches) box.current?.focus()
  }, [id === null ? '' : talk.settledId])
  useKeys(box, () => talk.stop())

  // While an answer is written only the thread is rendered, many times a second.
  const side = useMemo(() => <Conversations current={id} open={drawer} onClose={() => setDrawer(false)} changed={talk.changes} />, [id, drawer, talk.changes])
  const composer = useMemo(() => <Composer talk={talk} box={box} />, [talk.busy, talk.settledId, talk.filters, talk.refused, talk.turns.length])

  return (
    <div class={source ? 'chat beside' : 'chat'}>
      {side}
      <main class="talk" id="contenu">
        <TalkHead title={talk.title} id={talk.settledId} onDrawer={() => setDrawer(true)} />
        <Thread text={talk.turns.map((t) => t.answer?.text.length ?? 0).join()} count={talk.turns.length} busy={talk.busy}>
          <Failure error={talk.error} retry={talk.reload} />
          {talk.loading && <Waiting text="Lecture de la conversation…" />}
          {!talk.loading && talk.turns.length === 0 && !talk.error && <Examples onPick={(q) => void talk.ask(q)} />}
          {talk.turns.map((turn, i) => (
            <Kept key={turn.key} turn={turn} last={i === talk.turns.length - 1} busy={talk.busy} corpus={talk.corpus}
              onSource={(citation) => open({ citation, answer: turn.key })} onAgain={() => void talk.ask(turn.question)}
              shown={source?.answer === turn.key ? source.citation.index : 0} />
          ))}
        </Thread>
        {composer}
      </main>
      {source && <SourcePanel citation={source.citation} onClose={() => open(null)} />}
    </div>
  )
}

/** A turn, rendered anew only when something of it has changed: of a long conversation, the one that is being written. */
function Kept(props: Parameters<typeof AnswerView>[0]) {
  const { turn, last, busy, corpus, shown } = props
  const latest = useLatest(props)
  return useMemo(() => (
    <AnswerView turn={turn} last={last} busy={busy} corpus={corpus} shown={shown}
      onSource={(c) => latest.current.onSource(c)} onAgain={() => latest.current.onAgain()} />
  ), [turn, last, busy, corpus, shown])
}

/** The keys that work everywhere on the screen: / goes to the box, Escape stops the answer. */
function useKeys(box: { current: HTMLTextAreaElement | null }, stop: () => void): void {
  const latest = useLatest(stop)
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.defaultPrevented || document.querySelector('dialog[open]')) return
      const at = e.target as HTMLElement
      if (e.key === '/' && !e.ctrlKey && !e.metaKey && !e.altKey && !/^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) {
        e.preventDefault()
        box.current?.focus()
      } else if (e.key === 'Escape') latest.current()
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [])
}

function TalkHead({ title, id, onDrawer }: { title: string; id: string | null; onDrawer: () => void }) {
  const save = (format: 'md' | 'json') => download(`/api/v1/conversations/${id}/export?format=${format}`, `conversation.${format}`)
    .catch((e: unknown) => notify(asError(e).message))
  return (
    <div class="talk-head">
      <button type="button" class="quiet only-phone" onClick={onDrawer}>Conversations</button>
      <h1 tabIndex={-1} class={title ? '' : 'sr'}>{title || 'Nouvelle question'}</h1>
      {id && (
        <details class="menu">
          <summary>Garder</summary>
          <ul>
            <li><button type="button" onClick={() => void save('md')}>Exporter en Markdown</button></li>
            <li><button type="button" onClick={() => void save('json')}>Exporter en JSON</button></li>
            <li><button type="button" onClick={() => print()}>Imprimer</button></li>
          </ul>
        </details>
      )}
    </div>
  )
}

/** How long a screenful takes to be read, in milliseconds, by whoever reads fastest. */
const glance = 2000

/** The messages. The view follows what is written only while the reader is at the end. An answer that is there at once is shown from its question on: nobody has read what passed. */
function Thread({ children, text, count, busy }: { children: preact.ComponentChildren; text: string; count: number; busy: boolean }) {
  const ref = useRef<HTMLDivElement>(null)
  const at = useRef(true)
  const began = useRef(0)
  const [away, setAway] = useState(false)
  const end = () => {
    const e = ref.current
    if (e) e.scrollTop = e.scrollHeight
  }
  useLayoutEffect(() => {
    at.current = true
    setAway(false)
    end()
  }, [count])
  const empty = /(^|,)0$/.test(text) // of the last answer nothing is there yet
  useLayoutEffect(() => {
    if (at.current) end()
  }, [text])
  useLayoutEffect(() => {
    if (!empty) began.current = performance.now()
  }, [empty])
  useLayoutEffect(() => {
    if (!busy && at.current && performance.now() - began.current < glance) {
      const e = ref.current
      const turn = e?.querySelector('.turn:last-child')
      if (e && turn && turn.scrollHeight > e.clientHeight) e.scrollTop += turn.getBoundingClientRect().top - e.getBoundingClientRect().top
    }
  }, [busy])
  return (
    <div class="thread-around">
      <div class="thread" ref={ref} tabIndex={0} role="region" aria-label="Conversation" onScroll={(e) => {
        const t = e.currentTarget
        at.current = t.scrollHeight - t.scrollTop - t.clientHeight < 48
        setAway(!at.current)
      }}>
        <div class="column">{children}</div>
      </div>
      {away && <button type="button" class="to-end" onClick={() => {
        at.current = true
        setAway(false)
        end()
      }}>Aller à la fin</button>}
    </div>
  )
}
