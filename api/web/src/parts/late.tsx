// What is loaded when somebody comes to it.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { asError, type ApiError } from '../api/errors'
import { Failure, Waiting } from './ui'

const ready = new Map<unknown, unknown>()

export function Late<P extends object>({ load, props, waiting = 'Chargement de l’écran…' }: { load: () => Promise<ComponentType<P>>; props: P; waiting?: string }) {
  const [, loaded] = useState<unknown>(null)
  const [error, fail] = useState<ApiError | null>(null)
  const Part = ready.get(load) as ComponentType<P> | undefined
  useEffect(() => {
    let here = true
    fail(null)
    if (!ready.has(load)) {
      load().then((is) => {
        ready.set(load, is)
        if (here) loaded(load)
      }, (e: unknown) => here && fail(asError(e)))
    }
    return () => void (here = false)
  }, [load])
  if (error) {
    // Loaded anew without a connection, the page itself would be gone.
    const message = navigator.onLine ? 'Cet écran n’a pas pu être chargé. Le service a peut-être été mis à jour.' : 'Cet écran n’a pas pu être chargé\u202f: vous êtes hors ligne. Réessayez une fois la connexion revenue.'
    return <div class="apart"><Failure error={{ ...error, message }} retry={() => navigator.onLine ? location.reload() : fail({ ...error })} /></div>
  }
  return Part ? <Part {...props} /> : <Waiting text={waiting} />
}
