// A client of Vigueur's HTTP interface. The types in schema.ts are made from the OpenAPI document; openapi-fetch reads them, so
// that each operation has its parameters, body and results. stream reads an answer while it is written.
import createClient, { type Client, type ClientOptions } from 'openapi-fetch'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { components, paths } from './schema.js'

export type { components, paths }

/** What the API sends and takes, by its names in the OpenAPI document. */
export type Schemas = components['schemas']

/** A client with a method for each HTTP method: `client.GET('/api/v1/search', { params: { query: { q: 'préavis' } } })`. */
export type Vigueur = Client<paths>

/** Returns a client of the service at an address such as https://droit.example.org. The token is an access token or an API key. */
export function open(address: string, token: string, options: ClientOptions = {}): Vigueur {
  return createClient<paths>({ ...options, baseUrl: address.replace(/\/+$/, ''), headers: { ...options.headers, Authorization: `Bearer ${token}` } })
}

/** A response of status 400 or more, or of status 0 an answer that failed. */
export class Refused extends Error {
  override name = 'Refused'
  constructor(readonly status: number, readonly detail: string) {
    super(`HTTP ${status}: ${detail}`)
  }
}

/** The stream ended before the answer did. The answer is not lost: resume reads it from behind the last event. */
export class Unfinished extends Error {
  override name = 'Unfinished'
  constructor(readonly lastId: string) {
    super('the stream ended before the answer')
  }
}

interface Reply<T> { data?: T; error?: unknown; response: Response }

/** Returns the body of a reply; throws Refused if the status is 400 or more. */
export async function ok<T>(reply: Promise<Reply<T>>): Promise<T> {
  const { data, error, response } = await reply
  if (!response.ok) throw new Refused(response.status, detailOf(error))
  return data as T
}

/** The French sentence of a refusal; the JSON of the faults if the request had several. */
function detailOf(error: unknown): string {
  const detail = error && typeof error === 'object' && 'detail' in error ? error.detail : error
  return typeof detail === 'string' ? detail : JSON.stringify(detail) ?? ''
}

/** An event of an answer. After a reset the chunks so far are void; final is the last one. The id is for resume. */
export type AnswerEvent =
  | { id: string; type: 'chunk'; data: Schemas['ChunkEvent'] }
  | { id: string; type: 'reset'; data: Schemas['ResetEvent'] }
  | { id: string; type: 'final'; data: Schemas['FinalEvent'] }

/** Asks a question and yields the events of its answer. Leaving the loop closes the connection. */
export async function* stream(client: Vigueur, question: Schemas['Question'], signal?: AbortSignal): AsyncGenerator<AnswerEvent, void, undefined> {
  yield* events(await ok(client.POST('/api/v1/chat-rag/stream', { body: question, parseAs: 'stream', ...(signal && { signal }) })))
}

/** Yields the events of an answer that follow one that was read. */
export async function* resume(client: Vigueur, messageId: string, lastId: string, signal?: AbortSignal): AsyncGenerator<AnswerEvent, void, undefined> {
  const params = { path: { message_id: messageId }, header: { 'Last-Event-ID': lastId } }
  // The types of headers are the document's, in which this one may be written otherwise.
  yield* events(await ok(client.GET('/api/v1/chat-rag/stream/{message_id}', { params: params as never, parseAs: 'stream', ...(signal && { signal }) })))
}

async function* events(body: unknown): AsyncGenerator<AnswerEvent, void, undefined> {
  let lastId = ''
  if (!(body instanceof ReadableStream)) throw new Unfinished(lastId)
  const bytes = body as ReadableStream<BufferSource>
  const reader = bytes.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) throw new Unfinished(lastId)
      if (value.id) lastId = value.id
      const type = value.event
      if (type === 'error') throw new Refused(0, detailOf(JSON.parse(value.data)))
      if (type !== 'chunk' && type !== 'reset' && type !== 'final') continue // of a later version
      yield { id: lastId, type, data: JSON.parse(value.data) } as AnswerEvent
      if (type === 'final') return
    }
  } finally {
    await reader.cancel()
  }
}
