// What narrows a search: each value with how many results it would leave, and days.
import { useLocation } from 'preact-iso'
import { useState } from 'preact/hooks'
import type { SearchPage } from '../api/types'
import { address, everyCountry, narrowed, unnarrowed, yearChange, yearOf, type Wanted } from '../lib/catalogue'
import { count, countryWord, docTypeWord, statutWord } from '../lib/french'
import { useDomains } from '../parts/composer'

type Value = SearchPage['facets']['kind'][number]

/** How many values of a group are shown before one asks for more. */
const few = 6

export function Facets({ w, query, home, counts }: { w: Wanted; query: Record<string, string>; home: string; counts: SearchPage['facets'] }) {
  const { route } = useLocation()
  const [open, setOpen] = useState(false)
  const domains = useDomains()
  const domainWord = (code: string) => domains.find((d) => d.code === code)?.label ?? code
  const n = narrowed(w)
  const one = (name: string, on: string) => ({ on, href: (v: string) => address(query, { [name]: v === on ? '' : v }) })
  return (
    <div class="facets">
      <button type="button" class="facets-open" aria-expanded={open} aria-controls="facets" onClick={() => setOpen(!open)}>Filtres{n > 0 && ` (${n})`}</button>
      <div id="facets" class={open ? 'facet-groups open' : 'facet-groups'} role="group" aria-label="Filtres">
        {n > 0 && <p><a href={address(query, unnarrowed(home))}>Retirer les filtres</a></p>}
        {w.q && <Group title="Quoi" values={counts.kind} word={(v) => (v === 'texte' ? 'Textes entiers' : 'Articles')} {...one('objet', w.kind)} />}
        <Group title="Statut" values={counts.statut} word={statutWord} {...one('statut', w.statut)} />
        {w.type && <Group title="Type" values={[]} word={docTypeWord} {...one('type', w.type)} />}
        <Group title="Nature" values={counts.nature} word={(v) => v} {...one('nature', w.nature)} />
        <Group title="Domaine" values={counts.domaine} word={domainWord} {...one('domaine', w.domaine)} />
        <Group title="Pays" values={counts.pays} word={countryWord} on={w.pays} href={(v) => address(query, { pays: v !== w.pays ? v : home && everyCountry })} />
        <Group title="Année" values={[...counts.annee].sort((a, b) => Number(b.value) - Number(a.value))} word={(v) => v} on={yearOf(w)} href={(v) => address(query, yearChange(w, v))} />
        <div class="facet-days">
          <Day label="En vigueur le" name="date" value={w.date} onDay={(v) => route(address(query, { date: v }))} />
          <Day label="Promulgué du" name="du" value={w.from} onDay={(v) => route(address(query, { du: v }))} />
          <Day label="au" name="au" value={w.to} onDay={(v) => route(address(query, { au: v }))} />
        </div>
      </div>
    </div>
  )
}

function Day({ label, name, value, onDay }: { label: string; name: string; value: string; onDay: (v: string) => void }) {
  return <label>{label} <input type="date" name={name} max="9999-12-31" value={value} onChange={(e) => onDay(e.currentTarget.value)} /></label>
}

/** The values of a group; the one in force is there even where nothing has it. */
function Group({ title, values, word, on, href }: { title: string; values: readonly Value[]; word: (v: string) => string; on: string; href: (v: string) => string }) {
  const [all, setAll] = useState(false)
  const list = on && !values.some((v) => v.value === on) ? [{ value: on, count: 0 }, ...values] : values
  if (list.length < 2 && !on) return null
  const shown = all ? list : list.filter((v, i) => i < few || v.value === on)
  return (
    <div class="facet" role="group" aria-label={title}>
      <h2>{title}</h2>
      <div class="chips">
        {shown.map((v) => (
          <a key={v.value} class={v.value === on ? 'chip on' : 'chip'} {...(v.value === on ? { 'aria-current': 'true' as const } : {})} href={href(v.value)}>
            {word(v.value)}<span class="chip-count">{count(v.count)}</span>{v.value === on && <span class="sr"> (retirer)</span>}
          </a>
        ))}
        {list.length > shown.length && <button type="button" class="quiet" onClick={() => setAll(true)}>{list.length - shown.length} de plus</button>}
      </div>
    </div>
  )
}
