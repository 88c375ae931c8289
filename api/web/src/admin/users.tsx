// The accounts: opened, closed, and given another role, one by one or many at once.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { Account, Role } from '../api/types'
import { moment } from '../lib/dates'
import { plural, roles, roleWord } from '../lib/french'
import { useSending } from '../parts/form'
import { useSettled, useTitle, useWho } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Dialog, Failure, Field, PasswordBox } from '../parts/ui'
import { Box, Bulk, useChosen, type Deed } from './bulk'
import { Table } from './table'
import { useCursor } from './list'
import { More } from './more'

/** Changes an account, as its own row does and as all the chosen ones do. */
const changed = async (u: Account, body: { role?: Role; active?: boolean }): Promise<Account> => (await ok(api.PATCH('/api/v1/admin/users/{id}', { params: { path: { id: u.id } }, body }))) as Account

export function Users() {
  const { user: self } = useWho()
  const [opening, open] = useState(false)
  const [lost, setLost] = useState<Account | null>(null)
  useTitle('Comptes')
  const [text, write] = useState('')
  const q = useSettled(text).trim()
  const list = useCursor<Account>((before) => ok(api.GET('/api/v1/admin/users', { params: { query: { limit: 100, ...(q ? { q } : {}), ...(before ? { before } : {}) } } })), [q])
  const chosen = useChosen(list.items.filter((u) => u.id !== self?.id)) // nobody shuts the door behind oneself by a box too many
  const many = (word: string, ends: string, body: { active: boolean }, warns: string): Deed<Account> => ({
    word, warns, danger: !body.active, asks: (n) => `${word} ${plural(n, 'compte')}`, done: (n) => plural(n, `compte est ${ends}`, `comptes sont ${ends}s`),
    needs: (u) => u.active !== body.active, act: async (u) => list.replace(await changed(u, body)),
  })
  const deeds: Deed<Account>[] = [
    many('Fermer', 'fermé', { active: false }, 'Leurs sessions se ferment et leurs clés n’ouvrent plus rien. Le dernier administrateur reste ouvert, et votre compte aussi.'),
    many('Rouvrir', 'rouvert', { active: true }, 'Chacun se reconnecte avec son mot de passe d’avant.'),
    {
      word: 'Changer le rôle', asks: (n) => `Changer le rôle de ${plural(n, 'compte')}`, done: (n) => plural(n, 'compte a ce rôle', 'comptes ont ce rôle'),
      warns: 'Le dernier administrateur le reste, et votre compte garde son rôle.', choice: { label: 'Rôle', options: roles.map((r) => ({ value: r, word: roleWord(r) })) },
      act: async (u, role) => list.replace(await changed(u, { role: role as Role })),
    },
  ]
  const change = (u: Account, body: { role?: Role; active?: boolean }) => void changed(u, body).then(
    (now) => list.replace(now), (e: unknown) => {
      notify(asError(e).message)
      list.replace({ ...u })
    })
  return (
    <>
      <div class="head"><h1 tabIndex={-1}>Comptes</h1><button type="button" class="main" onClick={() => open(true)}>Ouvrir un compte</button></div>
      <input type="search" class="find" aria-label="Chercher un compte" placeholder="Nom ou adresse" maxLength={255} value={text} onInput={(e) => write(e.currentTarget.value)} />
      <Bulk of={chosen} noun="compte" name={(u) => u.email} deeds={deeds} ended={() => chosen.setAll(false)} />
      <Table label="Comptes" rows={list.items} id={(u) => u.id} row={1} extra={(u) => ({ 'data-account': u.email })} columns={[
        { head: 'Choix', of: (u) => (u.id === self?.id ? 'Vous' : <Box of={chosen} row={u} name={u.email} />) },
        { head: 'Nom', of: (u) => u.full_name },
        { head: 'Adresse', of: (u) => u.email },
        { head: 'Rôle', of: (u) => <select aria-label={`Rôle de ${u.full_name}`} value={u.role} onChange={(e) => change(u, { role: e.currentTarget.value as Role })}>{roles.map((r) => <option key={r} value={r}>{roleWord(r)}</option>)}</select> },
        { head: 'État', of: (u) => <span class="row">{u.active ? 'Ouvert' : 'Fermé'}<button type="button" class="quiet" aria-label={`${u.active ? 'Fermer' : 'Rouvrir'} le compte de ${u.full_name}`} onClick={() => change(u, { active: !u.active })}>{u.active ? 'Fermer' : 'Rouvrir'}</button></span> },
        { head: 'Second facteur', of: (u) => u.second_factor ? <span class="row">Oui<button type="button" class="quiet" data-lost onClick={() => setLost(u)} aria-label={`Retirer le second facteur de ${u.full_name}`}>Retirer</button></span> : 'Non' },
        { head: 'Dernière connexion', of: (u) => (u.last_sign_in_at ? moment(u.last_sign_in_at) : 'Jamais'), class: 'when' },
        { head: 'Depuis', of: (u) => moment(u.created_at), class: 'when' },
      ]} />
      <More of={list} none={q ? 'Aucun compte n’a ces lettres.' : 'Aucun compte.'} />
      {lost && <Lost of={lost} onDone={(gone) => {
        setLost(null)
        if (gone) list.replace({ ...lost, second_factor: false })
      }} />}
      {opening && <Opening onDone={(made) => {
        open(false)
        if (made) list.reload()
      }} />}
    </>
  )
}

/** Somebody has lost the program that makes the codes, and the recovery codes. */
function Lost({ of, onDone }: { of: Account; onDone: (gone: boolean) => void }) {
  const [error, setError] = useState<ApiError | null>(null)
  const remove = () => void ok(api.DELETE('/api/v1/admin/users/{id}/second-factor', { params: { path: { id: of.id } } })).then(() => onDone(true), (e: unknown) => setError(asError(e)))
  return (
    <Dialog title="Retirer le second facteur" onClose={() => onDone(false)}>
      <Failure error={error} />
      <p>{of.full_name} ({of.email}) se connectera avec son seul mot de passe, et toutes ses sessions se ferment. Assurez-vous d’abord que c’est bien cette personne qui le demande.</p>
      <button type="button" class="danger" onClick={remove}>Retirer le second facteur</button>
    </Dialog>
  )
}

function Opening({ onDone }: { onDone: (made: boolean) => void }) {
  const [form, set] = useState({ email: '', full_name: '', password: '', role: 'user' as Role })
  const { error, at, send } = useSending()
  const save = (e: Event) => void send(e, async () => {
    await ok(api.POST('/api/v1/admin/users', { body: form }))
    onDone(true)
  })
  return (
    <Dialog title="Ouvrir un compte" onClose={() => onDone(false)}>
      <form class="stack" ref={at} onSubmit={save} noValidate autocomplete="off">
        <Failure error={error} />
        <Field label="Nom" error={error?.fields.full_name}>{(a) => <input {...a} value={form.full_name} maxLength={255} onInput={(e) => set({ ...form, full_name: e.currentTarget.value })} />}</Field>
        <Field label="Adresse e-mail" error={error?.fields.email}>{(a) => <input {...a} type="email" value={form.email} maxLength={254} onInput={(e) => set({ ...form, email: e.currentTarget.value })} />}</Field>
        <Field label="Mot de passe" hint="De 12 à 128 caractères." error={error?.fields.password}>{(a) => <PasswordBox {...a} autocomplete="new-password" value={form.password} onInput={(e) => set({ ...form, password: e.currentTarget.value })} />}</Field>
        <Field label="Rôle" error={error?.fields.role}>{(a) => <select {...a} value={form.role} onChange={(e) => set({ ...form, role: e.currentTarget.value as Role })}>{roles.map((r) => <option key={r} value={r}>{roleWord(r)}</option>)}</select>}</Field>
        <button type="submit" class="main">Ouvrir le compte</button>
      </form>
    </Dialog>
  )
}
