// The image of a page with its lines over it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { blobURL } from '../api/client'
import { asError } from '../api/errors'
import type { PageLine } from '../api/types'
import type { Selection } from '../lib/desk'

interface Props { id: string; page: number; width: number; height: number; lines: PageLine[]; at: Selection; onSelect: (s: Selection) => void }

export function DeskPage({ id, page, width, height, lines, at, onSelect }: Props) {
  const [image, set] = useState<{ page: number; url: string } | null>(null)
  const [failed, fail] = useState('')
  const sheet = useRef<HTMLDivElement>(null)
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
  useEffect(() => sheet.current?.querySelector('.line.on')?.scrollIntoView({ block: 'nearest' }), [at.from, lines])
  const part = (n: number, of: number) => `${(100 * n) / of}%`
  return (
    <div class="desk-sheet" ref={sheet} style={{ aspectRatio: `${width} / ${height}` }} data-page={page}>
      {image?.page === page && <img src={image.url} alt={`Page ${page} de la gazette`} />}
      {image?.page !== page && !failed && <p class="waiting">Dessin de la page…</p>}
      {failed && <p class="fault">{failed}</p>}
      {lines.map((l, i) => (
        <div key={i} class={`line ${l.label}${i >= at.from && i <= at.to ? ' on' : ''}${l.confidence < 0.5 ? ' unsure' : ''}`} title={l.text}
          style={{ left: part(l.rect[0]!, width), top: part(l.rect[1]!, height), width: part(l.rect[2]! - l.rect[0]!, width), height: part(l.rect[3]! - l.rect[1]!, height) }}
          onClick={(e) => onSelect(e.shiftKey ? { from: Math.min(at.from, i), to: Math.max(at.from, i) } : { from: i, to: i })} />
      ))}
    </div>
  )
}
