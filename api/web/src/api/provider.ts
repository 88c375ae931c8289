// Signing in at a provider of identities: the browser goes there and comes back to /connexion/retour/ID.
import { failureOf } from './errors'
import { current, opened, send, type Pending } from './session'
import type { ApiError } from './errors'

const root = '/api/v1/auth/providers/'
const fresh = 'vigueur.fresh' // in sessionStorage: one has gone to confirm who one is, and not to sign in

const body = (value: unknown): RequestInit => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) })

function mark(on: boolean): void {
  try {
    if (on) sessionStorage.setItem(fresh, '1')
    else sessionStorage.removeItem(fresh)
  } catch {
    // A browser that keeps nothing: one comes back as if to sign in, and is told to begin again.
  }
}

function marked(): boolean {
  try {
    return sessionStorage.getItem(fresh) === '1'
  } catch {
    return false
  }
}

async function go(reply: Response): Promise<void> {
  if (!reply.ok) throw await failureOf(reply)
  location.assign(((await reply.json()) as { authorization_url: string }).authorization_url)
}

/** Goes to a provider to sign in; throws the API's refusal. */
export async function visit(id: string, returnTo: string): Promise<void> {
  mark(false)
  await go(await fetch(root + id, body({ return_to: returnTo })))
}

/** Goes to a provider to confirm who one is. */
export async function confirm(id: string, returnTo: string): Promise<void> {
  mark(true)
  await go(await send(`${root}${id}/fresh`, body({ return_to: returnTo })))
}

/** Where one comes back to: signed in, with a code still to give, or with who one is confirmed. */
export interface Arrival { returnTo: string; pending?: string }

/** Ends a visit by what the provider sent back; throws the API's refusal. */
export async function arrive(id: string, code: string, state: string): Promise<Arrival> {
  const again = marked() && current().user !== null
  mark(false)
  if (again) {
    const r = await send(`${root}${id}/fresh/callback`, body({ code, state }))
    if (!r.ok) throw await failureOf(r)
    const { proof, expires_in, return_to } = (await r.json()) as { proof: string; expires_in: number; return_to: string }
    keep(proof, expires_in)
    return { returnTo: return_to }
  }
  const r = await fetch(`${root}${id}/callback`, body({ code, state, cookie: true }))
  const said = r.clone()
  if (r.status === 202) {
    const { pending_token, return_to } = (await r.json()) as { pending_token: string; return_to: string }
    return { returnTo: return_to, pending: pending_token }
  }
  const refused: ApiError | Pending | null = await opened(r)
  if (refused) throw refused
  return { returnTo: ((await said.json()) as { return_to: string }).return_to }
}

let proof = ''
let until = 0

function keep(token: string, seconds: number): void {
  proof = token
  until = Date.now() + seconds * 1000
}

/** The proof of who one is, for as long as it is good: it stands in the password's place. */
export const proofNow = (): string => (Date.now() < until ? proof : '')

/** Forgets the proof: what it was for is done, or it was refused. */
export const dropProof = (): void => void (until = 0)
