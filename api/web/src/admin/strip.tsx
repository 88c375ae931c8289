// Where the letters of a gazette went, page by page, and the gazette that waits next.
import { useEffect, useRef } from 'preact/hooks'
import { api, ok } from '../api/client'
import { useLoad } from '../parts/hooks'

/** A bar for each page: how much of it is in a text, set aside, or in no text. */
export function Strip({ file, page, turn, onPage }: { file: string; page: number; turn: number; onPage: (n: number) => void }) {
  const pages = useLoad((signal) => ok(api.GET('/api/v1/admin/ingestions/{id}/pages', { params: { path: { id: file } }, signal })), [file, turn]).data?.items ?? []
  const sum = (of: 'letters' | 'loose') => pages.reduce((n, p) => n + p[of], 0)
  if (sum('letters') === 0) return null
  const loose = Math.ceil((100 * sum('loose')) / sum('letters'))
  const told = loose === 0 ? 'Toutes les lignes sont dans un texte ou mises à part.' : `Hors de tout texte\u202f: ${loose}\u00a0% des lettres.`
  return (
    <div class="strip-box">
      <div class="strip" role="img" aria-label={`Pages de la gazette. ${told}`} onClick={(e) => onPage(Number((e.target as HTMLElement).dataset.page) || page)}>
        {pages.map((p) => <i key={p.page} data-page={p.page} class={p.page === page ? 'on' : ''} title={`p. ${p.page}`}
          style={{ '--loose': `${(100 * p.loose) / (p.letters || 1)}%`, '--aside': `${(100 * (p.loose + p.aside)) / (p.letters || 1)}%` }} />)}
      </div>
      <p class="meta">{told}</p>
    </div>
  )
}

/** The way to the next gazette with a doubt, where this one has none left. */
export function NextFile() {
  const next = useLoad((signal) => ok(api.GET('/api/v1/admin/reviews', { params: { query: { page_size: 1 } }, signal })), []).data?.items[0]
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [next])
  return <p class="meta">Aucun texte de cette gazette n’est douteux.{next && <> <a ref={link} href={`/admin/gazettes/${next.ingestion_id}`}>Gazette suivante à relire{'\u202f'}: <span class="verbatim">{next.filename}</span></a></>}</p>
}
