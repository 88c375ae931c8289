package main

import (
	"fmt"
	"strings"
	"time"
)

// blockKind tells what a block of a source text is.
type blockKind int

const (
	blockPara     blockKind = iota // an alinea
	blockHeading                   // livre, titre, chapitre, section
	blockCentered                  // « DÉCRÈTE : »
	blockTable                     // rows of cells
	blockAnnex                     // head of an annex: starts a page of one column
	blockNote                      // a note at the foot of the column, whose mark stands in the alinea before
)

// block is one unit of a text's body.
type block struct {
	Kind    blockKind
	Level   int    // of a heading, 1 the highest
	Label   string // « TITRE PREMIER »
	Text    string // alinea, or the heading's own words
	Article string // the article this alinea opens, empty otherwise
	Quoted  bool   // inside the guillemets of an amending article
	Rows    [][]string
}

// natures are the kinds of text, as the catalogue has them, with the word that
// is printed before the number.
var natures = map[string]string{
	"code": "Loi", "loi": "Loi", "decret": "Décret", "arrete": "Arrêté", "circulaire": "Circulaire",
}

// parseText reads one source file: front matter, a line « --- », the body.
func parseText(name, raw string) (*legalText, error) {
	// Sources are typed with the keyboard's apostrophe and printed with the curly one.
	raw = strings.ReplaceAll(raw, "'", "’")
	head, body, ok := strings.Cut(raw, "\n---\n")
	if !ok {
		return nil, fmt.Errorf("no line --- after the front matter")
	}
	t := &legalText{File: name, Style: styleDash, SignedAt: "Clairmonde"}
	if err := eachKey(head, t.set); err != nil {
		return nil, err
	}
	t.Nature = natures[t.Type]
	if t.Nature == "" || t.Number == "" || t.Signed.IsZero() || t.InForce.IsZero() || t.Domain == "" || t.Object == "" || t.Rubric == "" {
		return nil, fmt.Errorf("front matter: type, number, signed, in-force, domain, object and rubric are needed")
	}
	blocks, err := parseBody(body)
	t.Blocks = blocks
	return t, err
}

// set stores one line of front matter.
func (t *legalText) set(key, value string) (err error) {
	switch key {
	case "type":
		t.Type = value
	case "number":
		t.Number = value
	case "signed":
		t.Signed, err = time.Parse(time.DateOnly, value)
	case "in-force":
		t.InForce, err = time.Parse(time.DateOnly, value)
	case "domain":
		t.Domain = value
	case "object":
		t.Object = value
	case "rubric":
		t.Rubric = value
	case "ministry":
		t.Ministry = value
	case "articles":
		t.Style = articleStyle(value)
	case "abridged":
		t.Abridged = value == "true"
	case "signatory":
		office, who, ok := strings.Cut(value, "|")
		if !ok {
			return fmt.Errorf("signatory without name: %q", value)
		}
		t.Signatories = append(t.Signatories, signatory{strings.TrimSpace(office), strings.TrimSpace(who)})
	case "relation":
		var r relation
		r, err = parseRelation(value)
		t.Relations = append(t.Relations, r)
	default:
		err = fmt.Errorf("unknown key %q", key)
	}
	return err
}

// parseRelation reads « modifie 2023-07 | 14, 31 | 2025-07-01 | 1er ».
func parseRelation(s string) (relation, error) {
	f := strings.Split(s, "|")
	if len(f) != 4 {
		return relation{}, fmt.Errorf("relation needs 4 fields: %q", s)
	}
	kind, target, _ := strings.Cut(strings.TrimSpace(f[0]), " ")
	if kind != "abroge" && kind != "modifie" && kind != "insere" {
		return relation{}, fmt.Errorf("unknown relation %q", kind)
	}
	r := relation{Kind: kind, Target: target, By: strings.TrimSpace(f[3])}
	for _, a := range strings.Split(f[1], ",") {
		if a = strings.TrimSpace(a); a != "" {
			r.Articles = append(r.Articles, a)
		}
	}
	var err error
	r.Effective, err = time.Parse(time.DateOnly, strings.TrimSpace(f[2]))
	return r, err
}

// parseBody reads the body, whose blocks are parted by blank lines; the first
// characters of a block say what it is (README.md has the list).
func parseBody(body string) ([]block, error) {
	var out []block
	article := ""
	for _, chunk := range strings.Split(body, "\n\n") {
		chunk = strings.Trim(chunk, "\n")
		if chunk == "" {
			continue
		}
		// « @ 14 » stands on a line of its own, its first alinea below it.
		quoted := strings.HasPrefix(chunk, ">")
		lines := strings.Split(chunk, "\n")
		for i := range lines {
			if quoted {
				lines[i] = strings.TrimPrefix(lines[i], ">")
			}
			lines[i] = strings.TrimSpace(lines[i])
		}
		if number, ok := strings.CutPrefix(lines[0], "@"); ok {
			article, lines = strings.TrimSpace(number), lines[1:]
			if len(lines) == 0 {
				return nil, fmt.Errorf("article %s has no text right below it", article)
			}
		}
		b, err := parseBlock(lines)
		if err != nil {
			return nil, err
		}
		b.Quoted = quoted
		if b.Kind == blockPara {
			b.Article, article = article, ""
		}
		if article != "" {
			return nil, fmt.Errorf("article %s does not open with an alinea", article)
		}
		out = append(out, b)
	}
	return out, nil
}

func parseBlock(lines []string) (block, error) {
	first, text := lines[0], strings.Join(lines, " ")
	switch {
	case strings.HasPrefix(first, "#"):
		mark, rest, _ := strings.Cut(text, " ")
		label, words, ok := strings.Cut(rest, "|")
		if !ok {
			return block{}, fmt.Errorf("heading without « | »: %q", text)
		}
		return block{Kind: blockHeading, Level: len(mark), Label: strings.TrimSpace(label), Text: strings.TrimSpace(words)}, nil
	case strings.HasPrefix(first, "!annexe "):
		label, words, _ := strings.Cut(strings.TrimPrefix(text, "!annexe "), "|")
		return block{Kind: blockAnnex, Label: strings.TrimSpace(label), Text: strings.TrimSpace(words)}, nil
	case strings.HasPrefix(first, "!note "):
		return block{Kind: blockNote, Text: strings.TrimPrefix(text, "!note ")}, nil
	case strings.HasPrefix(first, "^"):
		return block{Kind: blockCentered, Text: strings.TrimSpace(text[1:])}, nil
	case strings.HasPrefix(first, "|"):
		return parseTable(lines)
	}
	return block{Kind: blockPara, Text: text}, nil
}

// parseTable reads « | a | b | » lines; the first row is the head.
func parseTable(lines []string) (block, error) {
	b := block{Kind: blockTable}
	for _, l := range lines {
		cells := strings.Split(strings.Trim(l, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(b.Rows) > 0 && len(cells) != len(b.Rows[0]) {
			return b, fmt.Errorf("table row with %d cells instead of %d: %q", len(cells), len(b.Rows[0]), l)
		}
		b.Rows = append(b.Rows, cells)
	}
	return b, nil
}

// hasArticle reports whether the text has an article of its own with this number.
func (t *legalText) hasArticle(number string) bool {
	for _, b := range t.Blocks {
		if !b.Quoted && b.Article == number {
			return true
		}
	}
	return false
}

// quotedText is the wording that the article by quotes for the article number
// of another text, alineas joined by line feeds; empty when it quotes none.
func (t *legalText) quotedText(by, number string) string {
	var alineas []string
	own, quoted := "", ""
	for _, b := range t.Blocks {
		switch {
		case b.Kind == blockAnnex:
			own = ""
		case !b.Quoted && b.Article != "":
			own, quoted = b.Article, ""
		case b.Quoted && b.Article != "":
			quoted = b.Article
		case !b.Quoted:
			quoted = ""
		}
		if own == by && b.Quoted && quoted == number {
			alineas = append(alineas, b.Text)
		}
	}
	return strings.Join(alineas, "\n")
}

var months = [...]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août",
	"septembre", "octobre", "novembre", "décembre"}

var weekdays = [...]string{"Dimanche", "Lundi", "Mardi", "Mercredi", "Jeudi", "Vendredi", "Samedi"}

// frenchDate writes « 1er avril 2023 ».
func frenchDate(d time.Time) string {
	day := fmt.Sprint(d.Day())
	if d.Day() == 1 {
		day = "1er"
	}
	return fmt.Sprintf("%s %s %d", day, months[d.Month()-1], d.Year())
}
