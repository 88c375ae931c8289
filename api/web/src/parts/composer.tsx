// The box where questions are written, with what narrows them.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { day, lawToday } from '../lib/dates'
import { count, docTypeWord, docTypes, modelWord, shorten } from '../lib/french'
import type { DocType } from '../api/types'
import type { Filters, Talk } from '../screens/conversation'
import { CountryChip, useHome } from './country'
import { draftOf, useDraft, useLoad } from './hooks'
import { Failure } from './ui'
import './composer.css'

const limit = 4000

/** Whether the browser lets a box grow with what is written into it; asked for its height, it lays the page out for each letter. */
const grows = CSS.supports('field-sizing', 'content')

export function Composer({ talk, box }: { talk: Talk; box: { current: HTMLTextAreaElement | null } }) {
  const [text, setText] = useDraft(draftOf(talk.settledId))
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(false) // a phone has room for the rest of the box only while somebody writes
  const idle = !active && !talk.busy && text === '' && Object.keys(talk.filters).length === 0
  const length = [...text.trim()].length
  useLayoutEffect(() => {
    const e = box.current
    if (!e || grows) return
    e.style.height = 'auto'
    const line = parseFloat(getComputedStyle(e).lineHeight)
    e.style.height = `${Math.min(e.scrollHeight, line * 8 + 16)}px`
  }, [text])
  useEffect(() => void performance.mark('vigueur.ready'), []) // read by scripts/bench page
  const submit = async () => {
    const question = text.trim()
    if (question === '' || length > limit || talk.busy) return
    setText('')
    if (matchMedia('(max-width: 30rem)').matches) box.current?.blur() // the answer is read without a keyboard
    setOpen(false) // the chips still say what narrows it
    await new Promise((drawn) => setTimeout(drawn)) // the box is emptied by itself, and the question drawn behind it
    if (!(await talk.ask(question))) setText(question)
  }
  const key = (e: KeyboardEvent) => {
    // On telephones each word is a composition until the next one. Keyboards that choose characters send 229 for the key that chooses.
    if (e.key === 'Enter' && !e.shiftKey && e.keyCode !== 229) {
      e.preventDefault()
      void submit()
    } else if (e.key === 'ArrowUp' && text === '') {
      const last = talk.turns.at(-1)?.question
      if (last) {
        e.preventDefault()
        setText(last)
      }
    }
  }
  return (
    <form class={idle ? 'composer idle' : 'composer'} onSubmit={(e) => {
      e.preventDefault()
      void submit()
    }} onFocusIn={() => setActive(true)} onFocusOut={({ currentTarget: form }) => setTimeout(() => setActive(form.contains(document.activeElement)), 300)}>
      <Failure error={talk.refused && { ...talk.refused, message: Object.values(talk.refused.fields)[0] ?? talk.refused.message }} />
      <div class="box">
        <label class="sr" for="question">Votre question</label>
        <textarea id="question" ref={box} rows={1} value={text} placeholder="Posez une question de droit" onInput={(e) => setText(e.currentTarget.value)}
          onKeyDown={key} enterkeyhint="send" aria-describedby="question-hint" aria-invalid={length > limit} />
        <div class="box-foot">
          <Chips talk={talk} open={open} onOpen={() => setOpen(!open)} />
          {talk.busy
            ? <button type="button" class="main" onClick={talk.stop}>Arrêter</button>
            : <button type="submit" class="main" disabled={length === 0 || length > limit}>Envoyer</button>}
        </div>
        {open && <FilterFields talk={talk} />}
      </div>
      <p class="hint" id="question-hint">
        {length > limit - 400 ? `${count(length)} caractères sur ${count(limit)}. ` : ''}
        <span class="keys">Entrée envoie, Maj+Entrée va à la ligne, Échap arrête la réponse.</span>
        <span class="only-phone">Vérifiez les sources avant de vous y fier.</span>
      </p>
    </form>
  )
}

/** The filters in force, each to be taken off. */
function Chips({ talk, open, onOpen }: { talk: Talk; open: boolean; onOpen: () => void }) {
  const f = talk.filters
  const domains = useDomains()
  const without = (name: keyof Filters) => {
    const { [name]: _, ...rest } = f
    talk.setFilters(rest)
  }
  const chips: [keyof Filters, string][] = []
  if (f.domaine) chips.push(['domaine', domains.find((d) => d.code === f.domaine)?.label ?? f.domaine])
  if (f.doc_type) chips.push(['doc_type', docTypeWord(f.doc_type)])
  if (f.date) chips.push(['date', `au ${day(f.date)}`])
  if (f.document_id) chips.push(['document_id', shorten(f.titre ?? 'Un texte', 40)])
  if (f.model) chips.push(['model', modelWord(f.model)])
  return (
    <div class="chips">
      <CountryChip />
      <button type="button" class="chip" aria-expanded={open} onClick={onOpen}>Filtres</button>
      {chips.map(([name, word]) => (
        <button key={name} type="button" class="chip on" aria-label={`Retirer le filtre ${word}`} onClick={() => without(name)}>{word}<span aria-hidden="true"> ×</span></button>
      ))}
    </div>
  )
}

/** The domains, asked for once a minute however many rows of a list name theirs. */
let asked: { at: number; list: ReturnType<typeof domains> } | null = null
const domains = () => ok(api.GET('/api/v1/domaines'))

/** After a domain has changed. */
export const forgetDomains = (): void => void (asked = null)

export function useDomains() {
  return useLoad(() => {
    if (!asked || Date.now() - asked.at > 60_000) {
      const mine = (asked = { at: Date.now(), list: domains() })
      mine.list.catch(() => asked === mine && forgetDomains())
    }
    return asked.list
  }, []).data ?? []
}

function FilterFields({ talk }: { talk: Talk }) {
  const domains = useDomains()
  const { pays } = useHome()
  const models = useLoad(() => ok(api.GET('/api/v1/models')), []).data ?? []
  // What is typed of a day, until the filter has another: a day half typed is no filter yet.
  const [typed, setTyped] = useState<{ over: string | undefined; date: string } | null>(null)
  const date = typed && typed.over === talk.filters.date ? typed.date : talk.filters.date ?? ''
  const set = (name: keyof Filters, value: string) => {
    const { [name]: _, ...rest } = talk.filters
    talk.setFilters(value ? { ...rest, [name]: value } : rest)
  }
  return (
    <fieldset class="filters">
      <legend class="sr">Filtres de la question</legend>
      <label>Domaine
        <select value={talk.filters.domaine ?? ''} onChange={(e) => set('domaine', e.currentTarget.value)}>
          <option value="">Tous</option>
          {domains.map((d) => <option key={d.code} value={d.code}>{d.label} ({count(d.documents_count)})</option>)}
        </select>
      </label>
      <label>Type
        <select value={talk.filters.doc_type ?? ''} onChange={(e) => set('doc_type', e.currentTarget.value as DocType)}>
          <option value="">Tous</option>
          {docTypes.map((t) => <option key={t} value={t}>{docTypeWord(t)}</option>)}
        </select>
      </label>
      <label>À la date du
        <input type="date" value={date} max="9999-12-31" placeholder={lawToday(pays)} onInput={(e) => setTyped({ over: talk.filters.date, date: e.currentTarget.value })}
          onChange={(e) => {
            setTyped(null)
            set('date', e.currentTarget.value)
          }} />
      </label>
      {models.length > 1 && (
        <label>Rédaction
          <select value={talk.filters.model ?? ''} onChange={(e) => set('model', e.currentTarget.value)}>
            <option value="">Par défaut</option>
            {models.map((m) => <option key={m.id} value={m.id}>{m.label}</option>)}
          </select>
        </label>
      )}
    </fieldset>
  )
}
