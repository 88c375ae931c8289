// Administration: where each part is, and what one's role may see of it.
import type { ComponentType } from 'preact'
import { api, ok } from '../api/client'
import { count } from '../lib/french'
import type { WaitingCounts } from '../api/types'
import { useLoad, useWho, type Loaded } from '../parts/hooks'
import { Nowhere } from '../parts/ui'
import { Amendments } from './amendments'
import { Audit } from './audit'
import { Desk } from './desk'
import { Domains } from './domains'
import { Figures } from './figures'
import { Files } from './files'
import { Inquiries } from './inquiries'
import { Keys } from './keys'
import { Queues } from './queues'
import { Reviews } from './reviews'
import { SharedLinks } from './shared'
import { Names } from './names'
import { AdminTexts } from './texts'
import { Users } from './users'
import { Why } from './why'
import './admin.css'

interface PartProps { query: Record<string, string>; waiting: Loaded<WaitingCounts> }

const parts: { path: string; word: string; is: ComponentType<PartProps>; admin?: boolean }[] = [
  { path: '', word: 'Gazettes', is: Files },
  { path: 'relecture', word: 'À relire', is: Reviews },
  { path: 'modifications', word: 'Modifications', is: Amendments },
  { path: 'textes', word: 'Textes', is: AdminTexts },
  { path: 'noms', word: 'Noms des textes', is: Names },
  { path: 'files', word: 'Files de travail', is: Queues },
  { path: 'chiffres', word: 'Chiffres', is: Figures },
  { path: 'domaines', word: 'Domaines', is: Domains, admin: true },
  { path: 'comptes', word: 'Comptes', is: Users, admin: true },
  { path: 'cles', word: 'Clés', is: Keys, admin: true },
  { path: 'partages', word: 'Partages', is: SharedLinks, admin: true },
  { path: 'demandes', word: 'Demandes', is: Inquiries, admin: true },
  { path: 'journal', word: 'Journal', is: Audit, admin: true },
]

/** What the number beside a part counts. */
const waitWords: Record<string, string> = { '': 'gazettes en échec', relecture: 'textes à relire', modifications: 'modifications en attente', demandes: 'demandes que personne n’a lues' }

export function Admin({ parts: at, query }: { parts: string[]; query: Record<string, string> }) {
  const { user } = useWho()
  if (at[0] === 'gazettes' && at[1]) return <Desk id={at[1]} query={query} />
  const open = parts.filter((p) => !p.admin || user?.role === 'admin')
  const answer = at[0] === 'reponses' ? at[1] : undefined
  // Told anew at each step: what waits was perhaps settled there.
  const told = useLoad((signal) => ok(api.GET('/api/v1/admin/waiting', { signal })), [at.join('/')])
  const waiting = told.data
  const waits: Record<string, number> = waiting ? { '': waiting.files.failed ?? 0, relecture: waiting.reviews, modifications: waiting.amendments, demandes: waiting.inquiries ?? 0 } : {}
  const here = answer ? undefined : open.find((p) => p.path === (at[0] ?? ''))
  return (
    <main class="wide admin" id="contenu">
      <nav aria-label="Administration" class="parts" ref={(e) => e?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })}>
        {open.map((p) => <a key={p.path} href={p.path ? `/admin/${p.path}` : '/admin'} {...(p === here ? { 'aria-current': 'page' as const } : {})}>{p.word}{waits[p.path] ? <>{' '}<span class="waits" title={waitWords[p.path]}><span class="sr">{waitWords[p.path]}{'\u202f'}: </span>{count(waits[p.path]!)}</span></> : ''}</a>)}
      </nav>
      {here ? <here.is query={query} waiting={told} /> : answer ? <Why key={answer} id={answer} /> : <Nowhere />}
    </main>
  )
}
