// A .docx given back with what was found as comments at their place. The file is read and written in the browser: nothing of it is
// sent for this.

export interface Remark { start: number; end: number; text: string }

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const comments = 'word/comments.xml'

interface Entry { name: string; method: number; crc: number; size: number; data: Uint8Array }

const through = async (data: Uint8Array, by: TransformStream): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Blob([data as BlobPart]).stream().pipeThrough(by)).arrayBuffer())
const inflate = (e: Entry) => (e.method === 0 ? Promise.resolve(e.data) : through(e.data, new DecompressionStream('deflate-raw')))

/** The entries of an archive, by its directory. */
export function entries(file: Uint8Array): Entry[] {
  const v = new DataView(file.buffer, file.byteOffset, file.length)
  let end = file.length - 22
  while (end >= 0 && v.getUint32(end, true) !== 0x06054b50) end--
  if (end < 0) throw new Error('no archive')
  const out: Entry[] = []
  let at = v.getUint32(end + 16, true)
  for (let n = v.getUint16(end + 10, true); n > 0; n--) {
    if (v.getUint32(at, true) !== 0x02014b50) throw new Error('a broken archive')
    const [named, more, told, place] = [v.getUint16(at + 28, true), v.getUint16(at + 30, true), v.getUint16(at + 32, true), v.getUint32(at + 42, true)]
    const packed = v.getUint32(at + 20, true)
    const from = place + 30 + v.getUint16(place + 26, true) + v.getUint16(place + 28, true)
    out.push({ name: new TextDecoder().decode(file.subarray(at + 46, at + 46 + named)), method: v.getUint16(at + 10, true), crc: v.getUint32(at + 16, true), size: v.getUint32(at + 24, true), data: file.subarray(from, from + packed) })
    at += 46 + named + more + told
  }
  return out
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1
  return n
})
const crcOf = (data: Uint8Array): number => {
  let c = 0xffffffff
  for (const b of data) c = table[(c ^ b) & 255]! ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

async function packed(name: string, text: string): Promise<Entry> {
  const plain = new TextEncoder().encode(text)
  return { name, method: 8, crc: crcOf(plain), size: plain.length, data: await through(plain, new CompressionStream('deflate-raw')) }
}

/** An archive of entries, as they are. */
function archive(list: readonly Entry[]): Blob {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const e of list) {
    const name = new TextEncoder().encode(e.name)
    const fields = (head: number[]) => {
      const b = new Uint8Array(head.length * 2)
      head.forEach((n, i) => new DataView(b.buffer).setUint16(i * 2, n, true))
      return b
    }
    const low = (n: number) => [n & 0xffff, n >>> 16]
    const common = [20, 0x0800, e.method, 0, 0x21, ...low(e.crc), ...low(e.data.length), ...low(e.size), name.length, 0]
    const local = fields([0x4b50, 0x0403, ...common])
    directory.push(fields([0x4b50, 0x0201, 20, ...common, 0, 0, 0, 0, 0, ...low(at)]), name)
    parts.push(local, name, e.data)
    at += local.length + name.length + e.data.length
  }
  const size = directory.reduce((n, b) => n + b.length, 0)
  const end = new Uint8Array(22)
  const v = new DataView(end.buffer)
  v.setUint32(0, 0x06054b50, true)
  v.setUint16(8, list.length, true)
  v.setUint16(10, list.length, true)
  v.setUint32(12, size, true)
  v.setUint32(16, at, true)
  return new Blob([...parts, ...directory, end] as BlobPart[], { type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' })
}

/** The runs of a document with the places of their words in its text, as the check reads it. */
function runs(body: Element): { at: { run: Element; from: number; to: number }[]; text: string } {
  const at: { run: Element; from: number; to: number }[] = []
  let text = ''
  const walk = (e: Element, run: Element | null) => {
    const name = e.localName
    if (name === 'Fallback') return
    const ours = e.namespaceURI?.includes('/wordprocessingml/')
    if (ours && (name === 'del' || name === 'moveFrom' || name === 'pPr' || name === 'rPr')) return
    const from = text.length
    if (ours && name === 't') text += e.textContent ?? ''
    else if (ours && name === 'tab') text += '\t'
    else if (ours && (name === 'br' || name === 'cr')) text += '\n'
    else if (ours && name === 'noBreakHyphen') text += '‑'
    else {
      const within = ours && name === 'r' ? e : run
      for (const child of [...e.children]) walk(child, within)
      if (ours && name === 'r' && text.length > from) at.push({ run: e, from, to: text.length })
      if (ours && name === 'p') text += '\n\n'
    }
  }
  walk(body, null)
  return { at, text }
}

/** The letters and digits of a text, which the check leaves as they are, with their places, and how many are before a code point. */
function signs(text: string): { signs: string; at: number[]; before: (point: number) => number } {
  const at: number[] = []
  const counts: number[] = []
  let all = ''
  let unit = 0
  for (const c of text) {
    counts.push(at.length)
    for (const plain of c.normalize('NFKD')) {
      if (!/[\p{L}\p{N}]/u.test(plain)) continue
      all += plain.toLowerCase()
      at.push(unit)
    }
    unit += c.length
  }
  counts.push(at.length)
  return { signs: all, at, before: (point) => counts[Math.min(point, counts.length - 1)]! }
}

const escaped = (s: string) => s.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

/** The file with remarks at places of the text that was read, in code points. Null if the places are not those of this file. */
export async function annotate(file: Blob, read: string, remarks: readonly Remark[], author: string): Promise<Blob | null> {
  const list = entries(new Uint8Array(await file.arrayBuffer()))
  const part = async (name: string) => {
    const e = list.find((e) => e.name === name)
    return e ? new TextDecoder().decode(await inflate(e)) : null
  }
  const source = await part('word/document.xml')
  const types = await part('[Content_Types].xml')
  if (source === null || types === null) return null
  const doc = new DOMParser().parseFromString(source, 'application/xml')
  const { at, text } = runs(doc.documentElement)
  const [mine, its] = [signs(text), signs(read)]
  if (!its.signs.startsWith(mine.signs)) return null // the check has read something else
  const old = (await part(comments)) ?? ''
  let id = Math.max(-1, ...[...old.matchAll(/w:id="(\d+)"/g)].map((m) => Number(m[1]))) + 1
  const made: string[] = []
  const el = (name: string) => {
    const e = doc.createElementNS(word, `w:${name}`)
    e.setAttributeNS(word, 'w:id', String(id))
    return e
  }
  for (const r of remarks) {
    const [first, last] = [its.before(r.start), its.before(r.end) - 1]
    if (last < first || last >= mine.at.length) continue // in a note at the foot of a page
    const [from, to] = [mine.at[first]!, mine.at[last]! + 1]
    const held = at.filter((x) => x.to > from && x.from < to)
    if (held.length === 0) continue
    held[0]!.run.before(el('commentRangeStart'))
    const mark = doc.createElementNS(word, 'w:r')
    mark.append(el('commentReference'))
    held.at(-1)!.run.after(el('commentRangeEnd'), mark)
    made.push(`<w:comment w:id="${id}" w:author="${escaped(author)}" w:initials="V" w:date="${new Date().toISOString().slice(0, 19)}Z">${r.text.split('\n').map((p) => `<w:p><w:r><w:t xml:space="preserve">${escaped(p)}</w:t></w:r></w:p>`).join('')}</w:comment>`)
    id++
  }
  const told = old ? old.replace(/<\/w:comments>\s*$/, `${made.join('')}</w:comments>`) : `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="${word}">${made.join('')}</w:comments>`
  const changed: Record<string, string> = { 'word/document.xml': new XMLSerializer().serializeToString(doc), [comments]: told }
  if (!old) {
    changed['[Content_Types].xml'] = types.replace('</Types>', '<Override PartName="/word/comments.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"/></Types>')
    const links = (await part('word/_rels/document.xml.rels')) ?? '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
    changed['word/_rels/document.xml.rels'] = links.replace('</Relationships>', '<Relationship Id="rIdVigueur" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="comments.xml"/></Relationships>')
  }
  const out = await Promise.all(list.filter((e) => !(e.name in changed)).map((e) => Promise.resolve(e)).concat(Object.entries(changed).map(([name, text]) => packed(name, text))))
  return archive(out.sort((a, b) => Number(b.name === '[Content_Types].xml') - Number(a.name === '[Content_Types].xml')))
}
