// The work that waits, class by class. Nobody serves the index of titles where there is none: that is no fault.
import { useEffect } from 'preact/hooks'
import { api, ok } from '../api/client'
import { span } from '../lib/dates'
import { capital, count } from '../lib/french'
import { useLoad, useTitle } from '../parts/hooks'
import { Table } from './table'
import { Show } from '../parts/ui'

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
          <Table label="Files de travail" rows={items} id={(q) => q.name} columns={[
            { head: 'File', of: (q) => capital(q.label) },
            { head: 'En attente', of: (q) => count(q.queued) },
            { head: 'En cours', of: (q) => count(q.running) },
            { head: 'Attente la plus longue', of: (q) => (q.oldest_seconds === null ? 'aucune' : span(q.oldest_seconds * 1000)) },
            { head: 'Échecs en 24 h', of: (q) => count(q.failed_24h), class: (q) => (q.failed_24h > 0 ? 'fault' : '') },
            { head: 'Processus', of: (q) => (q.workers === null ? 'inconnu' : q.workers === 0 ? 'aucun' : count(q.workers)), class: (q) => (q.workers === 0 && !(q.name === 'titles' && q.queued === 0) ? 'fault' : '') },
          ]} />
        )}
      </Show>
    </>
  )
}
