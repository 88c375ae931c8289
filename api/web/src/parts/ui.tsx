// The small pieces that screens are made of.
import type { ComponentChildren, RefObject, TargetedEvent } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ApiError } from '../api/errors'
import { day } from '../lib/dates'
import { statutWord } from '../lib/french'
import type { Loaded } from './hooks'

/** A field with its label, what is asked of it, and what was wrong with it. */
export function Field(props: {
  label: string; hint?: string | undefined; error?: string | undefined
  children: (a: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }) => ComponentChildren
}) {
  const id = useId()
  const told = [props.hint && `${id}-h`, props.error && `${id}-e`].filter(Boolean).join(' ')
  return (
    <div class={props.error ? 'field wrong' : 'field'}>
      <label for={id}>{props.label}</label>
      {props.hint && <p class="hint" id={`${id}-h`}>{props.hint}</p>}
      {props.children({ id, ...(told ? { 'aria-describedby': told } : {}), ...(props.error ? { 'aria-invalid': true } : {}) })}
      {props.error && <p class="fault" id={`${id}-e`}>{props.error}</p>}
    </div>
  )
}

/** A box for a password, which whoever writes it may look at; sent or left, it is hidden again. */
export function PasswordBox({ id, box, name, autocomplete, value, required, onInput, ...told }: {
  id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean; box?: RefObject<HTMLInputElement | null> | null
  name?: string; autocomplete: 'current-password' | 'new-password'; value: string; required?: boolean; onInput: (e: TargetedEvent<HTMLInputElement>) => void
}) {
  const [shown, show] = useState(false)
  useEffect(() => {
    const form = document.getElementById(id)?.closest('form')
    const hide = () => show(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [id])
  return (
    <span class="password">
      <input {...told} {...(name && { name })} id={id} ref={box ?? null} type={(shown ? 'text' : 'password') as 'text'} autocomplete={autocomplete} autocapitalize="none" spellcheck={false} value={value} required={required ?? false} onInput={onInput} />
      <button type="button" class="quiet" aria-pressed={shown} aria-controls={id} aria-label={`${shown ? 'Cacher' : 'Montrer'} le mot de passe`} onClick={() => show(!shown)}>{shown ? 'Cacher' : 'Montrer'}</button>
    </span>
  )
}

/** A refusal, and what to do; what is not there is not there at a second look either. */
export function Failure({ error, retry, children }: { error: ApiError | null; retry?: () => void; children?: ComponentChildren }) {
  if (!error) return null
  return (
    <div class="failure" role="alert">
      <p>{error.message}</p>
      {retry && error.status !== 404 && <button type="button" onClick={retry}>Réessayer</button>}
      {children}
    </div>
  )
}

/** Of an address that leads nowhere, or nowhere for this person. */
export function Nowhere() {
  return (
    <>
      <h1 tabIndex={-1}>Cette page n’existe pas</h1>
      <p>L’adresse est peut-être mal écrite, ou réservée à un autre rôle. <a href="/">Revenir à l’accueil</a></p>
    </>
  )
}

/** What is being waited for. */
export function Waiting({ text }: { text: string }) {
  return <p class="waiting" role="status">{text}</p>
}

/** What was loaded, or why not, or that it is coming. */
export function Show<T>(props: { of: Loaded<T>; waiting: string; children: (data: T) => ComponentChildren }) {
  const { data, error, reload } = props.of
  if (data !== undefined) return <>{error && <Failure error={error} retry={reload} />}{props.children(data)}</>
  if (error) return <Failure error={error} retry={reload} />
  return <Waiting text={props.waiting} />
}

/** A text's status: a colour that is also a word. */
export function Status({ statut, by }: { statut: string; by?: { title: string; date: string } | undefined }) {
  return (
    <span class={`status ${statut}`}>
      <span>{statutWord(statut)}</span>{by && <> par {by.title}, le {day(by.date)}</>}
    </span>
  )
}

/** A modal dialog: focus goes in and comes back, Escape closes. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; fixed?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => { // before what is inside takes the focus
    const back = document.activeElement as HTMLElement | null
    ref.current?.showModal()
    ref.current?.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus() // what is asked for, not the way out
    return () => back?.isConnected && back.focus()
  }, [])
  return (
    <dialog ref={ref} aria-labelledby={id} onCancel={(e) => {
      e.preventDefault()
      if (!props.fixed) props.onClose()
    }}>
      <header>
        <h2 id={id}>{props.title}</h2>
        {!props.fixed && <button type="button" class="quiet" onClick={props.onClose}>Fermer</button>}
      </header>
      {props.children}
    </dialog>
  )
}

/** A page number bar. */
export function Pages({ page, last, href }: { page: number; last: number; href: (n: number) => string }) {
  if (last < 2) return null
  const near = [...new Set([1, page - 1, page, page + 1, last])].filter((n) => n >= 1 && n <= last).sort((a, b) => a - b)
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && <a href={href(page - 1)} rel="prev">Précédente</a>}
      {near.map((n, i) => (
        <>
          {i > 0 && near[i - 1]! < n - 1 && <span aria-hidden="true">…</span>}
          {n === page ? <span aria-current="page" aria-label={`Page ${n}`}>{n}</span> : <a href={href(n)} aria-label={`Page ${n}`}>{n}</a>}
        </>
      ))}
      {page < last && <a href={href(page + 1)} rel="next">Suivante</a>}
    </nav>
  )
}
