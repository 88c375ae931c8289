// The inquiries of enterprises, and what became of each.
import { useLocation } from 'preact-iso'
import { api, ok } from '../api/client'
import { asError } from '../api/errors'
import type { Inquiry, InquiryStatus } from '../api/types'
import { moment } from '../lib/dates'
import { inquiryStatuses, inquiryWord, plural } from '../lib/french'
import { useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { useCursor } from './list'
import { More } from './more'

export function Inquiries({ query }: { query: Record<string, string> }) {
  const { route } = useLocation()
  useTitle('Demandes')
  const status = inquiryStatuses.includes(query.etat as InquiryStatus) ? (query.etat as InquiryStatus) : undefined
  const list = useCursor<Inquiry>((before) => ok(api.GET('/api/v1/admin/inquiries', { params: { query: { ...(status ? { status } : {}), ...(before ? { before } : {}) } } })), [status])
  const settle = (i: Inquiry, next: InquiryStatus) => void ok(api.PATCH('/api/v1/admin/inquiries/{id}', { params: { path: { id: i.id } }, body: { status: next } })).then(
    list.replace, (e: unknown) => notify(asError(e).message))
  return (
    <>
      <h1 tabIndex={-1}>Demandes de rendez-vous</h1>
      <div class="chips" role="group" aria-label="État">
        <button type="button" class={status ? 'chip' : 'chip on'} aria-pressed={!status} onClick={() => route('/admin/demandes')}>Toutes</button>
        {inquiryStatuses.map((s) => <button key={s} type="button" class={s === status ? 'chip on' : 'chip'} aria-pressed={s === status} onClick={() => route(`/admin/demandes?etat=${s}`)}>{inquiryWord(s)}</button>)}
      </div>
      <ul class="rows">
        {list.items.map((i) => (
          <li key={i.id}>
            <div class="file-head"><strong class="verbatim">{i.company}</strong><span class="meta">{moment(i.created_at)}</span></div>
            <p class="verbatim">{i.contact_name}, <a href={`mailto:${encodeURIComponent(i.email)}`}>{i.email}</a>{i.phone && `, ${i.phone}`}{i.team_size && `, équipe de ${i.team_size === '200+' ? 'plus de 200' : i.team_size.replace('-', ' à ')} personnes`}{i.preferred_slot && `, ${i.preferred_slot}`}</p>
            <p class="verbatim pre">{i.use_case}</p>
            <div class="row">
              <label>État{' '}<select value={i.status} onChange={(e) => settle(i, e.currentTarget.value as InquiryStatus)}>{inquiryStatuses.map((s) => <option key={s} value={s}>{inquiryWord(s)}</option>)}</select></label>
              <span class="meta">{i.notification.state === 'done' ? 'annoncée par courriel' : `courriel pas encore parti, ${plural(i.notification.attempts_count, 'essai')}`}</span>
            </div>
          </li>
        ))}
      </ul>
      <More of={list} none="Aucune demande." />
    </>
  )
}
