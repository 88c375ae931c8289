// The image of a page with its lines over it, and a piece of one where a doubt is.
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, blobURL, ok } from '../api/client'
import { asError } from '../api/errors'
import type { Doubt, PageLine, Review } from '../api/types'
import type { Selection } from '../lib/desk'
import { linesAt, viewOf, type Spot } from '../lib/place'
import { useLoad } from '../parts/hooks'

/** The image of a page, '' until it is drawn. */
function usePageImage(id: string, page: number): { url: string; failed: string } {
  const [image, set] = useState<{ page: number; url: string } | null>(null)
  const [failed, fail] = useState('')
  useEffect(() => {
    const leaving = new AbortController()
    let url = ''
    fail('')
    blobURL(`/api/v1/admin/ingestions/${id}/pages/${page}.png?width=1200`, leaving.signal).then((made) => {
      url = made
      if (leaving.signal.aborted) URL.revokeObjectURL(made)
      else set({ page, url })
    }, (e: unknown) => leaving.signal.aborted || fail(asError(e).message))
    return () => {
      leaving.abort()
      if (url) URL.revokeObjectURL(url)
    }
  }, [id, page])
  return { url: image?.page === page ? image.url : '', failed }
}

/** The lines of a page, as the file was cut last. */
export const useLines = (id: string, page: number, turn: number) =>
  useLoad((signal) => ok(api.GET('/api/v1/admin/ingestions/{id}/pages/{page}/lines', { params: { path: { id, page } }, signal })), [id, page, turn])

const part = (n: number, of: number) => `${(100 * n) / of}%`

interface Props { id: string; page: number; width: number; height: number; lines: PageLine[]; at: Selection; onSelect: (s: Selection) => void }

export function DeskPage({ id, page, width, height, lines, at, onSelect }: Props) {
  const { url, failed } = usePageImage(id, page)
  const sheet = useRef<HTMLDivElement>(null)
  useEffect(() => sheet.current?.querySelector('.line.on')?.scrollIntoView({ block: 'nearest' }), [at.from, lines])
  return (
    <div class="desk-sheet" ref={sheet} style={{ aspectRatio: `${width} / ${height}` }} data-page={page}>
      {url && <img src={url} alt={`Page ${page} de la gazette`} />}
      {!url && !failed && <p class="waiting">Dessin de la page…</p>}
      {failed && <p class="fault">{failed}</p>}
      {lines.map((l, i) => (
        <div key={i} class={`line ${l.label}${i >= at.from && i <= at.to ? ' on' : ''}${l.confidence < 0.5 ? ' unsure' : ''}`} title={l.text}
          style={{ left: part(l.rect[0]!, width), top: part(l.rect[1]!, height), width: part(l.rect[2]! - l.rect[0]!, width), height: part(l.rect[3]! - l.rect[1]!, height) }}
          onClick={(e) => onSelect(e.shiftKey ? { from: Math.min(at.from, i), to: Math.max(at.from, i) } : { from: i, to: i })} />
      ))}
    </div>
  )
}

/** The piece of a page where a doubt is. */
export function Piece({ id, r, doubt, spot, turn, onPage }: { id: string; r: Review; doubt: Doubt; spot: Spot; turn: number; onPage: (n: number) => void }) {
  const { url } = usePageImage(id, spot.page)
  const { data } = useLines(id, spot.page, turn)
  const lines = data?.page === spot.page ? data.lines : []
  if (!data || lines.length === 0) return null
  const at = linesAt(spot, r, doubt, lines) ?? { from: 0, to: 0 } // words of a running head are in no line: the top of the page
  const shown = lines.slice(at.from, at.to + 1)
  const v = viewOf(shown, data.width, data.height)
  return (
    <figure class="piece">
      <div style={{ aspectRatio: `${v.width} / ${v.height}` }}>
        {url && <img src={url} alt={shown.map((l) => l.text).join(' ')} style={{ width: part(data.width, v.width), left: part(-v.x, v.width), top: part(-v.y, v.height) }} />}
      </div>
      <figcaption><button type="button" class="link" onClick={() => onPage(spot.page)}>p. {spot.page}</button></figcaption>
    </figure>
  )
}
