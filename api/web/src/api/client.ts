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

export async function file(path: string, signal?: AbortSignal): Promise<Response> {
  const r = await send(path, signal ? { signal } : {})
  if (!r.ok) throw await failureOf(r)
  return r
}

/** A file of the API that needs the token, as an address of this page; to be revoked. */
export const blobURL = async (path: string, signal?: AbortSignal): Promise<string> => URL.createObjectURL(await (await file(path, signal)).blob())

/** Downloads a file of the API that needs the token, under the name that the API gives it; else under another. */
export async function download(path: string, otherwise: string): Promise<void> {
  const r = await file(path)
  const name = /filename\*=UTF-8''([^;]+)/.exec(r.headers.get('Content-Disposition') ?? '')?.[1]
  saveAs(await r.blob(), name ? decodeURIComponent(name) : otherwise)
}

/** Has the browser keep a file under a name. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const a = document.createElement('a')
  a.href = url
  a.download = name
  document.body.append(a)
  a.click()
  a.remove()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
