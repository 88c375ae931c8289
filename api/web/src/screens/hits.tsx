// What a search found, one below the other: articles with the words that matched, texts by their titles.
import type { LegalDocument, SearchHit, SuggestedTitle } from '../api/types'
import { day, lawToday } from '../lib/dates'
import { articleWord, capital, countryWord, docTypeWord } from '../lib/french'
import { validity } from '../lib/outline'
import { useDomains } from '../parts/composer'
import { Marked, Title } from '../parts/marked'
import { Status } from '../parts/ui'

/** An article or a text; date is the day whose law is looked for, if one is. */
export function Hit({ h, date }: { h: SearchHit; date: string }) {
  const { article: a, document: d } = h
  if (!a) return <li><a href={`/textes/${d.id}`} title={d.title} data-verbatim><Title of={h.title} /></a><About d={d} pays={h.pays} /></li>
  const on = date || lawToday(h.pays[0])
  const state = validity(a, on)
  // Without a day the reader shows what is printed: words that an act gave are read on a day on which they are law.
  const shown = date || (a.assembled ? (state === 'law' ? on : (a.valid_from ?? '')) : '')
  const to = `/textes/${d.id}?${new URLSearchParams({ article: a.id, ...(shown && { date: shown }) })}`
  return (
    <li>
      <a href={to} data-verbatim>{capital(articleWord(a.number))}{h.heading && h.heading.text !== '' && <>, <Marked of={h.heading} /></>}</a>
      {h.excerpt && <p class="excerpt" data-verbatim>{h.excerpt.before && '… '}<Marked of={h.excerpt} />{h.excerpt.after && ' …'}</p>}
      {a.assembled_by && <p class="meta changed">Modifié par <span data-verbatim>{a.assembled_by.title || 'un acte'}</span>{'\u00a0'}· {a.assembled_by.notice}</p>}
      {a.replaces && <p class="meta">{a.replaces.type === 'insere' ? 'Ajoute' : 'Remplace'}{'\u202f'}: {articleWord(a.replaces.article)}, <span data-verbatim>{a.replaces.title}</span></p>}
      {state === 'past' && a.valid_to && <p class="meta status abroge">N’est plus en vigueur depuis le {day(a.valid_to)}</p>}
      {state === 'future' && a.valid_from && <p class="meta status modifie">En vigueur à partir du {day(a.valid_from)}</p>}
      <p class="of-text" title={d.title} data-verbatim><Title of={h.title} /></p>
      <About d={d} pays={h.pays} />
    </li>
  )
}

/** A text whose title is like what was looked for. */
export function TitleRow({ t }: { t: SuggestedTitle }) {
  return <li><a href={`/textes/${t.id}`} title={t.title} data-verbatim><Title of={{ text: t.title, marks: t.marks }} /></a><p class="meta">{t.nature || docTypeWord(t.doc_type)} · {day(t.date_promulgation)} · <Status statut={t.statut} /></p></li>
}

function About({ d, pays }: { d: LegalDocument; pays: string[] }) {
  const domain = useDomains().find((x) => x.code === d.domaine)?.label ?? d.domaine
  const own = d.nature || docTypeWord(d.doc_type)
  // A title says most of it as a rule: « Loi n° 2023-07 du 14 mars 2023 portant… ».
  const numbered = d.numero_officiel !== '' && d.title.includes(d.numero_officiel)
  const told = [numbered ? '' : `${own}${d.numero_officiel && ` n° ${d.numero_officiel}`}`, d.title.includes(day(d.date_promulgation)) ? '' : day(d.date_promulgation), domain, pays.map(countryWord).join(', ')].filter(Boolean)
  return (
    <p class="meta">
      {told.map((t) => `${t}\u00a0· `)}<Status statut={d.statut} />
    </p>
  )
}
