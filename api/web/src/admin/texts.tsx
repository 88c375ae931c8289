// The texts of the catalogue as an editor mends them, and the relations of which a person must say whom they mean.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError } from '../api/errors'
import type { DocType, LegalDocument, Statut, UncertainRelation } from '../api/types'
import { day } from '../lib/dates'
import { articleWord, docTypeWord, docTypes, plural, statutWord, statuts } from '../lib/french'
import { useDomains } from '../parts/composer'
import { CountrySelect } from '../parts/country'
import { useSending } from '../parts/form'
import { useLoad, useSettled, useTitle } from '../parts/hooks'
import { Title } from '../parts/marked'
import { notify } from '../parts/notice'
import { Dialog, Failure, Field, Show, Status } from '../parts/ui'
import { Box, Bulk, useChosen, type Deed } from './bulk'

export function AdminTexts() {
  const [q, setQ] = useState('')
  const [page, setPage] = useState(1)
  const [editing, edit] = useState<LegalDocument | null>(null)
  const wanted = useSettled(q).trim()
  useTitle('Textes')
  const found = useLoad((signal) => ok(api.GET('/api/v1/documents', { params: { query: { page, page_size: 50, ...(wanted ? { q: wanted } : {}) } }, signal })), [wanted, page])
  const chosen = useChosen(found.data?.items ?? [])
  const deeds = useDeeds()
  return (
    <>
      <h1 tabIndex={-1}>Textes</h1>
      <Uncertain />
      <label class="sr" for="find-text">Chercher un texte</label>
      <input id="find-text" type="search" placeholder="Titre ou numéro" value={q} onInput={(e) => {
        setQ(e.currentTarget.value)
        setPage(1)
      }} />
      <Show of={found} waiting="Recherche dans les textes…">
        {(list) => (
          <>
            <p class="meta" role="status">{plural(list.total, 'texte')}</p>
            <Bulk of={chosen} noun="texte" name={(d) => d.title} deeds={deeds} ended={() => {
              chosen.setAll(false)
              found.reload()
            }} />
            <ul class="rows">
              {list.items.map((d) => (
                <li key={d.id} class="chosen-of">
                  <Box of={chosen} row={d} name={d.title} />
                  <a class="verbatim" href={`/textes/${d.id}`}><Title of={d.title} /></a>
                  <div class="row"><span class="meta">{docTypeWord(d.doc_type)}{d.numero_officiel && ` n°\u00a0${d.numero_officiel}`}{'\u00a0'}· {day(d.date_promulgation)}{'\u00a0'}· <Status statut={d.statut} /></span>
                    <button type="button" class="quiet" aria-label={`Corriger ${d.title}`} onClick={() => edit(d)}>Corriger</button></div>
                </li>
              ))}
            </ul>
            <div class="row">
              {page > 1 && <button type="button" onClick={() => setPage(page - 1)}>Précédente</button>}
              {page * 50 < list.total && <button type="button" onClick={() => setPage(page + 1)}>Suivante</button>}
            </div>
          </>
        )}
      </Show>
      {editing && <Editor d={editing} onDone={(changed) => {
        edit(null)
        if (changed) found.reload()
      }} />}
    </>
  )
}

/** What can be done with several texts at once: what the editor of one does. */
function useDeeds(): Deed<LegalDocument>[] {
  const domains = useDomains()
  const at = (d: LegalDocument) => ({ params: { path: { id: d.id } } })
  return [
    {
      word: 'Changer le domaine', asks: (n) => `Changer le domaine de ${plural(n, 'texte')}`, done: (n) => plural(n, 'texte est dans ce domaine', 'textes sont dans ce domaine'),
      warns: 'Ce domaine remplace celui qu’ils ont.', choice: { label: 'Domaine', options: domains.map((x) => ({ value: x.code, word: x.label })) },
      act: (d, domaine) => ok(api.PATCH('/api/v1/admin/documents/{id}', { ...at(d), body: { domaine } })),
    },
    {
      word: 'Changer le statut', asks: (n) => `Changer le statut de ${plural(n, 'texte')}`, done: (n) => plural(n, 'texte a ce statut', 'textes ont ce statut'),
      warns: 'Ce statut l’emporte sur ce que les autres textes en disent.', choice: { label: 'Statut', options: statuts.map((s) => ({ value: s, word: statutWord(s) })) },
      act: (d, statut) => ok(api.PATCH('/api/v1/admin/documents/{id}', { ...at(d), body: { statut: statut as Statut } })),
    },
    {
      word: 'Réindexer', asks: (n) => `Réindexer ${plural(n, 'texte')}`, done: (n) => plural(n, 'texte va être réindexé', 'textes vont être réindexés'),
      warns: 'Ils restent lisibles et se retrouvent comme avant tant que cela dure.', act: (d) => ok(api.POST('/api/v1/admin/documents/{id}/reindex', at(d))),
    },
    {
      word: 'Supprimer', danger: true, asks: (n) => `Supprimer ${plural(n, 'texte')} pour toujours`, done: (n) => plural(n, 'texte est supprimé', 'textes sont supprimés'),
      warns: 'Sans retour. Ce qu’ils abrogeaient ou modifiaient redevient ce qu’il était, et une édition qu’ils avaient remplacée revient.',
      act: (d) => ok(api.DELETE('/api/v1/admin/documents/{id}', at(d))),
    },
  ]
}

function Editor({ d, onDone }: { d: LegalDocument; onDone: (changed: boolean) => void }) {
  const [form, set] = useState(d)
  const { error, at, send } = useSending()
  const [sure, setSure] = useState(false)
  const had = useLoad((signal) => ok(api.GET('/api/v1/documents/{id}/details', { params: { path: { id: d.id } }, signal })), [d.id]).data?.pays[0] ?? ''
  const [picked, setPays] = useState<string | null>(null)
  const pays = picked ?? had
  const domains = useDomains()
  const path = { id: d.id }
  const attempt = (e: Event, work: () => Promise<unknown>, said: string) => void send(e, async () => {
    await work()
    notify(said)
    onDone(true)
  })
  const save = (e: Event) => {
    e.preventDefault()
    const names = ['title', 'doc_type', 'nature', 'domaine', 'numero_officiel', 'date_promulgation', 'date_entree_vigueur', 'statut'] as const
    const body: Record<string, string> = Object.fromEntries(names.filter((n) => form[n] !== d[n]).map((n) => [n, form[n]]))
    if (pays !== had) body.pays = pays
    if (Object.keys(body).length === 0) return onDone(false)
    attempt(e, () => ok(api.PATCH('/api/v1/admin/documents/{id}', { params: { path }, body })), 'Le texte est corrigé.')
  }
  return (
    <Dialog title="Corriger un texte" onClose={() => onDone(false)}>
      <form class="stack" ref={at} onSubmit={save} noValidate>
        <Failure error={error} />
        <Field label="Titre" error={error?.fields.title}>{(a) => <textarea {...a} rows={3} value={form.title} maxLength={2000} onInput={(e) => set({ ...form, title: e.currentTarget.value })} />}</Field>
        <Field label="Type" error={error?.fields.doc_type}>{(a) => <select {...a} value={form.doc_type} onChange={(e) => set({ ...form, doc_type: e.currentTarget.value as DocType })}>{docTypes.map((t) => <option key={t} value={t}>{docTypeWord(t)}</option>)}</select>}</Field>
        <Field label="Nature" error={error?.fields.nature}>{(a) => <input {...a} value={form.nature} maxLength={100} onInput={(e) => set({ ...form, nature: e.currentTarget.value })} />}</Field>
        <Field label="Numéro" error={error?.fields.numero_officiel}>{(a) => <input {...a} value={form.numero_officiel} maxLength={100} onInput={(e) => set({ ...form, numero_officiel: e.currentTarget.value })} />}</Field>
        <Field label="Domaine" error={error?.fields.domaine}>{(a) => <select {...a} value={form.domaine} onChange={(e) => set({ ...form, domaine: e.currentTarget.value })}>{domains.map((x) => <option key={x.code} value={x.code}>{x.label}</option>)}</select>}</Field>
        <Field label="Pays" error={error?.fields.pays}>{(a) => <CountrySelect {...a} value={pays} onPick={setPays} />}</Field>
        <Field label="Promulgation" error={error?.fields.date_promulgation}>{(a) => <input {...a} type="date" value={form.date_promulgation} onInput={(e) => set({ ...form, date_promulgation: e.currentTarget.value })} />}</Field>
        <Field label="Entrée en vigueur" error={error?.fields.date_entree_vigueur}>{(a) => <input {...a} type="date" value={form.date_entree_vigueur} onInput={(e) => set({ ...form, date_entree_vigueur: e.currentTarget.value })} />}</Field>
        <Field label="Statut" error={error?.fields.statut}>{(a) => <select {...a} value={form.statut} onChange={(e) => set({ ...form, statut: e.currentTarget.value as Statut })}>{statuts.map((s) => <option key={s} value={s}>{statutWord(s)}</option>)}</select>}</Field>
        <div class="row">
          <button type="submit" class="main">Enregistrer</button>
          <button type="button" onClick={(e) => attempt(e, () => ok(api.POST('/api/v1/admin/documents/{id}/reindex', { params: { path } })), 'Le texte va être réindexé.')}>Réindexer</button>
          {sure
            ? <button type="button" class="danger" onClick={(e) => attempt(e, () => ok(api.DELETE('/api/v1/admin/documents/{id}', { params: { path } })), 'Le texte est supprimé.')}>Supprimer pour toujours</button>
            : <button type="button" class="danger" onClick={() => setSure(true)}>Supprimer…</button>}
        </div>
      </form>
    </Dialog>
  )
}

/** Repeals and amendments that may mean several texts. */
function Uncertain() {
  const found = useLoad((signal) => ok(api.GET('/api/v1/admin/relations', { signal })), [])
  const items = found.data?.items ?? []
  const settle = (r: UncertainRelation, document_id: string | null) => void ok(api.POST('/api/v1/admin/relations/{id}', {
    params: { path: { id: r.id } }, body: document_id ? { decision: 'accept', document_id } : { decision: 'reject' },
  } as never)).then(found.reload, (e: unknown) => notify(asError(e).message))
  if (items.length === 0) return null
  return (
    <details class="uncertain">
      <summary>{plural(items.length, 'relation incertaine', 'relations incertaines')}</summary>
      <ul class="rows">
        {items.map((r) => (
          <li key={r.id}>
            <p><a class="verbatim" href={`/textes/${r.document_id}?article=${r.article_id}`}>{r.title}</a>, {articleWord(r.article)}, {r.type === 'abroge' ? 'abroge' : 'modifie'} à compter du {day(r.date)} : <span class="verbatim">{[docTypeWord(r.target.doc_type), r.target.numero_officiel && `n° ${r.target.numero_officiel}`, r.target.title, r.target.date_promulgation && day(r.target.date_promulgation), r.target.articles.length > 0 && `art. ${r.target.articles.join(', ')}`].filter(Boolean).join(', ')}</span></p>
            <div class="row">
              {r.candidates.map((c) => <button key={c.id} type="button" class="verbatim" onClick={() => settle(r, c.id)}>{c.title} ({day(c.date_promulgation)})</button>)}
              <button type="button" class="quiet" onClick={() => settle(r, null)}>Aucun de ces textes</button>
            </div>
          </li>
        ))}
      </ul>
    </details>
  )
}
