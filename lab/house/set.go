package house

import "strings"

// rows sets a block.
func (s setter) rows(b *block) []row {
	var rows []row
	switch {
	case b.cells != nil:
		rows = s.table(b)
	case b.beside != nil:
		rows = s.side(b)
	default:
		rows = s.lines(b)
	}
	if len(rows) == 0 {
		return nil
	}
	rows[0].before += b.before * s.style.size
	rows[0].fresh = b.fresh
	for i := range rows {
		rows[i].wide = b.wide
	}
	if b.keep {
		rows[len(rows)-1].keep = true
	}
	return rows
}

// lines sets running text.
func (s setter) lines(b *block) []row {
	size := s.style.size
	if b.size > 0 {
		size *= b.size
	}
	em := s.style.size
	words := s.pieces(b, size)
	how := b.align
	if how == inherit && !s.style.justify {
		how = ragged
	}
	hyphens := s.style.hyphens && !b.narrow && how == inherit
	tail := 0.0
	if b.tail != "" {
		tail = s.style.measure(b.tail+"000", size, false)
	}
	var rows []row
	for len(words) > 0 {
		indent := b.left * em
		if len(rows) == 0 {
			indent += b.first * em
		}
		width := s.width - indent - b.right*em - tail
		var line []piece
		line, words = s.fill(words, width, size, hyphens)
		last := len(words) == 0 || words[0].forced
		r := row{height: size * s.style.leading, words: s.place(line, indent, width, size, how, last)}
		label := b.label
		if len(rows) > 0 && b.rest != "" {
			label = b.rest
		}
		for i := range r.words {
			r.words[i].label, r.words[i].owner = label, b.owner
		}
		if len(rows) == 0 && len(r.words) > 0 {
			r.words[0].article, r.words[0].mark = b.article, b.mark
		}
		rows = append(rows, r)
	}
	if len(rows) > 1 {
		rows[0].keep = true
		rows[len(rows)-2].keep = true
	}
	s.finish(b, rows, size)
	return rows
}

// place puts the words of a line.
func (s setter) place(line []piece, indent, width, size float64, how align, last bool) []placed {
	space := s.style.measure(" ", size, false)
	natural := space * float64(len(line)-1)
	for _, w := range line {
		natural += w.width
	}
	slack, extra := width-natural, 0.0
	switch {
	case how == centered:
		indent += slack / 2
	case how == right:
		indent += slack
	case how == inherit && !last && len(line) > 1:
		extra = max(0, slack/float64(len(line)-1))
	}
	base := 0.9 * size
	out := make([]placed, 0, len(line)+2)
	for _, w := range line {
		// Glued words are words of their own again: a reader parts them at the space.
		x := indent
		for part := range strings.SplitSeq(w.text, "\u00a0") {
			if strings.Contains(part, thin) {
				for letter := range strings.SplitSeq(part, thin) {
					wide := s.style.measure(letter, size, w.bold)
					out = append(out, placed{text: letter, x0: x, x1: x + wide, base: base, size: size, bold: w.bold, ital: w.ital})
					x += wide + s.style.measure(thin, size, w.bold)
				}
				continue
			}
			wide := s.style.measure(part, size, w.bold)
			out = append(out, placed{text: part, x0: x, x1: x + wide, base: base, size: size, bold: w.bold, ital: w.ital})
			x += wide + space
		}
		indent += w.width + space + extra
	}
	return out
}

// finish adds what stands beside a block's lines: the dots and the page number of
// a summary's entry, the date in its margin.
func (s setter) finish(b *block, rows []row, size float64) {
	if len(rows) == 0 {
		return
	}
	if r := &rows[len(rows)-1]; b.tail != "" && len(r.words) > 0 {
		wide := s.style.measure(b.tail, size, false)
		w := placed{text: b.tail, x0: s.width - wide, x1: s.width, base: 0.9 * size, size: size, label: b.label, owner: b.owner, ref: b.ref}
		end := &r.words[len(r.words)-1]
		if dot := s.style.measure(".", size, false); b.dots && w.x0-end.x1 > 4*dot {
			n := int((w.x0 - end.x1 - size) / dot)
			if n > 2 {
				end.text += strings.Repeat(".", n)
				end.x1 += float64(n) * dot
			}
		}
		r.words = append(r.words, w)
	}
	if b.inset != nil {
		in := s.lines(b.inset)
		if len(in) > 0 {
			rows[0].words = append(in[0].words, rows[0].words...)
		}
	}
}

// side sets blocks beside each other.
func (s setter) side(b *block) []row {
	var out row
	out.before = 0
	for i, blocks := range b.beside {
		from, to := b.shares[i]*s.width, s.width
		if i+1 < len(b.shares) {
			to = b.shares[i+1]*s.width - s.style.size
		}
		part := setter{s.style, to - from}
		y := 0.0
		for k := range blocks {
			for _, r := range part.rows(&blocks[k]) {
				if y > 0 {
					y += r.before
				}
				for _, w := range r.words {
					w.x0, w.x1, w.base = w.x0+from, w.x1+from, w.base+y
					out.words = append(out.words, w)
				}
				y += r.height
			}
		}
		out.height = max(out.height, y)
	}
	return []row{out}
}

// table sets cells, which wrap within their columns.
func (s setter) table(b *block) []row {
	var rows []row
	for i, cells := range b.cells {
		line := block{label: b.label, owner: b.owner, shares: b.edges}
		for _, c := range cells {
			cell := para(b.label, c)
			cell.owner, cell.align, cell.size, cell.narrow = b.owner, ragged, b.size, true
			if i == 0 {
				cell.runs[0].bold = s.style.bold
			}
			line.beside = append(line.beside, []block{cell})
		}
		rows = append(rows, s.side(&line)...)
		rows[i].before = 0.25 * s.style.size
	}
	return rows
}
