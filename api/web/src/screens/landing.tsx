// What somebody sees who is not signed in: what this is, a way in, and the form for enterprises.
import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { methods } from '../api/client'
import { useTitle } from '../parts/hooks'
import { useDomains } from '../parts/composer'
import { CountryQuestion, readCountries, useHome } from '../parts/country'
import { OpenExamples, readOpenExamples } from '../parts/examples'
import { GuestQuestions, useGuestTalk } from '../parts/guest'
import { count, plural } from '../lib/french'
import './landing.css'

export function Landing() {
  const { route, query } = useLocation()
  const within = query.texte ? { id: query.texte, title: query.titre ?? 'Un texte' } : null
  const [q, setQ] = useState('')
  const [free, setFree] = useState(false) // the texts can be read without an account
  const [most, setMost] = useState(0) // how many questions may be asked a day without an account
  const [known, know] = useState(false) // nothing below is seen before, to be moved or taken back
  const talk = useGuestTalk(within)
  const { pays } = useHome()
  useEffect(() => {
    const late = setTimeout(() => know(true), 3000) // a slow line hides nothing for longer
    void Promise.allSettled([methods().then((m) => {
      setFree(m.public_catalogue)
      setMost(m.guest_questions)
      return m.public_catalogue ? readOpenExamples() : null
    }), readCountries()]).then(() => setTimeout(() => know(true), 50)) // what has come is laid out first
    return () => clearTimeout(late)
  }, [])
  const domains = useDomains().filter((d) => d.documents_count > 0).sort((a, b) => Number(a.code === 'autre') - Number(b.code === 'autre') || b.documents_count - a.documents_count)
  const texts = domains.reduce((n, d) => n + d.documents_count, 0)
  useTitle('')
  return (
    <main class="landing" id="contenu">
      <h1 tabIndex={-1}>Le droit en vigueur, article par article</h1>
      <p class="lead">Posez une question en français. La réponse vient des gazettes officielles : chaque phrase cite l’article et la page, que vous ouvrez d’un clic.</p>
      <div class={known ? undefined : 'unknown'}>
        {(free || most > 0) && !within && <CountryQuestion />}
        {most > 0 && <GuestQuestions talk={talk} most={most} within={within} />}
        <form role="search" action="/akn/recherche" onSubmit={(e) => {
          if (free) return
          e.preventDefault()
          route(`/connexion?suite=${encodeURIComponent(`/textes${q.trim() ? `?q=${encodeURIComponent(q.trim())}` : ''}`)}`)
        }}>
          <label class="sr" for="find-title">Chercher un texte par son titre</label>
          {pays && <input type="hidden" name="pays" value={pays} />}
          <input id="find-title" name="q" type="search" placeholder="Titre ou numéro d’un texte" value={q} onInput={(e) => setQ(e.currentTarget.value)} />
          <button type="submit" class="main">Chercher</button>
        </form>
        <p class="meta">{free ? <>Les <a href={pays ? `/akn/${pays}` : '/akn'}>textes</a> se lisent sans compte{most === 0 && ' ; les questions en demandent un'}.</> : 'La recherche et les questions demandent un compte.'} <a href="/connexion">Se connecter</a></p>
        {free && talk.turns.length === 0 && <OpenExamples onPick={most > 0 ? (question) => void talk.ask(question) : null} />}
        <ul class="facts">
          <li>Le droit du jour que vous choisissez : une loi modifiée ou abrogée est dite telle.</li>
          <li>Quand aucun texte ne répond, le service le dit, et n’invente rien.</li>
          {texts > 0 && <li>{plural(texts, 'texte')} dans {plural(domains.length, 'domaine')} : {domains.slice(0, 6).map((d) => `${d.label} (${count(d.documents_count)})`).join(', ')}{domains.length > 6 ? '…' : '.'}</li>}
        </ul>
        <h2>Pour les entreprises et les administrations</h2>
        <p>Vos propres gazettes, vos comptes, votre serveur. <a href="/entreprises">Demander un rendez-vous</a></p>
      </div>
    </main>
  )
}
