// A conversation that somebody shared, read by its link. The token stays behind the #: the screen can be loaded again and
// kept as a bookmark, and no server is told of it by the address.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { api, ok, open } from '../api/client'
import type { Citation, SharedCitation, SharedTurn } from '../api/types'
import { since } from '../lib/dates'
import { tokenOf } from '../lib/link'
import { begin } from '../lib/stream'
import { AnswerView } from '../parts/answer'
import { useLoad, useTitle, useWho } from '../parts/hooks'
import { notify } from '../parts/notice'
import { SourcePanel } from '../parts/source'
import { Failure, Waiting } from '../parts/ui'
import { SignInForm } from './signin'
import type { Turn } from './conversation'
import './chat.css'

const turnOf = (t: SharedTurn, key: string): Turn => ({
  key, question: t.question, createdAt: t.answered_at, filters: t.date ? { date: t.date } : {},
  answer: t.reserved ? null : { ...begin(key, ''), text: t.answer, phase: 'done', citations: t.citations, validation: t.validation, certainty: t.certainty, country: t.pays },
})

export function Shared() {
  const who = useWho()
  const [token, set] = useState(() => tokenOf(location.hash) ?? '')
  useTitle('Conversation partagée')
  useEffect(() => {
    const take = () => set(tokenOf(location.hash) ?? '')
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  const signed = who.state === 'signed-in'
  const whole = useLoad((signal) => ok((signed ? api : open).GET('/api/v1/shared/{token}', { params: { path: { token: token || '-' } }, signal })), [token, signed])
  const [source, show] = useState<{ citation: Citation; all: readonly Citation[] } | null>(null)
  const turns = useMemo(() => whole.data?.turns.map((t, i) => ({ ...turnOf(t, String(i)), reserved: t.reserved })) ?? [], [whole.data])
  // A guest reads what is cited where the catalogue is open to everybody.
  const cite = (citation: Citation, all: readonly Citation[]) => signed || (citation as SharedCitation).adresse ? show({ citation, all }) : notify('Connectez-vous pour lire ce texte.')
  if (whole.error?.status === 401) {
    return (
      <main class="narrow" id="contenu">
        <h1 tabIndex={-1}>Conversation partagée</h1>
        <p role="status">Connectez-vous pour lire cette conversation.</p>
        <SignInForm email="" next={location.pathname + location.hash} />
      </main>
    )
  }
  return (
    <div class={source ? 'shared beside' : 'shared'}>
      <main class="thread" id="contenu">
        <div class="column">
          <h1 tabIndex={-1}>Conversation partagée</h1>
          <Failure error={whole.error} retry={whole.reload} />
          {whole.loading && !whole.data && <Waiting text="Lecture de la conversation…" />}
          {whole.data && <p class="meta">Partagée {since(whole.data.shared_at)} par la personne qui a posé ces questions. Les réponses sont celles que le service a données alors{'\u202f'}: le droit peut avoir changé.</p>}
          {turns.map((t) => (
            <div key={t.key}>
              <AnswerView turn={t} last={false} busy={false} corpus={0} shared shown={source?.all === t.answer?.citations ? source?.citation.index ?? 0 : 0}
                onSource={(c) => cite(c, t.answer?.citations ?? [])} onAgain={() => undefined} />
              {t.reserved && <p class="warning">Cette réponse cite une mesure qui concerne une personne{'\u202f'}: <a href="/connexion">connectez-vous</a>, puis rouvrez le lien, pour la lire.</p>}
            </div>
          ))}
          {whole.data && <p><a href="/">Poser une question</a></p>}
        </div>
      </main>
      {source && <SourcePanel citation={source.citation} all={source.all} onGo={(citation) => show({ citation, all: source.all })} onClose={() => show(null)} />}
    </div>
  )
}
