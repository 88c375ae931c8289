// The work that waits, class by class.
import { useEffect } from 'preact/hooks'
import { api, ok } from '../api/client'
import { span } from '../lib/dates'
import { count } from '../lib/french'
import { useLoad, useTitle } from '../parts/hooks'
import { Show } from '../parts/ui'

const names: Record<string, string> = { answers: 'Réponses', ingestions: 'Gazettes', notifications: 'Courriels', titles: 'Index des titres', embeddings: 'Vecteurs' }

export function Queues() {
  useTitle('Files de travail')
  const found = useLoad((signal) => ok(api.GET('/api/v1/admin/queues', { signal })), [])
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && found.reload(), 5000)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <h1 tabIndex={-1}>Files de travail</h1>
      <Show of={found} waiting="Lecture des files…">
        {({ items }) => (
          <div class="scroll" tabIndex={0} role="region" aria-label="Files de travail">
            <table>
              <thead><tr><th scope="col">File</th><th scope="col">En attente</th><th scope="col">En cours</th><th scope="col">Attente la plus longue</th><th scope="col">Échecs en 24 h</th><th scope="col">Processus</th></tr></thead>
              <tbody>
                {items.map((q) => (
                  <tr key={q.name}>
                    <th scope="row">{names[q.name] ?? q.name}</th><td>{count(q.queued)}</td><td>{count(q.running)}</td>
                    <td>{q.oldest_seconds === null ? 'aucune' : span(q.oldest_seconds * 1000)}</td>
                    <td class={q.failed_24h > 0 ? 'fault' : ''}>{count(q.failed_24h)}</td>
                    <td class={q.workers === 0 ? 'fault' : ''}>{q.workers === null ? 'inconnu' : q.workers === 0 ? 'aucun' : count(q.workers)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Show>
    </>
  )
}
