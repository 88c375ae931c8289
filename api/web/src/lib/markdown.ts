// A model's Markdown as HTML that is safe, with its marks « [n] » as buttons. HTML in the text itself is shown, never taken.
import DOMPurify from 'dompurify'
import { Marked, type TokensList } from 'marked'
import { locate, named, parts } from './marks'

const escape = (s: string) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

const marked = new Marked({ gfm: true, breaks: true, async: false })
marked.use({
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ text }) => escape(text), // nothing is fetched from elsewhere
    link({ tokens }) {
      return this.parser.parseInline(tokens) // a model's address is no source
    },
  },
})

// Private characters that stand for what Markdown must not touch.
const opens = '\ue000', closes = '\ue001', cite = '\ue002', after = '\ue003'

/** Cuts an answer into its blocks; all but the last stay as they are while more text comes. */
export function blocks(text: string): string[] {
  return (marked.lexer(text) as TokensList).filter((t) => t.type !== 'space').map((t) => t.raw)
}

/** The HTML of a block. known tells which sources there are; while an answer is being written all marks are shown, as sources come with its end. */
export function html(block: string, known: (n: number) => boolean, doubts: readonly string[] = []): string {
  let text = block.replace(/[\ue000-\ue003]/g, '')
  for (const phrase of doubts) {
    const at = locate(text, phrase)
    if (at) text = text.slice(0, at[0]) + opens + text.slice(at[0], at[1]) + closes + text.slice(at[1])
  }
  const held = parts(text, known).map((p) => ('text' in p ? p.text : cite + p.cites.join(',') + after)).join('')
  const made = (marked.parse(held) as string)
    .replace(/\ue002([\d,]+)\ue003/g, (_, list: string) => '<span class="marks">' + list.split(',').map((n) =>
      `<button type="button" class="cite" data-n="${n}" aria-label="Source ${n}">${n}</button>`).join('') + '</span>')
    .replace(/\ue000/g, '<mark>').replace(/\ue001/g, '</mark>')
  return DOMPurify.sanitize(made, {
    ALLOWED_TAGS: ['p', 'br', 'em', 'strong', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr',
      'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span', 'button', 'mark'],
    ALLOWED_ATTR: ['class', 'type', 'data-n', 'aria-label', 'start', 'align'],
  })
}

/** The phrases of an answer that its warning names. */
export const doubtsOf = named
