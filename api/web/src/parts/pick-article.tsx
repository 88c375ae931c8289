// To say which article is meant: words are searched in the catalogue, and one of the articles is chosen.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { articleWord, shorten } from '../lib/french'
import { useHome } from './country'
import { useLoad, useSettled } from './hooks'
import { Failure } from './ui'
import './titles.css'

export interface Picked { documentId: string; title: string; article: string }

export function PickArticle({ id, label, picked, onPick }: { id: string; label: string; picked: Picked | null; onPick: (p: Picked | null) => void }) {
  const { pays } = useHome()
  const [q, setQ] = useState('')
  const words = useSettled(q, 250).trim()
  const found = useLoad((signal) => (words.length < 2 ? Promise.resolve([]) : ok(api.GET('/api/v1/search', { params: { query: { q: words.slice(0, 200), kind: 'article', page_size: 6, ...(pays && { pays }) } }, signal })).then((r) => r.items)), [words, pays])
  if (picked) return <p><span class="meta">{label}</span><br /><strong>{articleWord(picked.article)}</strong>, {shorten(picked.title, 90)} <button type="button" class="quiet" onClick={() => onPick(null)}>En choisir un autre</button></p>
  return (
    <div class="pick field">
      <label for={id}>{label}</label>
      <input id={id} type="search" autocomplete="off" maxLength={200} placeholder="Mots de l’article, ou numéro et texte" value={q} onInput={(e) => setQ(e.currentTarget.value)} />
      <Failure error={found.error} />
      {words.length >= 2 && !found.loading && found.data?.length === 0 && <p class="meta" role="status">Aucun article n’a ces mots.</p>}
      {found.data && found.data.length > 0 && (
        <ul class="picks">
          {found.data.map((h) => h.article && (
            <li key={h.article.id}><button type="button" class="quiet" onClick={() => onPick({ documentId: h.document.id, title: h.document.title, article: h.article!.number })}>
              <strong>{articleWord(h.article.number)}</strong>, <span data-verbatim>{shorten(h.document.title, 90)}</span>{h.excerpt && <span class="meta" data-verbatim> {shorten(h.excerpt.text, 120)}</span>}
            </button></li>
          ))}
        </ul>
      )}
    </div>
  )
}
