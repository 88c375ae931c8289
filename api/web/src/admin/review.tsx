// A doubtful text: each datum beside the words it was read from, to be corrected, then accepted or rejected.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import type { Review } from '../api/types'
import { fieldWord, plural, shorten, typeset } from '../lib/french'
import { data, decisionOf, formOf, isDatum, type Form } from '../lib/review'
import { useSending } from '../parts/form'
import { notify } from '../parts/notice'
import { Dialog, Failure } from '../parts/ui'
import { DatumField } from './datum'

export function ReviewForm({ file, r, onPage, onSettled }: { file: string; r: Review; onPage: (n: number) => void; onSettled: () => void }) {
  const [form, set] = useState<Form>(() => formOf(r))
  const { at, busy, error, send } = useSending()
  const [rejecting, reject] = useState(false)
  const decide = (e: Event, decision: 'accept' | 'reject') => void send(e, async () => {
    const body = decisionOf(r, form, decision)
    await ok(api.POST('/api/v1/admin/ingestions/{id}/review/{document_id}', { params: { path: { id: file, document_id: r.id } }, body }))
    notify(decision === 'accept' ? 'Le texte entre au catalogue.' : 'Le texte est rejeté.')
    onSettled()
  })
  const others = r.doubts.filter((d) => !isDatum(d.field))
  return (
    <form class="review-form stack" ref={at} noValidate onSubmit={(e) => decide(e, 'accept')} onKeyDown={(e) => {
      if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) decide(e, 'accept')
      else if (e.key === 'Escape') {
        e.preventDefault()
        document.querySelector<HTMLElement>('.surface-keys')?.focus()
      }
    }}>
      <h2>À relire{'\u202f'}: <span class="verbatim">{shorten(r.title, 90)}</span></h2>
      <p class="meta">{r.first_page === r.last_page ? `p. ${r.first_page}` : `p. ${r.first_page} à ${r.last_page}`}, {plural(r.articles_count, 'article')}</p>
      <Failure error={error} />
      {others.map((d, i) => <p key={i} class="doubt"><strong>{fieldWord(d.field)}</strong>{'\u202f'}: {typeset(d.reason)}{d.page && <>{' '}<button type="button" class="link" onClick={() => onPage(d.page!)}>p. {d.page}</button></>}</p>)}
      {data.map((f) => <DatumField key={f} r={r} field={f} value={form[f]} error={error?.fields[f]} onInput={(v) => set({ ...form, [f]: v })} onPage={onPage} />)}
      <div class="row">
        <button type="submit" class="main" aria-disabled={busy}>Accepter <kbd>Ctrl Entrée</kbd></button>
        <button type="button" class="danger" onClick={() => reject(true)}>Rejeter</button>
      </div>
      {rejecting && (
        <Dialog title="Rejeter le texte" onClose={() => reject(false)}>
          <p>Il n’entrera pas au catalogue. Sa gazette reste.</p>
          <div class="row">
            <button type="button" class="danger" aria-disabled={busy} onClick={(e) => {
              reject(false)
              decide(e, 'reject')
            }}>Rejeter</button>
            <button type="button" onClick={() => reject(false)}>Garder</button>
          </div>
        </Dialog>
      )}
    </form>
  )
}
