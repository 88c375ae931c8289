// What people teach the service: short names of texts, and the articles that answer questions.
import { useState } from 'preact/hooks'
import { api, ok, saveAs } from '../api/client'
import { asError } from '../api/errors'
import type { MeantArticle, Pin, TextName } from '../api/types'
import { day } from '../lib/dates'
import { articleWord, countryWord, plural } from '../lib/french'
import { useCountries } from '../parts/country'
import { useSending } from '../parts/form'
import { useLoad, useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { PickArticle, type Picked } from '../parts/pick-article'
import { Dialog, Failure, Field, Show } from '../parts/ui'

export function Taught() {
  useTitle('Noms et réponses')
  const names = useLoad((signal) => ok(api.GET('/api/v1/admin/names', { signal })), [])
  const pins = useLoad((signal) => ok(api.GET('/api/v1/admin/pinned', { signal })), [])
  const [naming, name] = useState(false)
  const [pinning, pin] = useState<Pin | MeantArticle | 'new' | null>(null)
  const settle = (done: Promise<unknown>, reload: () => void) => void done.then(reload, (e: unknown) => notify(asError(e).message))
  const save = () => void ok(api.GET('/api/v1/admin/judged')).then(
    ({ items }) => saveAs(new Blob(items.map((q) => `${JSON.stringify(q)}\n`), { type: 'application/x-ndjson' }), 'questions-jugees.jsonl'), (e: unknown) => notify(asError(e).message))
  return (
    <>
      <div class="head"><h1 tabIndex={-1}>Noms et réponses</h1></div>
      <section aria-labelledby="pinned">
        <div class="head"><h2 id="pinned">Réponses épinglées</h2><button type="button" class="main" onClick={() => pin('new')}>Épingler une réponse</button></div>
        <p class="meta">Une question qui a les mêmes mots, pour le même pays, a aussitôt cet article pour réponse. Elle est dite « vérifiée par une personne ».</p>
        <Show of={pins} waiting="Lecture des réponses…">
          {({ items, proposed }) => (
            <>
              <ul class="rows">
                {items.map((p) => (
                  <li key={p.id}>
                    <div class="file-head"><strong class="verbatim">{p.question}</strong>{p.state !== 'pinned' && <span class="state failed">{p.state === 'repealed' ? `Désépinglée${'\u202f'}: plus en vigueur depuis le ${day(p.ended_on!)}` : 'Désépinglée\u202f: l’article n’est plus là'}</span>}</div>
                    <p><a href={`/textes/${p.document_id}`}>{articleWord(p.article)}</a>{p.title && <>, <span data-verbatim>{p.title}</span></>}</p>
                    <div class="row"><span class="meta">{p.pays ? countryWord(p.pays) : 'Tous les pays'}, {day(p.created_at)}</span>
                      {p.state !== 'pinned' && <button type="button" class="quiet" onClick={() => pin(p)}>Choisir un autre article</button>}
                      <button type="button" class="quiet" aria-label={`Retirer la réponse à ${p.question}`} onClick={() => settle(ok(api.DELETE('/api/v1/admin/pinned/{id}', { params: { path: { id: p.id } } })), pins.reload)}>Retirer</button></div>
                  </li>
                ))}
              </ul>
              {items.length === 0 ? <p class="meta">Aucune réponse n’est épinglée.</p> : <p><button type="button" class="quiet" onClick={save}>Exporter comme questions jugées</button></p>}
              {proposed.length > 0 && <h3>Ce que des lecteurs cherchaient</h3>}
              <ul class="rows">
                {proposed.map((m) => (
                  <li key={`${m.question} ${m.document_id} ${m.article}`}>
                    <div class="file-head"><strong class="verbatim">{m.question}</strong></div>
                    <p><a href={`/textes/${m.document_id}`}>{m.article ? articleWord(m.article) : 'Le texte'}</a>, <span data-verbatim>{m.title}</span></p>
                    <div class="row"><span class="meta">{plural(m.readers, 'lecteur')}{m.pays && `, ${countryWord(m.pays)}`}</span><button type="button" class="quiet" aria-label={`Épingler la réponse à ${m.question}`} onClick={() => pin(m)}>Épingler</button></div>
                  </li>
                ))}
              </ul>
            </>
          )}
        </Show>
      </section>
      <section aria-labelledby="names">
        <div class="head"><h2 id="names">Noms courts des textes</h2><button type="button" class="main" onClick={() => name(true)}>Donner un nom</button></div>
        <p class="meta">Questions et recherche trouvent un texte par son nom court. « AUSCGIE », « COCC » ou « moudawana » sont connus sans être donnés.</p>
        <Show of={names} waiting="Lecture des noms…">
          {({ items }) => items.length === 0 ? <p class="meta">Aucun nom n’est donné.</p> : (
            <ul class="rows">
              {items.map((n: TextName) => (
                <li key={n.id}>
                  <div class="file-head"><strong class="verbatim">{n.name}</strong><span class="meta">{n.pays && countryWord(n.pays)}</span></div>
                  <div class="row"><span class="verbatim">{n.means}</span><button type="button" class="quiet" aria-label={`Retirer le nom ${n.name}`} onClick={() => settle(ok(api.DELETE('/api/v1/admin/names/{id}', { params: { path: { id: n.id } } })), names.reload)}>Retirer</button></div>
                </li>
              ))}
            </ul>
          )}
        </Show>
      </section>
      {naming && <Naming onDone={(saved) => {
        name(false)
        if (saved) names.reload()
      }} />}
      {pinning && <Pinning of={pinning === 'new' ? null : pinning} onDone={(saved) => {
        pin(null)
        if (saved) pins.reload()
      }} />}
    </>
  )
}

function CountryField({ pays, onPick, error }: { pays: string; onPick: (pays: string) => void; error: string | undefined }) {
  const countries = useCountries()
  return <Field label="Pays" error={error}>{(a) => <select {...a} value={pays} onChange={(e) => onPick(e.currentTarget.value)}><option value="">Tous les pays</option>{countries.map((c) => <option key={c.pays} value={c.pays}>{c.word}</option>)}</select>}</Field>
}

function Naming({ onDone }: { onDone: (saved: boolean) => void }) {
  const [name, setName] = useState('')
  const [means, setMeans] = useState('')
  const [pays, setPays] = useState('')
  const { error, at, send } = useSending()
  return (
    <Dialog title="Donner un nom court" onClose={() => onDone(false)}>
      <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
        await ok(api.POST('/api/v1/admin/names', { body: { name, means, ...(pays && { pays }) } }))
        onDone(true)
      })}>
        <Failure error={error} />
        <Field label="Nom" hint="De quatre lettres au plus, il ne se lit qu’en capitales." error={error?.fields.name}>{(a) => <input {...a} value={name} maxLength={60} onInput={(e) => setName(e.currentTarget.value)} />}</Field>
        <Field label="Texte" hint="Son numéro ou son titre : « loi n° 70-03 », « code de la famille »." error={error?.fields.means}>{(a) => <input {...a} value={means} maxLength={300} onInput={(e) => setMeans(e.currentTarget.value)} />}</Field>
        <CountryField pays={pays} onPick={setPays} error={error?.fields.pays} />
        <button type="submit" class="main">Enregistrer</button>
      </form>
    </Dialog>
  )
}

function Pinning({ of, onDone }: { of: Pin | MeantArticle | null; onDone: (saved: boolean) => void }) {
  const [question, setQuestion] = useState(of?.question ?? '')
  const [pays, setPays] = useState(of?.pays ?? '')
  const [picked, pick] = useState<Picked | null>(of && of.article && !('state' in of) ? { documentId: of.document_id, title: of.title, article: of.article } : null)
  const { error, at, send } = useSending()
  return (
    <Dialog title="Épingler une réponse" onClose={() => onDone(false)}>
      <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
        await ok(api.POST('/api/v1/admin/pinned', { body: { question, document_id: picked!.documentId, article: picked!.article, ...(pays && { pays }) } }))
        onDone(true)
      })}>
        <Failure error={error} />
        <Field label="Question" error={error?.fields.question}>{(a) => <textarea {...a} rows={3} value={question} maxLength={4000} onInput={(e) => setQuestion(e.currentTarget.value)} />}</Field>
        <CountryField pays={pays} onPick={setPays} error={error?.fields.pays} />
        <PickArticle id="pin-article" label="L’article qui répond" picked={picked} onPick={pick} />
        <button type="submit" class="main" disabled={!picked || !question.trim()}>Épingler</button>
      </form>
    </Dialog>
  )
}
