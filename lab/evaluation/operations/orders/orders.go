// Package orders is what acts of real gazettes order, as people have read it, and what is read of these acts.
package orders

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/lab/readpages"
)

// Order is what an act orders about one article.
type Order struct {
	ID      string `json:"id"`
	File    string `json:"file"`
	Country string `json:"country"`
	Act     struct {
		Type   string `json:"type"`
		Number string `json:"number"`
		Date   string `json:"date"`
	} `json:"act"`
	Instruction string `json:"instruction"`
	Target      struct {
		Title  string `json:"title"`
		Number string `json:"number"`
		Date   string `json:"date"`
	} `json:"target"`
	Article string `json:"target_article"` // "": the text as a whole
	Kind    string `json:"kind"`
	First   string `json:"new_first"`
	Last    string `json:"new_last"`
	Place   string `json:"place"`
}

// Sealed reports whether the act of an order is among the third that only totals are told of.
func (o Order) Sealed() bool {
	act := strings.Join([]string{o.Country, o.File, o.Act.Type, o.Act.Number, o.Act.Date}, "|")
	return sha256.Sum256([]byte(act))[0]%3 == 0
}

// By reports whether a text may be the act of the order.
func (o Order) By(d law.Document) bool {
	if o.Act.Number != "" && d.OfficialNumber != "" {
		return strings.HasPrefix(Letters(o.Act.Number), Letters(d.OfficialNumber))
	}
	return o.Act.Date == "" || o.Act.Date == d.Promulgated.Format(time.DateOnly)
}

// Letters returns the letters and digits of a text, folded.
func Letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, law.Fold(s))
}

// Alike returns the share of three words in a row of the shorter text that the other one has too.
func Alike(a, b string) float64 {
	three := func(s string) map[string]bool {
		w := strings.FieldsFunc(law.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		out := map[string]bool{}
		for i := range w {
			out[strings.Join(w[i:min(len(w), i+3)], " ")] = true
		}
		return out
	}
	x, y := three(a), three(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	n := 0
	for w := range x {
		if y[w] {
			n++
		}
	}
	if len(x) == 0 {
		return 0
	}
	return float64(n) / float64(len(x))
}

// File is a gazette with the orders that are known of it.
type File struct {
	Name, Country string
	Known         []Order
	path          string
}

// Load returns the gazettes of a folder, those without known orders too, by name.
func Load(dir string) (files []File, err error) {
	known, err := read(filepath.Join(dir, "operations", "operations.dev.jsonl"))
	if err != nil {
		return nil, err
	}
	pdfs := filepath.Join(dir, "pdfs")
	err = filepath.WalkDir(pdfs, func(path string, d fs.DirEntry, err error) error {
		name, e := filepath.Rel(pdfs, path)
		if err != nil || e != nil || filepath.Ext(name) != ".pdf" || strings.HasPrefix(name, "odd"+string(filepath.Separator)) {
			return err
		}
		country, _, _ := strings.Cut(name, string(filepath.Separator))
		f := File{Name: filepath.ToSlash(name), Country: country, path: path}
		for _, o := range known {
			if o.File == f.Name {
				f.Known = append(f.Known, o)
			}
		}
		files = append(files, f)
		return nil
	})
	return files, err
}

// read reads a file of orders, one a line.
func read(path string) (out []Order, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o Order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, len(out)+1, err)
		}
		out = append(out, o)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no orders", path)
	}
	return out, nil
}

// Text is what is read of one text of a file.
type Text struct {
	*gazette.Text
	Act        string // as amend.Read gets it
	Options    amend.Options
	Operations []amend.Operation
}

// NewText reads a text, with the carried model where there is no other.
func NewText(t *gazette.Text, noticing *amend.Noticing) Text {
	act, parts := amend.Written(t.Articles)
	o := amend.Options{Parts: parts, Title: t.Document.Title, Noticing: noticing}
	return Text{t, act, o, amend.Read(act, o)}
}

// Read cuts a file as a worker does and reads its texts.
func (f File) Read(ctx context.Context, r *readpages.Reader, noticing *amend.Noticing) (out []Text, err error) {
	pages, err := r.Words(ctx, f.path)
	if err != nil {
		return nil, err
	}
	split := func(pages []layout.Page) gazette.Issue {
		return segment.Standard().Split(pages, gazette.Hints{Filename: filepath.Base(f.path), Today: time.Now()})
	}
	pages = slices.Clone(pages)
	if _, err := r.Again(ctx, f.path, pages, split); err != nil {
		return nil, err
	}
	layout.Arrange(pages)
	issue := split(pages)
	for i := range issue.Texts {
		out = append(out, NewText(&issue.Texts[i], noticing))
	}
	return out, nil
}

// Sealed reports whether a text is one of the sealed acts.
func (f File) Sealed(t Text) bool {
	d := t.Document
	return slices.ContainsFunc(f.Known, func(o Order) bool {
		return o.Sealed() && (o.Act.Number != "" && o.Act.Number == d.OfficialNumber || o.Act.Date == d.Promulgated.Format(time.DateOnly))
	})
}

// Orders reports whether a passage of a text is the instruction of a known order.
func (f File) Orders(t Text, passage string) bool {
	return slices.ContainsFunc(f.Known, func(o Order) bool { return o.By(t.Document) && Alike(o.Instruction, passage) >= 0.8 })
}
