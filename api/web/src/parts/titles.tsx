// A search box that suggests titles as they are typed: arrows choose one, Enter opens it; without a choice, Enter searches.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import type { SuggestedTitle } from '../api/types'
import { day } from '../lib/dates'
import { docTypeWord } from '../lib/french'
import { useLoad, useSettled } from './hooks'
import { Title } from './marked'
import './titles.css'

export interface Suggestions { items: SuggestedTitle[]; alike: boolean }

const none: Suggestions = { items: [], alike: false }

/** Titles for what is typed, those of a country first; those that are only alike are told apart. */
export function useTitles(q: string, pays: string): Suggestions {
  const words = q.trim()
  return useLoad((signal) => ([...words].length < 2 ? Promise.resolve(none) : ok(api.GET('/api/v1/titles', { params: { query: { q: words.slice(0, 200), limit: 6, ...(pays && { pays }) } }, signal }))), [words, pays]).data ?? none
}

interface Props { value: string; pays: string; label: string; placeholder: string; onInput: (q: string) => void; onSearch: () => void; onPick: (t: SuggestedTitle) => void }

export function TitleBox({ value, pays, label, placeholder, onInput, onSearch, onPick }: Props) {
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const settled = useSettled(value, 150)
  const found = useTitles(open ? settled : '', pays)
  const items = open && !found.alike && settled === value ? found.items : []
  const close = () => {
    setOpen(false)
    setAt(-1)
  }
  const key = (e: KeyboardEvent) => {
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      e.preventDefault()
      setOpen(true)
      setAt((n) => (items.length === 0 ? -1 : ((n + step + 1 + items.length + 1) % (items.length + 1)) - 1))
    } else if (e.key === 'Enter') {
      e.preventDefault()
      const chosen = items[at]
      close()
      if (chosen) onPick(chosen)
      else onSearch()
    } else if (e.key === 'Escape' && items.length > 0) {
      e.preventDefault()
      close()
    }
  }
  return (
    <div class="title-box">
      <label class="sr" for="find-text">{label}</label>
      <input id="find-text" type="text" inputMode="search" enterkeyhint="search" role="combobox" aria-autocomplete="list" aria-expanded={items.length > 0} aria-controls="find-titles" maxLength={200}
        aria-activedescendant={items[at] ? `find-title-${at}` : undefined} autocomplete="off" placeholder={placeholder} value={value}
        onInput={(e) => {
          setOpen(true)
          setAt(-1)
          onInput(e.currentTarget.value)
        }} onKeyDown={key} onBlur={close} />
      <ul id="find-titles" role="listbox" aria-label="Titres" hidden={items.length === 0}>
        {items.map((t, i) => (
          // The box keeps the focus: it is what is typed into.
          <li key={t.id} id={`find-title-${i}`} role="option" aria-selected={i === at} onMouseDown={(e) => e.preventDefault()} onClick={() => {
            close()
            onPick(t)
          }}>
            <span data-verbatim><Title of={{ text: t.title, marks: t.marks }} /></span>
            <span class="meta">{t.nature || docTypeWord(t.doc_type)}, {day(t.date_promulgation)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
