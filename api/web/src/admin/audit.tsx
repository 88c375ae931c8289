// Who did what, and when.
import { useLocation } from 'preact-iso'
import { api, download, ok } from '../api/client'
import { asError } from '../api/errors'
import type { Action, AuditEntry } from '../api/types'
import { moment } from '../lib/dates'
import { useTitle } from '../parts/hooks'
import { notify } from '../parts/notice'
import { Table } from './table'
import { useCursor } from './list'
import { More } from './more'

const words: Record<Action, string> = {
  'auth.login': 'Connexion', 'auth.failed': 'Connexion refusée', 'auth.refused': 'Accès refusé', 'auth.refresh_reuse': 'Session volée, fermée', 'auth.refresh_repeat': 'Session renouvelée deux fois', 'auth.logout': 'Déconnexion',
  'auth.session_end': 'Session fermée', 'auth.reset_request': 'Mot de passe oublié', 'auth.password_reset': 'Mot de passe refait', 'auth.signup_request': 'Inscription demandée', 'auth.signup': 'Inscription',
  'conversation.export': 'Conversation exportée', 'conversation.share': 'Conversation partagée', 'conversation.unshare': 'Lien d’une conversation retiré', 'conversation.withdraw': 'Lien d’une conversation retiré par un administrateur', 'conversation.links': 'Conversations partagées lues', 'audit.read': 'Journal lu', 'audit.export': 'Journal exporté', 'user.read': 'Comptes lus', 'inquiry.read': 'Demandes lues', 'answer.why': 'Réponse expliquée', 'feedback.export': 'Avis exportés', 'question.read': 'Questions de lecteurs lues', 'name.create': 'Nom court donné', 'name.delete': 'Nom court retiré', 'chat.question': 'Question', 'user.create': 'Compte ouvert', 'user.update': 'Compte changé', 'user.password': 'Mot de passe changé',
  'user.erase': 'Compte effacé', 'domaine.create': 'Domaine ajouté', 'domaine.update': 'Domaine changé', 'ingestion.create': 'Gazette ajoutée',
  'ingestion.retry': 'Gazette reprise', 'ingestion.cancel': 'Gazette abandonnée', 'ingestion.recut': 'Gazette découpée de nouveau', 'ingestion.edit': 'Découpage corrigé',
  'ingestion.undo': 'Correction annulée', 'ingestion.delete': 'Gazette oubliée', 'review.accept': 'Texte accepté', 'review.reject': 'Texte rejeté',
  'review.restore': 'Texte rétabli', 'review.reopen': 'Texte remis en revue', 'document.supersede': 'Texte remplacé', 'document.status': 'Statut changé',
  'relation.settle': 'Relation réglée', 'amendment.settle': 'Modification réglée', 'document.update': 'Texte corrigé', 'document.delete': 'Texte supprimé', 'document.reindex': 'Texte réindexé', 'inquiry.update': 'Demande suivie',
  'identity.tie': 'Identité liée', 'identity.untie': 'Identité déliée', 'retention.run': 'Données anciennes supprimées', 'user.export': 'Données du compte exportées',
  'follow.create': 'Sujet suivi', 'follow.delete': 'Sujet plus suivi', 'alert.mail': 'Alertes par courriel réglées',
  'webhook.create': 'Webhook fait', 'webhook.update': 'Webhook allumé ou éteint', 'webhook.delete': 'Webhook supprimé', 'webhook.disable': 'Webhook éteint après des échecs',
  'webhook.test': 'Webhook essayé', 'webhook.redeliver': 'Envoi refait à un webhook',
  'key.create': 'Clé faite', 'key.revoke': 'Clé révoquée', 'key.read': 'Clés lues', 'key.call': 'Appel par une clé',
  'factor.enable': 'Second facteur choisi', 'factor.disable': 'Second facteur retiré', 'factor.reset': 'Second facteur retiré par un administrateur', 'factor.codes': 'Codes de secours refaits', 'factor.recovery': 'Code de secours utilisé',
}
const actions = Object.keys(words) as Action[]

/** Actions whose object is an answer: why it is what it is can be read. */
const explained = new Set<string>(['chat.question', 'answer.why'])

/** Who it was where no account is named: what the doors note without one was done by somebody who is not signed in, the rest by the commands and the service itself. */
const nobody = (e: AuditEntry): string => (e.action.startsWith('auth.') || (e.details as { anonymous?: boolean } | null)?.anonymous ? 'sans session' : 'commande ou service')

/** The words for what is noted beside an object; a name without one stays as it is. */
const names: Record<string, string> = {
  model: 'modèle', conversation_id: 'conversation', size: 'octets', sha256: 'empreinte', from: 'de', to: 'à', role: 'rôle', address: 'empreinte de l’adresse', active: 'ouvert', fields: 'données', kind: 'correction', session: 'session',
  ingestion_id: 'gazette', provider: 'fournisseur', scopes: 'portées', owner: 'compte', status: 'état', conversations: 'conversations', inquiries: 'demandes', months: 'mois', texts: 'textes', edit_id: 'correction n°', superseded_by: 'remplacé par',
  abroge_par: 'abrogé par', erased: 'effacé', state: 'état', source: 'de', target: 'vers', act: 'acte', article: 'article', decision: 'décision', delivery: 'envoi', api_key: 'clé', document_id: 'texte', mail: 'courriel', means: 'veut dire', name: 'nom', questions: 'questions',
  country: 'pays', full_name: 'nom', description: 'description', model_usage: 'usage des modèles',
}

/** Whether something is named by nothing that a person reads. */
const nameless = (value: unknown, known: AuditEntry['names']): boolean => typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) && !known[value]

/** A value that was noted, by the name that people know where there is one. */
const spelled = (value: unknown, known: AuditEntry['names']): string =>
  value === 'changed' ? 'changé' : typeof value === 'string' ? (known[value] ?? value) : typeof value === 'boolean' ? (value ? 'oui' : 'non') : Array.isArray(value) ? value.map((v) => spelled(v, known)).join(', ') : JSON.stringify(value)

/** What is noted of an action beside its object, as words; what is nothing is left out. */
const told = ({ details, names: known }: AuditEntry): string =>
  Object.entries(details ?? {}).filter(([name, value]) => value !== null && name !== 'anonymous' && !nameless(value, known)).map(([name, value]) => `${names[name] ?? name}\u202f: ${spelled(value, known)}`).join(', ')

export function Audit({ query }: { query: Record<string, string> }) {
  const { route } = useLocation()
  useTitle('Journal')
  const action = actions.includes(query.action as Action) ? (query.action as Action) : undefined
  const filter = { ...(action ? { action } : {}), ...(query.du ? { from: query.du } : {}), ...(query.au ? { to: query.au } : {}), ...(query.compte ? { user: query.compte } : {}) }
  const list = useCursor<AuditEntry>((before) => ok(api.GET('/api/v1/admin/audit', { params: { query: { ...filter, limit: 100, ...(before ? { before } : {}) } } })) as Promise<{ items: AuditEntry[]; next_before: string | null }>,
    [action, query.du, query.au, query.compte])
  const go = (change: Record<string, string>) => {
    const next = new URLSearchParams(Object.entries({ ...query, ...change }).filter(([, v]) => v))
    route(`/admin/journal${next.size ? `?${next}` : ''}`)
  }
  const csv = () => void download(`/api/v1/admin/audit?${new URLSearchParams({ ...filter, format: 'csv' })}`, 'journal.csv').catch((e: unknown) => notify(asError(e).message))
  return (
    <>
      <div class="head"><h1 tabIndex={-1}>Journal</h1><button type="button" onClick={csv}>Exporter en CSV</button></div>
      <div class="row dates">
        <label>Action <select value={action ?? ''} onChange={(e) => go({ action: e.currentTarget.value })}><option value="">Toutes</option>{actions.map((a) => <option key={a} value={a}>{words[a]}</option>)}</select></label>
        <label>Du <input type="date" max="9999-12-31" value={query.du ?? ''} onChange={(e) => go({ du: e.currentTarget.value })} /></label>
        <label>au <input type="date" max="9999-12-31" value={query.au ?? ''} onChange={(e) => go({ au: e.currentTarget.value })} /></label>
        {query.compte && <button type="button" class="chip on" onClick={() => go({ compte: '' })}>Un seul compte<span aria-hidden="true"> ×</span></button>}
      </div>
      <Table label="Journal" rows={list.items} id={(e) => String(e.id)} row={2} columns={[
        { head: 'Quand', of: (e) => moment(e.at), class: 'when' },
        { head: 'Qui', of: (e) => <>{e.user_id ? <button type="button" class="link" onClick={() => go({ compte: e.user_id! })}>{e.user_email ?? 'compte effacé'}</button> : nobody(e)}{e.key_id && <>{' '}<span class="meta">par la clé <span class="verbatim">{e.key_name ?? 'effacée'}</span></span></>}</> },
        { head: 'Quoi', of: (e) => words[e.action] ?? e.action },
        { head: 'Sur', of: (e) => (explained.has(e.action) ? <a href={`/admin/reponses/${e.object}`} title={e.object}>la réponse</a> : e.object && <span title={e.object}>{nameless(e.object, e.names) ? 'sans nom' : e.names[e.object] ?? e.object}</span>), class: 'code verbatim' },
        { head: 'Détails', of: (e) => told(e), class: 'code verbatim' },
      ]} />
      <More of={list} none="Rien n’a été noté pour ces filtres." />
    </>
  )
}
