// The PDF of the gazette beside what is read. Its reader is loaded the first time that it is needed.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PdfProps } from './pdf-reader'
import { Failure, Waiting } from './ui'

/** The address of the PDF file of a text's gazette. */
export const gazetteFile = (documentId: string) => `/api/v1/documents/${documentId}/file`

let loaded: Promise<ComponentType<PdfProps>> | null = null
const load = () => (loaded ??= import('./pdf-reader').then((m) => m.PdfReader, (e: unknown) => {
  loaded = null
  throw e
}))

export function Pdf(props: PdfProps) {
  const [screen, set] = useState<{ is: ComponentType<PdfProps> } | null>(null)
  const [failed, fail] = useState(false)
  useEffect(() => {
    let here = true
    load().then((is) => here && set({ is }), () => here && fail(true))
    return () => void (here = false)
  }, [])
  if (screen) return <screen.is {...props} />
  if (failed) {
    return (
      <Failure error={{ status: 0, message: 'La gazette n’a pas pu être montrée\u202f: cette partie de la page n’est pas venue.', fields: {}, wait: 0 }} retry={() => location.reload()}>
        <a href={gazetteFile(props.documentId)} target="_blank" rel="noopener">Ouvrir le fichier</a>
      </Failure>
    )
  }
  return <Waiting text="Ouverture du PDF…" />
}
