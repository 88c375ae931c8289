// One deed on many rows of a list: chosen by boxes, confirmed once, done one after the other by the calls that each row has for
// itself, so that the log and the API's own refusals are those of the single deed.
import { useEffect, useRef, useState } from 'preact/hooks'
import { asError, type ApiError } from '../api/errors'
import { count, plural } from '../lib/french'
import { notify } from '../parts/notice'
import { Dialog, Failure, Field } from '../parts/ui'

export interface Deed<T> {
  /** On the button that asks for it. */
  word: string
  /** Of the dialog's heading and button, with how many: « Fermer 3 comptes ». */
  asks: (n: number) => string
  /** What follows from it, and what it cannot do. */
  warns: string
  /** What was done: « 3 comptes sont fermés ». */
  done: (n: number) => string
  /** Whether a row needs it; the others are left as they are. */
  needs?: (row: T) => boolean
  /** What is chosen for all of them. */
  choice?: { label: string; options: readonly { value: string; word: string }[] }
  danger?: boolean
  act: (row: T, choice: string) => Promise<unknown>
}

export interface Chosen<T> { rows: T[]; has: (row: T) => boolean; set: (row: T, on: boolean) => void; all: boolean; setAll: (on: boolean) => void; some: boolean }

/** The chosen ones of what is shown; what is shown no more is chosen no more. */
export function useChosen<T extends { id: string }>(shown: readonly T[]): Chosen<T> {
  const [ids, set] = useState<ReadonlySet<string>>(new Set())
  const rows = shown.filter((r) => ids.has(r.id))
  return {
    rows, has: (r) => ids.has(r.id), all: rows.length > 0 && rows.length === shown.length, some: shown.length > 0,
    set: (r, on) => set(new Set([...rows.map((x) => x.id).filter((id) => id !== r.id), ...(on ? [r.id] : [])])),
    setAll: (on) => set(new Set(on ? shown.map((r) => r.id) : [])),
  }
}

/** The box that chooses a row. */
export function Box<T>({ of, row, name }: { of: Chosen<T>; row: T; name: string }) {
  return <input type="checkbox" aria-label={`Choisir ${name}`} checked={of.has(row)} onChange={(e) => of.set(row, e.currentTarget.checked)} />
}

/** The bar above a list: all that is shown, and what can be done with the chosen ones. */
export function Bulk<T extends { id: string }>({ of, noun, name, deeds, ended }: {
  of: Chosen<T>; noun: string; name: (row: T) => string; deeds: readonly Deed<T>[]; ended: () => void
}) {
  const [asked, ask] = useState<{ deed: Deed<T>; rows: readonly T[] } | null>(null)
  if (!of.some && !asked) return null
  return (
    <div class="bulk row" role="group" aria-label="Plusieurs à la fois">
      <label class="check"><input type="checkbox" checked={of.all} ref={(box) => {
        if (box) box.indeterminate = of.rows.length > 0 && !of.all
      }} onChange={(e) => of.setAll(e.currentTarget.checked)} />Tout ce qui est affiché</label>
      {of.rows.length > 0 && (
        <>
          <span class="meta" role="status">{plural(of.rows.length, `${noun} choisi`, `${noun}s choisis`)}</span>
          {deeds.map((deed) => {
            const rows = of.rows.filter((r) => deed.needs?.(r) ?? true)
            return <button key={deed.word} type="button" class={deed.danger ? 'danger' : ''} disabled={rows.length === 0} onClick={() => ask({ deed, rows })}>{deed.word}</button>
          })}
        </>
      )}
      {asked && <Doing key={asked.deed.word} {...asked} name={name} onDone={(any) => {
        ask(null)
        if (any) ended()
      }} />}
    </div>
  )
}

/** Refusals that mean the next row too: nobody there, not signed in any more, too much at once. */
const general = (e: ApiError): boolean => e.status === 0 || e.status === 401 || e.status === 429 || e.status >= 500

function Doing<T extends { id: string }>({ deed, rows, name, onDone }: { deed: Deed<T>; rows: readonly T[]; name: (row: T) => string; onDone: (any: boolean) => void }) {
  const [left, setLeft] = useState(rows) // not done: not yet, stopped, or refused
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const [error, setError] = useState<ApiError | null>(null)
  const [at, go] = useState<{ n: number; of: number } | null>(null) // while it runs
  const [begun, begin] = useState(false)
  const [choice, choose] = useState(deed.choice?.options[0]?.value ?? '')
  const stopped = useRef(false)
  useEffect(() => () => void (stopped.current = true), [])
  const run = async () => {
    stopped.current = false
    begin(true)
    setError(null)
    setRefused(new Map())
    const rest = new Set(left), faults = new Map<string, string>()
    for (const [i, row] of left.entries()) {
      if (stopped.current) break
      go({ n: i + 1, of: left.length })
      try {
        await deed.act(row, choice)
        rest.delete(row)
      } catch (e) {
        const fault = asError(e)
        if (general(fault)) {
          setError(fault)
          break
        }
        faults.set(row.id, Object.values(fault.fields)[0] ?? fault.message)
        setRefused(new Map(faults))
      }
    }
    go(null)
    setLeft([...rest])
    if (rest.size > 0) return
    notify(`${deed.done(rows.length)}.`)
    onDone(true)
  }
  const done = rows.length - left.length
  return (
    <Dialog title={deed.asks(rows.length)} fixed={at !== null} onClose={() => onDone(begun)}>
      <div class="stack">
        <Failure error={error} />
        {!begun && <p>{deed.warns}</p>}
        {!begun && deed.choice && <Field label={deed.choice.label}>{(a) => (
          <select {...a} value={choice} onChange={(e) => choose(e.currentTarget.value)}>{deed.choice!.options.map((o) => <option key={o.value} value={o.value}>{o.word}</option>)}</select>
        )}</Field>}
        {at && <p class="advance"><progress max={at.of} value={at.n - 1} aria-label={deed.asks(rows.length)} /><span role="status">{count(at.n)} sur {count(at.of)}</span></p>}
        {begun && !at && <p role="status">{done > 0 ? `${deed.done(done)}\u202f; il en reste ${count(left.length)}.` : 'Rien n’est fait.'}</p>}
        {refused.size > 0 && <ul class="refused">{rows.filter((r) => refused.has(r.id)).map((r) => <li key={r.id}><span class="verbatim">{name(r)}</span>{'\u202f'}: <span class="fault">{refused.get(r.id)}</span></li>)}</ul>}
        {!begun && <details><summary>{rows.length < 2 ? 'Lequel' : 'Lesquels'}</summary><ul>{rows.map((r) => <li key={r.id} class="verbatim">{name(r)}</li>)}</ul></details>}
        <div class="row">
          {at
            ? <button type="button" onClick={() => (stopped.current = true)}>Arrêter</button>
            : <><button type="button" class={deed.danger ? 'danger' : 'main'} onClick={() => void run()}>{begun ? `Réessayer pour ${count(left.length)}` : deed.asks(rows.length)}</button><button type="button" onClick={() => onDone(begun)}>{begun ? 'En rester là' : 'Ne rien faire'}</button></>}
        </div>
      </div>
    </Dialog>
  )
}
