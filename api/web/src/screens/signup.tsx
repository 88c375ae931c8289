// An account of one's own: asked for by e-mail, and opened by the link that comes. Whether, and to which addresses, the
// operator has opened this is known to the API alone: its refusal is told as it is.
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { methods, ok, open } from '../api/client'
import { signIn } from '../api/session'
import { asError } from '../api/errors'
import { NewPassword, same, useSending } from '../parts/form'
import { useLoad, useTitle } from '../parts/hooks'
import { Instead, useLinkToken } from '../parts/link'
import { notify } from '../parts/notice'
import { Failure, Field } from '../parts/ui'

export function SignUpScreen() {
  const [token, setToken] = useLinkToken()
  useTitle('Inscription')
  return token ? <Confirm key={token} token={token} again={() => setToken(null)} /> : <Ask cut={token === ''} />
}

function Ask({ cut }: { cut: boolean }) {
  const [form, set] = useState({ email: '', full_name: '' })
  const [sent, setSent] = useState(false)
  const { at, busy, error, send } = useSending()
  const closed = useLoad(() => methods(), []).data?.signup === false
  if (closed || error?.status === 403) {
    return (
      <Instead title="Les inscriptions sont fermées">
        {error ? <Failure error={error} /> : <p>L’administrateur du service ouvre les comptes.</p>}
        <p>Vous avez un compte ? <a href="/connexion">Connectez-vous</a>. Vous êtes une entreprise ? <a href="/entreprises">Demandez un rendez-vous</a>.</p>
      </Instead>
    )
  }
  if (sent) {
    return (
      <Instead title="Regardez vos messages">
        <p>Un message arrive à l’adresse {form.email.trim()}, avec un lien pour confirmer, qui sert une seule fois, pendant un jour.</p>
        <p>Rien n’arrive ? Regardez parmi les indésirables, ou <button type="button" class="link" onClick={() => setSent(false)}>demandez un autre lien</button>.</p>
      </Instead>
    )
  }
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Demander un compte</h1>
      {cut && <Failure error={{ status: 400, message: 'Le lien est incomplet. Copiez-le en entier depuis le message, ou demandez-en un autre ici.', fields: {}, wait: 0 }} />}
      <p>Un lien pour confirmer est envoyé à votre adresse. Là où les inscriptions ne sont pas ouvertes, l’administrateur du service ouvre les comptes.</p>
      <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
        await ok(open.POST('/api/v1/auth/signup', { body: { email: form.email.trim(), full_name: form.full_name.trim() } }))
        setSent(true)
      })}>
        <Failure error={error} />
        <Field label="Adresse e-mail" error={error?.fields.email}>
          {(a) => <input {...a} type="email" name="email" autocomplete="username" maxLength={254} value={form.email} onInput={(e) => set({ ...form, email: e.currentTarget.value })} required />}
        </Field>
        <Field label="Nom" hint="Le vôtre, tel qu’il sera affiché." error={error?.fields.full_name}>
          {(a) => <input {...a} name="full_name" autocomplete="name" maxLength={255} value={form.full_name} onInput={(e) => set({ ...form, full_name: e.currentTarget.value })} required />}
        </Field>
        <button type="submit" class="main" disabled={busy}>{busy ? 'Envoi…' : 'Demander le compte'}</button>
      </form>
      <p class="aside">Vous avez un compte ? <a href="/connexion">Connectez-vous</a>.</p>
    </main>
  )
}

function Confirm({ token, again }: { token: string; again: () => void }) {
  const { route } = useLocation()
  const [choice, setChoice] = useState({ value: '', again: '' })
  const { at, busy, error, send } = useSending()
  if (error && (error.status === 400 || error.status === 403 || error.status === 409 || error.fields.token)) {
    return (
      <Instead title="Le compte n’a pas été ouvert">
        <Failure error={{ ...error, message: error.fields.token ? 'Le lien est abîmé. Copiez-le en entier depuis le message, ou demandez-en un autre.' : error.message }} />
        {error.status === 409 && <p><a href="/connexion">Connectez-vous</a>, ou <a href="/mot-de-passe">demandez un autre mot de passe</a>.</p>}
        {(error.status === 400 || error.fields.token) && <p><button type="button" class="link" onClick={again}>Demander un autre lien</button></p>}
      </Instead>
    )
  }
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Confirmer l’inscription</h1>
      <p>Choisissez un mot de passe : votre compte s’ouvre avec lui.</p>
      <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
        same(choice)
        const user = await ok(open.POST('/api/v1/auth/signup/confirm', { body: { token, password: choice.value } }))
        if (await signIn(user.email, choice.value).catch(asError)) return route('/connexion?fait=inscription', true)
        notify('Votre compte est ouvert.')
        route('/', true)
      })}>
        <Failure error={error} />
        <NewPassword name="password" label="Mot de passe" of={choice} set={setChoice} error={error} />
        <button type="submit" class="main" disabled={busy}>{busy ? 'Ouverture…' : 'Ouvrir le compte'}</button>
      </form>
    </main>
  )
}
