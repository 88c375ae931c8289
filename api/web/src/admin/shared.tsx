// Who shares conversations by a link, without a word of them, and withdrawing it.
import { api, ok } from '../api/client'
import type { AnyLink } from '../api/types'
import { moment } from '../lib/dates'
import { count, plural } from '../lib/french'
import { useTitle } from '../parts/hooks'
import { Box, Bulk, useChosen, type Deed } from './bulk'
import { useCursor } from './list'
import { More } from './more'
import { Table } from './table'

const withdraw: Deed<AnyLink> = {
  word: 'Retirer', danger: true, asks: (n) => `Retirer ${plural(n, 'lien')}`, done: (n) => plural(n, 'lien est retiré', 'liens sont retirés'),
  warns: 'Ils n’ouvriront plus rien. Les conversations restent à leurs auteurs, qui peuvent en faire d’autres.',
  act: (l) => ok(api.DELETE('/api/v1/admin/shared/{id}', { params: { path: { id: l.id } } })),
}

export function SharedLinks() {
  useTitle('Partages')
  const list = useCursor<AnyLink>((before) => ok(api.GET('/api/v1/admin/shared', { params: { query: { limit: 100, ...(before ? { before } : {}) } } })), [])
  const chosen = useChosen(list.items)
  const name = (l: AnyLink) => `${l.user_email}, ${moment(l.created_at)}`
  return (
    <>
      <h1 tabIndex={-1}>Partages</h1>
      <p>Les conversations qui ont un lien. Leurs mots ne sont pas montrés ici.</p>
      <Bulk of={chosen} noun="lien" name={name} deeds={[withdraw]} ended={() => {
        chosen.setAll(false)
        list.reload()
      }} />
      {list.items.length > 0 && (
        <Table label="Partages" rows={list.items} id={(l) => l.id} row={1} columns={[
          { head: 'Choix', of: (l) => <Box of={chosen} row={l} name={name(l)} /> },
          { head: 'Compte', of: (l) => l.user_email, class: 'verbatim' },
          { head: 'Partagée', of: (l) => moment(l.created_at), class: 'when' },
          { head: 'Questions', of: (l) => count(l.questions) },
          { head: 'État', of: (l) => (l.opens ? 'Ouvert' : 'Compte fermé') },
          { head: 'Conversation', of: (l) => l.id, class: 'code verbatim' },
        ]} />
      )}
      <More of={list} none="Aucune conversation n’est partagée." />
    </>
  )
}
