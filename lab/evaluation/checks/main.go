// Command checks holds the check of answers against sentences of the law that were falsified.
//
// Sentences are given for an answer that cites their article: as they are or reworded, then falsified, by a number, a
// date, a unit, a reference or a negation. Those that are warned of are counted. The sentences are those of the catalogue
// (VIGUEUR_DATABASE_URL), or of a corpus of articles.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
	"vigueur/scripts/corpora"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/answering"
	"vigueur/lab/evaluation/output"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
	"vigueur/scripts/benchmark/report"
)

func main() {
	log.SetFlags(0)
	corpus := flag.String("corpus", "", "file of articles: a JSON object a line with _id, title and text; without it the catalogue")
	limit := flag.Int("limit", 3000, "about how many sentences")
	asJSON := flag.Bool("json", false, "print JSON")
	flag.Parse()
	if flag.NArg() != 0 || *limit < 1 {
		log.Fatal("usage: scripts/eval checks [-corpus FILE] [-limit N] [-json]; N is at least 1")
	}
	m, err := evaluate(context.Background(), *corpus, *limit)
	if err == nil {
		err = m.tell(os.Stdout, *asJSON)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// evaluate checks variants of the sentences of a corpus, or of the catalogue.
func evaluate(ctx context.Context, corpus string, limit int) (*checking, error) {
	m := &checking{limit: limit, counts: make(map[string]*checkCount)}
	read := func(yield func(llm.Passage)) error { return catalogue(ctx, yield) }
	if corpus != "" {
		read = func(yield func(llm.Passage)) error {
			return corpora.Articles(corpus, func(a corpora.Article) {
				yield(llm.Passage{N: 1, Article: a.ID, Path: strings.Split(a.Title, " > "), Text: a.Text})
			})
		}
	}
	if err := read(m.gather); err != nil {
		return nil, err
	}
	m.judge()
	m.time()
	if len(m.counts) == 0 {
		return nil, errors.New("no sentence to check: the catalogue or the corpus is empty")
	}
	return m, nil
}

// catalogue returns the passages of the catalogue.
func catalogue(ctx context.Context, yield func(llm.Passage)) error {
	db, _, err := judged.OpenCatalogue(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.IndexRows(ctx, nil, func(r postgres.IndexRow) error {
		yield(llm.Passage{N: 1, Title: r.Title, Type: r.Type, Number: r.OfficialNumber, Article: r.ArticleNumber,
			Heading: r.ArticleHeading, Path: r.Path, Text: r.Passage.Text})
		return ctx.Err()
	})
}

// checking is one measurement of the checks.
type checking struct {
	limit     int
	sentences []trueSentence
	seen      int
	counts    map[string]*checkCount
	slowest   time.Duration
	answer    time.Duration // of the processor, for an answer of answerSentences
	taken     []trueSentence
}

type trueSentence struct {
	words   string
	passage llm.Passage
	rank    uint32 // by a hash: which ones are taken, when there are too many
}

// checkCount is how many variants of a kind there were, and how many were said
// to be wrong.
type checkCount struct {
	Kind   string   `json:"kind"`
	Shown  int      `json:"shown"`
	Warned int      `json:"warned"`
	Wrong  []string `json:"examples_of_error"`
}

// examples is how many errors of each kind are kept.
const examples = 12

// gather takes the sentences of a passage that look like a whole rule.
func (m *checking) gather(p llm.Passage) {
	const shortest, longest = 40, 400
	for _, s := range french.Sentences(p.Text) {
		words := strings.Join(strings.Fields(p.Text[s.Start:s.End]), " ")
		n := utf8.RuneCountInString(words)
		if n < shortest || n > longest || !strings.HasSuffix(words, ".") || strings.ContainsAny(words, "«»[]*") {
			continue
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(words)) // never fails
		m.sentences = append(m.sentences, trueSentence{words, p, h.Sum32()})
	}
}

// judge checks every variant of the sentences taken.
func (m *checking) judge() {
	every := uint32(len(m.sentences)/m.limit) + 1
	for _, s := range m.sentences {
		if s.rank%every != 0 {
			continue
		}
		m.seen++
		m.taken = append(m.taken, s)
		for _, v := range judge.Variants(s.words) {
			m.check(s, v)
		}
	}
}

// answerSentences are those of an answer as it is timed, each with a passage of its
// own.
const answerSentences = 8

// time checks true answers and notes how long the processor takes for one.
func (m *checking) time() {
	answers := 0
	began := report.Used()
	for part := range slices.Chunk(m.taken, answerSentences) {
		var text strings.Builder
		passages := make([]llm.Passage, len(part))
		for i, s := range part {
			passages[i] = s.passage
			passages[i].N = i + 1
			_, _ = fmt.Fprintf(&text, "%s [%d].\n", strings.TrimSuffix(s.words, "."), i+1) // never fails
		}
		answering.Check(text.String(), "", passages)
		answers++
	}
	m.answer = (report.Used() - began) / time.Duration(max(1, answers))
}

func (m *checking) check(s trueSentence, v judge.Variant) {
	began := time.Now()
	verdict := answering.Check(strings.TrimSuffix(v.Text, ".")+" [1].", "", []llm.Passage{s.passage})
	m.slowest = max(m.slowest, time.Since(began))
	c := m.counts[v.Kind]
	if c == nil {
		c = &checkCount{Kind: v.Kind, Wrong: []string{}}
		m.counts[v.Kind] = c
	}
	c.Shown++
	if !verdict.OK {
		c.Warned++
	}
	if verdict.OK != v.True && len(c.Wrong) < examples {
		said := v.Text
		if verdict.Warning != nil {
			said += " → " + *verdict.Warning
		}
		c.Wrong = append(c.Wrong, said)
	}
}

// tell prints the counts.
func (m *checking) tell(out io.Writer, asJSON bool) error {
	var counts []*checkCount
	for _, kind := range judge.Kinds() {
		if c := m.counts[kind]; c != nil {
			counts = append(counts, c)
		}
	}
	if asJSON {
		return output.JSON(out, map[string]any{"sentences": m.seen, "kinds": counts, "slowest_ms": float64(m.slowest.Microseconds()) / 1000,
			"ms_per_answer": float64(m.answer.Microseconds()) / 1000, "sentences_per_answer": answerSentences})
	}
	t := output.NewTable("VARIANT", "SENTENCES", "WARNED OF", "SHARE")
	for _, c := range counts {
		t.Add(c.Kind, c.Shown, c.Warned, output.Percent(c.Warned, c.Shown))
	}
	_, err := fmt.Fprintf(out, "%d sentences of the law; the slowest check took %.2f ms; an answer of %d sentences, %.2f ms of processor.\n",
		m.seen, float64(m.slowest.Microseconds())/1000, answerSentences, float64(m.answer.Microseconds())/1000)
	return errors.Join(t.Write(out), err)
}
