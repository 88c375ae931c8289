package main

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// issue is one number of the gazette with its texts in printing order.
type issue struct {
	ID        string // folder name, and stem of the PDF's name
	Number    string
	Date      time.Time
	Volume    string // « 58e année »
	FirstPage int    // printed number of the first page: a volume is paged through the year
	Scan      bool   // made a second time as a scan
	Texts     []*legalText
}

// legalText is one law, decree, order, circular or abridged act.
type legalText struct {
	File        string
	Type        string // a key of natures
	Nature      string // the word printed before the number: Loi, Décret, …
	Number      string
	Signed      time.Time
	InForce     time.Time
	Domain      string
	Object      string // what follows the date in the title: « portant Code du travail »
	Rubric      string // part of the issue it is printed under
	Ministry    string
	Style       articleStyle
	Abridged    bool // printed as a paragraph, without title or articles
	SignedAt    string
	Signatories []signatory
	Relations   []relation
	Blocks      []block
}

// signatory is who signs: the office and the name.
type signatory struct{ Office, Name string }

// relation is what a text does to an earlier one.
type relation struct {
	Kind      string // abroge, modifie, insere
	Target    string
	Articles  []string // of the target; none means the whole text
	Effective time.Time
	By        string // article of this text that says so
}

// articleStyle is how a text prints the head of an article.
type articleStyle string

const (
	styleDash  articleStyle = "dash"  // Art. 14. — Texte
	styleColon articleStyle = "colon" // Article 14 : Texte
	styleLine  articleStyle = "line"  // Article 14, alone on its line
)

// title is the full official title.
func (t *legalText) title() string { return t.designation() + " " + t.Object }

// designation is the title's first part: nature, number and date.
func (t *legalText) designation() string {
	return fmt.Sprintf("%s n° %s du %s", t.Nature, t.Number, frenchDate(t.Signed))
}

// loadIssues reads every folder of texts, in name order.
func loadIssues(texts fs.FS) ([]*issue, error) {
	dirs, err := fs.ReadDir(texts, ".")
	if err != nil {
		return nil, err
	}
	var issues []*issue
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		is, err := loadIssue(texts, d.Name())
		if err != nil {
			return nil, err
		}
		issues = append(issues, is)
	}
	return issues, checkRelations(issues)
}

func loadIssue(texts fs.FS, dir string) (*issue, error) {
	files, err := fs.Glob(texts, path.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	is := &issue{ID: dir}
	for _, name := range files {
		raw, err := fs.ReadFile(texts, name)
		if err != nil {
			return nil, err
		}
		if path.Base(name) == "issue.txt" {
			err = is.readHead(string(raw))
		} else {
			var t *legalText
			if t, err = parseText(name, string(raw)); err == nil {
				is.Texts = append(is.Texts, t)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if is.Number == "" || len(is.Texts) == 0 {
		return nil, fmt.Errorf("%s: issue.txt or the texts are missing", dir)
	}
	return is, nil
}

// readHead reads issue.txt, which is all front matter.
func (is *issue) readHead(raw string) error {
	return eachKey(raw, func(key, value string) (err error) {
		switch key {
		case "number":
			is.Number = value
		case "date":
			is.Date, err = time.Parse(time.DateOnly, value)
		case "volume":
			is.Volume = value
		case "first-page":
			is.FirstPage, err = strconv.Atoi(value)
		case "scan":
			is.Scan, err = strconv.ParseBool(value)
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		return err
	})
}

// eachKey calls set for each « key: value » line.
func eachKey(raw string, set func(key, value string) error) error {
	for n, line := range strings.Split(raw, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			return fmt.Errorf("line %d: no key: %q", n+1, line)
		}
		if err := set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return nil
}

// checkRelations refuses a relation whose target or articles do not exist, or
// whose new wording is not quoted by the article that is said to carry it.
func checkRelations(issues []*issue) error {
	byNumber := map[string]*legalText{}
	for _, is := range issues {
		for _, t := range is.Texts {
			if byNumber[t.Number] != nil {
				return fmt.Errorf("%s: the number %s is taken twice", t.File, t.Number)
			}
			byNumber[t.Number] = t
		}
	}
	for _, is := range issues {
		for _, t := range is.Texts {
			for _, r := range t.Relations {
				if err := t.checkRelation(r, byNumber[r.Target]); err != nil {
					return fmt.Errorf("%s: relation to %s: %w", t.File, r.Target, err)
				}
			}
		}
	}
	return nil
}

func (t *legalText) checkRelation(r relation, target *legalText) error {
	if target == nil {
		return fmt.Errorf("no such text")
	}
	if !t.hasArticle(r.By) {
		return fmt.Errorf("this text has no article %q", r.By)
	}
	for _, number := range r.Articles {
		// An inserted article is new; any other must be there already.
		if exists := target.hasArticle(number); exists == (r.Kind == "insere") {
			return fmt.Errorf("article %s of the target: exists is %t", number, exists)
		}
		if r.Kind != "abroge" && t.quotedText(r.By, number) == "" {
			return fmt.Errorf("article %s does not quote the article %s", r.By, number)
		}
	}
	return nil
}
