// A program on another machine asks for a session: its code, its name, yes or no.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import { useLoad, useTitle, useWho } from '../parts/hooks'
import { Failure, Field, Show } from '../parts/ui'

export function DeviceScreen() {
  const [code, setCode] = useState(() => new URLSearchParams(location.search).get('code') ?? '')
  const [typed, setTyped] = useState(code)
  const [ended, setEnded] = useState('')
  useTitle('Connecter une autre machine')
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Connecter une autre machine</h1>
      {ended ? <p role="status">{ended}</p> : code ? <Answer code={code} onEnd={setEnded} onOther={() => setCode('')} /> : (
        <form class="stack" onSubmit={(e) => { e.preventDefault(); setCode(typed.trim()) }}>
          <Field label="Code affiché par l’autre machine">
            {(a) => <input {...a} name="code" value={typed} required minLength={8} maxLength={9} autocomplete="off" autocapitalize="characters" spellcheck={false}
              onInput={(e) => setTyped(e.currentTarget.value)} />}
          </Field>
          <button type="submit" class="main">Continuer</button>
        </form>
      )}
    </main>
  )
}

function Answer({ code, onEnd, onOther }: { code: string; onEnd: (said: string) => void; onOther: () => void }) {
  const who = useWho()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const params = { path: { code } }
  const asked = useLoad((signal) => ok(api.GET('/api/v1/auth/devices/{code}', { params, signal })), [code])
  const answer = (allowed: boolean) => {
    setBusy(true)
    setError(null)
    ok(api.POST('/api/v1/auth/devices/{code}', { params, body: { allowed } })).then(
      () => onEnd(allowed ? 'La machine est connectée. Vous pouvez fermer cette page.' : 'La connexion est refusée.'),
      (e: unknown) => { setBusy(false); setError(asError(e)) },
    )
  }
  return (
    <>
      <Show of={asked} waiting="Lecture de la demande…">{(device) => (
        <>
          <p><strong class="verbatim">{device.name}</strong> demande à agir en votre nom ({who.user?.email}), avec tous les droits de votre compte.</p>
          <p>Elle affiche le code <strong class="verbatim">{code}</strong>. N’acceptez que si vous venez d’y lancer la connexion et y lisez ce code : personne n’a de raison de vous l’envoyer.</p>
          <p class="meta">Vous pourrez mettre fin à cette session dans « Compte », « Sessions ».</p>
          <Failure error={error} />
          <div class="row">
            <button type="button" class="main" disabled={busy} onClick={() => answer(true)}>Connecter</button>
            <button type="button" disabled={busy} onClick={() => answer(false)}>Refuser</button>
          </div>
        </>
      )}</Show>
      {asked.error && <button type="button" onClick={onOther}>Saisir un autre code</button>}
    </>
  )
}
