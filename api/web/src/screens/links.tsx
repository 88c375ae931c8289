// The conversations that one shares by a link.
import { useRef } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError } from '../api/errors'
import type { OwnLink } from '../api/types'
import { moment } from '../lib/dates'
import { plural } from '../lib/french'
import { useLoad } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Show } from '../parts/ui'

export function Links() {
  const heading = useRef<HTMLHeadingElement>(null)
  const list = useLoad((signal) => ok(api.GET('/api/v1/me/shared', { signal })), [])
  const withdraw = (l: OwnLink) => void ok(api.DELETE('/api/v1/conversations/{id}/link', { params: { path: { id: l.id } } })).then(() => {
    notify('Le lien est retiré\u202f: il n’ouvre plus rien.')
  }, (e: unknown) => {
    notify(asError(e).message)
  }).then(() => {
    heading.current?.focus() // the button that had the focus goes
    list.reload()
  })
  return (
    <section class="part" aria-labelledby="partages">
      <h2 id="partages" ref={heading} tabIndex={-1}>Conversations partagées</h2>
      <Show of={list} waiting="Lecture des liens…">{({ items }) => items.length === 0 ? <p class="meta">Aucune de vos conversations n’a de lien.</p> : (
        <ul class="sessions">{items.map((l) => (
          <li key={l.id}>
            <div><a class="verbatim" href={`/c/${l.id}`}>{l.title}</a><p class="meta">Partagée {moment(l.created_at)}, {plural(l.questions, 'question')}.</p></div>
            <button type="button" onClick={() => withdraw(l)} aria-label={`Retirer le lien de ${l.title}`}>Retirer le lien</button>
          </li>
        ))}</ul>
      )}</Show>
    </section>
  )
}
