// A text: what it is, its articles under their headings, what changed it, and beside it the gazette's page.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { api, download, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import type { components } from '../api/schema'
import { current } from '../api/session'
import type { Article, ChangeDay, ChangedAlinea, LegalDocument, PendingAmendment, RelatedText, Relations } from '../api/types'
import { day, lawToday } from '../lib/dates'
import { articleWord, capital, countryWord, docTypeWord, plural } from '../lib/french'
import { whenIdle } from '../lib/idle'
import { found as matches, plain } from '../lib/marks'
import { outline, reference, validity, type Section } from '../lib/outline'
import { Alineas } from '../parts/alineas'
import { useDomains } from '../parts/composer'
import { CountrySelect } from '../parts/country'
import { useLatest, useLoad, useTitle } from '../parts/hooks'
import { FollowButton } from '../parts/follow'
import { notify } from '../parts/notice'
import { useLinks } from '../parts/linked'
import { Title } from '../parts/marked'
import { GazettePage } from '../parts/page-image'
import { gazetteFile } from '../parts/pdf'
import { Failure, Show, Status } from '../parts/ui'
import { Changed, CitedBy, Days, Pending, Timeline } from './changes'
import './reader.css'

/** The forms in which a text can be kept. */
const forms = [['docx', 'Word'], ['md', 'Markdown'], ['json', 'JSON'], ['akn', 'Akoma Ntoso']] as const

/** A text with its articles on a date, or as printed (date is empty), and the days on which it changes. */
interface Whole { text: LegalDocument; articles: Article[]; relations: Relations; date: string; days: ChangeDay[]; pending: PendingAmendment[]; pendingTotal: number; details: components['schemas']['DocumentDetails'] }

/** Reads a text on a date; without one as it stands today where others have changed it, or as printed where the article that somebody came for is only there. */
async function whole(id: string, date: string | null, first: string, signal: AbortSignal): Promise<Whole> {
  const path = { id }
  const on = (day: string) => ok(api.GET('/api/v1/documents/{id}/articles', { params: { path, query: day ? { date: day } : {} }, signal })).then((found) => found.items)
  const [text, asked, relations, days, details] = await Promise.all([
    ok(api.GET('/api/v1/documents/{id}', { params: { path }, signal })),
    on(date ?? ''),
    ok(api.GET('/api/v1/documents/{id}/relations', { params: { path }, signal })),
    ok(api.GET('/api/v1/documents/{id}/days', { params: { path }, signal })),
    ok(api.GET('/api/v1/documents/{id}/details', { params: { path }, signal })),
  ])
  const known = { text, relations, days: days.items, pending: days.pending, pendingTotal: days.pending_total, details }
  const today = lawToday(details.pays[0])
  if (date === null && changedBy(known.days, today)) {
    const now = await on(today)
    if (now.length > 0 && (!first || now.some((a) => a.id === first))) return { ...known, articles: now, date: today }
  }
  return { ...known, articles: asked, date: date ?? '' }
}

/** Whether another text has changed one by a day. */
const changedBy = (days: readonly ChangeDay[], day: string): boolean => days.some((d) => d.acts.length > 0 && d.date <= day)

export function Reader({ id, query }: { id: string; query: Record<string, string> }) {
  const [date, setDate] = useState<string | null>(query.date ?? null)
  const found = useLoad((signal) => whole(id, date, query.article ?? '', signal), [id, date])
  if (found.error?.status === 404) return <NoText />
  return (
    <main class="reader" id="contenu">
      <Show of={found} waiting="Ouverture du texte…">
        {(w) => <Text key={w.text.id} w={w} onDate={setDate} first={query.article ?? ''} />}
      </Show>
    </main>
  )
}

/** Of an address that leads to no text: it was removed, or never was. */
function NoText() {
  useTitle('Texte introuvable')
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Ce texte n’existe pas</h1>
      <p>Il a été retiré du catalogue, ou l’adresse est mal écrite. <a href="/textes">Voir tous les textes</a></p>
    </main>
  )
}

function Text({ w, onDate, first }: { w: Whole; onDate: (d: string) => void; first: string }) {
  const [page, setPage] = useState<number | null>(null)
  const [find, setFind] = useState('')
  const [listed, list] = useState(false)
  const { text, date } = w
  const today = lawToday(w.details.pays[0])
  const changed = changedBy(w.days, today)
  const sections = useMemo(() => outline(w.articles), [w.articles])
  const parts = useParts(sections, w.articles, first)
  const { words, whole: all, failed, readAll } = useWords(text.id, w.date)
  const domain = useDomains().find((d) => d.code === text.domaine)?.label
  useTitle(text.title)
  useEffect(() => {
    if (first) document.getElementById(`art-${first}`)?.scrollIntoView()
  }, [first, w.articles])
  const wanted = plain(find.trim())
  useEffect(() => {
    if (wanted) void readAll()
  }, [wanted !== '', w.date])
  useEffect(() => (w.articles.length <= few ? whenIdle([() => void readAll()]) : undefined), [w.date])
  const printAll = () => void readAll().then((there) => there ? setTimeout(print, 50) : notify('Le texte entier n’a pas pu être lu.'))
  usePrintKey(all, printAll)
  const shown = (a: Article) => wanted === '' || plain(`${a.number} ${a.heading} ${words.get(a.id)?.text ?? ''}`).includes(wanted)
  const visible = w.articles.filter(shown).length
  const repeal = w.relations.abroge_par.at(-1)
  const links = (s: Section, of: Article[]) => <ul>{of.map((a) => <li key={a.id}><a href={`#art-${a.id}`} onClick={() => list(false)}>{a.number === '' && (a.heading || s.heading.at(-1)) || capital(articleWord(a.number))}{a.number !== '' && a.heading && <span class="meta"> {a.heading}</span>}</a></li>)}</ul>
  return (
    <div class={page === null ? 'book' : 'book beside'}>
      <nav class={listed ? 'outline open' : 'outline'} aria-label="Sommaire">
        <button type="button" class="outline-open" aria-expanded={listed} onClick={() => list(!listed)}>Sommaire et recherche</button>
        <label for="find-in">Chercher dans le texte</label>
        <input id="find-in" type="search" value={find} onInput={(e) => setFind(e.currentTarget.value)} />
        {wanted && !failed && <p class="meta" role="status">{all ? plural(visible, 'article') : 'Lecture du texte entier…'}</p>}
        {wanted && <Failure error={failed} retry={() => void readAll()} />}
        <label for="on-day">En vigueur le</label>
        <input id="on-day" type="date" value={date} max="9999-12-31" onChange={(e) => onDate(e.currentTarget.value)} />
        <div class="outline-list" tabIndex={0} role="group" aria-label="Articles">
          {sections.map((s, i) => {
            const own = s.articles.filter(shown)
            return own.length > 0 && (
              <div key={i}>
                {s.heading.slice(0, -1).map((h, depth) => h !== (sections[i - 1]?.heading ?? [])[depth] && <p key={depth} class="outline-heading above">{h}</p>)}
                {s.heading.length > 0 && own.some((a) => a.number !== '')
                  ? <Fold title={s.heading.at(-1)!} unfolded={wanted !== '' || w.articles.length <= unfolded || own.some((a) => a.id === first)}>{() => links(s, own)}</Fold>
                  : links(s, own)}
              </div>
            )
          })}
        </div>
      </nav>
      <div class="leaf">
        <h1 tabIndex={-1} data-verbatim><Title of={text.title} /></h1>
        <p class="meta">{text.nature || docTypeWord(text.doc_type)}{text.numero_officiel && ` n° ${text.numero_officiel}`}{domain && ` · ${domain}`}<Countries id={text.id} pays={w.details.pays} /></p>
        <p><Status statut={text.statut} by={text.statut === 'abroge' ? repeal : undefined} /> · texte du {day(text.date_promulgation)}, en vigueur {text.date_entree_vigueur > today ? 'à partir du' : 'depuis le'} {day(text.date_entree_vigueur)}{text.etat_au && `, imprimé dans sa version consolidée au ${day(text.etat_au)}`}</p>
        {w.details.remplace_par && <p class="warning">Une meilleure édition a pris la place de celui-ci au catalogue{'\u202f'}: <Successor id={w.details.remplace_par} /></p>}
        {text.gazette && <p class="meta" data-verbatim>{text.gazette.cite}, p.{'\u00a0'}{text.gazette.page}</p>}
        <p class="row">
          <button type="button" onClick={() => setPage(page === null ? (w.articles[0]?.page ?? 1) : null)} aria-expanded={page !== null}>{page === null ? 'Voir la gazette' : 'Fermer la gazette'}</button>
          <FollowButton of={{ kind: 'text', document_id: text.id }} about={text.title} />
          <a href={gazetteFile(text.id)} target="_blank" rel="noopener">Ouvrir le PDF</a>
          <a href={`/?${new URLSearchParams({ texte: text.id, titre: text.title })}`}>Interroger ce texte</a>
        </p>
        <details class="keep">
          <summary>Garder le texte</summary>
          <p class="row">{forms.map(([form, word]) => <button key={form} type="button" onClick={() => void download(`/api/v1/documents/${text.id}/export?format=${form}${date && `&date=${date}`}`, `texte.${form}`).catch((e: unknown) => notify(asError(e).message))}>{word}</button>)}
            <button type="button" onClick={printAll}>Imprimer</button></p>
          {w.details.adresse && <p>Chacun peut le lire, sans compte, à son adresse stable{'\u202f'}: <a class="address" href={date ? `${w.details.adresse}/fra@${date}` : w.details.adresse}>{w.details.adresse}{date && `/fra@${date}`}</a></p>}
        </details>
        {!all && <p class="print-note">Seuls les articles déjà lus à l’écran sont imprimés ici. Pour le texte entier : « Garder le texte », puis « Imprimer ».</p>}
        {wanted && <p class="print-note">Seulement les articles où se trouve « {find.trim()} ».</p>}
        <RelationLists of={changed ? { ...w.relations, modifie_par: w.relations.modifie_par.filter((r) => !w.days.some((d) => d.acts.some((act) => act.document_id === r.id))) } : w.relations} changes={w.details.changements} />
        <Pending of={w.pending} total={w.pendingTotal} />
        {changed && <Days of={w.days} on={date} today={today} changed={w.articles.filter((a) => a.assembled_by && a.valid_from === date)} onDay={onDate} />}
        {changed && !date && <p class="meta">Tel qu’imprimé. D’autres textes en ont modifié des articles{'\u202f'}: <button type="button" class="link" onClick={() => onDate(today)}>lire le texte d’aujourd’hui</button></p>}
        {date && <p class="meta">{date === today ? 'Le texte d’aujourd’hui.' : `Seulement ce qui est en vigueur le ${day(date)}.`} <button type="button" class="link" onClick={() => onDate('')}>{changed ? 'Tel qu’imprimé' : 'Tout montrer'}</button></p>}
        {date && text.etat_au && date < text.etat_au && <p class="meta status modifie">Texte imprimé dans sa version consolidée au {day(text.etat_au)}{'\u202f'}: son état au {day(date)} n’est pas connu.</p>}
        {visible === 0 && <p>{wanted ? (all ? 'Aucun article ne contient ces mots.' : 'Lecture du texte entier…') : 'Aucun article n’est en vigueur ce jour-là.'}</p>}
        {parts.map(([s, upTo], i) => {
          const own = s.articles.slice(0, wanted ? s.articles.length : upTo).filter(shown)
          if (own.length === 0) return null
          const before = sections[i - 1]?.heading ?? []
          return (
            <section key={i}>
              {s.heading.map((h, depth) => h !== before[depth] && <h2 key={depth} class={`depth-${Math.min(depth, 3)}`} data-verbatim>{h}</h2>)}
              {own.map((a) => (
                <ArticleView key={`${a.id} ${w.date}`} document={text.id} a={a} on={w.date || today} onPage={setPage} of={text} day={w.date} changed={changed} onDay={onDate} aimed={a.id === first} wanted={wanted}
                  onText={(w) => words.set(a.id, w)} known={words.get(a.id)} />
              ))}
            </section>
          )
        })}
      </div>
      {page !== null && (
        <aside class="gazette" aria-label="Gazette" onKeyDown={(e) => e.key === 'Escape' && setPage(null)}>
          <p class="gazette-head"><span>Gazette</span><button type="button" class="quiet" onClick={() => setPage(null)}>Fermer</button></p>
          <div class="gazette-sheet"><GazettePage key={page} documentId={text.id} page={page} regions={none} /></div>
        </aside>
      )}
    </div>
  )
}

/** A part of the outline, made when it is unfolded: a code has thousands of articles. */
function Fold({ title, unfolded, children }: { title: string; unfolded: boolean; children: () => preact.ComponentChildren }) {
  const [open, toggle] = useState(unfolded)
  useEffect(() => toggle(unfolded), [unfolded])
  return <details open={open} onToggle={(e) => toggle(e.currentTarget.open)}><summary class="outline-heading">{title}</summary>{open && children()}</details>
}

const none: never[] = []

/** How many articles of a text are made in one go: more than a screen shows, and few enough for a slow phone. */
const inOneGo = 50

/** The sections with how many of their articles are made: first those that somebody sees, up to the one that they came for, then the rest whenever there is nothing else to do. */
function useParts(sections: Section[], articles: Article[], first: string): [Section, number][] {
  const [made, make] = useState(() => articles.findIndex((a) => a.id === first) + inOneGo)
  useEffect(() => made < articles.length ? whenIdle([() => make(2 * made)]) : undefined, [made, articles])
  let left = made
  return sections.map((s) => {
    const here = Math.max(0, Math.min(left, s.articles.length))
    left -= s.articles.length
    return [s, here]
  })
}

/** How many articles a text has whose outline is unfolded from the start: some three screens of it. */
const unfolded = 60

/** How many articles a text has whose words are all read at once, when there is nothing else to do. */
const few = 200

/** The words of an article, and its alineas that acts have changed. */
interface Words { text: string; alineas: readonly ChangedAlinea[] }

const wordsOf = (a: { text: string; assembled_by?: { alineas: readonly ChangedAlinea[] } | null }): Words => ({ text: a.text, alineas: a.assembled_by?.alineas ?? [] })

/** The words of a text's articles on a date, or as printed: those that were read, and a way to read all of them, a hundred at a time. What is looked for or printed is the whole text, not what somebody happened to come near. */
function useWords(id: string, date: string) {
  const words = useMemo(() => new Map<string, Words>(), [id, date])
  const [whole, done] = useState<ReadonlyMap<string, Words> | null>(null)
  const [failed, fail] = useState<ApiError | null>(null)
  const reading = useRef<{ words: ReadonlyMap<string, Words>; end: Promise<boolean> } | null>(null)
  const read = async () => {
    for (let page = 1, more = true; more; page++) {
      const { items } = await ok(api.GET('/api/v1/documents/{id}/articles', { params: { path: { id }, query: { text: 'true', page, page_size: 100, ...(date && { date }) } } }))
      for (const a of items) if ('text' in a) words.set(a.id, wordsOf(a))
      more = items.length === 100
    }
    done(words)
    return true
  }
  const readAll = () => {
    fail(null)
    if (reading.current?.words !== words) {
      reading.current = { words, end: read().catch((e: unknown) => {
        reading.current = null
        fail(asError(e))
        return false
      }) }
    }
    return reading.current.end
  }
  return { words, whole: whole === words, failed, readAll }
}

/** The browser's own key prints all of the text too, once it is read; its menu cannot be made to wait, and the print says so. */
function usePrintKey(whole: boolean, printAll: () => void): void {
  const latest = useLatest({ whole, printAll })
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.key.toLowerCase() !== 'p' || !(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey || latest.current.whole) return
      e.preventDefault()
      latest.current.printAll()
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [])
}

const nearing = new Map<Element, () => void>()
const looking = new IntersectionObserver((seen) => {
  for (const e of seen) if (e.isIntersecting) nearing.get(e.target)?.()
}, { rootMargin: '800px 0px' })

/** Calls back when an element comes near what is seen; the result ends that. */
function whenNear(e: Element, then: () => void): () => void {
  nearing.set(e, then)
  looking.observe(e)
  return () => {
    looking.unobserve(e)
    nearing.delete(e)
  }
}

/** An article, whose words are read when it comes near; aimed is the one that somebody came for. */
function ArticleView(props: { document: string; of: LegalDocument; day: string; changed: boolean; onDay: (d: string) => void; a: Article; on: string; known: Words | undefined; aimed: boolean; wanted: string; onText: (w: Words) => void; onPage: (n: number) => void }) {
  const { a } = props
  const [own, setWords] = useState<Words | null>(null)
  const { text, alineas } = props.known ?? own ?? { text: null, alineas: [] }
  const [failed, fail] = useState(0)
  const [near, come] = useState(props.aimed)
  const [citing, cite] = useState(false)
  const ref = useRef<HTMLElement>(null)
  useEffect(() => near ? undefined : whenNear(ref.current!, () => come(true)), [near])
  useEffect(() => {
    if (!near || text !== null || failed > 2) return
    ok(api.GET('/api/v1/documents/{id}/articles/{article_id}', { params: { path: { id: props.document, article_id: a.id }, query: props.day ? { date: props.day } : {} } })).then((whole) => {
      const words = wordsOf(whole)
      setWords(words)
      props.onText(words)
    }, () => fail((n) => n + 1))
  }, [a.id, near, text !== null, failed])
  const links = useLinks(props.document, a.id, props.day, near ? text : null)
  const state = validity(a, props.on)
  const marks = useMemo(() => matches(text ?? '', props.wanted), [text, props.wanted])
  // Of a code of thousands of articles only what somebody comes near is made.
  if (!near && text === null) return <article class="law" id={`art-${a.id}`} ref={ref}><h3><span class={a.number === '' && a.heading ? 'sr' : undefined}>{capital(articleWord(a.number))}</span></h3><p class="waiting">…</p></article>
  const copy = () => void navigator.clipboard.writeText(reference(a, props.of, props.day, location.origin)).then(() => notify('Référence copiée.'), () => notify('Le navigateur n’a pas permis la copie.'))
  return (
    <article class={`law ${state}${props.aimed ? ' aimed' : ''}`} id={`art-${a.id}`} ref={ref}>
      <h3><span class={a.number === '' && a.heading ? 'sr' : undefined}>{capital(articleWord(a.number))}</span> <button type="button" class="quiet" onClick={() => props.onPage(a.page)}>p. {a.page}</button> <button type="button" class="quiet copy" onClick={copy} aria-label={`Copier la référence, ${articleWord(a.number)}`}>Copier<span class="wide-only"> la référence</span></button>{a.number !== '' && <> <FollowButton of={{ kind: 'article', document_id: props.document, article_id: a.id }} quiet about={articleWord(a.number)} /> <button type="button" class="quiet" aria-expanded={citing} aria-label={`Cité par, ${articleWord(a.number)}`} onClick={() => cite(!citing)}>Cité par</button></>}</h3>
      {a.replaces && <p class="meta">{a.replaces.type === 'insere' ? 'Ajoute' : 'Remplace'}{'\u202f'}: {articleWord(a.replaces.article)}, {a.replaces.document_id ? <a href={`/textes/${a.replaces.document_id}`}>{a.replaces.title}</a> : a.replaces.title}</p>}
      {state === 'past' && a.valid_to && <p class="meta status abroge">N’est plus en vigueur depuis le {day(a.valid_to)}</p>}
      {state === 'future' && a.valid_from && <p class="meta status modifie">En vigueur à partir du {day(a.valid_from)}</p>}
      {state === 'law' && a.valid_to && <p class="meta status modifie">En vigueur jusqu’au {day(a.valid_to)}, non compris</p>}
      {a.assembled_by && <Changed key={`${props.day} ${text !== null}`} document={props.document} a={a} by={a.assembled_by} opened={text !== null && a.valid_from === props.day} />}
      {text === null ? <p class="waiting">{failed ? 'Ces mots n’ont pas pu être lus.' : '…'}</p> : <div class="law-text"><Alineas words={text} links={links} marks={marks} changed={alineas} onPage={props.onPage} /></div>}
      {citing && <CitedBy document={props.document} a={a} date={props.day} />}
      {props.changed && (a.assembled_by || a.valid_to) && <Timeline document={props.document} a={a} on={props.on} onDay={props.onDay} />}
    </article>
  )
}

/** The text that has taken another's place in the catalogue, by its title once it is read. */
function Successor({ id }: { id: string }) {
  const title = useLoad((signal) => ok(api.GET('/api/v1/documents/{id}', { params: { path: { id } }, signal })), [id]).data?.title
  return <a href={`/textes/${id}`}>{title ?? 'la lire'}</a>
}

/** Who mends the catalogue. */
const edits = () => (current().user?.role ?? 'user') !== 'user'

/** The countries whose law a text is; an editor sets another where a wrong one is seen. */
function Countries({ id, pays }: { id: string; pays: readonly string[] }) {
  const [kept, keep] = useState(pays)
  const [picked, pick] = useState<string | null>(null)
  if (!edits()) return <>{kept.map((c) => ` · ${countryWord(c)}`)}</>
  const save = (c: string) => void ok(api.PATCH('/api/v1/admin/documents/{id}', { params: { path: { id } }, body: { pays: c } })).then(() => {
    keep(c ? [c] : [])
    pick(null)
    notify('Le pays est corrigé.')
  }, (e: unknown) => notify(asError(e).message))
  return <>{' · '}<label class="chip country"><span class="sr">Pays</span><CountrySelect value={picked ?? kept[0] ?? ''} onPick={pick} /></label>{kept.slice(1).map((c) => ` · ${countryWord(c)}`)}{picked !== null && picked !== (kept[0] ?? '') && <> <button type="button" class="main" onClick={() => save(picked)}>Enregistrer le pays</button></>}</>
}

/** What changed a text, each with the sentence that orders it, which an editor takes back where it orders nothing. */
function RelationLists({ of, changes }: { of: Relations; changes: components['schemas']['DocumentDetails']['changements'] }) {
  const [gone, setGone] = useState<readonly string[]>([])
  const mends = edits()
  const orders = (id: string) => changes.filter((c) => c.document_id === id)
  const remove = (id: string) => void Promise.all(orders(id).map((c) =>
    ok(api.POST('/api/v1/admin/relations/{id}', { params: { path: { id: c.id } }, body: { decision: 'reject' } } as never))))
    .then(() => setGone([...gone, id]), (e: unknown) => notify(asError(e).message))
  const list = (word: string, items: RelatedText[]) => items.length > 0 && (
    <li>{word}{' '}
      {items.slice(0, 12).map((r, i) => <span key={r.id}>{i > 0 && ', '}<a href={`/textes/${r.id}`}>{r.title}</a> ({day(r.date)})</span>)}
      {items.length > 12 && `, et ${items.length - 12} autres`}
    </li>
  )
  const changed = (word: string, items: RelatedText[]) => items.filter((r) => !gone.includes(r.id)).map((r) => (
    <li key={r.id}>{word} <a href={`/textes/${r.id}`}>{r.title}</a> ({day(r.date)})
      {orders(r.id)[0]?.words && <>{'\u202f'}: «{'\u202f'}<span class="verbatim">{orders(r.id)[0]?.words}</span>{'\u202f'}»</>}
      {mends && orders(r.id).length > 0 && <> <button type="button" class="link" aria-label={`Retirer\u202f: «\u202f${r.title}\u202f» ne change pas ce texte`} onClick={() => remove(r.id)}>Retirer</button></>}
    </li>
  ))
  if (of.abroge.length + of.abroge_par.length + of.modifie.length + of.modifie_par.length === 0) return null
  return (
    <ul class="relation-list" aria-label="Relations">
      {changed('Abrogé par', of.abroge_par)}
      {changed('Modifié par', of.modifie_par)}
      {list('Abroge', of.abroge)}
      {list('Modifie', of.modifie)}
    </ul>
  )
}
