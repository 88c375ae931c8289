// One's own account: who one is, the password, and where one is signed in.
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import { api, download, ok } from '../api/client'
import { asError } from '../api/errors'
import { dropProof } from '../api/provider'
import { expire, renamed, signIn } from '../api/session'
import type { User } from '../api/types'
import { countryWord, roleWord } from '../lib/french'
import { chooseSaving, chosenSaving } from '../lib/saving'
import { chooseTheme, chosenTheme, type Theme } from '../lib/theme'
import { NewPassword, same, useSending } from '../parts/form'
import { useCountries, useHome } from '../parts/country'
import { useTitle, useWho } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Owner, ownerOf } from '../parts/owner'
import { Failure, Field } from '../parts/ui'
import { SecondFactor } from './factor'
import { Alerts } from './alerts'
import { Links } from './links'
import { Sessions } from './sessions'
import { quit } from '../parts/quit'

export function AccountScreen() {
  const { user } = useWho()
  const { route } = useLocation()
  const [changes, setChanges] = useState(0)
  useTitle('Compte')
  if (!user) return null
  return (
    <main class="narrow" id="contenu">
      <div class="head"><h1 tabIndex={-1}>Compte</h1><button type="button" onClick={() => void quit().then(() => route('/'))}>Quitter</button></div>
      <dl class="facts">
        <dt>Nom</dt><dd>{user.full_name}</dd>
        <dt>Adresse e-mail</dt><dd>{user.email}</dd>
        <dt>Rôle</dt><dd>{roleWord(user.role)}</dd>
      </dl>
      <Name user={user} />
      <Country />
      <Password email={user.email} onDone={() => setChanges(changes + 1)} />
      <SecondFactor onChange={() => setChanges(changes + 1)} />
      <Sessions key={changes} />
      <Alerts />
      <Links />
      <Colours />
      <OwnData />
      <Deletion email={user.email} />
    </main>
  )
}

const themes: readonly [Theme, string][] = [['device', 'Celles de l’appareil'], ['light', 'Claires'], ['dark', 'Sombres']]

/** The colours of the page in this browser. */
function Colours() {
  const [theme, set] = useState(chosenTheme)
  return (
    <section class="part" aria-labelledby="couleurs">
      <h2 id="couleurs">Couleurs</h2>
      <label for="theme">Couleurs de la page, dans ce navigateur</label>
      <select id="theme" value={theme} onChange={(e) => {
        const chosen = e.currentTarget.value as Theme
        chooseTheme(chosen)
        set(chosen)
      }}>{themes.map(([name, word]) => <option key={name} value={name}>{word}</option>)}</select>
      <p><label class="check"><input type="checkbox" defaultChecked={chosenSaving()} onChange={(e) => chooseSaving(e.currentTarget.checked)} /> Peu de données{'\u202f'}: les images des gazettes ne viennent que si je les demande</label></p>
    </section>
  )
}

/** Everything that is kept of the person, as a file. */
function OwnData() {
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    await download('/api/v1/me/export', 'vigueur-mes-donnees.json').catch((e: unknown) => notify(asError(e).message))
    setBusy(false)
  }
  return (
    <section class="part" aria-labelledby="mes-donnees">
      <h2 id="mes-donnees">Vos données</h2>
      <p>Tout ce qui appartient à votre compte, en un fichier (JSON) : compte, sessions, clés, demandes, conversations avec leurs réponses et vos avis. Les mots de passe et les secrets n’y sont pas.</p>
      <button type="button" disabled={busy} onClick={() => void take()}>{busy ? 'Préparation du fichier…' : 'Emporter mes données'}</button>
    </section>
  )
}

/** The end of the account, for good. */
function Deletion({ email }: { email: string }) {
  const [asked, ask] = useState(false)
  return (
    <section class="part" aria-labelledby="suppression">
      <h2 id="suppression">Supprimer mon compte</h2>
      <p>Sans retour. S’effacent{'\u202f'}: votre nom et votre adresse, vos sessions et vos clés, vos conversations et leurs liens, vos alertes, vos demandes de rendez-vous et les messages qui vous attendent. Restent{'\u202f'}: ce que vous avez apporté au catalogue, et le journal du service, où un pseudonyme vous remplace{'\u202f'}; les sauvegardes, jusqu’à leur fin. Emportez d’abord vos données si vous y tenez.</p>
      {asked ? <Delete email={email} /> : <button type="button" onClick={() => ask(true)}>Supprimer mon compte</button>}
    </section>
  )
}

function Delete({ email }: { email: string }) {
  const { route } = useLocation()
  const [password, setPassword] = useState('')
  const { at, busy, error, send } = useSending()
  return (
    <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
      await ok(api.POST('/api/v1/me/delete', { body: ownerOf('password', password) }))
      dropProof()
      await quit()
      route('/')
      notify('Votre compte est supprimé.')
    })}>
      <Failure error={error} />
      <input type="email" class="sr" autocomplete="username" value={email} readOnly tabIndex={-1} aria-hidden="true" />
      <Owner name="password" label="Votre mot de passe" value={password} set={setPassword} error={error} />
      <button type="submit" class="danger" disabled={busy}>{busy ? 'Suppression…' : 'Supprimer pour toujours'}</button>
    </form>
  )
}

function Name({ user }: { user: User }) {
  const [typed, set] = useState<string | null>(null)
  const name = typed ?? user.full_name
  const { at, busy, error, send } = useSending()
  return (
    <form class="part stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
      const { full_name } = await ok(api.PATCH('/api/v1/me', { body: { full_name: name.trim() } }))
      renamed(full_name)
      set(null)
      notify('Votre nom est changé.')
    })}>
      <h2>Nom</h2>
      <Failure error={error} />
      <Field label="Votre nom" hint="De 1 à 255 caractères, tel qu’il est affiché." error={error?.fields.full_name}>
        {(a) => <input {...a} name="full_name" autocomplete="name" maxLength={255} value={name} onInput={(e) => set(e.currentTarget.value)} required />}
      </Field>
      <button type="submit" class="main" disabled={busy || name.trim() === user.full_name}>{busy ? 'Changement…' : 'Changer le nom'}</button>
    </form>
  )
}

/** The country whose law answers questions that name none. */
function Country() {
  const countries = useCountries()
  const { pays, choose } = useHome()
  return (
    <section class="part" aria-labelledby="votre-pays">
      <h2 id="votre-pays">Pays</h2>
      <label for="own-country">Le droit de ce pays répond à vos questions qui n’en nomment pas, et vient d’abord dans le catalogue</label>
      <select id="own-country" value={pays ?? ''} disabled={pays === undefined} onChange={(e) => void choose(e.currentTarget.value)}>
        <option value="">Tous les pays</option>
        {pays && !countries.some((c) => c.pays === pays) && <option value={pays}>{countryWord(pays)}</option>}
        {countries.map((c) => <option key={c.pays} value={c.pays}>{c.word}</option>)}
      </select>
    </section>
  )
}

const none = { value: '', again: '' }

function Password({ email, onDone }: { email: string; onDone: () => void }) {
  const [now, setNow] = useState('')
  const [choice, setChoice] = useState(none)
  const { at, busy, error, send } = useSending()
  return (
    <form class="part stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
      same(choice)
      await ok(api.POST('/api/v1/auth/password', { body: { ...ownerOf('current_password', now), new_password: choice.value } }))
      dropProof()
      setNow('')
      setChoice(none)
      const refused = await signIn(email, choice.value) // every token of before has ended, this session's too
      if (refused && 'pending' in refused) {
        notify('Le mot de passe est changé. Connectez-vous avec le nouveau.')
        return expire()
      }
      if (refused) throw refused
      onDone()
      notify('Le mot de passe est changé. Vos autres sessions sont fermées.')
    })}>
      <h2>Mot de passe</h2>
      <p>Changer de mot de passe ferme toutes vos autres sessions, sur tous vos appareils.</p>
      <Failure error={error} />
      <input type="email" class="sr" autocomplete="username" value={email} readOnly tabIndex={-1} aria-hidden="true" />
      <Owner name="current_password" label="Mot de passe actuel" value={now} set={setNow} error={error} />
      <NewPassword name="new_password" label="Nouveau mot de passe" of={choice} set={setChoice} error={error} />
      <button type="submit" class="main" disabled={busy}>{busy ? 'Changement…' : 'Changer le mot de passe'}</button>
    </form>
  )
}
