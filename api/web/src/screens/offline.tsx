// The texts that this browser keeps, read without a network or an account.
import { useState } from 'preact/hooks'
import { day, moment } from '../lib/dates'
import { articleWord, capital } from '../lib/french'
import { keptTexts } from '../lib/offline'
import { useLoad, useTitle } from '../parts/hooks'
import { Show } from '../parts/ui'

export function OfflineScreen() {
  const found = useLoad(keptTexts, [])
  const [open, show] = useState<string | null>(null)
  useTitle('Textes gardés')
  return (
    <main class="narrow" id="contenu">
      <h1 tabIndex={-1}>Textes gardés</h1>
      <p class="meta">Les textes que vous suivez se lisent ici sans réseau, tels qu’ils étaient quand ils ont été gardés.</p>
      <Show of={found} waiting="Lecture des textes…">
        {(all) => all.length === 0 ? <p>Ce navigateur ne garde aucun texte. Suivez-en un{'\u202f'}: il sera gardé à votre prochaine visite.</p> : (
          <ul class="rows">
            {all.map((t) => (
              <li key={t.id}>
                <h2 class="kept-title" data-verbatim>{t.title}</h2>
                <p class="meta">{t.gazette && <span data-verbatim>{t.gazette.name}{t.gazette.number && `, n° ${t.gazette.number}`}{t.gazette.day && ` du ${day(t.gazette.day)}`}. </span>}{t.date && `Rédaction du ${day(t.date)}. `}Gardé le {moment(new Date(t.since).toISOString())}.</p>
                <button type="button" aria-expanded={open === t.id} onClick={() => show(open === t.id ? null : t.id)}>{open === t.id ? 'Fermer' : 'Lire'}</button>
                {open === t.id && t.articles.map((a) => (
                  <section key={a.id} class="law-text" data-verbatim>
                    <h3>{capital(articleWord(a.number))}{a.heading && ` – ${a.heading}`}</h3>
                    {a.text.split(/\n+/).map((p, i) => <p key={i}>{p}</p>)}
                  </section>
                ))}
              </li>
            ))}
          </ul>
        )}
      </Show>
    </main>
  )
}
