// A program asks to use the tools of the service for who is signed in: who it is, what it may do, yes or no.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import { useLoad, useTitle, useWho } from '../parts/hooks'
import { Failure, Show } from '../parts/ui'

export function AuthorizeScreen() {
  const who = useWho()
  const [request] = useState(() => location.search.slice(1))
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  useTitle('Autoriser un programme')
  const asked = useLoad((signal) => ok(api.POST('/api/v1/auth/programs/request', { body: { request: request || '-' }, signal })), [request])
  const allow = () => {
    setBusy(true)
    setError(null)
    ok(api.POST('/api/v1/auth/programs', { body: { request } })).then(({ address }) => location.replace(address), (e: unknown) => {
      setBusy(false)
      setError(asError(e))
    })
  }
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Autoriser un programme</h1>
      <Show of={asked} waiting="Lecture de la demande…">{(program) => (
        <>
          <p><strong class="verbatim">{program.name}</strong> demande à interroger Vigueur en votre nom ({who.user?.email}).</p>
          <ul>
            <li>Il pourra chercher dans le catalogue, poser des questions et faire vérifier des textes. Ses questions comptent comme les vôtres.</li>
            <li>Il ne pourra ni lire vos conversations, ni changer votre compte.</li>
            <li>Vous reviendrez à <strong class="verbatim">{program.address}</strong>. Son nom est celui qu’il se donne : n’acceptez que si vous venez de le lui demander.</li>
          </ul>
          <p class="meta">Vous pourrez mettre fin à cette autorisation dans « Compte », « Sessions ».</p>
          <Failure error={error} />
          <div class="row">
            <button type="button" class="main" disabled={busy} onClick={allow}>Autoriser</button>
            <button type="button" disabled={busy} onClick={() => location.replace(program.refused)}>Refuser</button>
          </div>
        </>
      )}</Show>
    </main>
  )
}
