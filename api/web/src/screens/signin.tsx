// Signing in: as a screen, and as a dialog over whatever was open when the session ended.
import { useLocation } from 'preact-iso'
import { useEffect, useRef, useState } from 'preact/hooks'
import { asError, type ApiError } from '../api/errors'
import { methods } from '../api/client'
import { signIn, signInCode } from '../api/session'
import { useLoad, useTitle, useWho } from '../parts/hooks'
import { Failure, Field, PasswordBox } from '../parts/ui'

/** Only addresses of this page are gone to after signing in. */
export function own(next: string): string {
  return /^\/(?![/\\])/.test(next) && !next.startsWith('/connexion') ? next : '/'
}

export function SignIn({ next, told }: { next: string; told?: string | undefined }) {
  const { route } = useLocation()
  const who = useWho()
  useTitle('Connexion')
  const there = own(next)
  const signup = useLoad(() => methods(), []).data?.signup
  const done = who.state === 'signed-in' && location.pathname === '/connexion'
  useEffect(() => {
    if (done) route(there, true)
  }, [done])
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Connexion</h1>
      {told && <p role="status">{told}</p>}
      <SignInForm email="" next={there} />
      <p class="aside">Pas de compte ? {signup ? <a href="/inscription">Demandez-en un.</a> : 'L’administrateur du service en ouvre.'} Vous êtes une entreprise ? <a href="/entreprises">Demandez un rendez-vous</a>.</p>
    </main>
  )
}

export function SignInForm({ email, next }: { email: string; next: string }) {
  const [pending, setPending] = useState('')
  if (pending) return <Code pending={pending} again={() => setPending('')} />
  return (
    <>
      <Password email={email} onPending={setPending} />
      <Providers next={next} />
    </>
  )
}

interface Named { id: string; name: string }

/** Goes to a provider. Most people never do, so the page does not load at first how to. */
const visit = (id: string, next: string) => import('../api/provider').then((m) => m.visit(id, next))

/** The providers of identities, where there are some: the password alone is offered until, and unless, the API names others. */
function Providers({ next }: { next: string }) {
  const [list, set] = useState<Named[]>([])
  const [error, setError] = useState<ApiError | null>(null)
  useEffect(() => {
    let here = true
    methods().then((m) => here && set(m.providers), () => undefined)
    return () => void (here = false)
  }, [])
  if (list.length === 0) return null
  return (
    <div class="stack providers">
      <p>Ou sans mot de passe :</p>
      <Failure error={error} />
      {list.map((p) => <button type="button" key={p.id} onClick={() => void visit(p.id, next).catch((e: unknown) => setError(asError(e)))}>Se connecter par {p.name}</button>)}
    </div>
  )
}

/** The second step, for an account with a second factor. */
export function Code({ pending, again }: { pending: string; again: () => void }) {
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
      <p><button type="button" class="link" onClick={again}>Recommencer</button></p>
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
        {(a) => <PasswordBox {...a} box={first ? start : null} name="password" autocomplete="current-password" value={password}
          onInput={(e) => setPassword(e.currentTarget.value)} required />}
      </Field>
      <button type="submit" class="main" disabled={busy}>{busy ? 'Connexion…' : 'Se connecter'}</button>
      <p><a href="/mot-de-passe">Mot de passe oublié</a></p>
    </form>
  )
}
