// Package articles cuts the lines of a text into its articles. The lines after the title go in, with
// their labels. Pieces come out: preamble, articles, sections, signatures and annexes. Every line
// is in exactly one piece or heading.
package articles

import (
	"slices"
	"strings"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// unfinished matches a line that breaks off within a sentence, after an article, a preposition that has none, or a relative pronoun.
var unfinished = law.Pattern(`(?i)(?:^|[ '])(?:de|du|des|d'|la|le|les|l'|un|une|aux?|qui|que|dont)$`)

// ownTitle reports whether the rest of the line after an article's number is the article's title (« Article
// 2 : Définitions »). next is the following line, nil for none.
func ownTitle(rest line.Line, next *line.Line) bool {
	t := rest.Text
	if t == "" || len(t) > 120 || next == nil || titles.OriginNote.MatchString(t) || unfinished.MatchString(t) || strings.ContainsAny(t[len(t)-1:], ".;:,-") || !heads.StartsBig(t) {
		return false
	}
	if !heads.StartsBig(next.Text) && !line.ListItem.MatchString(next.Text) || line.DateContinues(t, next.Text) {
		return false
	}
	if next.Opens && line.IsShort(rest) && (rest.Bold && !next.Bold || !next.Centered) {
		return true
	}
	return rest.Slack > 0.3*(rest.Rect[2]-rest.Rect[0]+rest.Indent+rest.Slack)
}

// Role is the part of a text that a piece is.
type Role int

// The roles of pieces.
const (
	TitleRole Role = iota
	PreambleRole
	ArticleRole
	SectionRole // text under a heading, without an article's number
	SignatureRole
	AnnexRole
	LooseRole // not part of the text: rubrics and notices of the gazette
)

// Piece is a run of lines of a text that have the same role.
type Piece struct {
	Role    Role
	Number  string
	heading string
	path    []string
	Page    int
	Lines   []line.Line
	title   []line.Line // of a section: its heading as printed
}

// Article returns the piece as an article; the caller sets its position.
func (p Piece) Article() law.Article {
	text, spans := line.JoinAlineas(p.Lines)
	return law.Article{Number: p.Number, Path: slices.Clone(p.path), Heading: p.heading, Page: p.Page, Text: text, Spans: spans}
}

// From returns the lines of the piece from line k on as an article with a number. A head that the first line has stays out
// of its words.
func (p Piece) From(k int, number string) Piece {
	lines := slices.Clone(p.Lines[k:])
	if _, end, ok := lines[0].Article(""); ok && end < len(lines[0].Text) {
		lines[0] = lines[0].From(end)
	}
	return Piece{Role: ArticleRole, Number: number, path: p.path, Page: lines[0].Page, Lines: lines}
}

// Body cuts the lines of a text, after its title, into pieces.
type Body struct {
	Lines   []line.Line
	Quoted  []bool
	awaited []bool
	Pieces  []Piece
	path    []line.Heading
	code    bool   // the text is a code: « Article 6-2 (nouveau) » is the code's own article, not another text's
	annexed string // the folded noun of what the text approves: « convention », « reglement »; "" for nothing
	last    string
	state   Role
	foreign bool         // the lines are a wording for another text, without quotation marks
	fresh   bool         // the previous line was a heading, so any head may follow
	within  string       // prefix of numbers in an annex with articles of its own: « Annexe I, article »
	Views   []label.View // the chain's view of each line
	// Heads holds the heads of articles, by line, as countHeads chose.
	Heads   map[int]heads.Head
	Chances map[int]float64 // by line that reads as a head, the probability that it is one
}

// Cut cuts the lines after a text's title into preamble, articles, signatures and annexes. Every line
// goes into exactly one piece or heading.
// object is that of the text's title.
func Cut(lines []line.Line, made []label.View, object string, code bool, rules judgment.Judgment) Body {
	b := Body{Lines: lines, Views: made, Quoted: line.InQuotes(lines), awaited: line.AwaitedHeads(lines), code: code, state: PreambleRole}
	if m := approves.FindStringSubmatch(law.Fold(object)); m != nil {
		b.annexed = m[1]
	}
	b.Heads = b.countHeads(rules)
	for i := 0; i < len(lines); {
		i += b.takeNext(i)
	}
	b.Pieces = joinOrphans(b.Pieces)
	nameOthers(b.Pieces)
	return b
}

// markOfAct matches the initials of an act beside the number of an article: « ARTICLE 202 AU/DCG ».
var markOfAct = law.Pattern(`^\p{Lu}[\p{Lu}/.]+$`)

// nameOthers numbers articles of other acts that a code prints among its own, as « 202 AU/DCG ». Initials beside a number
// that the text has already are those of another act.
func nameOthers(pieces []Piece) {
	mark := func(p Piece) string {
		switch {
		case p.Role != ArticleRole:
		case markOfAct.MatchString(p.heading):
			return p.heading
		case p.heading == "" && len(p.Lines) > 0 && markOfAct.MatchString(p.Lines[0].Text):
			return p.Lines[0].Text
		}
		return ""
	}
	seen, others := map[string]bool{}, map[string]bool{}
	for _, p := range pieces {
		key := law.ArticleKey(p.Number)
		if m := mark(p); m != "" && seen[key] {
			others[m] = true
		}
		seen[key] = seen[key] || p.Role == ArticleRole
	}
	for i, p := range pieces {
		m := mark(p)
		if !others[m] {
			continue
		}
		if pieces[i].Number += " " + m; p.heading != "" {
			pieces[i].heading = ""
		} else {
			pieces[i].Lines = p.Lines[1:]
		}
	}
}

// joinOrphans makes headings with nothing below them (« Chapitre III — Abrogé », a table of contents) the text of a
// section; consecutive ones share a section. A heading with another heading or an article below it is dropped, because
// the path of what is below contains it already.
func joinOrphans(pieces []Piece) []Piece {
	var out []Piece
	joining := false
	for i, p := range pieces {
		if p.Role != SectionRole || len(p.Lines) > 0 {
			out, joining = append(out, p), false
			continue
		}
		if i+1 < len(pieces) && isBelow(pieces[i+1].path, p.path) {
			continue
		}
		if joining {
			last := &out[len(out)-1]
			last.Lines = append(last.Lines, p.title...)
			continue
		}
		p.Lines, p.path = p.title, p.path[:len(p.path)-1]
		out, joining = append(out, p), true
	}
	return out
}

// isBelow reports whether a path of headings begins with all headings of the path above.
func isBelow(path, upper []string) bool {
	return len(path) >= len(upper) && slices.Equal(path[:len(upper)], upper)
}

// takeNext reads the piece or heading that begins at line i and returns its number of lines.
func (b *Body) takeNext(i int) int {
	l := b.Lines[i]
	fresh := b.fresh
	b.fresh = false
	if n := b.takeArticle(i); n > 0 {
		return n
	}
	if !b.Quoted[i] && (fresh || line.MayHead(line.Before(b.Lines, i), l)) {
		if n := b.takeAnnex(i); n > 0 {
			return n
		}
		if b.state != AnnexRole || b.within != "" {
			if n := b.takeHeading(i); n > 0 {
				return n
			}
			if b.state != SignatureRole && b.signaturesBegin(i) {
				b.begin(Piece{Role: SignatureRole, heading: gazette.SignaturesHeading, Page: l.Page})
			}
		}
	}
	b.addLine(l)
	return 1
}

// begin opens a new piece.
func (b *Body) begin(p Piece) {
	b.state = p.Role
	b.Pieces = append(b.Pieces, p)
}

// addLine appends a line to the current piece, or to a new piece if the state has changed.
func (b *Body) addLine(l line.Line) {
	if n := len(b.Pieces); n == 0 || b.Pieces[n-1].Role != b.state {
		p := Piece{Role: b.state, Page: l.Page, path: b.headingNames()}
		if b.state == PreambleRole {
			p.heading, p.path = gazette.PreambleHeading, nil
		}
		b.Pieces = append(b.Pieces, p)
	}
	p := &b.Pieces[len(b.Pieces)-1]
	p.Lines = append(p.Lines, l)
	if b.state == ArticleRole && strings.HasSuffix(l.Text, ":") && line.Rewords.MatchString(l.Text) {
		b.foreign = line.Announces(p.Lines)
	}
}

// annexedHead matches « Article ANNEXE, art. 5 ».
var annexedHead = law.Pattern(`^(?i:article +annexe,? +art(?:icle|\.)) +(\d[\d~]*(?: ?(?:er|bis|ter))?) *$`)

// ownHeading is called while a wording for another text is being read. It reports whether a heading that ends before
// line i belongs to the amending text: the next article then continues the numbering of the amending text.
func (b *Body) ownHeading(i int) bool {
	for ; i < len(b.Lines); i++ {
		l := b.Lines[i]
		if b.Quoted[i] || !line.MayHead(line.Before(b.Lines, i), l) {
			continue
		}
		if number, end, ok := l.Article(b.last); ok {
			return heads.MayFollow(number, b.last) && !heads.MarksNew(l.Text, end)
		}
	}
	return true
}

// headingNames returns the names of the enclosing headings, outermost first.
func (b *Body) headingNames() []string {
	var out []string
	for _, h := range b.path {
		out = append(out, h.Name())
	}
	return out
}

// takeHeading reads the heading of a division with its title. It returns the number of lines, 0 if line i is
// no heading.
func (b *Body) takeHeading(i int) int {
	h, n, ok := line.ReadHeading(b.rest(i), b.last == "")
	if !ok || b.foreign && !b.ownHeading(i+n) {
		return 0
	}
	for len(b.path) > 0 && b.path[len(b.path)-1].Level >= h.Level {
		b.path = b.path[:len(b.path)-1]
	}
	b.path = append(b.path, h)
	if h.Level == 0 && b.within == "" { // a code after the law that enacts it: its numbering begins anew
		b.last, b.code = "", true
	}
	b.state, b.fresh = SectionRole, true
	b.Pieces = append(b.Pieces, Piece{Role: SectionRole, path: b.headingNames(), Page: b.Lines[i].Page, title: b.Lines[i : i+n : i+n]})
	return n
}

// rest returns the lines from i up to the next quotation.
func (b *Body) rest(i int) []line.Line {
	j := i
	for j < len(b.Lines) && !b.Quoted[j] {
		j++
	}
	return b.Lines[i:j]
}

// takeArticle reads an article's head, its own title, and the rest of the head's line. It returns the number
// of lines, 0 if no article begins at line i.
func (b *Body) takeArticle(i int) int {
	l := b.Lines[i]
	h, ok := b.Heads[i]
	number, end := h.Number, h.End
	if m := annexedHead.FindStringSubmatchIndex(l.Text); m != nil && b.isAnnexedHead(i) {
		b.within, b.last, b.foreign = "Annexe, article ", "", false
		number, end, ok = law.ArticleNumber(l.Text[m[2]:m[3]]), m[1], true
	}
	if !ok || b.state == AnnexRole && b.within == "" {
		return 0
	}
	if fresh := !b.code && heads.MarksNew(l.Text, end); b.foreign && fresh || (b.foreign || fresh) && !heads.MayFollow(number, b.last) || b.quotesArticle(i, number) {
		delete(b.Heads, i)                                                          // another text's article
		if b.foreign || fresh || heads.Lettered(number) != heads.Lettered(b.last) { // of which there is a sign
			delete(b.Chances, i)
		}
		return 0
	}
	if b.annexed != "" && b.within == "" && !b.code && b.last != "" && number == "1er" {
		b.beginAnnexed()
	}
	b.last, b.foreign = number, false
	p := Piece{Role: ArticleRole, Number: b.within + number, path: b.headingNames(), Page: l.Page}
	rest := l.From(end)
	rest.Opens, rest.Centered = true, false
	n := 1
	if len(rest.Words) == 0 {
		n += b.titleBelow(i+1, &p)
		b.begin(p)
		return n
	}
	var next *line.Line
	if i+1 < len(b.Lines) {
		next = &b.Lines[i+1]
	}
	if ownTitle(rest, next) {
		p.heading = rest.Text
		b.begin(p)
		return 1
	}
	b.begin(p)
	b.addLine(rest)
	return 1
}

// approves matches what an act approves, in its folded title.
var approves = law.Pattern(`\b(?:approuv|approb|ratifi|homolog)\p{L}*(?: (?:de|du|des|la|le|les)\b| (?:de )?l')* ?(\p{L}+)`)

// beginAnnexed makes an annex of what follows the signatures of an act that approves it, which is printed without the head
// of an annex. An article with the first number comes next. Without signatures it does nothing.
func (b *Body) beginAnnexed() {
	i := len(b.Pieces) - 1
	for i >= 0 && b.Pieces[i].Role != SignatureRole {
		if b.Pieces[i].Role != SectionRole || len(b.Pieces[i].Lines) > 0 {
			return
		}
		i--
	}
	if i < 0 {
		return
	}
	signed, annex := &b.Pieces[i], Piece{Role: AnnexRole, Number: "Annexe", Page: b.Pieces[i].Page}
	for k, l := range signed.Lines {
		if k > 0 && (l.Centered || l.Page != signed.Lines[k-1].Page) && strings.Contains(law.Fold(l.Text), b.annexed) {
			annex.heading, annex.Page, annex.Lines = l.Text, l.Page, slices.Clone(signed.Lines[k+1:])
			signed.Lines = signed.Lines[:k]
			break
		}
	}
	b.within = annex.Number + ", article "
	b.path = slices.Insert(b.path, 0, line.Heading{Level: annexLevel, Label: annex.Number, Title: annex.heading})
	b.Pieces = slices.Insert(b.Pieces, i+1, annex)
	for k := range b.Pieces[i+2:] {
		b.Pieces[i+2+k].path = slices.Insert(b.Pieces[i+2+k].path, 0, b.path[0].Name())
	}
}

// titleBelow sets p.heading to the article's title, if line i, below the number, is set apart from the text
// under it. It returns the number of lines taken.
func (b *Body) titleBelow(i int, p *Piece) int {
	if i+1 >= len(b.Lines) || b.Quoted[i] {
		return 0
	}
	t, next := b.Lines[i], b.Lines[i+1]
	if _, _, ok := t.Article(p.Number); ok {
		return 0
	}
	if _, ok := t.Heading(); ok || titles.OriginNote.MatchString(t.Text) || unfinished.MatchString(t.Text) || !heads.StartsBig(t.Text) || len(t.Text) > 120 || line.Ends(t.Text) || !next.Opens {
		return 0
	}
	if t.Bold && !next.Bold || t.Centered && !next.Centered && !t.Spaced {
		p.heading = t.Text
		return 1
	}
	return 0
}

// takeAnnex reads the head of an annex. The head must be set apart, and something must come before it.
func (b *Body) takeAnnex(i int) int {
	l := b.Lines[i]
	m := line.AnnexHead.FindStringSubmatch(l.Text)
	if m == nil {
		return b.takeUnnamedAnnex(i)
	}
	if b.state == PreambleRole && len(b.Pieces) == 0 || !l.Centered && !l.Bold && !line.AllCaps(line.FirstWord(l.Text)) && !line.IsShort(l) || line.Ends(l.Text) && m[3] != "" && !l.Centered {
		return 0
	}
	p := Piece{Role: AnnexRole, Number: "Annexe", heading: m[3], Page: l.Page}
	if m[1] != "" {
		p.Number += " " + m[1]
	}
	n := 1
	for m[3] == "" && i+n < len(b.Lines) && n < 6 {
		next := b.Lines[i+n]
		if !next.Centered && !next.Bold || next.Spaced || next.IsHead() || annexedHead.MatchString(next.Text) || n > 1 && next.Bold != b.Lines[i+n-1].Bold {
			break
		}
		n++
	}
	if n > 1 {
		p.heading = line.Join(b.Lines[i+1 : i+n])
	}
	b.openAnnex(p, i+n)
	return n
}

// takeUnnamedAnnex reads the head of an annex that does not begin with the word « annexe » (« Tableau annexe », an
// agreement that a decree publishes): lines that the chain labels Annex, after the signatures or in an annex.
func (b *Body) takeUnnamedAnnex(i int) int {
	if !b.opensAnnex(i) || b.state != SignatureRole && b.state != AnnexRole && b.within == "" {
		return 0
	}
	n := 1
	for i+n < len(b.Lines) && b.Views[i+n].Label == label.Annex && !b.Quoted[i+n] && !line.AnnexHead.MatchString(b.Lines[i+n].Text) {
		n++
	}
	b.openAnnex(Piece{Role: AnnexRole, Number: "Annexe", heading: line.Join(b.Lines[i : i+n]), Page: b.Lines[i].Page}, i+n)
	return n
}

// opensAnnex reports whether the chain labels line i as the first of an annex's head.
func (b *Body) opensAnnex(i int) bool {
	return b.Views[i].Label == label.Annex && b.Views[i].Prob > label.EvenOdds && (i == 0 || b.Views[i-1].Label != label.Annex)
}

// openAnnex opens an annex whose head ends before line at.
func (b *Body) openAnnex(p Piece, pos int) {
	b.path, b.within = nil, ""
	b.begin(p)
	if b.hasOwnArticles(pos) {
		b.within, b.last, b.foreign = p.Number+", article ", "", false
		b.path = []line.Heading{{Level: annexLevel, Label: p.Number, Title: p.heading}}
	}
}

// annexReach is how many lines after an annex's head are searched for its first two articles.
const annexReach = 400

// annexLevel is the level of an annex, above the divisions that it contains.
const annexLevel = -1

// hasOwnArticles reports whether the annex whose head ends before line i has articles numbered from one.
func (b *Body) hasOwnArticles(i int) bool {
	last := ""
	for end := min(len(b.Lines), i+annexReach); i < end; i++ {
		l := b.Lines[i]
		if b.Quoted[i] || !line.MayHead(line.Before(b.Lines, i), l) {
			continue
		}
		if line.AnnexHead.MatchString(l.Text) && (l.Centered || l.Opens) {
			break
		}
		if annexedHead.MatchString(l.Text) {
			return true
		}
		number, _, ok := l.Article(last)
		if !ok {
			continue
		}
		if !heads.MayFollow(number, last) {
			return false
		}
		if last != "" || number == "unique" {
			return true
		}
		last = number
	}
	return false
}

// quotesAhead is the maximum number of heads in a row that may be quoted articles.
const quotesAhead = 15

// quotesArticle reports whether the head at line i belongs to an article that the text quotes without marks: its number
// is ahead of the text's own numbering, or of another kind (« Art. R. 19-1 » in a code without letters), and the text's
// own numbering continues after this article.
func (b *Body) quotesArticle(i int, number string) bool {
	n, ok := heads.LeadingNumber(number)
	last, ok2 := heads.LeadingNumber(b.last)
	other := heads.Lettered(number) != heads.Lettered(b.last)
	if !ok || !ok2 || heads.MayFollow(number, b.last) && !other || n <= last && !other {
		return false
	}
	seen := 0
	for j := i + 1; j < len(b.Lines) && seen < quotesAhead; j++ {
		if b.Quoted[j] || !line.MayHead(line.Before(b.Lines, j), b.Lines[j]) {
			continue
		}
		next, _, ok := b.Lines[j].Article(b.last)
		if !ok {
			continue
		}
		seen++
		if m, _ := heads.LeadingNumber(next); (m == last+1 || other && m > last) && heads.Lettered(next) == heads.Lettered(b.last) {
			return true
		}
	}
	return false
}

// Resumes reports whether the lines before the first head are the end of a text: their first article has a
// number above one.
func Resumes(lines []line.Line) bool {
	for i, l := range lines {
		if number, _, ok := l.Article(""); ok && line.MayHead(line.Before(lines, i), l) {
			n, counted := heads.LeadingNumber(number)
			return counted && n > 1
		}
	}
	return false
}

var (
	// PlaceAndDay matches « Tunis, le 11 juillet 2016. »
	PlaceAndDay = law.Pattern(`^\p{Lu}[\p{L}-]+(?:~\p{Lu}[\p{L}]+| \p{Lu}[\p{L}]+)?, +le ` + line.DateText + `\.?$`)
	// « Le Président de la République, », « Par le Premier ministre : », « Pour le ministre … »
	office = law.Pattern(`^(?:P(?:ar|our) +(?:ampliation|copie)|(?i:(?:(?:p(?:ar|our) +)?(?:délégation *,? *)?(?:le|la|l') ?)(?:(?:vice~)?pr[ée]sidente?|premi[eè]re? ministre|ministres?|garde des sceaux|chef de l'[eé]tat|roi|gouverneure?|secr[ée]taire|directeur|directrice|maire|pr[ée]fet|haut~commissaire))|Le (?:Roi|Chef)).*$`)
	// A person's name ends in capitals: « Ysoline BRÉHANCOURT ».
	personName = law.Pattern(`^(?:(?:M|Mme|Dr|Pr|Maître)\.? +)?(?:(?:\p{Lu}[\p{L}.]*|de|El|Ould|Ben)(?:~| )*)+$`)
)

// signaturesBegin reports whether the signatures of the text begin at line i, with a place and a date, or with an
// office and a name below it.
func (b *Body) signaturesBegin(i int) bool {
	l := b.Lines[i]
	if line.MadeAt.MatchString(l.Text) && len(l.Text) < 140 || PlaceAndDay.MatchString(l.Text) {
		return b.nothingFollows(i)
	}
	if b.state == PreambleRole || !office.MatchString(l.Text) || len(l.Text) > 110 || strings.ContainsAny(l.Text[len(l.Text)-1:], ".;") || !l.Centered && !line.IsShort(l) {
		return false
	}
	for j := i + 1; j < len(b.Lines) && j <= i+3; j++ {
		t := b.Lines[j].Text
		if personName.MatchString(t) && line.AllCaps(line.LastWord(t)) {
			return b.nothingFollows(i)
		}
	}
	return false
}

// nothingFollows reports whether no article of the same numbering comes after line i. If such an article comes, the
// place and the date are in the middle of the text and do not end it.
func (b *Body) nothingFollows(i int) bool {
	for j := i; j < len(b.Lines); j++ {
		l := b.Lines[j]
		if b.Quoted[j] || !line.MayHead(line.Before(b.Lines, j), l) {
			continue
		}
		if line.AnnexHead.MatchString(l.Text) || b.opensAnnex(j) || line.WholeCode.MatchString(l.Text) {
			return true
		}
		if number, _, ok := l.Article(b.last); ok {
			return !heads.MayFollow(number, b.last)
		}
	}
	return true
}

// BreakSignatures makes each office and each name begin a paragraph. The spacing of signatures is too irregular
// to tell paragraphs by their gaps.
func BreakSignatures(lines []line.Line) []line.Line {
	named := false
	for i := range lines {
		t := lines[i].Text
		person := personName.MatchString(t) && line.AllCaps(line.LastWord(t)) && !line.AllCaps(line.FirstWord(t))
		lines[i].Opens = lines[i].Opens || named || person || office.MatchString(t)
		named = person
	}
	return lines
}

// Signatories returns the signatures as « office : name ». An office may take several lines, and the name is
// below it.
func Signatories(pieces []Piece) []string {
	var out []string
	for _, p := range pieces {
		if p.Role != SignatureRole {
			continue
		}
		var titles []string
		for _, l := range p.Lines {
			switch {
			case line.MadeAt.MatchString(l.Text) || PlaceAndDay.MatchString(l.Text) || strings.HasSuffix(l.Text, ";"):
				titles = nil
			case len(titles) > 0 && personName.MatchString(l.Text) && line.AllCaps(line.LastWord(l.Text)):
				out = append(out, strings.Trim(strings.Join(titles, " "), " ,:.-–—")+" : "+strings.Trim(l.Text, " ,.-–—"))
				titles = nil
			case office.MatchString(l.Text):
				titles = []string{l.Text}
			case len(titles) > 0 && len(titles) < 4:
				titles = append(titles, l.Text)
			}
		}
	}
	return out
}
