// The gazette beside what is read: a page of it as an image, or its PDF. Both are loaded the first time they are needed.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PageProps } from './page-image'
import type { PdfProps } from './pdf-reader'
import { Failure, Waiting } from './ui'

/** The address of the PDF file of a text's gazette. */
export const gazetteFile = (documentId: string) => `/api/v1/documents/${documentId}/file`

/** A part of the page that is loaded when it is first shown. */
function later<P extends { documentId: string }>(load: () => Promise<ComponentType<P>>, waiting: string): ComponentType<P> {
  let loaded: Promise<ComponentType<P>> | null = null
  const get = () => (loaded ??= load().catch((e: unknown) => {
    loaded = null
    throw e
  }))
  return function Later(props: P) {
    const [screen, set] = useState<{ is: ComponentType<P> } | null>(null)
    const [failed, fail] = useState(false)
    useEffect(() => {
      let here = true
      get().then((is) => here && set({ is }), () => here && fail(true))
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
    return <Waiting text={waiting} />
  }
}

export const Pdf = later<PdfProps>(() => import('./pdf-reader').then((m) => m.PdfReader), 'Ouverture du PDF…')
export const GazettePage = later<PageProps>(() => import('./page-image').then((m) => m.GazettePage), 'La page arrive…')
