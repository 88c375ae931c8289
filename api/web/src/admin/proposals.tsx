// What persons have settled in other files of the same house and what would apply to this one; and what this file is, as a
// person says it. Nothing is applied but by a person.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError } from '../api/errors'
import type { Proposal } from '../api/types'
import { docTypeWord, fieldWord, shorten } from '../lib/french'
import { useLoad } from '../parts/hooks'
import { notify } from '../parts/notice'

const kinds: Record<string, string> = {
  law: 'des textes de droit', no_law: 'pas de droit', draft: 'un projet', coordinated: 'un texte coordonné', compilation: 'un recueil',
}
const words: Record<string, string> = { kind: 'Ce fichier est', pays: 'Pays du droit', split: 'Un texte commence ici', merge: 'Aucun texte ne commence ici' }

const valueOf = (p: Proposal) => p.field === 'kind' ? kinds[p.value ?? ''] : p.field === 'doc_type' ? docTypeWord(p.value as 'loi') : p.value

export function Proposals({ id, turn, onPage, onDone }: { id: string; turn: number; onPage: (n: number) => void; onDone: () => void }) {
  const path = { id }
  const [sent, again] = useState(0)
  const list = useLoad((signal) => ok(api.GET('/api/v1/admin/ingestions/{id}/proposals', { params: { path }, signal })), [id, turn, sent])
  const done = (request: Promise<unknown>) => void request.then(() => {
    again((n) => n + 1)
    notify('La gazette est découpée de nouveau.')
    onDone()
  }, (e: unknown) => notify(asError(e).message))
  const say = (body: { kind?: 'law' | 'no_law' | 'draft' | 'coordinated' | 'compilation' | null; pays?: string | null }) =>
    done(ok(api.PATCH('/api/v1/admin/ingestions/{id}', { params: { path }, body })))
  const take = (p: Proposal) => p.field === 'kind' || p.field === 'pays'
    ? say({ [p.field]: p.value })
    : done(ok(api.POST('/api/v1/admin/ingestions/{id}/edits', { params: { path }, body: { kind: p.field as 'split', line: { page: p.page!, rect: p.rect!, text: p.words } } })))
  const items = list.data?.items ?? []
  return (
    <section>
      {items.length > 0 && <h2>Proposé d’après d’autres fichiers</h2>}
      <ul class="plain">
        {items.map((p, i) => (
          <li key={i}>
            <strong>{words[p.field] ?? fieldWord(p.field)}</strong>{p.value && <>{'\u202f'}: {valueOf(p)}</>} <span class="verbatim">{shorten(p.words, 90)}</span>
            {p.page !== null && <>{' '}<button type="button" class="link" onClick={() => onPage(p.page!)}>p. {p.page}</button></>}
            {' '}<span class="meta">d’après {p.from_filename}</span>
            {p.for_document_id === null && <>{' '}<button type="button" onClick={() => take(p)}>Reprendre</button></>}
          </li>
        ))}
      </ul>
      <label>Ce fichier contient{' '}
        <select value={list.data?.kind ?? ''} onChange={(e) => say({ kind: (e.currentTarget.value || null) as 'law' | null })}>
          <option value="">ce qui y est lu</option>
          {Object.entries(kinds).map(([kind, word]) => <option key={kind} value={kind}>{word}</option>)}
        </select>
      </label>
    </section>
  )
}
