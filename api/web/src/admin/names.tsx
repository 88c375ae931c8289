// Short names that operators give to texts.
import { useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError } from '../api/errors'
import type { TextName } from '../api/types'
import { countryWord } from '../lib/french'
import { useCountries } from '../parts/country'
import { useSending } from '../parts/form'
import { useLoad, useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Dialog, Failure, Field, Show } from '../parts/ui'

export function Names() {
  useTitle('Noms des textes')
  const names = useLoad((signal) => ok(api.GET('/api/v1/admin/names', { signal })), [])
  const [naming, name] = useState(false)
  const remove = (n: TextName) => void ok(api.DELETE('/api/v1/admin/names/{id}', { params: { path: { id: n.id } } })).then(names.reload, (e: unknown) => notify(asError(e).message))
  return (
    <>
      <div class="head"><h1 tabIndex={-1}>Noms courts des textes</h1><button type="button" class="main" onClick={() => name(true)}>Donner un nom</button></div>
      <p class="meta">Questions et recherche trouvent un texte par son nom court. « AUSCGIE », « COCC » ou « moudawana » sont connus sans être donnés.</p>
      <Show of={names} waiting="Lecture des noms…">
        {({ items }) => items.length === 0 ? <p class="meta">Aucun nom n’est donné.</p> : (
          <ul class="rows">
            {items.map((n: TextName) => (
              <li key={n.id}>
                <div class="file-head"><strong class="verbatim">{n.name}</strong><span class="meta">{n.pays && countryWord(n.pays)}</span></div>
                <div class="row"><span class="verbatim">{n.means}</span><button type="button" class="quiet" aria-label={`Retirer le nom ${n.name}`} onClick={() => remove(n)}>Retirer</button></div>
              </li>
            ))}
          </ul>
        )}
      </Show>
      {naming && <Naming onDone={(saved) => {
        name(false)
        if (saved) names.reload()
      }} />}
    </>
  )
}

function CountryField({ pays, onPick, error }: { pays: string; onPick: (pays: string) => void; error: string | undefined }) {
  const countries = useCountries()
  return <Field label="Pays" error={error}>{(a) => <select {...a} value={pays} onChange={(e) => onPick(e.currentTarget.value)}><option value="">Tous les pays</option>{countries.map((c) => <option key={c.pays} value={c.pays}>{c.word}</option>)}</select>}</Field>
}

function Naming({ onDone }: { onDone: (saved: boolean) => void }) {
  const [name, setName] = useState('')
  const [means, setMeans] = useState('')
  const [pays, setPays] = useState('')
  const [effect, setEffect] = useState<{ asked: string; texts: string[] }>()
  const { error, at, send } = useSending()
  const asked = JSON.stringify([name, means, pays])
  const shown = effect?.asked === asked ? effect : undefined
  return (
    <Dialog title="Donner un nom court" onClose={() => onDone(false)}>
      <form class="stack" ref={at} noValidate onSubmit={(e) => void send(e, async () => {
        const { texts } = await ok(api.POST('/api/v1/admin/names', { body: { name, means, ...(pays && { pays }), dry_run: !shown } }))
        if (shown) onDone(true)
        else setEffect({ asked, texts })
      })}>
        <Failure error={error} />
        <Field label="Nom" hint="De quatre lettres au plus, il ne se lit qu’en capitales." error={error?.fields.name}>{(a) => <input {...a} value={name} maxLength={60} onInput={(e) => setName(e.currentTarget.value)} />}</Field>
        <Field label="Texte" hint="Son numéro ou son titre : « loi n° 70-03 », « code de la famille »." error={error?.fields.means}>{(a) => <input {...a} value={means} maxLength={300} onInput={(e) => setMeans(e.currentTarget.value)} />}</Field>
        <CountryField pays={pays} onPick={setPays} error={error?.fields.pays} />
        {shown && <p class="verbatim" role="status">{shown.texts.length === 0 ? 'Le catalogue n’a pas encore ce texte.' : `Désignera\u202f: ${shown.texts.join('\u202f; ')}`}</p>}
        <button type="submit" class="main">{shown ? 'Enregistrer' : 'Voir ce qu’il désignera'}</button>
      </form>
    </Dialog>
  )
}
