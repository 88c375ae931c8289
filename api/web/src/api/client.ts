// The API as functions, typed by its OpenAPI document.
import createClient from 'openapi-fetch'
import type { paths } from './schema'
import { failure, failureOf } from './errors'
import { send } from './session'

export const api = createClient<paths>({ fetch: (request: Request) => send(request) })

/** The routes that are for whoever comes: they ask for no session, and do not wait for one that has ended. */
export const open = createClient<paths>({ fetch: (request: Request) => fetch(request) })

/** How one signs in here; asked once, since it is the same until the service starts anew. */
let asked: ReturnType<typeof ask> | null = null
const ask = () => ok(open.GET('/api/v1/auth/methods'))
export const methods = (): ReturnType<typeof ask> => (asked ??= ask().catch((e: unknown) => {
  asked = null
  throw e
}))

interface Reply<T> { data?: T; error?: unknown; response: Response }

/** The body of a reply, or the refusal, thrown as an ApiError. */
export async function ok<T>(reply: Promise<Reply<T>>): Promise<T> {
  const { data, error, response } = await reply
  if (!response.ok) throw failure(response.status, (error ?? {}) as { detail?: unknown }, response.headers)
  return data as T
}

/** A file of the API that needs the token, as an address of this page; to be revoked. */
export async function blobURL(path: string, signal?: AbortSignal): Promise<string> {
  const r = await send(path, signal ? { signal } : {})
  if (!r.ok) throw await failureOf(r)
  return URL.createObjectURL(await r.blob())
}

/** Downloads a file of the API that needs the token. */
export async function download(path: string, name: string): Promise<void> {
  const url = await blobURL(path)
  const a = document.createElement('a')
  a.href = url
  a.download = name
  document.body.append(a)
  a.click()
  a.remove()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
