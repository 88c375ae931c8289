// Questions of somebody without an account: each by itself, answered by quotations, so many a day.
import { useEffect, useRef, useState } from 'preact/hooks'
import { asError, failureOf, type ApiError } from '../api/errors'
import type { Citation } from '../api/types'
import { plural, shorten } from '../lib/french'
import { follow, opened } from '../lib/follow'
import { whenIdle } from '../lib/idle'
import { begin, ended, type Answer } from '../lib/stream'
import type { Turn } from '../screens/conversation'
import { AnswerView, loadAnswers } from './answers'
import { CountryChip, guestsCountry, useHome } from './country'
import { SourcePanel } from './source'
import { Failure } from './ui'

/** Longer questions are refused. */
const limit = 4000

/** What a guest has asked since the page was loaded, and how to ask more. */
export interface GuestTalk {
  turns: Turn[]
  busy: boolean
  refused: ApiError | null
  /** How many may still be asked today; null before the first. */
  left: number | null
  ask: (question: string) => Promise<boolean>
}

/** A text that questions are asked about. */
export interface AskedText { id: string; title: string }

export function useGuestTalk(within: AskedText | null): GuestTalk {
  const [turns, set] = useState<Turn[]>([])
  const [refused, refuse] = useState<ApiError | null>(null)
  const [left, setLeft] = useState<number | null>(null)
  const { pays } = useHome()
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const busy = turns.some((t) => t.answer && !ended(t.answer))
  const ask = async (question: string): Promise<boolean> => {
    if (busy) return false
    const key = crypto.randomUUID?.() ?? String(turns.length)
    const signal = leaving.current.signal
    const update = (answer: Answer) => set((all) => all.map((t) => (t.key === key ? { ...t, answer } : t)))
    const drop = (e: ApiError) => {
      if (signal.aborted) return false
      set((all) => all.filter((t) => t.key !== key))
      refuse(e)
      return false
    }
    refuse(null)
    set((all) => [...all, { key, question, answer: begin('', '') }])
    let r: Response
    try {
      const chosen = guestsCountry() ?? pays // perhaps a moment ago, beside the answer
      r = await fetch('/api/v1/guest/questions', { method: 'POST', headers: { 'Content-Type': 'application/json' }, signal, body: JSON.stringify({ question, filters: within ? { document_id: within.id } : chosen ? { pays: chosen } : {} }) })
    } catch (e) {
      return drop(asError(e))
    }
    if (!r.ok) return drop(await failureOf(r))
    const remaining = Number.parseInt(r.headers.get('RateLimit-Remaining') ?? '', 10)
    if (!Number.isNaN(remaining)) setLeft(remaining)
    const from = opened(r)
    update(from)
    // A stream that breaks off cannot be taken up again: the answer is nobody's.
    void follow(async () => new Response(null, { status: 404 }), from, update, signal, r)
    return true
  }
  return { turns, busy, refused, left, ask }
}

export function GuestQuestions({ talk, most, within }: { talk: GuestTalk; most: number; within: AskedText | null }) {
  const { pays } = useHome()
  const [text, setText] = useState('')
  const [source, open] = useState<{ citation: Citation; answer: string } | null>(null)
  const question = text.trim()
  useEffect(() => whenIdle([() => void loadAnswers().catch(() => undefined)]), [])
  const length = [...question].length
  return (
    <>
      <form class="guest" onSubmit={(e) => {
        e.preventDefault()
        if (length === 0 || length > limit || talk.busy) return
        setText('')
        void talk.ask(question).then((taken) => !taken && setText(question))
      }}>
        <label class="sr" for="guest-question">Votre question</label>
        <input id="guest-question" autocomplete="off" placeholder="Posez une question de droit" value={text} aria-invalid={length > limit} aria-describedby="guest-left" onInput={(e) => setText(e.currentTarget.value)} />
        {pays !== null && !within && <CountryChip />}
        <button type="submit" class="main" disabled={talk.busy}>Demander</button>
      </form>
      {within && <p><a class="chip on" href="/" aria-label="Ne plus interroger ce texte seulement">{shorten(within.title, 70)}<span aria-hidden="true"> ×</span></a></p>}
      <p class="meta" id="guest-left" role="status">
        {talk.left === null ? `Sans compte\u202f: ${plural(most, 'question')} par jour.` : talk.left === 0 ? 'Vous avez posé vos questions du jour.' : `Il vous reste ${plural(talk.left, 'question')} aujourd’hui.`}{' '}
        <a href="/connexion">Avec un compte</a>, vos conversations sont gardées.
      </p>
      <Failure error={talk.refused && { ...talk.refused, message: Object.values(talk.refused.fields)[0] ?? talk.refused.message }} />
      {[...talk.turns].reverse().map((turn, i) => (
        <AnswerView key={turn.key} turn={turn} last={i === 0 && !within} busy={talk.busy} corpus={0} shown={source?.answer === turn.key ? (source.citation.index ?? 0) : 0} shared onSource={(citation) => open({ citation, answer: turn.key })} onAgain={() => void talk.ask(turn.question)} />
      ))}
      {source && <SourcePanel citation={source.citation} all={talk.turns.find((t) => t.key === source.answer)?.answer?.citations ?? []} onGo={(citation) => open({ ...source, citation })} onClose={() => open(null)} />}
    </>
  )
}
