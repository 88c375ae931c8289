// A button that follows the law, whose changes are then told among the account's alerts.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError } from '../api/errors'
import type { NewFollow } from '../api/types'
import { notify } from './notice'

export function FollowButton({ of, quiet, about }: { of: NewFollow; quiet?: boolean; about: string }) {
  const [followed, follow] = useState<string | null>(null)
  const [busy, wait] = useState(false)
  const toggle = async () => {
    wait(true)
    try {
      if (followed) await ok(api.DELETE('/api/v1/me/follows/{id}', { params: { path: { id: followed } } }))
      const made = followed ? null : await ok(api.POST('/api/v1/me/follows', { body: of }))
      follow(made?.id ?? null)
      void import('../lib/offline').then((m) => m.keepAll()).catch(() => undefined)
      notify(made ? 'Vous serez averti des changements\u202f: page Compte, partie Alertes.' : 'Vous n’en serez plus averti.')
    } catch (e) {
      notify(asError(e).message)
    }
    wait(false)
  }
  return <button type="button" class={quiet ? 'quiet' : undefined} disabled={busy} aria-pressed={followed !== null} onClick={() => void toggle()} aria-label={`${followed ? 'Ne plus suivre' : 'Suivre'}\u202f: ${about}`}>{followed ? 'Suivi' : 'Suivre'}</button>
}
