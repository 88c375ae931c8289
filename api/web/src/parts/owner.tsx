// What shows that one is the account's owner: the password, or who one is, confirmed just now at a provider of identities.
import { useEffect, useState } from 'preact/hooks'
import { methods } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import { confirm, proofNow } from '../api/provider'
import { Failure, Field, PasswordBox } from './ui'

/** What a form sends of it: the password under its name, or the proof. */
export const ownerOf = <N extends string>(name: N, password: string): Record<N, string> | { proof: string } => {
  const proof = proofNow()
  return proof ? { proof } : ({ [name]: password } as Record<N, string>)
}

export function Owner({ name, label, value, set, error }: { name: string; label: string; value: string; set: (v: string) => void; error: ApiError | null }) {
  const [list, setList] = useState<{ id: string; name: string }[]>([])
  const [refused, refuse] = useState<ApiError | null>(null)
  useEffect(() => {
    let here = true
    methods().then((m) => here && setList(m.providers), () => undefined)
    return () => void (here = false)
  }, [])
  if (proofNow()) return <p role="status">Votre identité est confirmée, pour quelques minutes : aucun mot de passe n’est demandé.</p>
  return (
    <>
      <Field label={label} error={error?.fields[name]}>
        {(a) => <PasswordBox {...a} name={name} autocomplete="current-password" value={value} onInput={(e) => set(e.currentTarget.value)} required />}
      </Field>
      <Failure error={refused} />
      {list.map((p) => <p key={p.id}><button type="button" class="link" onClick={() => void confirm(p.id, '/compte').catch((e: unknown) => refuse(asError(e)))}>Sans mot de passe : confirmer mon identité par {p.name}</button></p>)}
    </>
  )
}
