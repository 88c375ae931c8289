// What can be asked: questions about texts that the catalogue has, one a domain.
import { api, ok } from '../api/client'
import { articleWord } from '../lib/french'
import { useLoad } from './hooks'

/** Three questions of the fullest domains, each about an article that is there. */
async function examples(): Promise<string[]> {
  const domains = (await ok(api.GET('/api/v1/domaines'))).filter((d) => d.documents_count > 0)
  domains.sort((a, b) => b.documents_count - a.documents_count)
  const found = await Promise.all(domains.slice(0, 5).map((d) => about({ domaine: d.code })))
  return found.filter((q): q is string => q !== null).slice(0, 3)
}

/** A question about one of the newest texts of a domain that has numbered articles. */
async function about(filter: { domaine: string }): Promise<string | null> {
  const { items } = await ok(api.GET('/api/v1/documents', { params: { query: { ...filter, statut: 'en_vigueur', page_size: 4 } } }))
  for (const text of items) {
    const articles = (await ok(api.GET('/api/v1/documents/{id}/articles', { params: { path: { id: text.id } } }))).items
    const own = articles.filter((a) => !a.replaces && /^\d/.test(a.number))
    const article = own[Math.min(1, own.length - 1)]
    const title = text.title.replace(/^\p{L}/u, (c) => c.toLowerCase())
    if (article) return `Que dit l’${articleWord(article.number)} ${of(title)} ?`
  }
  return null
}

/** « de la loi », « du décret », « de l’arrêté ». */
function of(title: string): string {
  if (/^(loi|ordonnance|constitution|circulaire|convention|décision)/i.test(title)) return /^o/i.test(title) ? `de l’${title}` : `de la ${title}`
  if (/^[aàâeéèêiîoôuûh]/i.test(title)) return `de l’${title}`
  return `du ${title}`
}

export function Examples({ onPick }: { onPick: (question: string) => void }) {
  const { data } = useLoad(examples, [])
  return (
    <div class="empty">
      <p class="lead">Posez une question, la réponse cite l’article et la page de la gazette.</p>
      {data && data.length > 0 && (
        <>
          <h2>Par exemple</h2>
          <ul>{data.map((q) => <li key={q}><button type="button" class="link" onClick={() => onPick(q)}>{q}</button></li>)}</ul>
        </>
      )}
    </div>
  )
}
