// A datum of a doubtful text as it is corrected, beside the words it was read from.
import type { Review } from '../api/types'
import { docTypeWord, docTypes, fieldWord, typeset } from '../lib/french'
import { sourceOf, type Datum } from '../lib/review'
import { useDomains } from '../parts/composer'
import { CountrySelect } from '../parts/country'
import { Field } from '../parts/ui'

interface Props { r: Review; field: Datum; value: string; error?: string | undefined; onInput: (value: string) => void; onPage?: (n: number) => void }

export function DatumField({ r, field, value, error, onInput, onPage }: Props) {
  const domains = useDomains()
  const doubt = r.doubts.find((d) => d.field === field)
  const source = sourceOf(r, field)
  const on = { value, onInput: (e: { currentTarget: { value: string } }) => onInput(e.currentTarget.value) }
  return (
    <div class={doubt ? 'datum doubtful' : 'datum'}>
      <Field label={fieldWord(field)} error={error ?? (doubt && typeset(doubt.reason))}>
        {(a) => field === 'doc_type'
          ? <select {...a} name={field} value={value} onChange={(e) => onInput(e.currentTarget.value)}>{value === '' && <option value="">À choisir</option>}{docTypes.map((t) => <option key={t} value={t}>{docTypeWord(t)}</option>)}</select>
          : field === 'domaine'
            ? <select {...a} name={field} value={value} onChange={(e) => onInput(e.currentTarget.value)}><option value="">Inconnu</option>{domains.map((d) => <option key={d.code} value={d.code}>{d.label}</option>)}</select>
            : field === 'pays' ? <CountrySelect {...a} value={value} onPick={onInput} />
            : field === 'title' ? <textarea {...a} name={field} rows={3} maxLength={2000} {...on} />
              : <input {...a} name={field} type={(field.startsWith('date') ? 'date' : 'text') as 'text'} {...(field.startsWith('date') ? { max: '9999-12-31' } : {})} {...on} />}
      </Field>
      {source && <p class="meta">lu de «{'\u202f'}<span class="verbatim">{source.words}</span>{'\u202f'}»{source.page > 0 && (onPage ? <>, <button type="button" class="link" onClick={() => onPage(source.page)}>p. {source.page}</button></> : `, p. ${source.page}`)}</p>}
    </div>
  )
}
