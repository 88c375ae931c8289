// Runs the packed package, as an importer has it, against a server that speaks as the service does.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { ok, open, Refused, resume, stream, Unfinished } from 'vigueur-client'

const chunk = (id, text) => `id: ${id}\nevent: chunk\ndata: ${JSON.stringify({ text })}\n\n`
const final = 'id: 9\nevent: final\ndata: {"conversation_id":"c","message_id":"m","citations":[{"index":1,"title":"Loi n° 5","article":"3"}]}\n\n'
const streams = {
  whole: [': keep-alive\n\n', chunk(1, 'faux'), 'id: 2\nevent: reset\ndata: {}\n\n', 'id: 3\nevent: later\ndata: {}\n\n', chunk(4, 'Trois '), chunk(5, 'mois.'), final],
  cut: [chunk(1, 'Trois ')],
  failed: ['id: 1\nevent: error\ndata: {"detail":"Panne."}\n\n'],
}
let server, address, closed = 0

before(async () => {
  server = createServer((request, response) => {
    const json = (status, body) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== 'Bearer cle') return json(401, { detail: 'Jeton faux.' })
    if (request.url.startsWith('/api/v1/search')) return json(200, { items: [], total: new URL(request.url, address).searchParams.get('q').length })
    const events = (list) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      for (const e of list) response.write(e)
      response.end()
    }
    if (request.method === 'GET') return events(request.headers['last-event-id'] === '4' ? [chunk(5, 'mois.'), final] : streams.failed)
    let body = ''
    request.on('data', (d) => (body += d)).on('end', () => {
      const { question } = JSON.parse(body)
      if (question === '') return json(422, { detail: [{ loc: ['body', 'question'], msg: 'vide' }] })
      if (question !== 'endless') return events(streams[question])
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(chunk(1, 'a'))
      request.socket.on('close', () => closed++)
    })
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${server.address().port}`
})
after(() => server.close())

const client = () => open(address + '/', 'cle')
async function read(events) {
  let text = '', last = '', cited = 0
  for await (const e of events) {
    last = e.id
    if (e.type === 'chunk') text += e.data.text
    if (e.type === 'reset') text = ''
    if (e.type === 'final') cited = e.data.citations.length
  }
  return { text, last, cited }
}

test('an answer is read while it is written', async () => {
  assert.deepEqual(await read(stream(client(), { question: 'whole' })), { text: 'Trois mois.', last: '9', cited: 1 })
})

test('a stream that breaks off is resumed', async () => {
  await assert.rejects(read(stream(client(), { question: 'cut' })), (e) => e instanceof Unfinished && e.lastId === '1')
  assert.equal((await read(resume(client(), 'm', '4'))).text, 'mois.')
})

test('refusals say why', async () => {
  await assert.rejects(read(stream(client(), { question: 'failed' })), (e) => e instanceof Refused && e.status === 0 && e.detail === 'Panne.')
  await assert.rejects(read(stream(client(), { question: '' })), (e) => e instanceof Refused && e.status === 422 && e.detail.includes('vide'))
  await assert.rejects(ok(open(address, 'faux').GET('/api/v1/search', { params: { query: { q: '' } } })), (e) => e instanceof Refused && e.status === 401 && e.detail === 'Jeton faux.')
})

test('other operations are typed calls', async () => {
  assert.equal((await ok(client().GET('/api/v1/search', { params: { query: { q: 'préavis' } } }))).total, 7)
})

test('who leaves the loop closes the connection', async () => {
  for await (const e of stream(client(), { question: 'endless' })) if (e.type === 'chunk') break
  for (let i = 0; closed === 0 && i < 500; i++) await new Promise((done) => setTimeout(done, 10))
  assert.equal(closed, 1)
})

test('the example runs', async () => {
  const run = promisify(execFile)
  const example = new URL('../example/ask.mjs', import.meta.url).pathname
  const { stdout } = await run(process.execPath, [example, address, 'whole'], { env: { ...process.env, VIGUEUR_TOKEN: 'cle' } })
  assert.match(stdout, /Trois mois\.\n\[1\] Loi n° 5, article 3\n$/)
  await assert.rejects(run(process.execPath, [example, address, 'failed'], { env: { ...process.env, VIGUEUR_TOKEN: 'cle' } }), (e) => e.code === 1 && /Panne/.test(e.stderr))
})
