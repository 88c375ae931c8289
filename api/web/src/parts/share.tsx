// The link of a conversation: made, copied and withdrawn by who asked the questions.
import { useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import { since } from '../lib/dates'
import { plural } from '../lib/french'
import { useLoad } from './hooks'
import { notify } from './notice'
import { Dialog, Failure, Field, Show } from './ui'

export function ShareDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const path = { params: { path: { id } } }
  const link = useLoad((signal) => ok(api.GET('/api/v1/conversations/{id}/link', { ...path, signal })), [id])
  const [url, show] = useState('') // told once, when the link is made
  const [busy, work] = useState(false)
  const [error, fail] = useState<ApiError | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const run = (f: () => Promise<void>) => {
    work(true)
    fail(null)
    void f().catch((e: unknown) => fail(asError(e))).finally(() => work(false))
  }
  const make = () => run(async () => {
    const made = await ok(api.POST('/api/v1/conversations/{id}/link', path))
    link.set(made)
    show(made.url)
  })
  const withdraw = () => run(async () => {
    await ok(api.DELETE('/api/v1/conversations/{id}/link', path))
    show('')
    link.reload()
    notify('Le lien est retiré\u202f: il n’ouvre plus rien.')
  })
  const copy = () => void navigator.clipboard.writeText(url).then(() => notify('Lien copié.'), () => {
    box.current?.select()
    notify('Le navigateur n’a pas permis la copie\u202f: le lien est sélectionné.')
  })
  return (
    <Dialog title="Partager cette conversation" onClose={onClose}>
      <Show of={link} waiting="Lecture du lien…">
        {(l) => (
          <div class="stack">
            <p>
              Qui a le lien lit les questions et les réponses que la conversation a au moment où le lien est fait, {l.public ? 'sans compte' : 'avec un compte de ce service'}, et ne peut rien y changer.
              Votre nom, votre adresse et vos avis n’y sont pas{'\u202f'}; ce que vous demanderez ensuite non plus.
            </p>
            {url ? (
              <>
                <Field label="Lien" hint="Copiez-le maintenant : son adresse n’est pas gardée.">{(a) => <input {...a} ref={box} readOnly value={url} onFocus={(e) => e.currentTarget.select()} />}</Field>
                <p class="row"><button type="button" class="main" onClick={copy}>Copier le lien</button><button type="button" class="danger" disabled={busy} onClick={withdraw}>Retirer le lien</button></p>
              </>
            ) : l.created_at ? (
              <>
                <p role="status">Cette conversation a un lien {since(l.created_at)}, qui en montre {plural(l.questions, 'question')}. Son adresse n’est pas gardée{'\u202f'}: si vous ne l’avez plus, ou pour montrer la suite, faites-en un autre, et le premier n’ouvrira plus rien.</p>
                <p class="row"><button type="button" class="main" disabled={busy} onClick={make}>Faire un autre lien</button><button type="button" class="danger" disabled={busy} onClick={withdraw}>Retirer le lien</button></p>
              </>
            ) : <p class="row"><button type="button" class="main" disabled={busy} onClick={make}>Faire un lien</button></p>}
          </div>
        )}
      </Show>
      <Failure error={error} />
    </Dialog>
  )
}
