'use strict'
// What the page does with a script: it looks for operations and sends requests. The token stays in its field, which the
// page empties when it is left; nothing is stored.
;(() => {
  const all = (selector, under = document) => [...under.querySelectorAll(selector)]
  const one = (selector, under = document) => under.querySelector(selector)
  for (const e of all('.find, .token, .try')) e.hidden = false

  const token = one('#token')
  addEventListener('pagehide', () => { token.value = '' })

  // Looking for operations: each word must be in the title, the address, the group or the description.
  const fold = (s) => s.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const operations = all('article.operation').map((article) => {
    const section = article.closest('section')
    const words = [one('h3', article), one('.address', article), one('h2', section), ...all(':scope > p', article)].map((e) => e.textContent).join(' ')
    return { article, section, entry: one(`nav a[href="#${article.id}"]`).closest('li'), words: fold(words) }
  })
  one('#find').addEventListener('input', (e) => {
    const wanted = fold(e.target.value).split(/\s+/).filter(Boolean)
    let n = 0
    for (const o of operations) {
      const shown = wanted.every((w) => o.words.includes(w))
      o.article.hidden = o.entry.hidden = !shown
      n += shown
    }
    for (const group of all('nav details')) {
      group.hidden = !one('li:not([hidden])', group)
      group.open = wanted.length > 0 && !group.hidden
    }
    for (const section of new Set(operations.map((o) => o.section))) section.hidden = !one('article:not([hidden])', section)
    one('#found').textContent = wanted.length === 0 ? '' : n === 0 ? 'Aucune opération' : n === 1 ? '1 opération' : `${n} opérations`
  })

  // Sending requests.
  const most = 200_000 // characters of an answer that are shown
  const textual = /^(text\/|application\/([^;]*\+)?(json|xml)\b)/

  // The request that a form describes; an error says in French what is missing or wrong.
  const requestOf = (form) => {
    const { method, path } = form.dataset
    const headers = {}
    let address = path
    const query = new URLSearchParams()
    const parts = new FormData()
    for (const input of all('input[data-in]', form)) {
      const value = input.type === 'file' ? input.files[0] : input.value
      if (!value) {
        if (input.required) throw new Error(`« ${input.name} » est obligatoire.`)
        continue
      }
      switch (input.dataset.in) {
        case 'path':
          if (value === '.' || value === '..') throw new Error(`« ${input.name} » ne peut pas valoir « ${value} ».`)
          address = address.replace(`{${input.name}}`, encodeURIComponent(value))
          break
        case 'query': query.append(input.name, value); break
        case 'header': headers[input.name] = value; break
        case 'form': parts.append(input.name, value); break
      }
    }
    if (query.size > 0) address += `?${query}`
    if (new URL(address, location.origin).origin !== location.origin) throw new Error('Seul ce service peut être appelé d’ici.')
    const request = { method, headers, credentials: 'omit', cache: 'no-store', redirect: 'error', referrerPolicy: 'no-referrer' }
    const body = one('textarea[data-media]', form)
    if (body?.value.trim()) {
      headers['Content-Type'] = body.dataset.media
      request.body = body.value
    } else if (one('input[data-in=form]', form)) {
      request.body = parts
    }
    if ('token' in form.dataset) {
      const given = token.value.trim()
      if (!given) throw new Error('Donnez un jeton ou une clé d’API, en haut de la page.')
      headers.Authorization = `Bearer ${given}`
    }
    return { address, request }
  }

  for (const form of all('.try form')) {
    const outcome = one('.outcome', form), shown = one('.answered', form), stop = one('.stop', form)
    const send = one('button:not([type])', form), confirm = one('.confirm', form)
    let running
    const say = (text) => { outcome.textContent = text }

    const run = async ({ address, request }) => {
      running = new AbortController()
      send.disabled = true
      stop.hidden = false
      shown.hidden = true
      shown.textContent = ''
      say('Envoi…')
      const start = performance.now()
      const took = () => `${Math.round(performance.now() - start).toLocaleString('fr')} ms`
      try {
        const response = await fetch(address, { ...request, signal: running.signal })
        const type = response.headers.get('Content-Type') ?? ''
        const told = `${response.status}${type && `, ${type}`}`
        say(told)
        if (!textual.test(type)) {
          const size = (await response.arrayBuffer()).byteLength
          say(`${told}, ${size.toLocaleString('fr')} octets, ${took()}`)
          return
        }
        shown.hidden = false
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
        let text = ''
        for (;;) {
          const { done, value } = await reader.read()
          if (done) break
          text += value
          if (text.length > most) {
            await reader.cancel()
            shown.textContent = text.slice(0, most)
            say(`${told}, ${took()}, coupé après ${most.toLocaleString('fr')} caractères`)
            return
          }
          shown.textContent = text
        }
        if (/json/.test(type)) {
          try { shown.textContent = JSON.stringify(JSON.parse(text), null, 2) } catch { /* shown as it came */ }
        }
        say(`${told}, ${took()}`)
      } catch (e) {
        say(e.name === 'AbortError' ? 'Arrêté.' : 'Le service n’a pas répondu.')
      } finally {
        send.disabled = false
        stop.hidden = true
      }
    }

    form.addEventListener('submit', (e) => {
      e.preventDefault()
      confirm.hidden = true
      try {
        const r = requestOf(form)
        if (!('writes' in form.dataset)) {
          void run(r)
          return
        }
        one('code', confirm).textContent = `${r.request.method} ${r.address}`
        confirm.hidden = false
        one('.yes', confirm).onclick = () => {
          confirm.hidden = true
          void run(r)
        }
        one('.no', confirm).focus()
      } catch (fault) {
        say(fault.message)
      }
    })
    form.addEventListener('input', () => { confirm.hidden = true })
    one('.no', confirm).addEventListener('click', () => { confirm.hidden = true })
    stop.addEventListener('click', () => running?.abort())
    form.noValidate = true // the script says in French what is missing
  }
})()
