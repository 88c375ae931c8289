// The PDF beside what is read; its reader is loaded the first time it is needed.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PdfProps } from './pdf-reader'
import { Failure, Waiting } from './ui'

/** The address of the PDF file of a text's gazette. */
export const gazetteFile = (documentId: string) => `/api/v1/documents/${documentId}/file`

let reader: Promise<ComponentType<PdfProps>> | null = null
const load = () => (reader ??= import('./pdf-reader').then((m) => m.PdfReader).catch((e: unknown) => {
  reader = null
  throw e
}))

export function Pdf(props: PdfProps) {
  const [screen, set] = useState<{ is: ComponentType<PdfProps> } | null>(null)
  const [failed, fail] = useState(0)
  useEffect(() => {
    let here = true
    load().then((is) => here && set({ is }), () => here && fail((n) => n + 1))
    return () => void (here = false)
  }, [])
  if (screen) return <screen.is {...props} />
  if (failed) {
    return (
      <Failure error={{ status: 0, message: 'Le lecteur de PDF n’a pas pu être chargé.', fields: {}, wait: 0 }} retry={() => location.reload()}>
        <a href={gazetteFile(props.documentId)} target="_blank" rel="noopener">Ouvrir le fichier</a>
      </Failure>
    )
  }
  return <Waiting text="Ouverture du PDF…" />
}
