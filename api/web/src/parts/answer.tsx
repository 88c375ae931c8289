// A question and its answer.
import { useMemo, useRef, useState } from 'preact/hooks'
import type { ArticleLink, Citation } from '../api/types'
import { day, span } from '../lib/dates'
import { articleWord, capital, countryWord, modelWord, plural, typeset } from '../lib/french'
import { alineas, cut, doubted, doubtsOf, html, plain, strays, warming, type Block, type Cut, type Range } from '../lib/markdown'
import { whenIdle } from '../lib/idle'
import { locate, plain as flat } from '../lib/marks'
import { cutRules, isItem, onceForEditions, type Rule } from '../lib/rules'
import { ended, wholeSentences, type Answer } from '../lib/stream'
import type { Turn } from '../screens/conversation'
import { useCountries, useHome } from './country'
import { Feedback } from './feedback'
import { FollowButton } from './follow'
import { notify } from './notice'
import { useSteps, useWho } from './hooks'
import { Linked, useLinks } from './linked'
import { Status } from './ui'
import { Title } from './marked'
import './answer.css'

whenIdle(warming)

export function AnswerView(props: {
  turn: Turn; last: boolean; busy: boolean; corpus: number; shown: number
  onSource: (c: Citation) => void; onAgain: () => void
  /** Somebody else's, read by a link, or a guest's: nothing can be done with it but to read and copy it, and to ask the last one of another country's law. */
  shared?: boolean
}) {
  const { turn } = props
  const a = turn.answer
  // The end of an answer is drawn in as many frames as it has parts: its sources, what the checks found, where, and what can be done with it.
  const step = useSteps(!!a && ended(a), 3)
  return (
    <article class="turn">
      {turn.question && <div class={turn.question.length > 240 ? 'question long' : 'question'}><h2 class="sr">Question</h2><p>{turn.question}</p></div>}
      {a && (
        <div class="answer" data-phase={ended(a) && step < 3 ? 'writing' : a.phase} data-message={a.messageId}>
          <h2 class="sr">Réponse</h2>
          {step > 0 && <Warnings a={a} />}
          <Body a={a} checked={step > 1} onSource={props.onSource} />
          <Progress a={a} corpus={props.corpus} />
          {a.phase === 'failed' && <p class="failure" role="alert">{typeset(a.error || 'La réponse n’a pas pu être faite.')} Vous pouvez reposer la question.</p>}
          {ended(a) && (props.last || !props.shared) && <WhichCountry a={a} question={turn.question} again={!props.busy && props.last} onAgain={props.onAgain} />}
          {ended(a) && <Sources a={a} shown={props.shown} onSource={props.onSource} />}
          {step > 2 && <Actions a={a} turn={turn} again={!props.busy} onAgain={props.onAgain} shared={props.shared ?? false} />}
        </div>
      )}
    </article>
  )
}

/** What the checks found, in one sentence, and a band when repealed law is cited. Where nothing is cited and no sentence is doubted, as in a refusal or in reply to a greeting, there is nothing that could be verified, and the warning only says what the answer does. */
function Warnings({ a }: { a: Answer }) {
  const repealed = a.citations.filter((c) => c.statut === 'abroge')
  const warning = a.validation && !a.validation.ok ? a.validation.warning : null
  return (
    <>
      {repealed.map((c) => {
        const by = c.relations.filter((r) => r.type === 'abroge_par').at(-1)
        return (
          <p class="band" key={c.index}>
            <strong>La source [{c.index}] est abrogée</strong>
            {by && <>{' '}par <a href={`/textes/${by.document_id}`}>{by.title}</a>, à compter du {day(by.date)}</>}.
          </p>
        )
      })}
      {warning && (a.citations.length > 0 || doubtsOf(warning).length > 0) && <p class="warning"><strong>À vérifier.</strong> {typeset(warning)}</p>}
    </>
  )
}

/** A block or a piece of one, rendered anew only when something of it has changed. known: the sources that there are, or * when all are taken for known. */
function Piece({ text, inline, known, doubts }: { text: string; inline: boolean; known: string; doubts: string }) {
  return useMemo(() => {
    const numbers = known.split(',')
    const there = (n: number) => known === '*' || numbers.includes(String(n))
    const ranges = JSON.parse(doubts) as Range[]
    const words = inline ? plain(text, there, ranges) : null
    if (words) return <span>{words.map((p) => (!('text' in p) ? <Marks of={p.cites} /> : p.doubted ? <mark>{p.text}</mark> : p.text))}</span>
    const made = { __html: html(text, inline, there, ranges) }
    return inline ? <span dangerouslySetInnerHTML={made} /> : <div dangerouslySetInnerHTML={made} />
  }, [text, inline, known, doubts])
}

/** A mark « [n] », as html() writes it. */
const Marks = ({ of }: { of: number[] }) => (
  <span class="marks">{of.map((n) => <button key={n} type="button" class="cite" data-n={n} aria-label={`Source ${n}`}>{n}</button>)}</span>
)

function BlockView({ block, known, doubts, whole }: { block: Block; known: string; doubts: string; whole: boolean }) {
  return useMemo(() => {
    const numbers = known.split(',')
    const lost = (piece: string) => known !== '*' && strays(piece, (n) => numbers.includes(String(n)))
    const ranges = doubts ? doubted(block, JSON.parse(doubts) as string[]) : []
    const made = block.pieces.map((piece, i) => <Piece key={i} text={piece} inline={block.paragraph} known={lost(piece) ? known : '*'} doubts={JSON.stringify(ranges[i] ?? [])} />)
    return block.paragraph ? <>{alineas(block.pieces, whole).map(([from, to]) => <p key={from}>{made.slice(from, to)}</p>)}</> : made[0]!
  }, [block, known, doubts, whole])
}

/** What an answer says beside what it quotes. */
function Words({ text, known, doubts, whole }: { text: string; known: string; doubts: string; whole: boolean }) {
  const before = useRef<Cut>(undefined)
  const blocks = useMemo(() => (before.current = cut(text, before.current)).blocks, [text])
  return <>{blocks.map((block, i) => <BlockView key={i} block={block} known={known} doubts={doubts} whole={whole} />)}</>
}

/** A quoted article as law is set: one line that says what it is, and the rule as it is printed. country heads what is of another country than what stands before. */
function RuleView({ rule, source: c, doubts, country, told, onSource }: { rule: Rule; source: Citation | undefined; doubts: string; country: string; told: boolean; onSource: (c: Citation) => void }) {
  const phrases = doubts ? JSON.parse(doubts) as string[] : []
  const links = useLinks(c?.document_id ?? '', c?.article_id ?? null, '', c ? rule.quote : null)
  const name = c && !rule.name.startsWith('Et, pour') ? c.replaces ? rule.name : <>{c.article ? capital(articleWord(c.article)) : rule.name.split(' ').slice(0, 2).join(' ')}, <Title of={c.title} /></> : rule.name
  return (
    <>
      {country && <h3 class="rule-country">{country.split(',').map(countryWord).join(', ')}</h3>}
      <section class="rule" aria-label={rule.name}>
        <p class="rule-head" onClick={(e) => c && !(e.target as HTMLElement).closest('.cite') && onSource(c)}>
          <span class="rule-name" title={c?.title}>{name}</span>
          {c && <span class="rule-about"><Status statut={c.statut} />{told && c.pays && ` · ${c.pays.map(countryWord).join(', ')}`}{c.page && ` · p.\u00a0${c.page}`}</span>}
          <Marks of={rule.cites.slice(0, 1)} />
        </p>
        {rule.made && <p class="meta">{capital(rule.made)} <Marks of={rule.cites.slice(1)} /></p>}
        <blockquote>{rule.quote.split('\n').map((line, i) => <p key={i} class={isItem(line) ? 'item' : undefined}><Doubted line={line} phrases={phrases} links={links} /></p>)}</blockquote>
      </section>
    </>
  )
}

/** A line of a quotation, with what the checks doubt of it marked. */
function Doubted({ line, phrases, links }: { line: string; phrases: readonly string[]; links: readonly ArticleLink[] }) {
  const at = phrases.map((p) => locate(line, p)).find((r) => r !== null)
  return at ? <>{line.slice(0, at[0])}<mark>{line.slice(...at)}</mark>{line.slice(at[1])}</> : <Linked words={line} links={links} />
}

function Body({ a, checked, onSource }: { a: Answer; checked: boolean; onSource: (c: Citation) => void }) {
  const [card, setCard] = useState<{ c: Citation; at: DOMRect } | null>(null)
  const done = ended(a)
  const live = useRef(!done) // whether it was written while somebody was here
  const cited = (target: EventTarget | null): [Citation, HTMLElement] | null => {
    const mark = target instanceof Element ? target.closest<HTMLElement>('.cite') : null
    const c = mark && a.citations.find((c) => c.index === Number(mark.dataset.n))
    return c ? [c, mark] : null
  }
  // Neither a finger nor a focus that is only given back shows the card: nothing would take it away.
  const point = (e: Event) => {
    const found = e instanceof PointerEvent ? (e.pointerType === 'mouse' ? cited(e.target) : null) : (e.target as HTMLElement).matches(':focus-visible') ? cited(e.target) : null
    setCard(found ? { c: found[0], at: found[1].getBoundingClientRect() } : null)
  }
  const known = done ? a.citations.map((c) => c.index).join() : '*'
  const doubts = checked && a.validation && !a.validation.ok ? JSON.stringify(doubtsOf(a.validation.warning)) : ''
  const parts = useMemo(() => cutRules(onceForEditions(a.text)), [a.text])
  const countries = parts.map((part) => (typeof part === 'string' ? undefined : a.citations.find((c) => c.index === part.cites[0])?.pays?.join()))
  const grouped = new Set(countries.filter(Boolean)).size > 1
  return (
    <>
      <div class="prose" data-verbatim onClick={(e) => {
        const found = cited(e.target)
        if (!found) return
        setCard(null)
        onSource(found[0])
      }} onPointerOver={point} onFocusIn={point} onFocusOut={() => setCard(null)} onPointerLeave={() => setCard(null)}
        onKeyDown={(e) => {
          if (e.key === 'Escape' && card) {
            e.preventDefault()
            setCard(null)
          }
        }}>
        {parts.map((part, i) => typeof part === 'string'
          ? <Words key={i} text={part} known={known} doubts={doubts} whole={checked} />
          : <RuleView key={i} rule={part} source={a.citations.find((c) => c.index === part.cites[0])} doubts={doubts}
            country={!grouped || !countries[i] || countries[i] === countries.slice(0, i).findLast(Boolean) ? '' : countries[i]!} told={!grouped} onSource={onSource} />)}
        {card && <Card {...card} />}
      </div>
      {live.current && <Heard text={a.text} end={a.phase === 'done' ? 'Fin de la réponse.' : a.phase === 'failed' ? 'La réponse s’est arrêtée.' : ''} />}
    </>
  )
}

/** What is being written, for who hears it: by whole sentences, all of them, and that it has ended. */
function Heard({ text, end }: { text: string; end: string }) {
  const told = useRef<{ so: string; said: { key: number; words: string }[] }>({ so: '', said: [] })
  const { so, said } = told.current
  const whole = end ? text : wholeSentences(text, text.startsWith(so) ? so.length : 0)
  if (!whole.startsWith(so)) told.current = { so: whole, said: [{ key: 0, words: whole }] }
  else if (whole.length > so.length) told.current = { so: whole, said: [...said, { key: so.length, words: whole.slice(so.length) }] }
  return (
    <div class="sr" role="log" aria-live="polite" aria-label={end ? 'Réponse entendue' : 'Réponse en cours'}>
      {told.current.said.map((s) => <p key={s.key} data-verbatim>{s.words.replace(/\[\d+(?:, ?\d+)*\]/g, '')}</p>)}
      {end && <p key="end">{end}</p>}
    </div>
  )
}

/** What a mark points at, beside it. */
function Card({ c, at }: { c: Citation; at: DOMRect }) {
  const width = Math.min(360, innerWidth - 24)
  const left = Math.max(12, Math.min(at.left - 20, innerWidth - width - 12))
  const below = at.bottom + 260 < innerHeight || at.top < 280
  const place = below ? { top: `${at.bottom + 6}px` } : { bottom: `${innerHeight - at.top + 6}px` }
  return (
    <div class="card" role="tooltip" style={{ left: `${left}px`, width: `${width}px`, ...place }}>
      <p class="card-title"><Title of={c.title} /></p>
      <p class="meta">{c.article && <>{capital(articleWord(c.article))}{c.page ? `, p. ${c.page}` : ''} · </>}<Status statut={c.statut} /></p>
      <p class="excerpt">{c.excerpt.length > 320 ? c.excerpt.slice(0, 319) + '…' : c.excerpt}</p>
    </div>
  )
}

/** What is waited for. */
function Progress({ a, corpus }: { a: Answer; corpus: number }) {
  if (a.phase === 'waiting') return <p class="waiting" role="status">{a.messageId ? (corpus ? `Recherche dans ${plural(corpus, 'texte')}…` : 'Recherche dans le catalogue…') : 'Envoi de la question…'}</p>
  if (a.phase === 'lost') return <p class="waiting" role="status">Connexion perdue, reprise en cours… La réponse continue d’être écrite.</p>
  if (a.phase === 'writing') return <p class="waiting writing" aria-hidden="true">Rédaction…</p>
  return null
}

function Sources({ a, shown, onSource }: { a: Answer; shown: number; onSource: (c: Citation) => void }) {
  const set = new Set(cutRules(a.text).flatMap((part) => (typeof part === 'string' ? [] : part.cites.slice(0, 1)))) // these say what they are above their words
  const others = a.citations.filter((c) => !set.has(c.index ?? 0))
  if (others.length + a.seeAlso.length === 0) return null
  return (
    <section class="sources" aria-label="Sources">
      {others.length > 0 && <h3>Sources</h3>}
      <ol>
        {others.map((c) => (
          <li key={c.index} value={c.index}>
            <button type="button" class="link" aria-pressed={shown === c.index} onClick={() => onSource(c)}>
              <Title of={c.title} />{c.article && <>, {articleWord(c.article)}</>}{c.page && <>, p. {c.page}</>}
            </button>
            {c.replaces && <span class="meta"> ({c.replaces.type === 'insere' ? 'ajoute' : 'remplace'}{'\u202f'}: {articleWord(c.replaces.article)}, {c.replaces.title})</span>}
            {c.etat_au && <span class="meta"> (version consolidée au {day(c.etat_au)})</span>}
            {c.statut !== 'en_vigueur' && <>{' '}<Status statut={c.statut} /></>}
            <p class="print-excerpt">«{'\u202f'}{c.excerpt}{'\u202f'}»</p>
          </li>
        ))}
      </ol>
      {a.seeAlso.length > 0 && (
        <>
          <h3>À lire aussi</h3>
          <ul>{a.seeAlso.map((c) => <li key={c.article_id}><a href={`/textes/${c.document_id}${c.article_id ? `?article=${c.article_id}` : ''}`}><Title of={c.title} />{c.article && <>, {articleWord(c.article)}</>}</a></li>)}</ul>
        </>
      )}
    </section>
  )
}

/** Asks for the reader's country where the articles found are of several and the question names none. */
function WhichCountry({ a, question, again, onAgain }: { a: Answer; question: string; again: boolean; onAgain: () => void }) {
  const { pays, choose } = useHome()
  const offered = useCountries()
  const of = [...new Set([...a.citations, ...a.seeAlso].flatMap((c) => c.pays ?? []))]
  const those = offered.filter((c) => of.includes(c.pays))
  if (pays !== null || a.country || of.length < 2 || those.length === 0 || of.some((c) => flat(question).includes(flat(countryWord(c))))) return null
  return (
    <p class="which-country chips"><strong>Le droit de quel pays{'\u202f'}?</strong>
      {those.map((c) => <button key={c.pays} type="button" class="chip" onClick={() => void choose(c.pays).then(() => again && onAgain())}>{c.word}</button>)}
    </p>
  )
}

/** How surely an answer answers, in words. */
const certainties = { sure: 'Réponse sûre', likely: 'Réponse possible', unsure: 'Réponse possible', refused: 'Sans réponse' }

function Actions({ a, turn, again, onAgain, shared }: { a: Answer; turn: Turn; again: boolean; onAgain: () => void; shared: boolean }) {
  const role = useWho().user?.role
  const explains = (role === 'editor' || role === 'admin') && a.phase === 'done'
  const copy = () => {
    const sources = a.citations.map((c) => `[${c.index}] ${c.title}${c.article ? `, ${articleWord(c.article)}` : ''}${c.page ? `, p. ${c.page}` : ''}`)
    navigator.clipboard.writeText([a.text, ...(sources.length ? ['', ...sources] : [])].join('\n')).then(
      () => notify('Réponse copiée avec ses sources.'), () => notify('Le navigateur n’a pas permis la copie.'))
  }
  const made = capital([a.model && (a.model !== 'extractif' || a.citations.length > 0) ? modelWord(a.model) : '', a.latencyMs === null ? '' : `en ${span(a.latencyMs)}`].filter(Boolean).join(', '))
  const on = turn.filters?.date
  const about = (
    <span class="meta">
      {(on || a.country) && <>Droit{a.country && ` demandé\u202f: ${countryWord(a.country)}`}{on && `${a.country ? ', au ' : ' du '}${day(on)}`}{(a.certainty || made) && ' · '}</>}
      {a.certainty && <><span class="certainty" data-certainty={a.certainty}>{certainties[a.certainty]}</span>{made && ' · '}</>}
      {made}
    </span>
  )
  if (shared) return <div class="actions"><button type="button" class="quiet" onClick={copy}>Copier</button>{about}</div>
  return (
    <div class="actions">
      <button type="button" class="quiet" onClick={copy}>Copier</button>
      {a.phase === 'done' && a.citations.length > 0 && a.messageId && <FollowButton of={{ kind: 'answer', message_id: a.messageId }} quiet about="les articles de cette réponse" />}
      {again && turn.question && <button type="button" class="quiet" onClick={onAgain}>Reposer</button>}
      <Feedback messageId={a.messageId} given={turn.rating ?? null}>
        {explains && <a href={`/admin/reponses/${a.messageId}`}>Pourquoi cette réponse{'\u202f'}?</a>}
        {about}
      </Feedback>
    </div>
  )
}
