// The chat: a conversation, the box, and beside it the source that is being read.
import { useLocation } from 'preact-iso'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { asError } from '../api/errors'
import type { Citation } from '../api/types'
import { useConversation } from './conversation'
import { AnswerView, loadAnswers } from '../parts/answers'
import { Composer } from '../parts/composer'
import { Conversations } from '../parts/conversations'
import { CountryQuestion } from '../parts/country'
import { Examples } from '../parts/examples'
import { ShareDialog } from '../parts/share'
import { SourcePanel } from '../parts/source'
import { useLatest, useTitle } from '../parts/hooks'
import { whenIdle } from '../lib/idle'
import { Failure, Waiting } from '../parts/ui'
import { download } from '../api/client'
import { notify } from '../parts/notice'
import './chat.css'

export function Chat({ id }: { id: string | null }) {
  const { route, query } = useLocation()
  const talk = useConversation(id, (made) => route(`/c/${made}`, true))
  const [source, open] = useState<{ citation: Citation; answer: string } | null>(null)
  const [drawer, setDrawer] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  useTitle(talk.title)
  // Before anything can be pressed here: a drawer opened between the first drawing and a later effect was shut by it.
  useLayoutEffect(() => {
    open(null)
    setDrawer(false)
    if (matchMedia('(min-width: 48rem)').matches) box.current?.focus()
  }, [id === null ? '' : talk.settledId])
  useKeys(box, () => talk.stop())
  useEffect(() => { // « Interroger ce texte »
    if (id !== null || !query.texte) return
    talk.setFilters({ document_id: query.texte, ...(query.titre && { titre: query.titre }) })
    route('/', true)
  }, [id, query.texte])
  useEffect(() => whenIdle([() => void loadAnswers().catch(() => undefined)]), [])

  // While an answer is written only the thread is rendered, many times a second.
  const side = useMemo(() => <Conversations current={id} open={drawer} onClose={() => setDrawer(false)} changed={talk.changes} />, [id, drawer, talk.changes])
  const composer = useMemo(() => <Composer talk={talk} box={box} />, [talk.busy, talk.settledId, talk.filters, talk.refused, talk.turns.length])

  return (
    <div class={source ? 'chat beside' : 'chat'} onClick={(e) => drawer && e.target === e.currentTarget && setDrawer(false)}>
      {side}
      <main class="talk" id="contenu" inert={drawer}>
        <TalkHead title={talk.title} plain={talk.turns.length === 1 && talk.turns[0]!.question.startsWith(talk.title.replace(/…$/, ''))} id={talk.error ? null : talk.settledId} drawer={drawer} onDrawer={() => setDrawer(true)} />
        <Thread empty={!talk.turns.at(-1)?.answer?.text} count={talk.turns.length} busy={talk.busy}>
          <Failure error={talk.error} retry={talk.reload} />
          {talk.error?.status === 404 && <p>Elle est supprimée, ou n’est pas à vous. <a href="/">Poser une nouvelle question</a></p>}
          {talk.loading && <Waiting text="Lecture de la conversation…" />}
          {!talk.loading && talk.turns.length === 0 && !talk.error && <Examples onPick={(q) => void talk.ask(q)}><CountryQuestion /></Examples>}
          {talk.turns.map((turn, i) => (
            <Kept key={turn.key} turn={turn} last={i === talk.turns.length - 1} busy={talk.busy} corpus={talk.corpus}
              onSource={(citation) => open({ citation, answer: turn.key })} onAgain={() => void talk.ask(turn.question)}
              shown={source?.answer === turn.key ? (source.citation.index ?? 0) : 0} />
          ))}
        </Thread>
        {composer}
      </main>
      {source && <SourcePanel citation={source.citation} all={talk.turns.find((t) => t.key === source.answer)?.answer?.citations ?? []} onGo={(citation) => open({ citation, answer: source.answer })} onClose={() => open(null)} />}
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

/** plain: the title is what stands right below, the question. */
function TalkHead({ title, plain, id, drawer, onDrawer }: { title: string; plain: boolean; id: string | null; drawer: boolean; onDrawer: () => void }) {
  const opener = useRef<HTMLButtonElement>(null)
  const was = useRef(drawer)
  useEffect(() => {
    const at = document.activeElement // a browser takes the focus from what is hidden when it draws next
    if (was.current && !drawer && (at === document.body || at?.closest('.side'))) opener.current?.focus() // the drawer had the focus
    was.current = drawer
  }, [drawer])
  const [sharing, share] = useState(false)
  const save = (format: 'docx' | 'md' | 'json') => download(`/api/v1/conversations/${id}/export?format=${format}`, `conversation.${format}`)
    .catch((e: unknown) => notify(asError(e).message))
  return (
    <div class="talk-head">
      <button ref={opener} type="button" class="quiet only-phone" aria-expanded={drawer} onClick={onDrawer}>Conversations</button>
      <h1 tabIndex={-1} class={title && !plain ? '' : 'sr'}>{title || 'Nouvelle question'}</h1>
      {id && <button type="button" class="quiet" onClick={() => share(true)}>Partager</button>}
      {id && sharing && <ShareDialog id={id} onClose={() => share(false)} />}
      {id && (
        <Menu word="Garder">
          <li><button type="button" onClick={() => void save('docx')}>Exporter pour Word</button></li>
          <li><button type="button" onClick={() => void save('md')}>Exporter en Markdown</button></li>
          <li><button type="button" onClick={() => void save('json')}>Exporter en JSON</button></li>
          <li><button type="button" onClick={() => print()}>Imprimer</button></li>
        </Menu>
      )}
    </div>
  )
}

/** A few things to do behind a word; it closes when one is done, at Escape, and when the focus goes elsewhere. */
function Menu({ word, children }: { word: string; children: preact.ComponentChildren }) {
  const ref = useRef<HTMLDetailsElement>(null)
  const close = () => ref.current?.removeAttribute('open')
  return (
    <details class="menu" ref={ref} onFocusOut={(e) => ref.current?.contains(e.relatedTarget as Node | null) || close()} onKeyDown={(e) => {
      if (e.key !== 'Escape' || !ref.current?.open) return
      e.preventDefault()
      close()
      ref.current.querySelector('summary')?.focus()
    }}>
      <summary>{word}</summary>
      <ul onClick={close}>{children}</ul>
    </details>
  )
}

/** How long a screenful takes to be read, in milliseconds, by whoever reads fastest. */
const glance = 2000

/** The messages. The view follows what is written only while the reader is at the end. An answer that is there at once is shown from its question on: nobody has read what passed. */
function Thread({ children, empty, count, busy }: { children: preact.ComponentChildren; empty: boolean; count: number; busy: boolean }) {
  const ref = useRef<HTMLDivElement>(null)
  const column = useRef<HTMLDivElement>(null)
  const at = useRef(true)
  const put = useRef(-1) // where the view was put to, so that the event of it is not taken for the reader's
  const began = useRef(0)
  const sudden = useRef(false) // the last answer was there at once
  const [away, setAway] = useState(false)
  const go = (to: number) => {
    const e = ref.current!
    e.scrollTop = to
    put.current = e.scrollTop
  }
  const far = (e: HTMLElement) => e.scrollHeight - e.scrollTop - e.clientHeight >= 48
  const follow = () => {
    const e = ref.current!
    const turn = sudden.current ? e.querySelector('.turn:last-child') : null
    if (turn && turn.scrollHeight > e.clientHeight) go(e.scrollTop + turn.getBoundingClientRect().top - e.getBoundingClientRect().top - 12)
    else go(e.scrollHeight)
  }
  useLayoutEffect(() => {
    at.current = count > 0
    sudden.current = !busy // a conversation that is opened again
    setAway(false)
  }, [count])
  useLayoutEffect(() => {
    if (!empty) began.current = performance.now()
  }, [empty])
  useLayoutEffect(() => {
    if (!busy) sudden.current = performance.now() - began.current < glance
  }, [busy])
  // The browser tells of what has grown when it has laid it out: asked before, it would have to do that twice. What only
  // became narrower, beside a source, stays where it is.
  useLayoutEffect(() => {
    let width = column.current!.clientWidth
    const seen = new ResizeObserver(([e]) => {
      if (at.current && e!.contentRect.width === width) follow()
      width = e!.contentRect.width
      if (sudden.current || !at.current) setAway(far(ref.current!)) // what was put where it stood already is not told as scrolled
    })
    seen.observe(column.current!)
    return () => seen.disconnect()
  }, [])
  const scrolled = (e: HTMLElement) => {
    if (e.scrollTop !== put.current) {
      at.current = !far(e)
      sudden.current = false
    } else if (!sudden.current) return // what has come since is followed
    setAway(far(e))
  }
  return (
    <div class="thread-around">
      <div class="thread" ref={ref} tabIndex={0} role="region" aria-label="Conversation" onScroll={(e) => scrolled(e.currentTarget)}>
        <div class="column" ref={column}>{children}</div>
      </div>
      {away && count > 0 && <button type="button" class="to-end" onClick={() => {
        at.current = true
        sudden.current = false
        setAway(false)
        follow()
      }}>Aller à la fin</button>}
    </div>
  )
}
