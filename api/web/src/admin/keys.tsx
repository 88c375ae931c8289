// The keys by which programs act for accounts: made, shown the one time, revoked.
import { useEffect, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { Account, ApiKey, NewApiKey, Scope } from '../api/types'
import { moment, until } from '../lib/dates'
import { count } from '../lib/french'
import { useSending } from '../parts/form'
import { useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Table } from './table'
import { Dialog, Failure, Field } from '../parts/ui'
import { useCursor } from './list'
import { More } from './more'

const scopeWords: Record<Scope, string> = { chat: 'Questions', documents: 'Catalogue', ingest: 'Gazettes', mcp: 'Assistants (MCP)' }
const scopes = Object.keys(scopeWords) as Scope[]

const state = (k: ApiKey): string =>
  k.revoked_at ? `Révoquée, ${moment(k.revoked_at)}` : new Date(k.expires_at) <= new Date() ? `Expirée, ${moment(k.expires_at)}` : `Vaut ${until(k.expires_at)}`
const living = (k: ApiKey): boolean => !k.revoked_at && new Date(k.expires_at) > new Date()

export function Keys() {
  const [making, make] = useState(false)
  const [made, show] = useState<NewApiKey | null>(null)
  const [revoking, revoke] = useState<ApiKey | null>(null)
  useTitle('Clés d’API')
  const list = useCursor<ApiKey>((before) => ok(api.GET('/api/v1/admin/keys', { params: { query: { limit: 100, ...(before ? { before } : {}) } } })), [])
  return (
    <>
      <div class="head"><h1 tabIndex={-1}>Clés d’API</h1><button type="button" class="main" onClick={() => make(true)}>Faire une clé</button></div>
      {list.items.length > 0 && (
        <Table label="Clés d’API" rows={list.items} id={(k) => k.id} columns={[
          { head: 'Nom', of: (k) => k.name, class: 'verbatim' },
          { head: 'Début', of: (k) => `${k.prefix}…`, class: 'code verbatim' },
          { head: 'Compte', of: (k) => k.user_email },
          { head: 'Portées', of: (k) => k.scopes.map((s) => scopeWords[s]).join(', ') },
          { head: 'Quota', of: (k) => `${count(k.per_minute)} par minute, ${count(k.per_day)} par jour` },
          { head: 'Dernier appel', of: (k) => (k.last_used_at ? moment(k.last_used_at) : 'jamais') },
          { head: 'État', of: state },
          { head: 'Action', of: (k) => living(k) && <button type="button" class="quiet" aria-label={`Révoquer ${k.name}`} onClick={() => revoke(k)}>Révoquer</button> },
        ]} />
      )}
      <More of={list} none="Aucune clé." />
      {making && <Making onDone={(k) => {
        make(false)
        if (k) show(k)
      }} />}
      {made && <Shown of={made} onClose={() => {
        show(null)
        list.reload()
      }} />}
      {revoking && <Revoking of={revoking} onDone={(done) => {
        revoke(null)
        if (done) list.reload()
      }} />}
    </>
  )
}

/** Every open account, read page after page; null until all are there. */
function useAccounts(fail: (e: ApiError) => void): Account[] | null {
  const [all, set] = useState<Account[] | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const read = async () => {
      const found: Account[] = []
      for (let before: string | null = null; ;) {
        const page: { items: Account[]; next_before: string | null } = await ok(api.GET('/api/v1/admin/users', { params: { query: { limit: 200, ...(before ? { before } : {}) } }, signal: stop.signal }))
        found.push(...page.items.filter((u) => u.active))
        before = page.next_before
        if (!before) return found.sort((a, b) => a.email.localeCompare(b.email))
      }
    }
    read().then(set, (e: unknown) => stop.signal.aborted || fail(asError(e)))
    return () => stop.abort()
  }, [])
  return all
}

function Making({ onDone }: { onDone: (made: NewApiKey | null) => void }) {
  const [form, set] = useState({ name: '', user_id: '', days: '365', minute: '60', day: '10000' })
  const [chosen, choose] = useState<Scope[]>(['chat', 'documents'])
  const { error, setError, at, send } = useSending()
  const accounts = useAccounts(setError)
  const save = (e: Event) => void send(e, async () => onDone(await ok(api.POST('/api/v1/admin/keys', {
    body: { name: form.name, user_id: form.user_id, scopes: chosen, expires_in_days: Number(form.days), per_minute: Number(form.minute), per_day: Number(form.day) },
  })) as NewApiKey))
  const number = (label: string, name: 'days' | 'minute' | 'day', fault: string | undefined, max: number) => (
    <Field label={label} error={fault}>{(a) => <input {...a} type="number" min={1} max={max} value={form[name]} onInput={(e) => set({ ...form, [name]: e.currentTarget.value })} />}</Field>
  )
  return (
    <Dialog title="Faire une clé" onClose={() => onDone(null)}>
      <form class="stack" ref={at} onSubmit={save} noValidate autocomplete="off">
        <Failure error={error} />
        <Field label="Nom" hint="Ce qui la fera reconnaître, dans le journal aussi." error={error?.fields.name}>{(a) => <input {...a} name="key_name" value={form.name} maxLength={100} onInput={(e) => set({ ...form, name: e.currentTarget.value })} />}</Field>
        <Field label="Compte" hint="La clé agit pour lui." error={error?.fields.user_id && form.user_id === '' ? 'Choisissez un compte.' : error?.fields.user_id}>{(a) => (
          <select {...a} name="key_owner" value={form.user_id} onChange={(e) => set({ ...form, user_id: e.currentTarget.value })}>
            <option value="">{accounts ? 'Choisissez un compte' : 'Lecture des comptes…'}</option>
            {accounts?.map((u) => <option key={u.id} value={u.id}>{u.email}</option>)}
          </select>
        )}</Field>
        <fieldset>
          <legend>Portées</legend>
          {scopes.map((s) => <label key={s} class="check"><input type="checkbox" checked={chosen.includes(s)} onChange={(e) => choose(scopes.filter((other) => (other === s ? e.currentTarget.checked : chosen.includes(other))))} />{scopeWords[s]}</label>)}
          {error?.fields.scopes && <p class="fault">{error.fields.scopes}</p>}
        </fieldset>
        {number('Jours jusqu’à l’expiration', 'days', error?.fields.expires_in_days, 1830)}
        {number('Appels par minute', 'minute', error?.fields.per_minute, 6000)}
        {number('Appels par jour', 'day', error?.fields.per_day, 10_000_000)}
        <button type="submit" class="main">Faire la clé</button>
      </form>
    </Dialog>
  )
}

/** The key, this once: Escape does not close what cannot be seen again. */
function Shown({ of, onClose }: { of: NewApiKey; onClose: () => void }) {
  const copy = () => void navigator.clipboard.writeText(of.key).then(() => notify('Clé copiée.'), () => notify('La clé n’a pas pu être copiée : sélectionnez-la.'))
  return (
    <Dialog title="Votre clé" onClose={onClose} fixed>
      <div class="stack">
        <p>Copiez-la maintenant et gardez-la en lieu sûr : elle ne sera plus montrée. Qui la perd en fait une autre.</p>
        <Field label={`Clé « ${of.name} »`}>{(a) => <input {...a} class="code" name="key_secret" readOnly value={of.key} onFocus={(e) => e.currentTarget.select()} />}</Field>
        <div class="row"><button type="button" class="main" onClick={copy}>Copier la clé</button><button type="button" onClick={onClose}>C’est noté</button></div>
      </div>
    </Dialog>
  )
}

function Revoking({ of, onDone }: { of: ApiKey; onDone: (done: boolean) => void }) {
  const [error, setError] = useState<ApiError | null>(null)
  const revoke = () => void ok(api.DELETE('/api/v1/admin/keys/{id}', { params: { path: { id: of.id } } })).then(() => onDone(true), (e: unknown) => setError(asError(e)))
  return (
    <Dialog title="Révoquer la clé" onClose={() => onDone(false)}>
      <div class="stack">
        <Failure error={error} />
        <p>La clé <strong class="verbatim">{of.name}</strong> de {of.user_email} n’ouvrira plus rien, à l’instant et pour toujours. Les programmes qui s’en servent s’arrêteront.</p>
        <div class="row"><button type="button" class="main" onClick={revoke}>Révoquer la clé</button><button type="button" onClick={() => onDone(false)}>Garder la clé</button></div>
      </div>
    </Dialog>
  )
}
