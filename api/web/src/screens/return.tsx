// Back from a provider of identities: what it sent is given to the API, and taken out of the address at once.
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { asError, type ApiError } from '../api/errors'
import { arrive } from '../api/provider'
import { useTitle, useWho } from '../parts/hooks'
import { Failure, Waiting } from '../parts/ui'
import { Code, own } from './signin'

/** What a provider says when it sends nobody (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6). */
const told: Record<string, string> = {
  access_denied: 'Le fournisseur d’identité n’a laissé entrer personne : vous avez renoncé, ou il ne vous l’a pas permis.',
  temporarily_unavailable: 'Le fournisseur d’identité est momentanément indisponible. Réessayez dans quelques instants.',
}

export function ReturnScreen({ id }: { id: string }) {
  const { route } = useLocation()
  const who = useWho()
  const [query] = useState(() => new URLSearchParams(location.search))
  const [pending, setPending] = useState('')
  const [to, setTo] = useState('')
  const [error, setError] = useState<ApiError | null>(null)
  const known = who.state !== 'unknown'
  useTitle('Connexion')
  useEffect(() => history.replaceState(null, '', location.pathname), [])
  useEffect(() => {
    if (!known) return
    const code = query.get('code')
    const state = query.get('state')
    if (!code || !state) {
      const message = told[query.get('error') ?? ''] ?? 'Le fournisseur d’identité n’a rien renvoyé d’utilisable. Recommencez la connexion.'
      setError({ status: 400, message, fields: {}, wait: 0 })
      return
    }
    arrive(id, code, state).then((a) => {
      if (a.pending) {
        setTo(a.returnTo)
        setPending(a.pending)
      } else route(own(a.returnTo || '/'), true)
    }, (e: unknown) => setError(asError(e)))
  }, [known])
  useEffect(() => {
    if (pending && who.state === 'signed-in') route(own(to || '/'), true)
  }, [pending, who.state])
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Connexion</h1>
      {error ? <><Failure error={error} /><p><a href="/connexion">Revenir à la connexion</a></p></>
        : pending ? <Code pending={pending} again={() => route('/connexion', true)} />
          : <Waiting text="Vérification de votre identité…" />}
    </main>
  )
}
