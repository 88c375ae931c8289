// What the page knows of an answer while it is being written: a reducer over the events of the stream, without a
// connection. See follow.ts for the connection.
import type { Certainty, Citation, Validation, SeeAlso } from '../api/types'

/** A server-sent event of an answer. */
export interface AnswerEvent {
  id?: string | undefined
  event?: string | undefined
  data: string
}

/** An answer as its reader has it. */
export interface Answer {
  messageId: string
  conversationId: string
  text: string
  /** The number of the last event, to resume behind it; empty before the first. */
  lastId: string
  /** waiting: nothing came yet; writing; lost: the connection is being taken up again; done; failed. */
  phase: 'waiting' | 'writing' | 'lost' | 'done' | 'failed'
  citations: Citation[]
  /** Articles that the answer points to and does not quote. */
  seeAlso: readonly SeeAlso[]
  validation: Validation | null
  /** How surely it answers; null where nothing says, as of a greeting. */
  certainty: Certainty | null
  latencyMs: number | null
  model: string | null
  /** The country whose law was asked about, null where none was chosen. */
  country: string | null
  /** Why the answer failed, in French. */
  error: string
  /** How often what was shown had to be dropped. */
  resets: number
}

export function begin(messageId: string, conversationId: string): Answer {
  return {
    messageId, conversationId, text: '', lastId: '', phase: 'waiting', citations: [], seeAlso: [], validation: null, certainty: null,
    latencyMs: null, model: null, country: null, error: '', resets: 0,
  }
}

export const ended = (a: Answer): boolean => a.phase === 'done' || a.phase === 'failed'

/** Takes one event. An event whose number is not above the last one has been seen and changes nothing; an error without a number ends the stream, not the answer. */
export function take(a: Answer, e: AnswerEvent): Answer {
  if (ended(a)) return a
  if (!e.id) return e.event === 'error' ? { ...a, phase: 'lost' } : a
  if (a.lastId !== '' && Number(e.id) <= Number(a.lastId)) return a
  const data = parse(e.data)
  if (!data) return a
  const next = { ...a, lastId: e.id }
  switch (e.event) {
    case 'chunk':
      return { ...next, phase: 'writing', text: a.text + String(data.text ?? '') }
    case 'reset':
      return { ...next, phase: 'waiting', text: '', resets: a.resets + 1 }
    case 'final':
      return {
        ...next, phase: 'done', citations: (data.citations as Citation[]) ?? [], seeAlso: (data.see_also as SeeAlso[]) ?? [], validation: (data.validation as Validation) ?? null,
        certainty: (data.certainty as Certainty) ?? null,
        latencyMs: (data.latency_ms as number) ?? null, model: (data.model as string) ?? null, country: (data.pays as string) ?? null,
      }
    case 'error':
      return { ...next, phase: 'failed', error: String(data.detail ?? '') }
  }
  return next
}

/** The connection broke off before the end. */
export function lose(a: Answer): Answer {
  return ended(a) ? a : { ...a, phase: 'lost' }
}

/** The connection is there again. */
export function regain(a: Answer): Answer {
  return a.phase === 'lost' ? { ...a, phase: a.text ? 'writing' : 'waiting' } : a
}

function parse(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data)
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** The whole sentences of a text that is still being written, for who hears it: the part up to the last end of a sentence. from is where a sentence ended that is known already. */
export function wholeSentences(text: string, from = 0): string {
  let end = from
  const ends = /[.!?…:;]["»\u202f ]*(?:\[\d+(?:, ?\d+)*\] ?)*(?=\s)|\n\n/g
  ends.lastIndex = from
  for (let m = ends.exec(text); m; m = ends.exec(text)) {
    if (/\b(?:art|al|n|p|M|MM|Mme|cf|etc|[A-Z])\.$/.test(text.slice(Math.max(0, m.index - 4), m.index + 1))) continue
    end = m.index + m[0].length
  }
  return text.slice(0, end)
}

/** What is drawn next of an answer: at most so many characters more than are shown, and its end by itself. Many come together behind a pause of the connection, or when an answer is taken up again in its middle, and drawing them takes longer than a frame. */
export function paced(shown: Answer, come: Answer, most = 600): Answer {
  const had = shown.text.length
  const more = come.text.length - had
  if (more <= 0 || !come.text.startsWith(shown.text) || more <= most && !ended(come)) return come
  const blank = come.text.lastIndexOf(' ', had + most)
  const to = more <= most ? come.text.length : blank > had ? blank : had + most
  return { ...begin(come.messageId, come.conversationId), phase: 'writing', resets: come.resets, text: come.text.slice(0, to) }
}
