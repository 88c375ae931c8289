// The domains of law by which texts are sorted.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import type { AdminDomaine } from '../api/types'
import { plural } from '../lib/french'
import { forgetDomains } from '../parts/composer'
import { useSending } from '../parts/form'
import { useLoad, useTitle } from '../parts/hooks'
import { Dialog, Failure, Field, Show } from '../parts/ui'

export function Domains() {
  const [editing, edit] = useState<AdminDomaine | 'new' | null>(null)
  useTitle('Domaines')
  const found = useLoad((signal) => ok(api.GET('/api/v1/admin/domaines', { signal })), [])
  return (
    <>
      <div class="head"><h1 tabIndex={-1}>Domaines</h1><button type="button" class="main" onClick={() => edit('new')}>Ajouter un domaine</button></div>
      <Show of={found} waiting="Lecture des domaines…">
        {({ items }) => (
          <ul class="rows">
            {items.map((d) => (
              <li key={d.code}>
                <div class="file-head"><strong>{d.label}</strong><span class="meta">{d.code}</span>{!d.active && <span class="state cancelled">Retiré</span>}</div>
                {d.description && <p>{d.description}</p>}
                <div class="row"><span class="meta">{plural(d.documents_count, 'texte')}</span><button type="button" class="quiet" aria-label={`Modifier ${d.label}`} onClick={() => edit(d)}>Modifier</button></div>
              </li>
            ))}
          </ul>
        )}
      </Show>
      {editing && <Editor d={editing} onDone={(saved) => {
        edit(null)
        if (saved) {
          forgetDomains()
          found.reload()
        }
      }} />}
    </>
  )
}

function Editor({ d, onDone }: { d: AdminDomaine | 'new'; onDone: (saved: boolean) => void }) {
  const made = d === 'new'
  const [code, setCode] = useState(made ? '' : d.code)
  const [label, setLabel] = useState(made ? '' : d.label)
  const [description, setDescription] = useState(made ? '' : d.description)
  const [active, setActive] = useState(made || d.active)
  const { error, at, send } = useSending()
  const save = (e: Event) => void send(e, async () => {
    if (made) await ok(api.POST('/api/v1/admin/domaines', { body: { code, label, description, active } }))
    else await ok(api.PATCH('/api/v1/admin/domaines/{code}', { params: { path: { code: d.code } }, body: { label, description, active } }))
    onDone(true)
  })
  return (
    <Dialog title={made ? 'Ajouter un domaine' : `Modifier ${d.label}`} onClose={() => onDone(false)}>
      <form class="stack" ref={at} onSubmit={save} noValidate>
        <Failure error={error} />
        {made && <Field label="Code" hint="De 2 à 40 lettres minuscules, chiffres, tirets. Il ne change plus." error={error?.fields.code}>{(a) => <input {...a} value={code} maxLength={40} onInput={(e) => setCode(e.currentTarget.value)} />}</Field>}
        <Field label="Nom" error={error?.fields.label}>{(a) => <input {...a} value={label} maxLength={255} onInput={(e) => setLabel(e.currentTarget.value)} />}</Field>
        <Field label="Description (facultative)" error={error?.fields.description}>{(a) => <textarea {...a} rows={2} value={description} maxLength={2000} onInput={(e) => setDescription(e.currentTarget.value)} />}</Field>
        <label class="check"><input type="checkbox" checked={active} onChange={(e) => setActive(e.currentTarget.checked)} /> Proposé aux lecteurs</label>
        <button type="submit" class="main">Enregistrer</button>
      </form>
    </Dialog>
  )
}
