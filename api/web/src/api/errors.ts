// What the API says when it refuses, as the page tells it.
import { typeset } from '../lib/french'
import { span } from '../lib/dates'
import type { Fault } from './types'

/** A refusal: the sentence to show, and for a form the fault of each field. */
export interface ApiError {
  status: number
  message: string
  fields: Record<string, string>
  /** Seconds to wait, 0 when the API does not say. */
  wait: number
  /** 409 of a file that is known: its first text. */
  documentId?: string | null
}

/** Reads a refusal. */
export async function failureOf(r: Response): Promise<ApiError> {
  let body: { detail?: string | Fault[]; document_id?: string | null } = {}
  try {
    body = (await r.json()) as typeof body
  } catch {
    // A proxy's own page, say: the status tells.
  }
  return failure(r.status, body, r.headers)
}

export function failure(status: number, body: { detail?: unknown; document_id?: string | null }, headers: Headers): ApiError {
  const wait = Number(headers.get('Retry-After') ?? 0) || 0
  const fields: Record<string, string> = {}
  let message = ''
  if (Array.isArray(body.detail)) {
    for (const f of body.detail as Fault[]) {
      const field = String(f.loc[f.loc.length - 1] ?? '')
      fields[field] ??= typeset(f.msg)
    }
    message = 'Certains champs sont à corriger.'
  } else if (typeof body.detail === 'string' && body.detail) message = typeset(body.detail)
  else message = status === 0 ? offline : `Le service a répondu de façon inattendue (${status}). Réessayez dans un instant.`
  if (status === 429 && wait > 0 && !/ dans \d/.test(message)) message += ` Revenez dans ${span(wait * 1000)}.`
  return { status, message, fields, wait, documentId: body.document_id ?? null }
}

const offline = 'Le service ne répond pas. Vérifiez votre connexion, puis réessayez.'

/** The error of whatever was thrown. */
export function asError(e: unknown): ApiError {
  if (e && typeof e === 'object' && 'status' in e && 'message' in e) return e as ApiError
  return { status: 0, message: offline, fields: {}, wait: 0 }
}
