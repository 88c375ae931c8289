// Command reader writes the lists that the reader of internal/search/transformer learns from: for each judged question
// the articles that today's search puts first, as pieces of words, and which of them answer.
//
// The folder has retrieval/ (codes and labor law with questions), qa/ (questions on gazettes, qa/breadth on law of other
// countries) and pdfs/. Each further folder named by --breadth has files NAME.articles.jsonl and NAME.questions.jsonl in the
// form of qa/breadth, and each named by --law the first of these (law.py beside this file writes such a folder): weak lists,
// which need no questions, are made of both. The lists of each set (SET.jsonl) and the pieces that they point to (SET.pieces, 16 bits each) are written to
// the folder of --out; train.py beside this file learns from them.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/search/encode"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/search/transformer"
	"vigueur/lab/judged"
	encoder "vigueur/lab/training/encoder/learn"
)

// read is the number of articles of a list.
const read = 24

// item is an article of a list.
type item struct {
	Name  string  `json:"name"`
	Right bool    `json:"right,omitempty"`
	Extra bool    `json:"extra,omitempty"` // it answers, and the search did not put it among the first
	Named bool    `json:"named,omitempty"` // the question names it
	Score float64 `json:"score"`           // by today's order
	At    int     `json:"at"`              // of its pieces, in pieces.bin
	N     int     `json:"n"`
}

// list is a question with its articles.
type list struct {
	ID       string             `json:"id"`
	Set      string             `json:"set"`
	Country  string             `json:"country"`
	Field    string             `json:"field,omitempty"`
	Style    string             `json:"style,omitempty"`
	Group    string             `json:"group,omitempty"`
	Question string             `json:"question"`
	Right    int                `json:"answers"` // articles that answer, found or not
	Grade    string             `json:"grade"`
	P        float64            `json:"p"` // that the first answers, by today's gate
	Evidence map[string]float64 `json:"evidence"`
	At       int                `json:"at"`
	N        int                `json:"n"`
	Items    []item             `json:"items"`
}

type writer struct {
	model  *transformer.Model
	lists  *bufio.Writer
	pieces *bufio.Writer
	at     int
	known  map[string][2]int
	count  map[string]int
}

func main() {
	out := flag.String("out", ".state/reader", "folder of the lists")
	gazettes := flag.String("gazettes", ".state/gazettes.kept", "file that keeps the gazettes once they are read")
	vectors := flag.String("vectors", ".state/reader/vectors", "folder that keeps what the transformer made of the passages")
	only := flag.String("only", "", "the one set to write: breadth, further, gazettes, codes or weak")
	var breadth, law []string
	flag.Func("breadth", "`folder` of further questions; more than once", func(s string) error { breadth = append(breadth, s); return nil })
	flag.Func("law", "`folder` of law without questions, for weak lists; more than once", func(s string) error { law = append(law, s); return nil })
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), flag.Arg(0), *out, *gazettes, *vectors, *only, breadth, law); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, out, gazettes, vectors, only string, breadth, law []string) error {
	model, err := transformer.Builtin()
	if err != nil {
		return err
	}
	for _, folder := range []string{out, vectors} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	for _, of := range []string{"breadth", "further", "gazettes", "codes", "weak"} {
		if only != "" && only != of {
			continue
		}
		lists, err := os.Create(filepath.Join(out, of+".jsonl"))
		if err != nil {
			return err
		}
		pieces, err := os.Create(filepath.Join(out, of+".pieces"))
		if err != nil {
			return err
		}
		w := &writer{model: model, lists: bufio.NewWriter(lists), pieces: bufio.NewWriter(pieces), known: make(map[string][2]int), count: make(map[string]int)}
		switch of {
		case "breadth":
			err = w.breadth(ctx, filepath.Join(dir, "qa", "breadth"), vectors)
		case "further":
			for _, folder := range breadth {
				err = errors.Join(err, w.breadth(ctx, folder, ""))
			}
		case "gazettes":
			err = w.gazettes(ctx, dir, gazettes, vectors)
		case "codes":
			err = w.codes(ctx, filepath.Join(dir, "retrieval"))
		case "weak":
			err = w.weak(dir, append(breadth, law...))
		}
		if err != nil {
			return err
		}
		for _, f := range []error{w.lists.Flush(), w.pieces.Flush(), lists.Close(), pieces.Close()} {
			if f != nil {
				return f
			}
		}
		fmt.Printf("%s: %v, %d pieces\n", of, w.count, w.at)
	}
	return nil
}

// put writes the pieces of a text, once, and returns where they are.
func (w *writer) put(text string) (at, n int) {
	if where, known := w.known[text]; known {
		return where[0], where[1]
	}
	at = w.at
	w.append(w.model.Pieces.Of(text))
	w.known[text] = [2]int{at, w.at - at}
	return at, w.at - at
}

// append writes pieces.
func (w *writer) append(ids []int32) {
	for _, id := range ids {
		_ = binary.Write(w.pieces, binary.LittleEndian, uint16(id))
	}
	w.at += len(ids)
}

// ask writes the lists of the questions of a set.
func (w *writer) ask(ctx context.Context, set *judged.Set, sentences retrieve.Sentences, of func(q *judged.Question) list) error {
	e, err := encode.New()
	if err != nil {
		return err
	}
	searcher, err := set.Open(ctx, set.Encode(e), nil)
	if err != nil {
		return err
	}
	searcher.All, searcher.Words, searcher.Sentences = false, e, sentences
	byName := make(map[string]uuid.UUID)
	asked := judged.Asked(set.Questions)
	var failed error
	err = judged.Look(ctx, searcher, asked, func(i int, looked *retrieve.Examined) {
		q := &set.Questions[i]
		l := of(q)
		l.ID, l.Right, l.Grade, l.P, l.Evidence = q.ID, len(q.Right), looked.Verdict.Grade.String(), looked.Verdict.Probability, looked.Verdict.Evidence.ByName()
		l.Question = looked.Asked.Meant()
		l.At, l.N = w.put("query: " + l.Question)
		hits := looked.Hits[:min(len(looked.Hits), read)]
		found := make(map[string]bool)
		for _, h := range hits {
			found[set.ArticleName(h.Article.ID)] = true
		}
		hits = slices.Clone(hits)
		searched := len(hits)
		if len(byName) == 0 {
			set.EachArticle(func(id uuid.UUID, name string) { byName[name] = id })
		}
		for name := range q.Right {
			if found[name] {
				continue
			}
			parts, err := set.FoundArticles(ctx, []uuid.UUID{byName[name]})
			if err != nil {
				failed = err
				return
			}
			if p := parts[byName[name]]; len(p) > 0 {
				h := retrieve.HitOf(p[0])
				for _, part := range p {
					h.Passages = append(h.Passages, part.Passage)
				}
				hits = append(hits, h)
			}
		}
		for k, text := range searcher.Readings(looked, hits) {
			h := &hits[k]
			x := item{Name: set.ArticleName(h.Article.ID), Extra: k >= searched, Named: h.Mode == retrieve.ByReference, Score: h.Score}
			x.Right = q.Right[x.Name]
			x.At, x.N = w.put("passage: " + text)
			l.Items = append(l.Items, x)
		}
		w.count[l.Set]++
		failed = json.NewEncoder(w.lists).Encode(l)
	})
	if err != nil {
		return err
	}
	return failed
}

// gazettes writes the lists of the questions on gazettes.
func (w *writer) gazettes(ctx context.Context, dir, kept, vectors string) error {
	set, err := judged.OpenGazettes(ctx, filepath.Join(dir, "pdfs"), kept)
	if err != nil {
		return err
	}
	reads, err := set.Sentences(ctx, filepath.Join(vectors, "gazettes.kept"))
	if err != nil {
		return err
	}
	projection, err := transformer.BuiltinProjection()
	if err != nil {
		return err
	}
	files := append(judged.GazetteQuestions(dir), judged.QuestionFile{Name: "new", Path: filepath.Join(dir, "qa", "new_countries.dev.jsonl")})
	for _, f := range files {
		set.Questions = nil
		if err := set.Ask(f.Path); err != nil {
			return err
		}
		err := w.ask(ctx, set, reads.With(projection), func(q *judged.Question) list {
			return list{Set: "gazettes " + strings.TrimSuffix(filepath.Base(f.Name), ".jsonl"), Country: q.Asked.Country(), Group: q.Split, Style: q.Asked.Style}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// breadth writes the lists of questions on the law of other countries, each asked of its own country's law.
func (w *writer) breadth(ctx context.Context, folder, vectors string) error {
	sets, err := judged.Breadth(folder)
	if err != nil {
		return err
	}
	name := strings.ReplaceAll(filepath.Base(folder), " ", "-")
	for _, set := range sets {
		var sentences retrieve.Sentences
		if vectors != "" {
			reads, err := set.Sentences(ctx, filepath.Join(vectors, strings.ReplaceAll(set.Name, " ", "-")+".kept"))
			if err != nil {
				return err
			}
			projection, err := transformer.BuiltinProjection()
			if err != nil {
				return err
			}
			sentences = reads.With(projection)
		}
		err := w.ask(ctx, set, sentences, func(q *judged.Question) list {
			return list{Set: name, Country: strings.TrimPrefix(set.Name, name+" "), Style: q.Asked.Style, Group: q.Split, Field: q.Field}
		})
		if err != nil {
			return fmt.Errorf("%s: %w", set.Name, err)
		}
		fmt.Printf("%s: %d articles, %d questions\n", set.Name, len(set.Articles), len(set.Questions))
	}
	return nil
}

// codes writes the lists of questions on French codes, without vectors of sentences.
func (w *writer) codes(ctx context.Context, dir string) error {
	corpus, err := encoder.Read(dir)
	if err != nil {
		return err
	}
	codes, err := judged.Codes(dir, corpus)
	if err != nil {
		return err
	}
	labor, err := judged.Labor(dir)
	if err != nil {
		return err
	}
	for _, set := range []*judged.Set{labor, codes} {
		err := w.ask(ctx, set, nil, func(q *judged.Question) list {
			return list{Set: set.Name, Country: "France", Field: q.Field, Group: q.Split}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
