// Signing in: as a screen, and as a dialog over whatever was open when the session ended.
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { asError, type ApiError } from '../api/errors'
import { signIn, signInCode } from '../api/session'
import { useTitle, useWho } from '../parts/hooks'
import { Failure, Field } from '../parts/ui'

/** Only addresses of this page are gone to after signing in. */
function own(next: string): string {
  return /^\/(?![/\\])/.test(next) && !next.startsWith('/connexion') ? next : '/'
}

export function SignIn({ next, told }: { next: string; told?: string | undefined }) {
  const { route } = useLocation()
  const who = useWho()
  useTitle('Connexion')
  const there = own(next)
  const done = who.state === 'signed-in' && location.pathname === '/connexion'
  useEffect(() => {
    if (done) route(there, true)
  }, [done])
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Connexion</h1>
      {told && <p role="status">{told}</p>}
      <SignInForm email="" />
      <p class="aside">Pas de compte ? L’administrateur du service en ouvre ; là où les inscriptions sont ouvertes, <a href="/inscription">demandez-en un</a>. Vous êtes une entreprise ? <a href="/entreprises">Demandez un rendez-vous</a>.</p>
    </main>
  )
}

export function SignInForm({ email }: { email: string }) {
  const [pending, setPending] = useState('')
  return pending ? <Code pending={pending} again={() => setPending('')} /> : <Password email={email} onPending={setPending} />
}

/** The second step, for an account with a second factor. */
function Code({ pending, again }: { pending: string; again: () => void }) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const here = useRef(true)
  useEffect(() => {
    field.current?.focus()
    return () => void (here.current = false)
  }, [])
  const submit = async (e: Event) => {
    e.preventDefault()
    setBusy(true)
    setError(null)
    const refused = await signInCode(pending, code).catch(asError)
    if (!here.current) return
    setBusy(false)
    setError(refused)
    if (refused) field.current?.select()
  }
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <Failure error={error} />
      <Field label="Code de vérification" hint="Les six chiffres que montre votre application, ou l’un de vos codes de secours." error={error?.fields.code}>
        {(a) => <input {...a} ref={field} name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck={false} maxLength={64} value={code}
          onInput={(e) => setCode(e.currentTarget.value)} required />}
      </Field>
      <button type="submit" class="main" disabled={busy}>{busy ? 'Vérification…' : 'Continuer'}</button>
      <p><button type="button" class="link" onClick={again}>Recommencer avec le mot de passe</button></p>
    </form>
  )
}

function Password({ email: first, onPending }: { email: string; onPending: (token: string) => void }) {
  const [email, setEmail] = useState(first)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const start = useRef<HTMLInputElement>(null)
  const here = useRef(true)
  useEffect(() => {
    start.current?.focus()
    return () => void (here.current = false)
  }, [])
  const submit = async (e: Event) => {
    e.preventDefault()
    setBusy(true)
    setError(null)
    const refused = await signIn(email, password).catch(asError)
    if (!here.current) return
    setBusy(false)
    if (refused && 'pending' in refused) onPending(refused.pending)
    else setError(refused)
  }
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <Failure error={error} />
      <Field label="Adresse e-mail" error={error?.fields.email}>
        {(a) => <input {...a} ref={first ? null : start} type="email" name="email" autocomplete="username" value={email}
          onInput={(e) => setEmail(e.currentTarget.value)} required />}
      </Field>
      <Field label="Mot de passe" error={error?.fields.password}>
        {(a) => <input {...a} ref={first ? start : null} type="password" name="password" autocomplete="current-password" value={password}
          onInput={(e) => setPassword(e.currentTarget.value)} required />}
      </Field>
      <button type="submit" class="main" disabled={busy}>{busy ? 'Connexion…' : 'Se connecter'}</button>
      <p><a href="/mot-de-passe">Mot de passe oublié</a></p>
    </form>
  )
}
