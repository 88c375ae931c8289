// The service worker: without a network it gives the page itself, whose screen /hors-ligne has the texts that were kept.
// Nothing of the API passes through it.
const shell = 'vigueur-page'
const ours = (url) => url.origin === location.origin

addEventListener('install', (e) => {
  e.waitUntil((async () => {
    const page = await fetch('/', { cache: 'no-cache' })
    const files = [...(await page.clone().text()).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((m) => m[1])
    const kept = await caches.open(shell)
    await kept.put('/', page)
    await kept.addAll(files)
    await skipWaiting()
  })())
})

addEventListener('activate', (e) => e.waitUntil(clients.claim()))

addEventListener('fetch', (e) => {
  const url = new URL(e.request.url)
  if (e.request.method !== 'GET' || !ours(url)) return
  if (e.request.mode === 'navigate') {
    e.respondWith(fetch(e.request).catch(async () => {
      const page = url.pathname === '/hors-ligne' && (await caches.match('/', { cacheName: shell }))
      return page || Response.redirect('/hors-ligne')
    }))
  } else if (url.pathname.startsWith('/assets/')) {
    e.respondWith(caches.match(e.request, { cacheName: shell }).then((kept) => kept ?? fetch(e.request)))
  }
})
