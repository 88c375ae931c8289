// The pages of a PDF one below the other, drawn when they come near, with regions marked; above them the page that is read, and how large.
// The legacy build brings along what browsers of the last two years lack.
import { PDFWorker, TextLayer, getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?file'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Region } from '../api/types'
import { boxes } from '../lib/highlight'
import { gazetteFile } from './pdf'
import { Failure, Waiting } from './ui'

declare const READER_FILES: string

/** How long nothing may come before opening is given up, in milliseconds. */
const patience = 60_000

/** How wide a page is where less than narrow is there, in pixels: its words could not be read, so that a part of it is shown. */
const narrow = 480
const legible = 620

/** How large pages may be shown, of the width that is there. */
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const

export interface PdfProps { documentId: string; page: number; regions: readonly Region[] }

interface Open { of: string; pdf: PDFDocumentProxy; width: number; height: number }

export function PdfReader({ documentId, page, regions }: PdfProps) {
  const [open, set] = useState<Open | null>(null)
  const [failed, fail] = useState('')
  const [turn, again] = useState(0)
  const [width, setWidth] = useState(0)
  const [zoom, setZoom] = useState<number>(1)
  const [read, setRead] = useState(page)
  const around = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The worker is made here, so that an error of it is heard: the reader would wait for ever.
    const port = new Worker(worker, { type: 'module' })
    const reader = PDFWorker.create({ port })
    const task = getDocument({
      url: gazetteFile(documentId), enableXfa: false, worker: reader,
      wasmUrl: READER_FILES + 'wasm/', standardFontDataUrl: READER_FILES + 'standard_fonts/',
    })
    let here = true
    const unopened = () => here && fail(`Ce navigateur n’a pas pu ouvrir le PDF. Ouvrez le fichier à part, ou réessayez avec un navigateur à jour.`)
    port.addEventListener('error', unopened)
    let late = setTimeout(unopened, patience)
    task.onProgress = () => {
      clearTimeout(late)
      late = setTimeout(unopened, patience)
    }
    fail('')
    task.promise.finally(() => clearTimeout(late)).then(async (pdf) => {
      const view = (await pdf.getPage(Math.min(page, pdf.numPages))).getViewport({ scale: 1 })
      if (!here) return
      fail('')
      set({ of: documentId, pdf, width: view.width, height: view.height })
    }).catch((e: unknown) => {
      if (!here) return
      const status = (e as { status?: number }).status
      fail(status === 404 ? 'La gazette de ce texte n’est pas dans le service.' : 'Le PDF n’a pas pu être ouvert. Réessayez dans un instant.')
    })
    return () => {
      here = false
      clearTimeout(late)
      void task.destroy().finally(() => {
        reader.destroy()
        port.terminate()
      })
    }
  }, [documentId, turn])
  useEffect(() => {
    const e = around.current
    if (!e) return
    const look = new ResizeObserver(() => setWidth(e.clientWidth < narrow ? legible : e.clientWidth))
    look.observe(e)
    return () => look.disconnect()
  }, [])
  const ready = open?.of === documentId ? open : null
  // The cited page comes into view, the first marked line near the top.
  useEffect(() => {
    const e = around.current
    const sheet = e?.querySelector<HTMLElement>(`[data-page="${page}"]`)
    if (!e || !sheet || !ready) return
    const marked = regions.filter((r) => r.page === page)
    const scale = sheet.clientWidth / ready.width
    const edge = (side: number) => (marked.length ? Math.min(...marked.map((r) => r.rect[side]!)) * scale : 0)
    e.scrollTop = sheet.offsetTop + Math.max(0, edge(1) - 80)
    e.scrollLeft = Math.max(0, edge(0) - 16)
    setRead(page)
  }, [ready, page, regions, width])
  const sheets = () => [...(around.current?.querySelectorAll<HTMLElement>('.sheet') ?? [])]
  // The page that is read is the last one that begins above the middle of what is seen.
  const onScroll = () => {
    const e = around.current
    if (e) setRead(Math.max(1, sheets().filter((s) => s.offsetTop <= e.scrollTop + e.clientHeight / 2).length))
  }
  const go = (to: number) => {
    const sheet = sheets()[to - 1]
    if (around.current && sheet) around.current.scrollTop = sheet.offsetTop
  }
  // What was in the middle stays there.
  const before = useRef<{ top: number; left: number } | null>(null)
  const resize = (by: 1 | -1) => {
    const e = around.current
    const to = zooms[zooms.findIndex((z) => z === zoom) + by]
    if (!e || to === undefined) return
    before.current = { top: (e.scrollTop + e.clientHeight / 2) / e.scrollHeight, left: (e.scrollLeft + e.clientWidth / 2) / e.scrollWidth }
    setZoom(to)
  }
  useLayoutEffect(() => {
    const e = around.current
    if (!e || !before.current) return
    e.scrollTop = before.current.top * e.scrollHeight - e.clientHeight / 2
    e.scrollLeft = before.current.left * e.scrollWidth - e.clientWidth / 2
    before.current = null
  }, [zoom])
  const pages = ready?.pdf.numPages ?? 0
  return (
    <>
      {ready && (
        <div class="pdf-bar" role="group" aria-label="Page et taille">
          <button type="button" class="quiet" disabled={read <= 1} onClick={() => go(read - 1)} aria-label="Page précédente">↑</button>
          <label><span>Page</span> <input type="number" min={1} max={pages} value={read} onChange={(e) => {
            const to = Math.round(Number(e.currentTarget.value))
            if (to >= 1 && to <= pages) go(to)
            else e.currentTarget.value = String(read)
          }} /></label> sur {pages}
          <button type="button" class="quiet" disabled={read >= pages} onClick={() => go(read + 1)} aria-label="Page suivante">↓</button>
          <span class="pdf-zoom">
            <button type="button" class="quiet" disabled={zoom === zooms[0]} onClick={() => resize(-1)} aria-label="Plus petit">−</button>
            <span role="status">{Math.round(zoom * 100)}{'\u00a0'}%</span>
            <button type="button" class="quiet" disabled={zoom === zooms.at(-1)} onClick={() => resize(1)} aria-label="Plus grand">+</button>
          </span>
        </div>
      )}
      <div class="pdf" ref={around} tabIndex={0} role="region" aria-label={`PDF, page ${page}`} onScroll={onScroll}>
        {failed && (
          <Failure error={{ status: 0, message: failed, fields: {}, wait: 0 }} retry={() => again((n) => n + 1)}>
            <a href={gazetteFile(documentId)} target="_blank" rel="noopener">Ouvrir le fichier</a>
          </Failure>
        )}
        {!ready && !failed && <Waiting text="Ouverture du PDF…" />}
        {ready && width > 0 && Array.from({ length: ready.pdf.numPages }, (_, i) => (
          <Sheet key={i + 1} open={ready} number={i + 1} width={Math.round((width - 2) * zoom)} regions={regions} root={around.current!} />
        ))}
      </div>
    </>
  )
}

function Sheet({ open, number, width, regions, root }: { open: Open; number: number; width: number; regions: PdfProps['regions']; root: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  const [blank, setBlank] = useState(false)
  const [size, setSize] = useState({ width: open.width, height: open.height })
  const scale = width / size.width
  const wanted = near || regions.some((r) => r.page === number) // what is marked is there, however far it lies
  useEffect(() => {
    const look = new IntersectionObserver((seen) => setNear(seen.at(-1)!.isIntersecting), { root, rootMargin: '600px 0px' })
    look.observe(place.current!)
    return () => look.disconnect()
  }, [])
  useEffect(() => {
    const drawn = canvas.current
    if (!wanted || !drawn) return
    let here = true
    let stop = () => undefined as void
    setBlank(false)
    void (async () => {
      const page = await open.pdf.getPage(number)
      const one = page.getViewport({ scale: 1 })
      if (!here) return
      setSize({ width: one.width, height: one.height })
      const fit = width / one.width
      const dense = Math.min(devicePixelRatio || 1, 2)
      const view = page.getViewport({ scale: fit * dense })
      drawn.width = Math.floor(view.width)
      drawn.height = Math.floor(view.height)
      const task = page.render({ canvas: drawn, viewport: view })
      stop = () => task.cancel()
      await task.promise
      if (!here || !layer.current) return
      layer.current.replaceChildren()
      layer.current.style.setProperty('--total-scale-factor', String(fit))
      const content = await page.getTextContent()
      const text = new TextLayer({ textContentSource: content, container: layer.current, viewport: page.getViewport({ scale: fit }) })
      stop = () => text.cancel()
      await text.render()
      place.current?.setAttribute('data-drawn', 'true')
    })().catch(() => {
      if (here) setBlank(true) // a page that left the view is blank without a word
    })
    return () => {
      here = false
      stop()
      drawn.width = drawn.height = 0 // gives its memory back
      place.current?.removeAttribute('data-drawn')
    }
  }, [wanted, width, open, number])
  return (
    <div class="sheet" ref={place} data-page={number} style={{ width: `${width}px`, height: `${Math.round(size.height * scale)}px` }}>
      <canvas ref={canvas} role="img" aria-label={`Page ${number}`} />
      <div class="textLayer" ref={layer} />
      {blank && <p class="undrawn" role="alert">La page {number} n’a pas pu être dessinée{'\u202f'}: <a href={`${gazetteFile(open.of)}#page=${number}`} target="_blank" rel="noopener">ouvrez le fichier</a>.</p>}
      {wanted && boxes(regions, number, scale).map((b, i) => (
        <div key={i} class="region" style={{ left: `${b.left}px`, top: `${b.top}px`, width: `${b.width}px`, height: `${b.height}px` }} />
      ))}
    </div>
  )
}
