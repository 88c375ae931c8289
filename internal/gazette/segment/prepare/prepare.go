// Package prepare makes the lines of a file ready to be labeled. The arranged pages of a file go in.
// The French lines come out in reading order, with misread heads repaired, and, apart from them, the
// lines that belong to no text: footnotes, ornaments, other languages and a book's contents.
package prepare

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// File holds a file's lines, ready to be labeled.
type File struct {
	Pages   []layout.Page  // in the order in which they are to be read
	Order   remarks.Remark // what a person has to confirm about this order; of kind remarks.None if nothing
	Lines   []line.Line
	Notes   []line.Line // footnotes, and lines without a letter or digit
	Foreign []line.Line // the other language of a bilingual gazette
	Book    []line.Line // a book's table of contents
}

// Pages puts pages in order, and sets aside lines that do not belong to the French text.
func Pages(pages []layout.Page) File {
	var p File
	p.Pages, p.Order = reorder(pages)
	lines, notes := setNotesAside(line.Flatten(p.Pages))
	p.Lines, p.Notes = withoutOrnaments(lines)
	p.Notes = append(p.Notes, notes...)
	var script []line.Line
	p.Lines, script = setScriptsAside(p.Lines)
	p.Lines, p.Foreign = setLanguagesAside(p.Lines)
	p.Foreign = append(p.Foreign, script...)
	_, gazette := NamesGazette(p.Pages, p.Lines)
	p.Lines, p.Book = withoutContents(p.Lines, gazette)
	p.Lines = joinTornHeads(p.Lines)
	mendHeads(p.Lines)
	return p
}

// withoutOrnaments removes lines with neither letter nor digit, such as rules of dashes and stars. The line after a
// removed line begins a paragraph. Rows of a table stay, because their signs may stand for numbers.
func withoutOrnaments(lines []line.Line) (text, ornaments []line.Line) {
	text = make([]line.Line, 0, len(lines))
	later := false
	for _, l := range lines {
		if !strings.ContainsFunc(l.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) && !l.Spaced {
			ornaments, later = append(ornaments, l), true
			continue
		}
		l.Opens = l.Opens || later
		text, later = append(text, l), false
	}
	return text, ornaments
}

var gazetteName = law.Pattern(`(?i)j ?ournal +officiel|bulletin +officiel|gazette +officielle|moniteur`)

// PublishedIn matches how a print of a text outside its gazette says where the text was published.
var PublishedIn = law.Pattern(`^\(?(?i:publi[ée]e?s? +(?:au|dans|à)) .{0,120}$`)

// HeadLines is how many lines of the first page are searched for the gazette's name.
const HeadLines = 14

// NamesGazette returns the line at the head of the file that has the name of a gazette; false if there is none.
func NamesGazette(pages []layout.Page, lines []line.Line) (string, bool) {
	names := func(text string) bool { return !PublishedIn.MatchString(text) && gazetteName.MatchString(text) }
	for i := 0; i < len(lines) && i < HeadLines && lines[i].Page == lines[0].Page; i++ {
		if _, _, ok := lines[i].Article(""); ok || line.Visa.MatchString(lines[i].Text) {
			break
		}
		if names(lines[i].Text) {
			return lines[i].Text, true
		}
	}
	for i := 0; i < len(pages) && i < 3; i++ {
		if pos := slices.IndexFunc(pages[i].Aside, func(l layout.Line) bool { return names(l.Text()) }); pos >= 0 {
			return pages[i].Aside[pos].Text(), true
		}
	}
	return "", false
}

// GazetteName returns the name of a gazette in a line that has it, without what stands before it and without the issue's
// number and date behind it.
func GazetteName(text string) string {
	positions := gazetteName.FindStringIndex(text)
	if positions == nil {
		return ""
	}
	name := text[positions[0]:]
	if end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" '’", r) }); end >= 0 {
		name = name[:end]
	}
	words := strings.Fields(name)
	for n := len(words); n > 0 && len([]rune(words[n-1])) < 3; n-- { // « N° », « du »
		words = words[:n-1]
	}
	return strings.Join(words, " ")
}

// reorder puts the pages of a wrongly bound file into reading order. The numbers of articles are no proof of the order:
// toConfirm says what a person has to confirm; it is of kind remarks.None if the order is the file's.
func reorder(pages []layout.Page) (ordered []layout.Page, toConfirm remarks.Remark) {
	by := byArticles(pages)
	if by == nil {
		return pages, toConfirm
	}
	toConfirm.Kind = remarks.PagesReordered
	for _, p := range by {
		toConfirm.Pages = append(toConfirm.Pages, p.Number)
	}
	return by, toConfirm
}

// run is the range of articles that begin on a page.
type run struct {
	page        int // index of the page in the file
	first, last int
}

// byArticles returns the pages of one text in the order of the articles that begin on them. It returns nil
// unless the numbers on each page increase, those of all pages together count from one without gaps or
// overlaps, only the first page begins a text, and the order differs from that of the file.
func byArticles(pages []layout.Page) []layout.Page {
	var runs []run
	for i := range pages {
		r, ok := runOf(pages[i])
		if !ok {
			return nil
		}
		r.page = i
		runs = append(runs, r)
	}
	if len(runs) < 2 || slices.IsSortedFunc(runs, compareRuns) {
		return nil
	}
	slices.SortFunc(runs, compareRuns)
	out := []layout.Page{pages[runs[0].page]}
	if runs[0].first != 1 || !textBegins(out[0]) {
		return nil
	}
	for i, r := range runs[1:] {
		if r.first != runs[i].last+1 || textBegins(pages[r.page]) {
			return nil
		}
		out = append(out, pages[r.page])
	}
	return out
}

func compareRuns(a, b run) int { return cmp.Compare(a.first, b.first) }

func textBegins(p layout.Page) bool {
	lines := line.Flatten([]layout.Page{p})
	for i, l := range lines {
		n, ok := titles.ReadName(line.Join(lines[i:min(i+3, len(lines))]))
		if ok && l.Opens && heads.StartsBig(l.Text) && (n.Number != "" || !n.Date.IsZero()) {
			return true
		}
	}
	return false
}

// runOf returns the range of articles that begin on a page; ok is false if none do, or if their numbers
// decrease.
func runOf(p layout.Page) (r run, ok bool) {
	lines := line.Flatten([]layout.Page{p})
	for i, l := range lines {
		number, _, holds := l.Article("")
		if !holds || !line.MayHead(line.Before(lines, i), l) {
			continue
		}
		n, counted := heads.LeadingNumber(number)
		switch {
		case !counted:
		case heads.Lettered(number) || ok && n < r.last:
			return r, false
		default:
			if !ok {
				r.first = n
			}
			r.last, ok = n, true
		}
	}
	return r, ok
}

// mendHeads repairs the misread heads of articles and divisions among the lines of a file, before they are labeled, and
// records each repaired head in its line. Package heads says how the heads of articles are repaired, here and later.
func mendHeads(lines []line.Line) {
	seen := make([]heads.Line, len(lines))
	for i := range lines {
		seen[i] = line.HeadLine(lines, i)
		seen[i].Taken = opensWording(lines[i].Text)
	}
	for _, h := range heads.Mend(seen) {
		lines[h.Line].Repaired = h
	}
	for i := range lines {
		if word := misreadDivision(lines[i]); word != "" && seen[i].Apart && !heads.Resembles(seen[i]) {
			lines[i].Division = word
		}
	}
}

// opensWording reports whether a text begins with the head of a quoted wording, which belongs to another text.
func opensWording(text string) bool {
	if first, _ := line.FirstRune(text); !strings.ContainsRune("«“\"", first) {
		return false
	}
	h, ok := line.ReadQuotedHead(text)
	return ok && h.Opened
}

// divisionWords are the words that begin the heading of a division.
var divisionWords = []string{"chapitre", "titre", "section", "livre", "partie"}

// misreadDivision reads the heading of a division whose word is misread or whose number cannot be read, if it
// is centered and alone on its line: « CHAPIÏRE II », « CHAPITRE Hi ». It returns the word, "" for any other
// line.
func misreadDivision(l line.Line) string {
	if !l.Centered || len(l.Text) > 24 || !line.AllCaps(line.FirstWord(l.Text)) {
		return ""
	}
	if _, ok := line.HeadingOf(l.Text); ok {
		return ""
	}
	word := heads.Letters(line.FirstWord(l.Text))
	number := strings.Trim(strings.TrimPrefix(l.Text, line.FirstWord(l.Text)), " .:-–—")
	if utf8.RuneCountInString(number) > 5 {
		return ""
	}
	for _, w := range divisionWords {
		if n := heads.Slips(word, w); n == 0 || n <= line.SlipsInDivision && len(w) > 5 && number != "" {
			return w
		}
	}
	return ""
}

// joinTornHeads joins the word of an article's head with its number if the number is printed on the next
// line, at the top of the next column or on the next page (« ARTICLE » over « 5.- Le conseil … »). The result
// reads like any other head, and what follows the number becomes a line of its own. No sentence has this word
// alone on a line, capitalized, and then a number that does not belong to it.
func joinTornHeads(lines []line.Line) []line.Line {
	if !slices.ContainsFunc(lines, func(l line.Line) bool { return tornWord.MatchString(l.Text) }) {
		return lines
	}
	out := make([]line.Line, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) && tornWord.MatchString(lines[i].Text) && line.MayHead(line.Before(lines, i), lines[i]) {
			if head, rest, ok := withNumber(lines[i], lines[i+1]); ok {
				out = append(out, head)
				if i++; rest.Text != "" {
					out = append(out, rest)
				}
				continue
			}
		}
		out = append(out, lines[i])
	}
	return out
}

// tornWord matches the word of an article's head, alone on its line.
var tornWord = law.Pattern(`^(?:ARTICLE|Article|ART|Art)\b ?[.]?$`)

// withNumber moves the number from the beginning of the next line to the end of l, which is the word of an
// article's head.
func withNumber(l line.Line, next line.Line) (head, rest line.Line, ok bool) {
	text := l.Text + " " + next.Text
	_, end, ok := heads.Read(text, "")
	if !ok {
		return l, next, false
	}
	start := end - len(l.Text) - 1 // in the text of the next line
	if start < len(next.Text) && next.Text[start-1] != ' ' {
		return l, next, false // within a word
	}
	rest = next.From(start)
	head = l
	head.Words = slices.Concat(l.Words, next.Words[:len(next.Words)-len(rest.Words)])
	if l.Page == next.Page && l.Column == next.Column {
		head.Rect = line.BoundsOf(head.Words)
	}
	head.Text = head.Line.Text()
	rest.Opens = true
	return head, rest, strings.TrimSpace(head.Text) != l.Text
}

// withoutContents separates a book's table of contents from its lines: before the text, unless the file is a
// gazette, whose summary the model labels, and after the last article.
func withoutContents(lines []line.Line, gazette bool) (text, contents []line.Line) {
	if start, last := contentsBefore(lines); !gazette && last > start {
		contents = append(contents, lines[start:last]...)
		lines = append(lines[:start:start], lines[last:]...)
	}
	end := contentsAfter(lines)
	return lines[:end:end], append(contents, lines[end:]...)
}

// contentsBefore finds the lines of a table of contents: from its heading to its last line with a page
// number, or to where its first entry occurs again.
func contentsBefore(lines []line.Line) (first, end int) {
	start := summaryAt(lines)
	if start < 0 {
		return 0, 0
	}
	end, last := start+1, start
	for i := start + 1; i < len(lines) && i-last < 40 && lines[i].Page-lines[start].Page < 8; i++ {
		if line.Leader.MatchString(lines[i].Text) {
			last, end = i, i+1
		}
	}
	if end == start+1 {
		end = repeatedFrom(lines, start+1)
	}
	return start, end
}

// contentsReach is the maximum number of lines of contents without page numbers.
const contentsReach = 120

// repeatedFrom returns the end of contents without page numbers that begin at lines[at]: the line that repeats their
// first entry, if most other entries also occur again after it. It returns the index at if there are no such contents.
func repeatedFrom(lines []line.Line, pos int) int {
	if pos >= len(lines) || len(heads.Letters(lines[pos].Text)) < leastEntry {
		return pos
	}
	var letters []string // of the lines from at on, computed on demand
	of := func(i int) string {
		for k := pos + len(letters); k <= i; k++ {
			letters = append(letters, heads.Letters(lines[k].Text))
		}
		return letters[i-pos]
	}
	for i := pos + 3; i < len(lines) && i < pos+contentsReach; i++ {
		if !sameEntry(of(pos), of(i)) {
			continue
		}
		again, entries := 0, 0
		for e := pos; e < i; e++ {
			if len(of(e)) < leastEntry {
				continue
			}
			entries++
			for k := i; k < len(lines); k++ {
				if sameEntry(of(e), of(k)) {
					again++
					break
				}
			}
		}
		if 3*again >= 2*entries {
			return i
		}
	}
	return pos
}

// leastEntry is the minimum number of letters of an entry; shorter lines may be any word of the text.
const leastEntry = 8

// sameEntry reports whether two lines begin with the same words, as an entry and its heading do. a and b are the
// letters of the lines, without signs and accents.
func sameEntry(a, b string) bool {
	return len(a) >= leastEntry && len(b) >= leastEntry && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

func summaryAt(lines []line.Line) int {
	for i := 0; i < len(lines) && i < 80; i++ {
		if summaryHead.MatchString(lines[i].Text) {
			return i
		}
	}
	return -1
}

// contentsAfter returns the index of the line at which a table of contents after all articles begins,
// len(lines) if there is none.
func contentsAfter(lines []line.Line) int {
	first, leaders := len(lines), 0
	for i := len(lines) - 1; i > len(lines)/2; i-- {
		l := lines[i]
		if _, _, ok := l.Article(""); ok && line.MayHead(line.Before(lines, i), l) {
			break
		}
		if line.Leader.MatchString(l.Text) {
			first, leaders = i, leaders+1
		}
		if !summaryHead.MatchString(l.Text) || len(l.Text) > 60 || line.Leader.MatchString(l.Text) {
			continue
		}
		entries := 0
		for _, e := range lines[i+1:] {
			if line.Leader.MatchString(e.Text) || PageNumber.MatchString(e.Text) {
				entries++
			}
		}
		if entries > 2 && 3*entries > len(lines)-i-1 {
			return i
		}
	}
	if leaders > 3 && 2*leaders > len(lines)-first { // contents without a heading
		return first
	}
	return len(lines)
}

// PageNumber matches the page number that ends an entry or stands alone.
var PageNumber = law.Pattern(`\d{1,4}$`)

// summaryHead matches the heading of a summary or a table of contents.
var summaryHead = law.Pattern(`^(?i:s ?o ?m ?m ?a ?i ?r ?e|table des? mati[èe]res)\b|^(?:PLAN|Plan)(?: DE LA .{3,30})? *:?$`)
