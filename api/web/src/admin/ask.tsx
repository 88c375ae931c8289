// What an edit of the desk needs to be told.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DocType, EditRequest, PageLine } from '../api/types'
import type { Asked } from '../lib/desk'
import { docTypeWord, docTypes } from '../lib/french'
import { Dialog, Field } from '../parts/ui'

export interface Question { kind: Asked; line: EditRequest['line']; through?: EditRequest['line']; of: PageLine; words?: string; onSend: (e: EditRequest) => void }

const titles: Record<Asked, string> = {
  split: 'Un texte commence ici', renumber: 'Numéro de l’article', 'begin-article': 'Un article commence ici', 'renumber-onward': 'Numéroter à la suite d’ici', retitle: 'Titre du texte', 'retitle-article': 'Titre de l’article', correct: 'Corriger les mots de la ligne', 'correct-article': 'Corriger les mots de l’article',
}

export function Ask({ question: q, onClose }: { question: Question; onClose: () => void }) {
  const [text, setText] = useState(q.words ?? (q.kind === 'renumber' || q.kind === 'renumber-onward' ? (q.of.article ?? '') : q.kind === 'split' || q.kind === 'begin-article' ? '' : q.of.text))
  const [type, setType] = useState<DocType | ''>('')
  const [date, setDate] = useState('')
  const [onward, setOnward] = useState(false)
  const field = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const whole = q.kind === 'correct-article'
  useEffect(() => (whole ? field.current?.focus() : field.current?.select()), [])
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
      case 'begin-article':
        return q.onSend({ kind: 'renumber', line, number: words, begins: true, onward })
      case 'renumber-onward':
        return q.onSend({ kind: 'renumber', line, number: words, onward: true })
      case 'retitle':
        return q.onSend({ kind: 'retitle', line, title: words })
      case 'retitle-article':
        return q.onSend({ kind: 'retitle', line, title: words, article: true })
      default:
        return q.onSend({ kind: 'correct', line, text: words, article: q.kind === 'correct-article' })
    }
  }
  const short = q.kind === 'renumber' || q.kind === 'split' || q.kind === 'begin-article' || q.kind === 'renumber-onward'
  return (
    <Dialog title={titles[q.kind]} onClose={onClose}>
      <form class="stack" onSubmit={send} noValidate>
        <p class="meta verbatim">{whole ? `Article ${q.of.article ?? ''}` : q.of.text}</p>
        <Field hint={whole ? 'Un alinéa par ligne, sans le numéro de l’article. Ctrl+Entrée applique.' : undefined} label={q.kind === 'split' ? 'Numéro du texte (facultatif)' : short ? 'Numéro' : q.kind === 'correct' || whole ? 'Mots' : 'Titre'}>
          {(a) => short
            ? <input {...a} ref={field} value={text} maxLength={100} onInput={(e) => setText(e.currentTarget.value)} />
            : <textarea {...a} ref={field} rows={whole ? 14 : 4} value={text} maxLength={whole ? 200_000 : 2000} onInput={(e) => setText(e.currentTarget.value)} onKeyDown={(e) => {
              if (e.key === 'Enter' && (whole ? e.ctrlKey || e.metaKey : !e.shiftKey)) send(e)
            }} />}
        </Field>
        {q.kind === 'split' && (
          <>
            <Field label="Type (facultatif)">{(a) => <select {...a} value={type} onChange={(e) => setType(e.currentTarget.value as DocType | '')}><option value="">À lire du titre</option>{docTypes.map((t) => <option key={t} value={t}>{docTypeWord(t)}</option>)}</select>}</Field>
            <Field label="Date de promulgation (facultative)">{(a) => <input {...a} type="date" max="9999-12-31" value={date} onInput={(e) => setDate(e.currentTarget.value)} />}</Field>
          </>
        )}
        {q.kind === 'begin-article' && <label class="check"><input type="checkbox" checked={onward} onChange={(e) => setOnward(e.currentTarget.checked)} /> Numéroter à la suite les articles suivants</label>}
        <button type="submit" class="main">Appliquer</button>
      </form>
    </Dialog>
  )
}
