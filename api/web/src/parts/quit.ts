// Signing out, and what is said when it did not reach the service.
import { finishSignOut, signOut } from '../api/session'
import { notify } from './notice'

/** Signs out. When the service cannot be reached, says so and tries again: the session is open there as long. */
export async function quit(): Promise<void> {
  void import('../lib/offline').then((m) => m.forgetKept()).catch(() => undefined)
  if (await signOut()) return
  let close = () => undefined as void
  const again = async () => {
    close()
    removeEventListener('online', again)
    if (await finishSignOut()) notify('Votre session est maintenant fermée.')
    else say()
  }
  const say = () => {
    close = notify('Le service n’a pas pu être joint : votre session y reste ouverte. Un autre essai est fait dès que possible.',
      { action: 'Réessayer', act: () => void again(), ms: 3_600_000 })
    addEventListener('online', again)
  }
  say()
}
