// « Vérifier un texte »: what a text that somebody wrote says of the law, compared with the catalogue.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ok, saveAs } from '../api/client'
import { asError, failureOf, type ApiError } from '../api/errors'
import { send } from '../api/session'
import type { Verification } from '../api/types'
import { day, lawToday } from '../lib/dates'
import { articleWord, countryWord, plural } from '../lib/french'
import { byGravity, faults, opens, pieces, quotedWeight, quotedWord, remarks, told, verifiedWeight, verifiedWord, toReview } from '../lib/verified'
import { notify } from '../parts/notice'
import { Failure, Field } from '../parts/ui'
import './verify.css'

export function Verify() {
  const [text, write] = useState('')
  const [typed, setDate] = useState<string | null>(null)
  const [pays, setPays] = useState('')
  const date = typed ?? lawToday(pays)
  const [countries, setCountries] = useState<string[]>([])
  const [busy, work] = useState(false)
  const [error, fail] = useState<ApiError | null>(null)
  const [report, show] = useState<{ name: string; of: Verification; file: File | null } | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Without the list of countries a text can be checked all the same.
    ok(api.GET('/api/v1/search', { params: { query: { q: '', page_size: 1 } } })).then((r) => setCountries(r.facets.pays.map((c) => c.value).filter((c) => c.length === 2)), () => undefined)
  }, [])
  useEffect(() => heading.current?.focus({ preventScroll: false }), [report])
  const check = (name: string, made: () => Promise<Verification>, file: File | null = null) => {
    if (busy) return
    work(true)
    fail(null)
    made().then((of) => show({ name, of, file }), (e: unknown) => fail(asError(e))).finally(() => work(false))
  }
  const paste = () => check('Texte collé', () => ok(api.POST('/api/v1/verify', { body: { text, date, pays: pays || null } })))
  const take = (file: File | undefined) => {
    if (!file) return
    check(file.name, async () => {
      const body = new FormData()
      body.append('date', date)
      if (pays) body.append('pays', pays)
      body.append('file', file)
      const r = await send('/api/v1/verify', { method: 'POST', body })
      if (!r.ok) throw await failureOf(r)
      return (await r.json()) as Verification
    }, file)
  }
  return (
    <main class="wide verify" id="contenu">
      <h1 tabIndex={-1}>Vérifier un texte</h1>
      <form class="to-verify" onSubmit={(e) => {
        e.preventDefault()
        paste()
      }} onDragOver={(e) => e.preventDefault()} onDrop={(e) => {
        if (!e.dataTransfer?.files.length) return
        e.preventDefault()
        take(e.dataTransfer.files[0])
      }}>
        <p>Un mémoire, un contrat, la réponse d’un assistant{'\u202f'}: chaque référence est cherchée au catalogue, chaque citation comparée aux mots de la loi. Rien n’est gardé.</p>
        <Field label="Texte" hint="Collez-le, ou déposez un fichier .docx, .odt, .pdf, .txt ou .md, de 20 Mio au plus." error={error?.fields.text}>
          {(a) => <textarea {...a} rows={report ? 4 : 10} maxLength={500000} value={text} onInput={(e) => write(e.currentTarget.value)} />}
        </Field>
        <div class="verify-of">
          <Field label="Droit en vigueur le" error={error?.fields.date}>{(a) => <input {...a} type="date" required value={date} onInput={(e) => setDate(e.currentTarget.value)} />}</Field>
          <Field label="Pays" error={error?.fields.pays}>{(a) => (
            <select {...a} value={pays} onChange={(e) => setPays(e.currentTarget.value)}>
              <option value="">Celui que le texte dit</option>
              {countries.map((c) => <option key={c} value={c}>{countryWord(c)}</option>)}
            </select>
          )}</Field>
        </div>
        <div class="to-check">
          <button type="submit" class="main" disabled={busy || text.trim() === ''}>{busy ? 'Vérification…' : 'Vérifier'}</button>
          <span class="file-of">ou <button type="button" class="link" disabled={busy} onClick={() => input.current?.click()}>choisissez un fichier</button></span>
          <input ref={input} type="file" class="sr" tabIndex={-1} aria-label="Fichier à vérifier" accept=".txt,.md,.docx,.odt,.pdf" onChange={(e) => {
            take(e.currentTarget.files?.[0])
            e.currentTarget.value = ''
          }} />
        </div>
        <Failure error={error && (error.fields.file ? { ...error, message: error.fields.file } : error)} />
      </form>
      <div role="status" class="sr">{busy ? 'Vérification en cours' : report ? summary(report.of) : ''}</div>
      {report && (
        <section aria-labelledby="verified">
          <div class="row verified-head">
            <h2 id="verified" ref={heading} tabIndex={-1}><span class="verbatim">{report.name}</span>, au {day(report.of.date)}</h2>
            {report.file?.name.toLowerCase().endsWith('.docx') && toReview(report.of) > 0 && <button type="button" onClick={() => void giveBack(report.file!, report.of)}>Le fichier, annoté</button>}
            <button type="button" class="to-print" onClick={() => print()}>Imprimer</button>
          </div>
          <p>{summary(report.of)}</p>
          {toReview(report.of) > 0 && <ul class="verified-faults" aria-label="À revoir">{faults(report.of).map((f) => <li key={f.word}><span class={`verified-state ${f.weight}`}>{f.word}</span> {f.n}</li>)}</ul>}
          <FollowAll of={report.of} />
          <div class="verified">
            <div class="verified-text law-text" data-verbatim aria-label="Le texte, avec ce qui y est vérifié">
              {pieces(report.of).map((p, i) => p.id ? <a key={i} id={`dans-${p.id}`} href={`#${p.id}`} class={`verified-mark ${p.weight}`} title={p.word}>{p.text}{p.weight !== 'good' && <sup>{p.word}</sup>}</a> : p.text)}
            </div>
            <Found of={report.of} />
          </div>
        </section>
      )}
    </main>
  )
}

/** Gives the file back with what a person should look at as comments. */
async function giveBack(file: File, of: Verification): Promise<void> {
  try {
    const { annotate } = await import('../lib/docx')
    const made = await annotate(file, of.text, remarks(of), 'Vigueur')
    if (made) saveAs(made, file.name.replace(/\.docx$/i, ' (vérifié).docx'))
    else notify('Ce fichier n’a pas pu être annoté\u202f: le rapport dit où.')
  } catch {
    notify('Ce fichier n’a pas pu être annoté\u202f: le rapport dit où.')
  }
}

/** Follows the texts of a report: their changes are told, and the check can be made again. */
function FollowAll({ of }: { of: Verification }) {
  const [done, follow] = useState(false)
  const ids = [...new Set(of.references.filter((r) => r.texts.length === 1).map((r) => r.texts[0]!.document_id))]
  if (ids.length === 0) return null
  const all = async () => {
    try {
      for (const id of ids) await ok(api.POST('/api/v1/me/follows', { body: { kind: 'text', document_id: id } }))
      follow(true)
      notify('Vous serez averti quand un de ces textes changera\u202f: vérifiez alors votre texte de nouveau.')
    } catch (e) {
      notify(asError(e).message)
    }
  }
  return <p class="meta">La loi change. <button type="button" class="quiet" disabled={done} onClick={() => void all()}>{done ? 'Textes suivis' : ids.length === 1 ? 'Suivre ce texte' : `Suivre ces ${ids.length} textes`}</button></p>
}

const summary = (of: Verification): string => {
  if (of.references.length + of.quotations.length === 0) return 'Ce texte n’a ni référence ni citation.'
  const doubted = toReview(of)
  const doubts = doubted === 0 ? 'rien à revoir' : `${plural(doubted, 'point')} à revoir`
  const more = of.more ? ' Le texte en a d’autres, qui ne sont pas vérifiées.' : ''
  return `${plural(of.references.length, 'référence')}, ${plural(of.quotations.length, 'citation')}, ${doubts}.${more}`
}

/** What was found, a reference after the other with its quotations. */
function Found({ of }: { of: Verification }) {
  const quotations = (at: number | null) => of.quotations.map((q, i) => ({ q, i })).filter(({ q }) => q.reference === at).map(({ q, i }) => <Quoted key={i} q={q} id={`cit-${i}`} words={[...of.text].slice(q.start, q.end).join('').trim()} />)
  return (
    <ol class="verified-list" aria-label="Rapport">
      {byGravity(of).map((i) => i === null ? <li key="none"><p class="verified-name">Citations sans référence</p>{quotations(null)}</li> : [of.references[i]!].map((r) => (
        <li key={i} id={`ref-${i}`}>
          <p class="verified-name"><a href={`#dans-ref-${i}`} class="verbatim">{r.name}</a> <span class={`verified-state ${verifiedWeight(r.state)}`}>{verifiedWord(r.state)}</span></p>
          <p>{told(r.told)}{r.inherited && ' Le texte est celui qui est nommé avant.'}</p>
          {r.texts.length > 0 && <ul class="verified-texts">{r.texts.map((t) => (
            <li key={t.document_id}><a class="verbatim" href={opens(t.document_id, null, of.date)}>{t.title}</a>{t.pays.length > 0 && `, ${t.pays.map(countryWord).join(', ')}`}
              {r.texts.length === 1 && r.articles.some((a) => a.article_id) && <>{'\u202f'}: {r.articles.filter((a) => a.article_id).map((a, n) => <span key={a.article_id}>{n > 0 && ', '}<a href={opens(t.document_id, a.article_id, of.date)}>{articleWord(a.number)}</a></span>)}</>}</li>
          ))}</ul>}
          {quotations(i)}
        </li>
      )))}
    </ol>
  )
}

function Quoted({ q, id, words }: { q: Verification['quotations'][number]; id: string; words: string }) {
  return (
    <div class="verified-quote" id={id}>
      <p><span class={`verified-state ${quotedWeight(q)}`}>{quotedWord(q)}</span> <a href={`#dans-${id}`} class="verbatim">«{'\u202f'}{words}{'\u202f'}»</a></p>
      <p>{told(q.told)}</p>
      {q.verdict === 'differente' && (
        <>
          <p class="meta">Dans la loi{'\u202f'}: <span class="verbatim">«{'\u202f'}{q.words}{'\u202f'}»</span> <button type="button" class="quiet" onClick={() => void navigator.clipboard.writeText(q.words).then(() => notify('Les mots de la loi sont copiés.'), () => notify('Le navigateur n’a pas permis la copie.'))}>Copier ces mots</button></p>
          <ul>{q.differences.map((d, i) => <li key={i}>{d.quoted === '' ? <>manque <ins class="verbatim">{d.article}</ins></> : d.article === '' ? <>en trop <del class="verbatim">{d.quoted}</del></> : <><del class="verbatim">{d.quoted}</del> pour <ins class="verbatim">{d.article}</ins></>}</li>)}</ul>
        </>
      )}
    </div>
  )
}
