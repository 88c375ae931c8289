// The second factor: chosen, with its recovery codes shown once, and removed. As a part of one's account, and as the one
// screen that is open to who must choose one first.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { adopt } from '../api/session'
import type { FactorOffer } from '../api/types'
import { since } from '../lib/dates'
import { useSending } from '../parts/form'
import { useLoad, useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Owner, ownerOf } from '../parts/owner'
import { Failure, Field, Show } from '../parts/ui'
import './factor.css'
import { quit } from '../parts/quit'

const path = '/api/v1/auth/second-factor'

/** The screen of who may do nothing else. */
export function EnrollScreen({ onDone }: { onDone: () => void }) {
  useTitle('Second facteur')
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Choisissez un second facteur</h1>
      <p>Ce service demande un second facteur aux comptes de votre rôle : en plus du mot de passe, un code que montre une application de votre téléphone. Le reste s’ouvre ensuite.</p>
      <Choose onDone={onDone} />
      <p class="aside"><button type="button" class="link" onClick={() => void quit()}>Quitter</button></p>
    </main>
  )
}

/** The part of one's account. */
export function SecondFactor({ onChange }: { onChange: () => void }) {
  const state = useLoad((signal) => ok(api.GET(path, { signal })), [])
  const heading = useRef<HTMLHeadingElement>(null)
  const changed = () => {
    state.reload()
    onChange()
    heading.current?.focus()
  }
  return (
    <section class="factor part" aria-labelledby="second-facteur">
      <h2 id="second-facteur" ref={heading} tabIndex={-1}>Second facteur</h2>
      <Show of={state} waiting="Lecture du second facteur…">{(f) => f.enabled
        ? <Chosen begun={f.enabled_at} left={f.recovery_codes_left} required={f.required} onDone={changed} />
        : <>
            <p>En plus du mot de passe, un code que montre une application de votre téléphone : qui apprend votre mot de passe n’entre pas.</p>
            <Choose onDone={changed} />
          </>}
      </Show>
    </section>
  )
}

function Choose({ onDone }: { onDone: () => void }) {
  const [offer, setOffer] = useState<FactorOffer | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <Codes codes={codes} onDone={onDone} />
  return offer ? <Confirm offer={offer} onCodes={setCodes} /> : <Begin onOffer={setOffer} />
}

function Begin({ onOffer }: { onOffer: (o: FactorOffer) => void }) {
  const [password, setPassword] = useState('')
  const { at, busy, error, send } = useSending()
  return (
    <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => onOffer(await ok(api.POST(path, { body: ownerOf('password', password) }))))}>
      <Failure error={error} />
      <Owner name="password" label="Votre mot de passe" value={password} set={setPassword} error={error} />
      <button type="submit" class="main" disabled={busy}>{busy ? 'Préparation…' : 'Choisir un second facteur'}</button>
    </form>
  )
}

function Confirm({ offer, onCodes }: { offer: FactorOffer; onCodes: (codes: string[]) => void }) {
  const [code, setCode] = useState('')
  const { at, busy, error, send } = useSending()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const { size, path: dark } = offer.qr
  return (
    <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
      const { recovery_codes, session } = await ok(api.POST(`${path}/confirm`, { body: { code, cookie: true } }))
      onCodes(recovery_codes)
      adopt(session)
    })}>
      <p>Ouvrez votre application de codes, ajoutez un compte, et montrez-lui ce dessin.</p>
      <svg class="qr" viewBox={`-4 -4 ${size + 8} ${size + 8}`} shape-rendering="crispEdges" role="img" aria-label="Code QR du secret ; le même secret suit en toutes lettres"><path d={dark} /></svg>
      <p>Ou recopiez-y ce secret : <span class="secret">{offer.secret.replace(/(.{4})(?=.)/g, '$1 ')}</span></p>
      <Failure error={error} />
      <Field label="Code de vérification" hint="Les six chiffres que l’application montre alors." error={error?.fields.code}>
        {(a) => <input {...a} ref={field} name="code" inputMode="numeric" autocomplete="one-time-code" maxLength={64} value={code} onInput={(e) => setCode(e.currentTarget.value)} required />}
      </Field>
      <button type="submit" class="main" disabled={busy}>{busy ? 'Vérification…' : 'Confirmer'}</button>
    </form>
  )
}

/** The recovery codes, this one time. */
function Codes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const copy = () => void navigator.clipboard.writeText(codes.join('\n')).then(() => notify('Les codes sont copiés.'), () => notify('Le navigateur a refusé la copie : imprimez les codes, ou recopiez-les.'))
  return (
    <div>
      <h3 ref={title} tabIndex={-1}>Codes de secours de Vigueur</h3>
      <p>Chacun remplace une fois le code de l’application, si vous perdez votre téléphone. Ils ne seront plus jamais montrés : gardez-les ailleurs que sur lui.</p>
      <ol class="recovery">{codes.map((c) => <li key={c}>{c}</li>)}</ol>
      <div class="row">
        <button type="button" onClick={() => print()}>Imprimer</button>
        <button type="button" onClick={copy}>Copier</button>
        <button type="button" class="main" onClick={onDone}>J’ai gardé ces codes</button>
      </div>
    </div>
  )
}

const empty = { password: '', code: '' }

function Chosen({ begun, left, required, onDone }: { begun: string | null; left: number; required: boolean; onDone: () => void }) {
  const [form, set] = useState(empty)
  const [codes, setCodes] = useState<string[] | null>(null)
  const { at, busy, error, send } = useSending()
  if (codes) {
    return <Codes codes={codes} onDone={() => {
      setCodes(null)
      onDone()
    }} />
  }
  const remove = async () => {
    await ok(api.POST(`${path}/disable`, { body: { ...ownerOf('password', form.password), code: form.code } }))
    notify('Le second facteur est retiré.')
    onDone()
  }
  return (
    <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
      setCodes((await ok(api.POST(`${path}/recovery-codes`, { body: { ...ownerOf('password', form.password), code: form.code } }))).recovery_codes)
      set(empty)
    })}>
      <p>En place{begun && <> {since(begun)}</>}. {left === 0 ? 'Il ne reste aucun code de secours.' : left === 1 ? 'Il reste un code de secours.' : `Il reste ${left} codes de secours.`}
        {required && ' Votre rôle l’exige : si vous le retirez, il faudra en choisir un autre avant toute autre chose.'}</p>
      <Failure error={error} />
      <Owner name="password" label="Votre mot de passe" value={form.password} set={(password) => set({ ...form, password })} error={error} />
      <Field label="Code de vérification" hint="De l’application, ou un code de secours." error={error?.fields.code}>
        {(a) => <input {...a} name="code" autocomplete="one-time-code" autocapitalize="off" maxLength={64} value={form.code} onInput={(e) => set({ ...form, code: e.currentTarget.value })} required />}
      </Field>
      <div class="row">
        <button type="submit" disabled={busy}>Refaire les codes de secours</button>
        <button type="button" class="danger" disabled={busy} onClick={(e) => void send(e, remove)}>Retirer le second facteur</button>
      </div>
    </form>
  )
}
