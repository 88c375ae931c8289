package amend

import (
	"cmp"
	"slices"
	"strings"

	"vigueur/internal/law"
)

// madeArticle is an article of a new wording.
type madeArticle struct {
	number string
	lines  []string
	part   string // « paragraphe 2 », if only that part is new
	gone   bool   // « (Abrogé) »
}

// partOf reads a part of an article: « alinéa 2 », « premier alinéa du II ».
func partOf(part string) (Path, bool) {
	p := parser{source: part, mem: &memory{}}
	p.toks = tokens(part, 0, nil)
	at := 0
	if n, ok := p.determiner(0, nominative); ok {
		at = n
	}
	list, next, ok := p.chain(at)
	if !ok || next != len(p.toks) || len(list) != 1 || len(list[0].path) == 0 {
		return nil, false
	}
	return list[0].path, true
}

// articlesIn parts a wording into its articles. Lines before the first head belong to an
// article without a number; headings of divisions are left out.
func articlesIn(wording []string) (out []madeArticle) {
	heading := false
	for _, line := range wording {
		if h := headAt(line); h.n > 0 {
			heading = false
			a := madeArticle{number: h.number, part: h.part}
			rest := strings.TrimFunc(line[h.n:], blankOrInvisible)
			if strings.HasPrefix(law.Fold(strings.TrimLeft(rest, "(")), "abrog") && len(rest) < 20 {
				a.gone = true
			} else if rest != "" {
				a.lines = append(a.lines, rest)
			}
			out = append(out, a)
			continue
		}
		if divisionLine.MatchString(line) {
			heading = true
		}
		if heading {
			continue
		}
		if len(out) == 0 {
			out = append(out, madeArticle{})
		}
		out[len(out)-1].lines = append(out[len(out)-1].lines, line)
	}
	return out
}

// articles makes the operations of a wording of whole articles. over says that the wording
// replaces the articles of the places.
func (m *maker) articles(list []spot, wording []string, over bool, set func(*Operation)) {
	made := articlesIn(parted(wording, numbersOf(list)))
	if len(made) > 0 && made[0].number == "" {
		switch {
		case len(made) > 1:
			made = made[1:] // the headings of a division
		case len(list) == 1 && list[0].article != "":
			made[0].number = list[0].article
		default:
			m.unread(NotUnderstood)
			return
		}
	}
	named := map[string]spot{}
	for _, s := range list {
		if s.article == "" {
			continue
		}
		key := law.ArticleKey(s.article)
		if _, twice := named[key]; twice {
			s.path = Path{{}} // several parts of one article
		}
		named[key] = s
	}
	for i, a := range made {
		s, replaced := named[law.ArticleKey(a.number)]
		if !replaced {
			s = spot{article: a.number}
			if len(list) > 0 {
				s.text = list[0].text
			}
		}
		delete(named, law.ArticleKey(a.number))
		if a.gone {
			m.add(RepealArticle, []spot{s}, func(*Operation) {})
			continue
		}
		kind := InsertArticle
		if replaced && over {
			kind = ReplaceArticle
		}
		var why Reason
		switch named := s.path; {
		case a.part != "":
			path, ok := partOf(a.part)
			if kind, s.path = ReplacePlace, path; !ok {
				why = NotUnderstood
			}
		case len(named) == 1 && named[0].Level == Alinea && !slices.ContainsFunc(a.lines, unchanged.MatchString) && len(a.lines) == 1:
			kind = ReplacePlace // « l'article 5 (1er alinéa) est modifié comme suit : « Art. 5. … » »
		case len(named) > 0: // the wording is that of a part, or of the whole article
			why, s.path = PlaceUnclear, nil
		}
		m.add(kind, []spot{s}, func(op *Operation) {
			set(op)
			op.Doubt = cmp.Or(op.Doubt, why)
			op.Over = op.Over || over && m.p.garbled
			if over && !replaced && !op.Over && !m.divided(list) { // the instruction is about other articles
				op.Doubt = cmp.Or(op.Doubt, NotUnderstood)
			}
			if m.b.bare && (m.b.open && i == len(made)-1 || slices.ContainsFunc(a.lines, m.r.suspects)) {
				op.Doubt = cmp.Or(op.Doubt, WordingOpen)
			}
			op.New, op.Unit, op.Over = trimLines(a.lines), Alineas, op.Over || m.divided(list) && over
			m.missing(op)
			op.Elided = slices.ContainsFunc(op.New, unchanged.MatchString)
			var known bool
			if op.New, op.Rest, known = elided(op.New); !known || kind == ReplacePlace && op.Elided {
				op.Doubt = cmp.Or(op.Doubt, NotUnderstood)
			}
		})
	}
	if !over || m.r.o.Excerpt && len(made) > 0 {
		return
	}
	if m.divided(list) { // what the division had and the new wording has not is gone
		m.makeHeading(ReplaceHeading, list[0], wording)
		m.add(RepealArticle, list[:1], func(op *Operation) {
			for _, a := range made {
				op.Except = append(op.Except, a.number)
			}
		})
	}
	for _, s := range list { // in the order of the instruction
		if _, left := named[law.ArticleKey(s.article)]; left && s.article != "" {
			m.add(ReplaceArticle, []spot{s}, func(op *Operation) { op.Doubt = WordingMissing })
		}
	}
}

// numbersOf returns the articles of places.
func numbersOf(list []spot) (out []string) {
	for _, s := range list {
		if s.article != "" {
			out = append(out, s.article)
		}
	}
	return out
}

// makeHeading makes the operation on the title of a division that a new wording begins with.
func (m *maker) makeHeading(kind Kind, s spot, wording []string) {
	if len(wording) == 0 {
		return
	}
	title := divisionTitle.FindStringSubmatch(wording[0])
	if title == nil {
		return
	}
	op := m.operation(kind, s)
	op.Every = false
	if op.New = []string{title[2]}; title[2] == "" && len(wording) > 1 && headAt(wording[1]).n == 0 {
		op.New = []string{wording[1]}
	}
	if kind == InsertDivision {
		op.Divisions = append([]string{law.Fold(title[1])}, op.Divisions...)
	}
	m.missing(&op)
	m.r.ops = append(m.r.ops, op)
}

// divisionTitle matches the heading of a division and its title.
var divisionTitle = law.Pattern(`^((?i:livre|titre|chapitre|section|sous~section|sous~paragraphe|paragraphe|partie) +(?:[0-9IVXL]+(?i:er|re|ère)?|[A-Z]\b|(?i:premi[eè]re?|unique|préliminaire))(?: +` + suffixes + `\b)?)(?: *[.:~―_]+)* *(.*)$`)

// divided reports whether places are divisions, whose articles the wording makes anew.
func (m *maker) divided(list []spot) bool {
	return len(list) > 0 && list[0].division != "" && list[0].article == ""
}

// trimLines returns paragraphs without marks of omission between articles of an excerpt.
func trimLines(lines []string) []string {
	for len(lines) > 0 && (lines[len(lines)-1] == "[…]" || lines[len(lines)-1] == "(…)") {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// newArticles makes the operations of an insertion of articles or of a division.
func (m *maker) newArticles(c clause, home []spot, wording []string, set func(*Operation)) {
	if c.added.division && len(home) > 0 {
		s := home[0]
		if s.division == "new" {
			s.division = ""
		}
		m.makeHeading(InsertDivision, s, wording)
	}
	made := articlesIn(wording)
	if len(made) == 1 && made[0].number == "" && len(c.added.articles) == 1 && c.added.articles[0] != "" {
		wording = slices.Concat([]string{"Article " + c.added.articles[0]}, wording)
	}
	if c.named || len(wording) == 0 && len(m.b.wording) > 0 { // the wording of a later clause has them
		return
	}
	if len(wording) == 0 {
		var list []spot
		for _, a := range c.added.articles {
			if a != "" {
				s := spot{article: a}
				if len(home) > 0 {
					s.text = home[0].text
				}
				list = append(list, s)
			}
		}
		m.add(InsertArticle, list, func(op *Operation) { op.Doubt = WordingMissing })
		return
	}
	if announced := c.added.articles; len(announced) > 0 && !slices.Contains(announced, "") {
		first, last := slices.MinFunc(announced, CompareNumbers), slices.MaxFunc(announced, CompareNumbers)
		for _, a := range made {
			if a.number != "" && (CompareNumbers(a.number, first) < 0 || CompareNumbers(a.number, last) > 0) {
				m.unread(NotUnderstood)
				return
			}
		}
	}
	m.articles(home, wording, false, set)
}
