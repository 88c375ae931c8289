// The frame around every screen: who is there, where one is, and what can be reached from here.
import { LocationProvider, useLocation } from 'preact-iso'
import type { FunctionComponent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { whenIdle } from './lib/idle'
import { useWho } from './parts/hooks'
import { Notices } from './parts/notice'
import { Late } from './parts/late'
import { Dialog, Nowhere, Waiting } from './parts/ui'
import { Chat } from './screens/chat'
import { Landing } from './screens/landing'
import { quit } from './parts/quit'

/** Addresses that are not the page's own: the browser goes there itself. */
const scope = /^\/(?!api\/|assets\/|docs$|openapi\.json$|akn(?:\/|$))/

// typescript knows preact-iso's provider by the props of an older Preact.
const Provider = LocationProvider as unknown as FunctionComponent<{ scope: RegExp; children: preact.ComponentChildren }>

export function App() {
  return (
    <Provider scope={scope}>
      <Frame />
      <Notices />
    </Provider>
  )
}

const catalogue = () => import('./screens/catalogue').then((m) => m.Catalogue)
const reader = () => import('./screens/reader').then((m) => m.Reader)
const shared = () => import('./screens/shared').then((m) => m.Shared)
const verify = () => import('./screens/verify').then((m) => m.Verify)
const account = () => import('./screens/account').then((m) => m.AccountScreen)
const enroll = () => import('./screens/factor').then((m) => m.EnrollScreen)
const admin = () => import('./admin/admin').then((m) => m.Admin)
const password = () => import('./screens/password').then((m) => m.PasswordScreen)
const signup = () => import('./screens/signup').then((m) => m.SignUpScreen)
const back = () => import('./screens/return').then((m) => m.ReturnScreen)
const signIn = () => import('./screens/signin').then((m) => m.SignIn)
const signInForm = () => import('./screens/signin').then((m) => m.SignInForm)
const authorize = () => import('./screens/authorize').then((m) => m.AuthorizeScreen)
const offline = () => import('./screens/offline').then((m) => m.OfflineScreen)
const inquiry = () => import('./screens/inquiry').then((m) => m.InquiryScreen)

/** What was done before one is asked to sign in. */
const done: Record<string, string | undefined> = {
  'mot-de-passe': 'Le mot de passe est changé, et vos sessions sont fermées. Connectez-vous avec le nouveau.',
  inscription: 'Votre compte est ouvert. Connectez-vous.',
}

/** Screens for who cannot sign in yet: no dialog that asks to stands before them. */
const without = new Set(['/mot-de-passe', '/inscription'])

const atReturn = (path: string): boolean => /^\/connexion\/retour\/[a-z0-9-]+$/.test(path)

function Screen({ path, query }: { path: string; query: Record<string, string> }) {
  const who = useWho()
  // Who had to choose a second factor stays until the recovery codes are kept.
  const [enrolling, setEnrolling] = useState(false)
  useEffect(() => {
    if (who.mustEnroll) setEnrolling(true)
    else if (who.state === 'anonymous') setEnrolling(false)
  }, [who.mustEnroll, who.state])
  const parts = path.split('/').filter(Boolean)
  if (parts[0] === 'entreprises' && parts.length === 1) return <Late load={inquiry} props={{}} />
  if (parts[0] === 'connexion' && parts.length === 1) return <Late load={signIn} props={{ next: query.suite ?? '/', told: done[query.fait ?? ''] }} />
  if (atReturn(path)) return <Late load={back} props={{ id: parts[2]! }} />
  if (path === '/hors-ligne') return <Late load={offline} props={{}} />
  if (path === '/mot-de-passe') return <Late load={password} props={{}} />
  if (path === '/inscription') return <Late load={signup} props={{}} />
  if (path === '/partage' && !who.mustEnroll) return <Late load={shared} props={{}} />
  if (who.user && (who.mustEnroll || enrolling)) return <Late load={enroll} props={{ onDone: () => setEnrolling(false) }} />
  if (parts.length === 0 && who.state === 'anonymous') return <Landing />
  if (who.state === 'anonymous') return <Late load={signIn} props={{ next: location.pathname + location.search, told: 'Connectez-vous pour voir cette page.' }} />
  if (parts.length === 0) return <Chat id={null} />
  if (parts[0] === 'c' && parts.length === 2) return <Chat id={parts[1]!} />
  if (parts[0] === 'textes' && parts.length === 1) return <Late load={catalogue} props={{ query }} />
  if (parts[0] === 'textes' && parts.length === 2) return <Late load={reader} props={{ id: parts[1]!, query }} />
  if (path === '/autoriser') return <Late load={authorize} props={{}} />
  if (path === '/verifier') return <Late load={verify} props={{}} />
  if (parts[0] === 'compte' && parts.length === 1) return <Late load={account} props={{}} />
  if (parts[0] === 'admin' && who.user && who.user.role !== 'user') return <Late load={admin} props={{ parts: parts.slice(1), query }} />
  return <main class="narrow" id="contenu"><Nowhere /></main>
}

function Frame() {
  const { path, query } = useLocation()
  const who = useWho()
  const first = useRef(true)
  // A new screen is told to who cannot see it: its heading gets the focus.
  const screen = path.split('/').slice(0, 3).join('/')
  const chat = who.user !== null && (screen === '/' || screen.startsWith('/c/'))
  useEffect(() => {
    if (first.current) return void (first.current = false)
    if (chat) return // the question box takes it
    scrollTo(0, 0)
    if (document.activeElement?.matches('main input, main textarea')) return // the screen has chosen
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [screen, chat])
  useEffect(() => {
    if (who.state === 'signed-in' && !who.mustEnroll) return whenIdle([() => void import('./lib/offline').then((m) => m.keepAll()).catch(() => undefined)])
    return undefined
  }, [who.state, who.user?.id])
  if (who.state === 'unknown') return <main class="narrow"><Waiting text="Ouverture de la session…" /></main>
  return (
    <>
      <a class="skip" href="#contenu">Aller au contenu</a>
      <Header path={path} />
      <Screen path={path} query={query} />
      {who.state === 'expired' && !without.has(path) && !atReturn(path) && (
        <Dialog title="La session a pris fin" fixed onClose={() => undefined}>
          <p>Connectez-vous pour continuer : ce que vous avez écrit est gardé.</p>
          <Late load={signInForm} props={{ email: who.user?.email ?? '', next: location.pathname + location.search }} />
        </Dialog>
      )}
    </>
  )
}

function Header({ path }: { path: string }) {
  const who = useWho()
  const { route } = useLocation()
  const link = (href: string, text: string) => {
    const here = href === '/' ? path === '/' || path.startsWith('/c/') : path === href || path.startsWith(href + '/')
    return <a href={href} {...(here ? { 'aria-current': 'page' as const } : {})}>{text}</a>
  }
  return (
    <header class="top">
      <a class="brand" href="/">Vigueur</a>
      <nav aria-label="Principale">
        {who.user ? (
          <>
            {link('/', 'Questions')}
            {link('/textes', 'Textes')}
            {link('/verifier', 'Vérifier')}
            {who.user.role !== 'user' && link('/admin', 'Administration')}
            {link('/compte', 'Compte')}
            <button type="button" class="quiet" onClick={() => void quit().then(() => route('/'))}>Quitter</button>
          </>
        ) : (
          <>
            {link('/entreprises', 'Entreprises')}
            {link('/connexion', 'Se connecter')}
          </>
        )}
      </nav>
    </header>
  )
}
