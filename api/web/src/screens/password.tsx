// A forgotten password: a link is asked for by e-mail, and another password chosen by it.
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { ok, open } from '../api/client'
import { current, signOut } from '../api/session'
import { NewPassword, same, useSending } from '../parts/form'
import { useTitle } from '../parts/hooks'
import { Instead, useLinkToken } from '../parts/link'
import { Failure, Field } from '../parts/ui'

export function PasswordScreen() {
  const [token, setToken] = useLinkToken()
  useTitle('Mot de passe')
  return token ? <Choose key={token} token={token} again={() => setToken(null)} /> : <Ask cut={token === ''} />
}

function Ask({ cut }: { cut: boolean }) {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const { at, busy, error, send } = useSending()
  if (sent) {
    return (
      <Instead title="Regardez vos messages">
        <p>Si l’adresse {email.trim()} a un compte, un message y arrive avec un lien, qui sert une seule fois, jusqu’à l’heure indiquée.</p>
        <p>Rien n’arrive ? Regardez parmi les indésirables, ou <button type="button" class="link" onClick={() => setSent(false)}>demandez un autre lien</button>.</p>
        <p><a href="/connexion">Revenir à la connexion</a></p>
      </Instead>
    )
  }
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Mot de passe oublié</h1>
      {cut && <Failure error={{ status: 400, message: 'Le lien est incomplet. Copiez-le en entier depuis le message, ou demandez-en un autre ici.', fields: {}, wait: 0 }} />}
      <p>Donnez l’adresse de votre compte : un lien pour choisir un autre mot de passe y est envoyé.</p>
      <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
        await ok(open.POST('/api/v1/auth/password/forgotten', { body: { email: email.trim() } }))
        setSent(true)
      })}>
        <Failure error={error} />
        <Field label="Adresse e-mail" error={error?.fields.email}>
          {(a) => <input {...a} type="email" name="email" autocomplete="username" maxLength={254} value={email} onInput={(e) => setEmail(e.currentTarget.value)} required />}
        </Field>
        <button type="submit" class="main" disabled={busy}>{busy ? 'Envoi…' : 'Envoyer le lien'}</button>
      </form>
      <p class="aside"><a href="/connexion">Revenir à la connexion</a></p>
    </main>
  )
}

function Choose({ token, again }: { token: string; again: () => void }) {
  const { route } = useLocation()
  const [choice, setChoice] = useState({ value: '', again: '' })
  const { at, busy, error, send } = useSending()
  // A token that the API finds ill-formed is, to who followed the link, a link that does not work.
  if (error && (error.status === 400 || error.fields.token)) {
    return (
      <Instead title="Ce lien ne sert plus">
        <Failure error={{ ...error, message: error.status === 400 ? error.message : 'Le lien est abîmé. Copiez-le en entier depuis le message, ou demandez-en un autre.' }} />
        <p>Votre mot de passe n’a pas changé. <button type="button" class="link" onClick={again}>Demander un autre lien</button></p>
      </Instead>
    )
  }
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Choisir un mot de passe</h1>
      <p>Toutes vos sessions seront fermées, sur tous vos appareils.</p>
      <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
        same(choice)
        await ok(open.POST('/api/v1/auth/password/reset', { body: { token, new_password: choice.value } }))
        if (current().user) await signOut() // what this browser had has ended
        route('/connexion?fait=mot-de-passe', true)
      })}>
        <Failure error={error} />
        <NewPassword name="new_password" label="Nouveau mot de passe" of={choice} set={setChoice} error={error} />
        <button type="submit" class="main" disabled={busy}>{busy ? 'Changement…' : 'Changer le mot de passe'}</button>
      </form>
    </main>
  )
}
