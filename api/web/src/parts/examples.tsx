// What can be asked: questions about texts that the catalogue has, one a domain.
import { api, ok } from '../api/client'
import { articleWord } from '../lib/french'
import { useLoad } from './hooks'

/** Questions about articles that the catalogue has, of its fullest domains. */
async function examples(): Promise<string[]> {
  const { items } = await ok(api.GET('/api/v1/examples'))
  return items.map(({ number, title }) => `Que dit l’${articleWord(number)} ${of(title.replace(/^\p{L}/u, (c) => c.toLowerCase()))} ?`)
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
      <p class="lead">Posez une question : la réponse cite l’article et la page de la gazette.</p>
      {data && data.length > 0 && (
        <>
          <h2>Par exemple</h2>
          <ul>{data.map((q) => <li key={q}><button type="button" class="link" onClick={() => onPick(q)}>{q}</button></li>)}</ul>
        </>
      )}
    </div>
  )
}
