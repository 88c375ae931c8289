// The form by which enterprises ask for an appointment.
import { useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import { named } from '../lib/once'
import { useDraft, useTitle } from '../parts/hooks'
import { Failure, Field } from '../parts/ui'

const sizes = ['1-10', '11-50', '51-200', '200+'] as const

export function InquiryScreen() {
  const [draft, keep] = useDraft('vigueur.inquiry')
  const [form, setForm] = useState<Record<string, string>>(() => (draft ? (JSON.parse(draft) as Record<string, string>) : {}))
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const at = useRef<HTMLFormElement>(null)
  useTitle('Entreprises')
  const set = (name: string, value: string) => {
    const next = { ...form, [name]: value }
    setForm(next)
    keep(JSON.stringify(next))
  }
  const submit = async (e: Event) => {
    e.preventDefault()
    setBusy(true)
    setError(null)
    const text = (name: string) => form[name]?.trim() ?? ''
    const optional = (name: string) => (text(name) ? { [name]: text(name) } : {})
    const body = {
      company: text('company'), contact_name: text('contact_name'), email: text('email'), use_case: text('use_case'),
      ...optional('phone'), ...optional('team_size'), ...optional('preferred_slot'),
    }
    const { name, answered } = named(() => sessionStorage, `inquiry ${JSON.stringify(body)}`)
    try {
      await ok(api.POST('/api/v1/business/inquiry', { body, params: { header: { 'Idempotency-Key': name } } }))
      answered(200)
      keep('')
      setSent(true)
    } catch (e) {
      const refused = asError(e)
      answered(refused.status)
      setError(refused)
      const first = Object.keys(refused.fields)[0]
      if (first) at.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    } finally {
      setBusy(false)
    }
  }
  if (sent) {
    return (
      <main class="narrow" id="contenu">
        <h1 tabIndex={-1}>Votre demande est reçue</h1>
        <p role="status">Nous vous répondrons à l’adresse {form.email}.</p>
        <p><a href="/">Revenir à l’accueil</a></p>
      </main>
    )
  }
  const faults = error?.fields ?? {}
  const text = (name: string, label: string, more: { hint?: string; type?: 'email' | 'tel'; autocomplete?: string; max: number }) => (
    <Field label={label} hint={more.hint} error={faults[name]}>
      {(a) => <input {...a} name={name} type={(more.type ?? 'text') as 'email'} autocomplete={more.autocomplete ?? 'off'} maxLength={more.max} value={form[name] ?? ''}
        onInput={(e) => set(name, e.currentTarget.value)} />}
    </Field>
  )
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Demander un rendez-vous</h1>
      <p>Dites-nous ce que vous cherchez. Les champs sans mention sont obligatoires ; cinq demandes par heure sont admises.</p>
      <form class="stack" ref={at} onSubmit={submit} noValidate>
        <Failure error={error} />
        {text('company', 'Organisation', { hint: 'De 2 à 255 caractères.', autocomplete: 'organization', max: 255 })}
        {text('contact_name', 'Votre nom', { hint: 'De 2 à 255 caractères.', autocomplete: 'name', max: 255 })}
        {text('email', 'Adresse e-mail', { type: 'email', autocomplete: 'email', max: 254 })}
        {text('phone', 'Téléphone (facultatif)', { type: 'tel', autocomplete: 'tel', max: 64 })}
        <Field label="Taille de l’équipe (facultatif)" error={faults.team_size}>
          {(a) => (
            <select {...a} name="team_size" value={form.team_size ?? ''} onChange={(e) => set('team_size', e.currentTarget.value)}>
              <option value="">Non précisée</option>
              {sizes.map((s) => <option key={s} value={s}>{s === '200+' ? 'Plus de 200 personnes' : `${s.replace('-', ' à ')} personnes`}</option>)}
            </select>
          )}
        </Field>
        <Field label="Votre besoin" hint="De 2 à 4 000 caractères." error={faults.use_case}>
          {(a) => <textarea {...a} name="use_case" rows={5} maxLength={4000} value={form.use_case ?? ''} onInput={(e) => set('use_case', e.currentTarget.value)} />}
        </Field>
        {text('preferred_slot', 'Moment préféré (facultatif)', { hint: 'En toutes lettres, par exemple mardi matin.', max: 255 })}
        <button type="submit" class="main" disabled={busy}>{busy ? 'Envoi…' : 'Envoyer la demande'}</button>
      </form>
    </main>
  )
}
