// What forms have in common: one sending at a time, the refusal at its fields, and a password chosen twice.
import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { asError, type ApiError } from '../api/errors'
import { Field, PasswordBox } from './ui'

export interface Sending {
  busy: boolean
  error: ApiError | null
  setError: (error: ApiError | null) => void
  /** The form: its first field at fault gets the focus. */
  at: RefObject<HTMLFormElement | null>
  /** Does the work of a submission, unless one is under way. */
  send: (e: Event, work: () => Promise<void>) => Promise<void>
}

export function useSending(): Sending {
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const at = useRef<HTMLFormElement>(null)
  return {
    busy, error, setError, at,
    send: async (e, work) => {
      e.preventDefault()
      if (busy) return
      setBusy(true)
      setError(null)
      try {
        await work()
      } catch (e) {
        const refused = asError(e)
        setError(refused)
        if (Object.keys(refused.fields).length > 0) setTimeout(() => at.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()) // when they are marked
      } finally {
        setBusy(false)
      }
    },
  }
}

const twice = 'Écrivez deux fois le même.'

/** A password that is chosen, and once more against slips. */
export interface Choice { value: string; again: string }

/** Refuses a choice whose two writings differ. */
export function same({ value, again }: Choice): void {
  if (value !== again) throw { status: 422, message: 'Les deux mots de passe ne sont pas les mêmes.', fields: { again: twice }, wait: 0 } satisfies ApiError
}

export function NewPassword({ name, label, of, set, error }: { name: string; label: string; of: Choice; set: (c: Choice) => void; error: ApiError | null }) {
  const differs = of.again !== '' && of.again !== of.value
  return (
    <>
      <Field label={label} hint="De 12 à 128 caractères." error={error?.fields[name]}>
        {(a) => <PasswordBox {...a} name={name} autocomplete="new-password" value={of.value} onInput={(e) => set({ ...of, value: e.currentTarget.value })} required />}
      </Field>
      <Field label="Le même, une seconde fois" error={differs ? twice : of.again === of.value ? undefined : error?.fields.again}>
        {(a) => <PasswordBox {...a} name="again" autocomplete="new-password" value={of.again} onInput={(e) => set({ ...of, again: e.currentTarget.value })} required />}
      </Field>
    </>
  )
}
