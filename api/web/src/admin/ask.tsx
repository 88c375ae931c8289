// What an edit of the desk needs to be told.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DocType, EditRequest, PageLine } from '../api/types'
import type { Asked } from '../lib/desk'
import { docTypeWord, docTypes } from '../lib/french'
import { Dialog, Field } from '../parts/ui'

export interface Question { kind: Asked; line: EditRequest['line']; through?: EditRequest['line']; of: PageLine; onSend: (e: EditRequest) => void }

const titles: Record<Asked, string> = {
  split: 'Un texte commence ici', renumber: 'Numéro de l’article', retitle: 'Titre du texte', 'retitle-article': 'Titre de l’article', correct: 'Corriger les mots de la ligne', 'correct-article': 'Corriger les mots de l’article',
}

export function Ask({ question: q, onClose }: { question: Question; onClose: () => void }) {
  const [text, setText] = useState(q.kind === 'renumber' ? (q.of.article ?? '') : q.kind === 'split' ? '' : q.of.text)
  const [type, setType] = useState<DocType | ''>('')
  const [date, setDate] = useState('')
  const field = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const send = (e: Event) => {
    e.preventDefault()
    const { line } = q
    const words = text.trim()
    if (words === '' && q.kind !== 'split') return
    switch (q.kind) {
      case 'split':
        return q.onSend({ kind: 'split', line, ...(q.through ? { through: q.through } : {}), ...(words ? { number: words } : {}), ...(type ? { doc_type: type } : {}), ...(date ? { date_promulgation: date } : {}) })
      case 'renumber':
        return q.onSend({ kind: 'renumber', line, number: words })
      case 'retitle':
        return q.onSend({ kind: 'retitle', line, title: words })
      case 'retitle-article':
        return q.onSend({ kind: 'retitle', line, title: words, article: true })
      default:
        return q.onSend({ kind: 'correct', line, text: words, article: q.kind === 'correct-article' })
    }
  }
  const short = q.kind === 'renumber' || q.kind === 'split'
  return (
    <Dialog title={titles[q.kind]} onClose={onClose}>
      <form class="stack" onSubmit={send} noValidate>
        <p class="meta verbatim">{q.of.text}</p>
        <Field label={q.kind === 'split' ? 'Numéro du texte (facultatif)' : q.kind === 'renumber' ? 'Numéro' : q.kind === 'correct' ? 'Mots' : 'Titre'}>
          {(a) => short
            ? <input {...a} ref={field} value={text} maxLength={100} onInput={(e) => setText(e.currentTarget.value)} />
            : <textarea {...a} ref={field} rows={4} value={text} maxLength={2000} onInput={(e) => setText(e.currentTarget.value)} onKeyDown={(e) => {
              if (e.key === 'Enter' && !e.shiftKey) send(e)
            }} />}
        </Field>
        {q.kind === 'split' && (
          <>
            <Field label="Type (facultatif)">{(a) => <select {...a} value={type} onChange={(e) => setType(e.currentTarget.value as DocType | '')}><option value="">À lire du titre</option>{docTypes.map((t) => <option key={t} value={t}>{docTypeWord(t)}</option>)}</select>}</Field>
            <Field label="Date de promulgation (facultative)">{(a) => <input {...a} type="date" max="9999-12-31" value={date} onInput={(e) => setDate(e.currentTarget.value)} />}</Field>
          </>
        )}
        <button type="submit" class="main">Appliquer</button>
      </form>
    </Dialog>
  )
}
