// A doubtful text: each datum beside the words it was read from, to be corrected, then accepted or rejected.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { DocType, Review, ReviewDecision } from '../api/types'
import { docTypeWord, docTypes, fieldWord, plural, shorten, typeset } from '../lib/french'
import { useDomains } from '../parts/composer'
import { notify } from '../parts/notice'
import { Failure, Field } from '../parts/ui'

const fields = ['title', 'doc_type', 'nature', 'numero_officiel', 'date_promulgation', 'date_entree_vigueur', 'domaine'] as const
type Name = (typeof fields)[number]

export function ReviewForm({ file, r, onPage, onSettled }: { file: string; r: Review; onPage: (n: number) => void; onSettled: () => void }) {
  const [form, set] = useState<Record<Name, string>>(() => Object.fromEntries(fields.map((f) => [f, r[f] ?? ''])) as Record<Name, string>)
  const [error, setError] = useState<ApiError | null>(null)
  const domains = useDomains()
  const decide = async (decision: 'accept' | 'reject') => {
    setError(null)
    const changed = Object.fromEntries(fields.filter((f) => form[f].trim() !== (r[f] ?? '')).map((f) => [f, form[f].trim() || null]))
    // What is doubtful and stays as it is, is told too: so it is settled.
    const doubted = Object.fromEntries(fields.filter((f) => form[f].trim() !== '' && r.doubts.some((d) => d.field === f)).map((f) => [f, form[f].trim()]))
    const body = { decision, ...(decision === 'accept' ? { ...doubted, ...changed } : {}) } as ReviewDecision
    try {
      await ok(api.POST('/api/v1/admin/ingestions/{id}/review/{document_id}', { params: { path: { id: file, document_id: r.id } }, body }))
      notify(decision === 'accept' ? 'Le texte entre au catalogue.' : 'Le texte est rejeté.')
      onSettled()
    } catch (e) {
      setError(asError(e))
    }
  }
  const others = r.doubts.filter((d) => !fields.includes(d.field as Name))
  return (
    <form class="review stack" noValidate onSubmit={(e) => {
      e.preventDefault()
      void decide('accept')
    }} onKeyDown={(e) => {
      if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
        e.preventDefault()
        void decide('accept')
      } else if (e.key === 'Escape') {
        e.preventDefault()
        document.querySelector<HTMLElement>('.surface-keys')?.focus()
      }
    }}>
      <h2>À relire{'\u202f'}: <span class="verbatim">{shorten(r.title, 90)}</span></h2>
      <p class="meta">p. {r.first_page} à {r.last_page}, {plural(r.articles_count, 'article')}</p>
      <Failure error={error} />
      {others.map((d, i) => <p key={i} class="doubt"><strong>{fieldWord(d.field)}</strong>{'\u202f'}: {typeset(d.reason)}{d.page && <>{' '}<button type="button" class="link" onClick={() => onPage(d.page!)}>p. {d.page}</button></>}</p>)}
      {fields.map((f) => {
        const doubt = r.doubts.find((d) => d.field === f)
        const read = r.evidence.find((e) => e.field === f)
        const words = doubt?.words || read?.words
        const page = doubt?.page ?? read?.page
        const value = { value: form[f], onInput: (e: { currentTarget: { value: string } }) => set({ ...form, [f]: e.currentTarget.value }) }
        return (
          <div key={f} class={doubt ? 'datum doubtful' : 'datum'}>
            <Field label={fieldWord(f)} error={error?.fields[f] ?? (doubt && typeset(doubt.reason))}>
              {(a) => f === 'doc_type'
                ? <select {...a} value={form[f]} onChange={(e) => set({ ...form, doc_type: e.currentTarget.value as DocType })}>{docTypes.map((t) => <option key={t} value={t}>{docTypeWord(t)}</option>)}</select>
                : f === 'domaine'
                  ? <select {...a} value={form[f]} onChange={(e) => set({ ...form, domaine: e.currentTarget.value })}><option value="">Inconnu</option>{domains.map((d) => <option key={d.code} value={d.code}>{d.label}</option>)}</select>
                  : f === 'title' ? <textarea {...a} rows={3} maxLength={2000} {...value} />
                    : <input {...a} type={(f.startsWith('date') ? 'date' : 'text') as 'text'} {...value} />}
            </Field>
            {words && <p class="meta">lu de «{'\u202f'}<span class="verbatim">{words}</span>{'\u202f'}»{page ? <>, <button type="button" class="link" onClick={() => onPage(page)}>p. {page}</button></> : null}</p>}
          </div>
        )
      })}
      <div class="row">
        <button type="submit" class="main">Accepter <kbd>Ctrl Entrée</kbd></button>
        <button type="button" class="danger" onClick={() => void decide('reject')}>Rejeter</button>
      </div>
    </form>
  )
}
