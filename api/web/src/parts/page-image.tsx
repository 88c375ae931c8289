// A page of a gazette as an image that the server draws, with what is cited marked; the whole file is opened on request.
import { useEffect, useState } from 'preact/hooks'
import { asError, failureOf, type ApiError } from '../api/errors'
import type { Region } from '../api/types'
import { pause } from '../lib/follow'
import { saving } from '../lib/saving'
import { boxes, firstPage } from '../lib/highlight'
import { Pdf } from './pdf'
import { Failure, Waiting } from './ui'

/** The width of the image in pixels: twice that of a phone, whose network is slow, or enough for a panel. */
const wide = () => (matchMedia('(max-width: 30rem)').matches ? 720 : 1000)

interface Drawn { of: string; url: string; points: number; ratio: number }

/** How often a page is asked for while the server has too many to draw. */
const attempts = 4

async function draw(path: string, signal: AbortSignal): Promise<Drawn> {
  let r = await fetch(path, { signal })
  for (let n = 1; n < attempts && r.status === 503; n++) {
    await pause(1000 * (Number(r.headers.get('Retry-After')) || 2), signal)
    r = await fetch(path, { signal })
  }
  if (!r.ok) throw await failureOf(r)
  const url = URL.createObjectURL(await r.blob())
  const image = new Image()
  image.src = url
  await image.decode()
  return { of: path, url, points: Number(r.headers.get('X-Page-Width')), ratio: image.naturalHeight / image.naturalWidth }
}

interface PageProps { documentId: string; page: number | null; regions: readonly Region[] }

export function GazettePage({ documentId, page, regions }: PageProps) {
  const first = firstPage(page, regions)
  const [at, go] = useState(first)
  const [whole, openWhole] = useState(false)
  const [asked, ask] = useState(!saving())
  const [drawn, set] = useState<Drawn | null>(null)
  const [error, fail] = useState<ApiError | null>(null)
  const [turn, again] = useState(0)
  const [width] = useState(wide)
  const path = `/api/v1/documents/${documentId}/pages/${at}.png?width=${width}`
  useEffect(() => {
    if (whole || !asked) return
    const left = new AbortController()
    fail(null)
    draw(path, left.signal).then(set, (e: unknown) => left.signal.aborted || fail(asError(e)))
    return () => left.abort()
  }, [path, whole, asked, turn])
  useEffect(() => () => {
    if (drawn) URL.revokeObjectURL(drawn.url)
  }, [drawn])
  const last = Math.max(first, ...regions.map((r) => r.page))
  if (whole) return <Pdf documentId={documentId} page={at} regions={regions} />
  return (
    <section class="gazette-page" aria-label="Page de la gazette">
      <p class="row">
        {asked
          ? <>
            <button type="button" class="quiet" disabled={at <= 1} onClick={() => go(at - 1)} aria-label="Page précédente">‹</button>
            <span class="meta" role="status">Page {at}{last > first && at >= first && at <= last ? ` (citée\u202f: ${first} à ${last})` : ''}</span>
            <button type="button" class="quiet" disabled={error?.status === 404} onClick={() => go(at + 1)} aria-label="Page suivante">›</button>
          </>
          : <button type="button" onClick={() => ask(true)}>Voir la page {at}</button>}
        <button type="button" class="quiet" onClick={() => openWhole(true)}>Feuilleter la gazette</button>
      </p>
      {error && <Failure error={error} retry={() => again((n) => n + 1)} />}
      {asked && !error && (drawn?.of === path
        ? <div class="sheet" data-page={at} data-drawn style={{ aspectRatio: `${1 / drawn.ratio}` }}>
          <img src={drawn.url} alt={`Page ${at} de la gazette`} />
          {boxes(regions, at, 1).map((b, i) => {
            const share = (n: number, of: number) => `${100 * n / of}%`
            const high = drawn.points * drawn.ratio
            return <span key={i} class="region" style={{ left: share(b.left, drawn.points), top: share(b.top, high), width: share(b.width, drawn.points), height: share(b.height, high) }} />
          })}
        </div>
        : <div class="sheet" style={{ aspectRatio: '0.707' }}><Waiting text={`La page ${at} arrive…`} /></div>)}
    </section>
  )
}
