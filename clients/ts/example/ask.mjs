// Asks a question and prints the answer while it is written, then its sources:
// VIGUEUR_TOKEN=vig_… node ask.mjs http://127.0.0.1:8080 QUESTION
// @ts-check
import { open, Refused, stream } from 'vigueur-client'

const [, , server, question] = process.argv
if (!server || !question || !process.env.VIGUEUR_TOKEN) {
  console.error('Usage: VIGUEUR_TOKEN=… node ask.mjs SERVER QUESTION')
  process.exit(2)
}
try {
  for await (const event of stream(open(server, process.env.VIGUEUR_TOKEN), { question })) {
    if (event.type === 'chunk') process.stdout.write(event.data.text)
    if (event.type === 'reset') process.stdout.write('\n— la réponse reprend —\n')
    if (event.type === 'final') for (const c of event.data.citations) process.stdout.write(`\n[${c.index}] ${c.title}${c.article ? `, article ${c.article}` : ''}`)
  }
  process.stdout.write('\n')
} catch (e) {
  console.error(e instanceof Refused ? e.detail : e)
  process.exitCode = 1
}
