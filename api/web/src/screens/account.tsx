// One's own account: who one is, the password, and leaving.
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import { signIn, signOut } from '../api/session'
import { roleWord } from '../lib/french'
import { useTitle, useWho } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Failure, Field } from '../parts/ui'

export function AccountScreen() {
  const { user } = useWho()
  const { route } = useLocation()
  useTitle('Compte')
  if (!user) return null
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Compte</h1>
      <dl class="facts">
        <dt>Nom</dt><dd>{user.full_name}</dd>
        <dt>Adresse e-mail</dt><dd>{user.email}</dd>
        <dt>Rôle</dt><dd>{roleWord(user.role)}</dd>
      </dl>
      <Password email={user.email} />
      <h2>Session</h2>
      <p>Changer de mot de passe ferme toutes vos autres sessions, sur tous vos appareils.</p>
      <button type="button" onClick={() => void signOut().then(() => route('/'))}>Quitter cette session</button>
    </main>
  )
}

function Password({ email }: { email: string }) {
  const [now, setNow] = useState('')
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const differs = again !== '' && again !== next
  const submit = async (e: Event) => {
    e.preventDefault()
    if (next !== again) return setError({ status: 0, message: 'Les deux nouveaux mots de passe ne sont pas les mêmes.', fields: { again: 'Écrivez deux fois le même.' }, wait: 0 })
    setBusy(true)
    setError(null)
    try {
      await ok(api.POST('/api/v1/auth/password', { body: { current_password: now, new_password: next } }))
      const refused = await signIn(email, next) // every token of before has ended, this session's too
      if (refused) throw refused
      setNow('')
      setNext('')
      setAgain('')
      notify('Le mot de passe est changé. Vos autres sessions sont fermées.')
    } catch (e) {
      setError(asError(e))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <h2>Mot de passe</h2>
      <Failure error={error} />
      <input type="email" class="sr" autocomplete="username" value={email} readOnly tabIndex={-1} aria-hidden="true" />
      <Field label="Mot de passe actuel" error={error?.fields.current_password}>
        {(a) => <input {...a} type="password" autocomplete="current-password" value={now} onInput={(e) => setNow(e.currentTarget.value)} />}
      </Field>
      <Field label="Nouveau mot de passe" hint="De 12 à 128 caractères." error={error?.fields.new_password}>
        {(a) => <input {...a} type="password" autocomplete="new-password" value={next} onInput={(e) => setNext(e.currentTarget.value)} />}
      </Field>
      <Field label="Le même, une seconde fois" error={differs ? 'Écrivez deux fois le même.' : error?.fields.again}>
        {(a) => <input {...a} type="password" autocomplete="new-password" value={again} onInput={(e) => setAgain(e.currentTarget.value)} />}
      </Field>
      <button type="submit" class="main" disabled={busy}>{busy ? 'Changement…' : 'Changer le mot de passe'}</button>
    </form>
  )
}
