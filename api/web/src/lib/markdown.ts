// A model's Markdown as HTML that is safe, with its marks « [n] » as buttons. HTML in the text itself is shown, never taken.
import DOMPurify from 'dompurify'
import { Lexer, Marked } from 'marked'
import { locate, named, parts, type Part } from './marks'

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

/** A block of an answer. Of a paragraph, its pieces, each of which is rendered by itself: so a long one can be written on without being rendered anew. */
export interface Block { pieces: string[]; paragraph: boolean }

/** An answer cut into its blocks: of these the first kept ones stay as they are whatever text follows; at is where the text behind them begins. */
export interface Cut { text: string; blocks: Block[]; kept: number; at: number }

/** Cuts an answer into its blocks. Of the cut of what was there before, only what more text may change is read again: reading all of a long answer for each word takes longer than a frame. */
export function cut(whole: string, before?: Cut): Cut {
  const text = whole.replace(/\r\n?/g, '\n').replace(/[\ue000-\ue003]/g, '')
  const goesOn = before && text.startsWith(before.text) ? before : undefined
  const grown = goesOn && grow(goesOn, text)
  if (grown) return grown
  const blocks = goesOn ? goesOn.blocks.slice(0, goesOn.kept) : []
  let kept = blocks.length
  let from = goesOn?.at ?? 0
  let at = from
  for (const token of new Lexer(marked.defaults).blockTokens(text.slice(at), [])) {
    if (token.type !== 'space') {
      kept = blocks.length
      from = at
      const paragraph = token.type === 'paragraph'
      blocks.push({ pieces: paragraph ? pieces(token.raw) : [token.raw], paragraph })
    } else if (blocks.at(-1)?.paragraph && /\n[ \t]*\n/.test(token.raw)) { // a blank line ends a paragraph
      kept = blocks.length
      from = at + token.raw.length
    }
    at += token.raw.length
  }
  return { text, blocks, kept, at: from }
}

/** The cut of a text that has become longer within a line of its last paragraph, or undefined where it is not only that: a line that begins with a letter stays a paragraph's, whatever comes behind it in the line. */
function grow(before: Cut, text: string): Cut | undefined {
  const last = before.blocks[before.kept]
  const tail = last?.pieces.at(-1)
  const added = text.slice(before.text.length)
  const line = before.text.slice(before.text.lastIndexOf('\n') + 1)
  if (!last?.paragraph || tail === undefined || before.blocks.length > before.kept + 1 || /[\n\\]/.test(added) || !before.text.endsWith(tail) || !/^ {0,3}[\p{L}«“(]/u.test(line)) return undefined
  return { ...before, text, blocks: [...before.blocks.slice(0, -1), { paragraph: true, pieces: [...last.pieces.slice(0, -1), ...pieces(tail + added)] }] }
}

/** The least length of a piece, in characters. */
const least = 300

/** The length from which on a paragraph goes on as another one, in characters: some eighteen lines, about what a page of a book has between two indents. */
const most = 1200

/** Which pieces of a paragraph stand together, from which to before which: a long one is set as several, which can be read and is laid out by what is new of it alone. What stands together stays so, however much text follows. Of an answer that is whole a paragraph is one again, as it was written: where an alinéa begins means something in law. One that nobody would write stays in parts, for its layout would hold the reader up. */
export function alineas(pieces: readonly string[], whole = false): [number, number][] {
  if (whole && pieces.reduce((n, piece) => n + piece.length, 0) <= 4 * most) return [[0, pieces.length]]
  const out: [number, number][] = []
  let length = most
  pieces.forEach((piece, i) => {
    if (length >= most) {
      out.push([i, i])
      length = 0
    }
    out.at(-1)![1] = i + 1
    length += piece.length
  })
  return out
}

/** Cuts a paragraph behind sentences with their marks, never inside of what Markdown marks. What is cut once stays cut so, however much text follows. */
function pieces(text: string): string[] {
  const out: string[] = []
  if (text.includes('\\')) return [text] // escapes: whether a mark is one cannot be seen from outside
  let from = 0
  for (const m of text.matchAll(/[.!?…;:]["»\u202f]*(?: ?\[\d+(?:, ?\d+)*\])*[.;:]?(?=\s+[^\s[])/g)) {
    const end = m.index + m[0].length
    if (end - from < least || !closed(text.slice(from, end))) continue
    out.push(text.slice(from, end))
    from = end
  }
  out.push(text.slice(from))
  return out
}

/** Whether whatever Markdown opens in a text is closed in it: runs of a sign come in pairs of one length. */
function closed(text: string): boolean {
  const open = new Set<string>()
  for (const [run] of text.matchAll(/([*_`~])\1*/g)) if (!open.delete(run)) open.add(run)
  return open.size === 0 && text.split('[').length === text.split(']').length
}

/** What is marked of a piece: from where to where. */
export type Range = readonly [number, number]

/** Where the phrases stand in each piece of a block. */
export function doubted(block: Block, phrases: readonly string[]): Range[][] {
  const whole = block.pieces.join('')
  const found: [number, number][] = []
  for (const [a, b] of phrases.map((p) => locate(whole, p)).filter((r) => r !== null).sort((x, y) => x[0] - y[0])) {
    const last = found.at(-1)
    if (last && a <= last[1]) last[1] = Math.max(last[1], b)
    else found.push([a, b])
  }
  let at = 0
  return block.pieces.map((piece) => {
    const from = at
    at += piece.length
    return found.map(([a, b]) => [Math.max(a - from, 0), Math.min(b - from, piece.length)] as const).filter(([a, b]) => a < b)
  })
}

/** Whether a mark of a text has a number that is not known. */
export const strays = (text: string, known: (n: number) => boolean): boolean =>
  parts(text, () => true).some((p) => 'cites' in p && !p.cites.every(known))

/** Blanks that no line ends at, where French has them: the words stay, letter by letter. */
const bound = (text: string): string => text.replace(/« /g, '«\u202f').replace(/ (?=[;!?»]|:(?:\s|$))/g, '\u202f')

/** The words and marks of a paragraph's piece in which Markdown marks nothing, or null. Most of what is written about law is such; it is shown as it is, without being read as HTML. */
export function plain(piece: string, known: (n: number) => boolean, doubts: readonly Range[] = []): Part[] | null {
  const found = parts(bound(within(piece, doubts).trimEnd()), known)
  if (found.some((p) => 'text' in p && /[\\`*_~<&[\]\n]/.test(p.text))) return null
  if (doubts.length === 0) return found
  let doubted = false
  return found.flatMap((p): Part[] => 'text' in p
    ? p.text.split(/([\ue000\ue001])/).flatMap((text): Part[] => {
      if (text === opens || text === closes) doubted = text === opens
      else if (text !== '') return [doubted ? { text, doubted } : { text }]
      return []
    })
    : [p])
}

/** A text with the signs that stand for the begin and the end of what is doubted in it. */
function within(source: string, doubts: readonly Range[]): string {
  let text = source
  for (const [from, to] of [...doubts].sort((a, b) => b[0] - a[0])) text = text.slice(0, from) + opens + text.slice(from, to) + closes + text.slice(to)
  return text
}

/** What is left of HTML: text, its structure, and the marks. */
const allowed = {
  ALLOWED_TAGS: ['p', 'br', 'em', 'strong', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr',
    'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span', 'button', 'mark'],
  ALLOWED_ATTR: ['class', 'type', 'data-n', 'aria-label', 'start', 'align'],
}
let purifier: typeof DOMPurify | undefined // read once: DOMPurify reads what it is given at each call anew

function purifying(): typeof DOMPurify {
  if (!purifier) (purifier = DOMPurify).setConfig(allowed)
  return purifier
}

const sanitize = (text: string): string => purifying().sanitize(text)

/** The HTML of a block, or of a paragraph's piece, without its paragraph. known tells which sources there are; while an answer is being written all marks are shown, as sources come with its end. */
export function html(source: string, inline: boolean, known: (n: number) => boolean, doubts: readonly Range[] = []): string {
  const held = parts(bound(within(source, doubts)), known).map((p) => ('text' in p ? p.text : cite + p.cites.join(',') + after)).join('')
  const made = ((inline ? marked.parseInline(held) : marked.parse(held)) as string)
    .replace(/\ue002([\d,]+)\ue003/g, (_, list: string) => '<span class="marks">' + list.split(',').map((n) =>
      `<button type="button" class="cite" data-n="${n}" aria-label="Source ${n}">${n}</button>`).join('') + '</span>')
    .replace(/\ue000/g, '<mark>').replace(/\ue001/g, '</mark>')
  return sanitize(made)
}

/** What the first answer of a tab would be held up by, in parts that may be done before it: a pattern is compiled where it is used first, and the purifier made. */
export const warming: readonly (() => void)[] = [
  ...[...Object.values(Lexer.rules.block.gfm), ...Object.values(Lexer.rules.inline.breaks)].map((rule) => () => {
    for (const word of ['un', 'deux']) word.search(rule) // which leaves no trace; V8 makes machine code at the second use
  }),
  () => void cut('mot'),
  () => void new DOMParser().parseFromString('mot', 'text/html'),
  () => void purifying(),
  () => void sanitize('mot'),
  () => void html('Un **mot** [1].', true, () => true),
]

/** The phrases of an answer that its warning names. */
export const doubtsOf = named
