// The texts that wait for a person, of all gazettes: what is doubtful in each, and the way to its page on the desk.
import { useLocation } from 'preact-iso'
import { api, ok } from '../api/client'
import { count, fieldWord, plural, typeset } from '../lib/french'
import { useLoad, useTitle } from '../parts/hooks'
import { Pages, Show } from '../parts/ui'

const size = 20

export function Reviews({ query }: { query: Record<string, string> }) {
  const { route } = useLocation()
  useTitle('Textes à relire')
  const doubt = query.doute ?? ''
  const page = Math.max(1, Math.trunc(Number(query.page)) || 1)
  const found = useLoad((signal) => ok(api.GET('/api/v1/admin/reviews', { params: { query: { page, page_size: size, ...(doubt ? { doubt } : {}) } }, signal })), [doubt, page])
  const at = (d: string, n: number) => {
    const wanted = new URLSearchParams({ ...(d && { doute: d }), ...(n > 1 && { page: String(n) }) }).toString()
    return `/admin/relecture${wanted && `?${wanted}`}`
  }
  return (
    <>
      <h1 tabIndex={-1}>Textes à relire</h1>
      <Show of={found} waiting="Lecture des textes à relire…">
        {(list) => (
          <>
            {list.doubts.length > 0 && (
              <div class="chips" role="group" aria-label="Donnée douteuse">
                <button type="button" class={doubt ? 'chip' : 'chip on'} aria-pressed={!doubt} onClick={() => route(at('', 1))}>Toutes</button>
                {list.doubts.map((d) => <button key={d.value} type="button" class={d.value === doubt ? 'chip on' : 'chip'} aria-pressed={d.value === doubt} onClick={() => route(at(d.value, 1))}>{fieldWord(d.value)} ({count(d.count)})</button>)}
              </div>
            )}
            <p class="meta" role="status">{list.total === 0 ? 'Aucun texte à relire.' : plural(list.total, 'texte')}</p>
            <ul class="rows">
              {list.items.map(({ ingestion_id, filename, review: r }) => (
                <li key={r.id}>
                  <a class="verbatim" href={`/admin/gazettes/${ingestion_id}?page=${r.first_page}`}>{r.title || 'Texte sans titre'}</a>
                  <p class="meta"><span class="verbatim">{filename}</span>, p. {r.first_page} à {r.last_page}, {plural(r.articles_count, 'article')}</p>
                  <ul>{r.doubts.map((d, i) => <li key={i}><strong>{fieldWord(d.field)}</strong>{'\u202f'}: {typeset(d.reason)}</li>)}</ul>
                </li>
              ))}
            </ul>
            <Pages page={page} last={Math.ceil(list.total / size)} href={(n) => at(doubt, n)} />
          </>
        )}
      </Show>
    </>
  )
}
