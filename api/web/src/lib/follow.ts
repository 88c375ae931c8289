// The connection of an answer: it asks, follows the stream, and takes it up again behind the last event seen for as long
// as the answer has not ended. What the events mean is stream.ts's.
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { begin, ended, lose, regain, take, type Answer } from './stream'

/** Sends a request with the session's token; rejects only when nobody answers. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** Pauses between two attempts, in milliseconds. */
export const pauses = [500, 1000, 2000, 4000, 8000]

/** Follows an answer to its end. report is called with each state; the promise resolves with the last one, or when signal aborts. response is the stream that the question opened, if any. */
export async function follow(send: Send, from: Answer, report: (a: Answer) => void, signal: AbortSignal, response?: Response): Promise<Answer> {
  let a = from
  let failures = 0
  const tell = (next: Answer) => {
    if (next !== a) report((a = next))
  }
  while (!ended(a) && !signal.aborted) {
    const before = a.lastId
    try {
      const r = response ?? (await soon(send, `/api/v1/chat-rag/stream/${a.messageId}`, { headers: a.lastId ? { 'Last-Event-ID': a.lastId } : {} }, signal))
      response = undefined
      if (r.status === 404) return tell({ ...a, phase: 'failed', error: 'Cette réponse n’existe plus.' }), a
      if (r.ok && r.body) {
        tell(regain(a))
        await read(r.body, (e) => void tell(take(a, e)), signal)
      }
    } catch {
      // The connection broke off: it is taken up again below.
    }
    if (ended(a) || signal.aborted) break
    tell(lose(a))
    failures = a.lastId === before ? failures + 1 : 0
    await pause(pauses[Math.min(failures, pauses.length - 1)]!, signal)
  }
  return a
}

/** How long a stream may be silent, in milliseconds: the server says every ten seconds that it is there, and three times are missed. */
export const patience = { silence: 35_000 }

/** An event of a stream. */
export interface StreamEvent { id?: string | undefined; event?: string | undefined; data: string }

/** Reads a stream of events to its end, until each says stop with true, or until nothing has come for too long: a network that has gone may tell the stream nothing. */
export async function read(body: ReadableStream<Uint8Array>, each: (e: StreamEvent) => boolean | void, signal: AbortSignal): Promise<void> {
  let gone = () => undefined as void
  let late: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(late)
    late = setTimeout(() => gone(), patience.silence)
  }
  const counted = body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, on) {
      heard() // comments, too, which are no events
      on.enqueue(bytes)
    },
  }))
  const reader = counted.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).pipeThrough(new EventSourceParserStream()).getReader()
  gone = () => void reader.cancel().catch(() => undefined)
  globalThis.addEventListener?.('offline', gone)
  heard()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted || each(value) === true) return
    }
  } finally {
    clearTimeout(late)
    globalThis.removeEventListener?.('offline', gone)
    gone()
  }
}

/** Sends a request that must begin to be answered before silence lasts too long. */
async function soon(send: Send, path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  const given = new AbortController()
  const leave = () => given.abort()
  signal.addEventListener('abort', leave)
  const late = setTimeout(leave, patience.silence)
  try {
    return await send(path, { ...init, signal: given.signal })
  } finally {
    clearTimeout(late) // the body goes on under the same signal
  }
}

/** Waits; the network's return ends the wait. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    globalThis.addEventListener?.('online', end)
    signal.addEventListener('abort', end)
  })
}

/** The state of an answer whose question was just taken, of the headers of its stream. */
export function opened(r: Response): Answer {
  return begin(r.headers.get('X-Message-Id') ?? '', r.headers.get('X-Conversation-Id') ?? '')
}
