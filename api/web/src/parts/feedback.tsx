// What a reader thinks of an answer: useful or not, and why.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ok } from '../api/client'
import { asError, type ApiError } from '../api/errors'
import { Failure, Field } from './ui'

type Rating = 'up' | 'down'

/** given: the rating that was given before. children: what stands in the same line, before what opens below it. */
export function Feedback({ messageId, given: before, children }: { messageId: string; given: Rating | null; children?: ComponentChildren }) {
  const [rating, setRating] = useState(before)
  const [asking, setAsking] = useState(false)
  const [comment, setComment] = useState('')
  const [error, setError] = useState<ApiError | null>(null)
  const [told, setTold] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => { // it opens below what a phone shows
    if (asking) form.current?.scrollIntoView({ block: 'nearest' })
  }, [asking])
  const give = async (given: Rating, words: string) => {
    setError(null)
    try {
      await ok(api.POST('/api/v1/messages/{id}/feedback', { params: { path: { id: messageId } }, body: { rating: given, ...(words ? { comment: words } : {}) } }))
      setRating(given)
      return true
    } catch (e) {
      setError(asError(e))
      return false
    }
  }
  const rate = async (given: Rating) => {
    setTold(false)
    if (await give(given, '')) setAsking(true)
  }
  const explain = async (e: Event) => {
    e.preventDefault()
    if (rating && (await give(rating, comment.trim()))) {
      setAsking(false)
      setTold(true)
    }
  }
  return (
    <div class="feedback">
      <button type="button" class="quiet" aria-pressed={rating === 'up'} onClick={() => void rate('up')}>Utile</button>
      <button type="button" class="quiet" aria-pressed={rating === 'down'} onClick={() => void rate('down')}>Pas utile</button>
      {children}
      {told && <span role="status" class="meta">Merci, c’est noté.</span>}
      <Failure error={error} />
      {asking && (
        <form ref={form} onSubmit={explain} class="stack">
          <Field label={rating === 'up' ? 'Qu’est-ce qui a été utile ? (facultatif)' : 'Qu’est-ce qui ne va pas ? (facultatif)'} error={error?.fields.comment}>
            {(a) => <textarea {...a} rows={2} maxLength={2000} value={comment} onInput={(e) => setComment(e.currentTarget.value)} />}
          </Field>
          <div class="row">
            <button type="submit" class="main" disabled={!comment.trim()}>Envoyer</button>
            <button type="button" class="quiet" onClick={() => setAsking(false)}>Fermer</button>
          </div>
        </form>
      )}
    </div>
  )
}
