// A doubtful text: its doubts one after the other, each with the picture of its place and the datum that it is about. A
// key settles each, that of the last one the text.
import { useEffect, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import type { Doubt, Review } from '../api/types'
import { fieldWord, plural, shorten, typeset } from '../lib/french'
import { spotsOf, type Spot } from '../lib/place'
import { data, decisionOf, formOf, isDatum, lackingOf, stepsOf, type Form } from '../lib/review'
import { useSending } from '../parts/form'
import { notify } from '../parts/notice'
import { Dialog, Failure } from '../parts/ui'
import { DatumField } from './datum'
import { Piece } from './desk-page'

interface Props { file: string; r: Review; turn: number; onSpot: (spot: Spot, d: Doubt, field: HTMLElement | null) => void; onPage: (n: number) => void; onSettle: () => void; onSettled: () => void }

export function ReviewForm({ file, r, turn, onSpot, onPage, onSettle, onSettled }: Props) {
  const [form, set] = useState<Form>(() => formOf(r))
  const [step, go] = useState(0)
  const { at, busy, error, setError, send } = useSending()
  const [rejecting, reject] = useState(false)
  const steps = stepsOf(r)
  const n = Math.min(step, steps.length - 1)
  const doubt = steps[n]
  const lacks = (d: Doubt | undefined) => d !== undefined && lackingOf(r).some((f) => f === d.field && form[f].trim() === '')
  useEffect(() => {
    if (!doubt) return
    const field = isDatum(doubt.field) && at.current?.querySelector<HTMLElement>(`[name=${doubt.field}]`)
    onSpot(spotsOf(r, doubt)[0]!, doubt, field || null)
  }, [n, doubt?.field, doubt?.reason, doubt?.words])
  const decide = (e: Event, decision: 'accept' | 'reject') => void send(e, async () => {
    const body = decisionOf(r, form, decision)
    await ok(api.POST('/api/v1/admin/ingestions/{id}/review/{document_id}', { params: { path: { id: file, document_id: r.id } }, body }))
    notify(decision === 'accept' ? 'Le texte entre au catalogue.' : 'Le texte est rejeté.')
    onSettled()
  })
  const settle = (e: Event) => {
    e.preventDefault()
    onSettle()
    if (lacks(doubt)) return setError({ status: 422, message: '', fields: { [doubt!.field]: 'À donner pour accepter le texte.' }, wait: 0 })
    setError(null)
    if (n < steps.length - 1) go(n + 1)
    else decide(e, 'accept')
  }
  const field = (f: typeof data[number]) => <DatumField key={f} r={r} field={f} value={form[f]} error={error?.fields[f]} onInput={(v) => set({ ...form, [f]: v })} onPage={onPage} />
  const others = data.filter((f) => f !== doubt?.field)
  return (
    <form class="review-form stack" ref={at} noValidate onSubmit={settle} onKeyDown={(e) => {
      if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) decide(e, 'accept')
      else if (e.key === 'Enter' && /^(TEXTAREA|SELECT)$/.test((e.target as HTMLElement).tagName)) settle(e)
      else if (e.key === 'Escape') {
        e.preventDefault()
        document.querySelector<HTMLElement>('.surface-keys')?.focus()
      }
    }}>
      <h2>À relire{'\u202f'}: <span class="verbatim">{shorten(r.title, 90)}</span></h2>
      <p class="meta">{r.first_page === r.last_page ? `p. ${r.first_page}` : `p. ${r.first_page} à ${r.last_page}`}, {plural(r.articles_count, 'article')}</p>
      {error?.message && <Failure error={error} />}
      {steps.length > 1 && <ol class="steps" aria-label="Doutes">{steps.map((d, i) => <li key={i}><button type="button" class="chip" aria-current={i === n ? 'step' : undefined} onClick={() => go(i)}>{i < n && '✓ '}{fieldWord(d.field)}</button></li>)}</ol>}
      {doubt && (isDatum(doubt.field)
        ? field(doubt.field)
        : <p class="doubt"><strong>{fieldWord(doubt.field)}</strong>{'\u202f'}: {typeset(doubt.reason)}{doubt.words && <> «{'\u202f'}<span class="verbatim">{shorten(doubt.words, 120)}</span>{'\u202f'}»</>}</p>)}
      <div class="row">
        <button type="submit" class="main" aria-disabled={busy}>{n < steps.length - 1 ? 'Juste' : 'Juste, au catalogue'} <kbd>Entrée</kbd></button>
        <button type="button" class="danger" onClick={() => reject(true)}>Rejeter <kbd>q</kbd></button>
      </div>
      {doubt && spotsOf(r, doubt).map((s, i) => <Piece key={`${n}-${i}`} id={file} r={r} doubt={doubt} spot={s} turn={turn} onPage={onPage} />)}
      <details open={others.some((f) => error?.fields[f])}><summary>Toutes les données</summary>{others.map(field)}</details>
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
