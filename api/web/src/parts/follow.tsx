// A button that follows the law, whose changes are then told among the account's alerts.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError } from '../api/errors'
import type { NewFollow } from '../api/types'
import { notify } from './notice'

export function FollowButton({ of, quiet, about }: { of: NewFollow; quiet?: boolean; about: string }) {
  const [state, setState] = useState<'open' | 'busy' | 'followed'>('open')
  const follow = () => {
    setState('busy')
    ok(api.POST('/api/v1/me/follows', { body: of })).then(() => {
      setState('followed')
      notify('Vous serez averti des changements\u202f: page Compte, partie Alertes.')
    }, (e: unknown) => {
      setState('open')
      notify(asError(e).message)
    })
  }
  return <button type="button" class={quiet ? 'quiet' : undefined} disabled={state !== 'open'} onClick={follow} aria-label={`${state === 'followed' ? 'Suivi' : 'Suivre'}\u202f: ${about}`}>{state === 'followed' ? 'Suivi' : 'Suivre'}</button>
}
