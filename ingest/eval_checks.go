package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"vigueur/internal/answer"
	"vigueur/internal/french"
	"vigueur/internal/judge"
	"vigueur/internal/llm"
	"vigueur/internal/postgres"
)

func (a *app) evalChecksCommand() *cobra.Command {
	var corpus string
	limit := 3000
	c := &cobra.Command{
		Use: "checks [--corpus F]", Short: "Mesure la vérification des réponses sur des phrases faussées",
		Long: "Prend des phrases du droit, les donne pour une réponse qui cite leur article, telles quelles ou récrites, puis\n" +
			"faussées : un nombre, une date, une unité, une référence, une négation. Compte celles qui sont signalées. Les phrases\n" +
			"viennent du catalogue, ou d’un corpus d’articles.\n\n" + exitHelp,
		Args: takes(0, 0, ""), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 {
				return usage("--limit est au moins 1.")
			}
			m := &checking{limit: limit, counts: make(map[string]*checkCount)}
			if err := a.readPassages(c.Context(), corpus, m.gather); err != nil {
				return err
			}
			m.judge()
			if len(m.counts) == 0 {
				return usage("Aucune phrase à vérifier : le catalogue ou le corpus est vide.")
			}
			return a.tellChecks(m)
		},
	}
	c.Flags().StringVar(&corpus, "corpus", "", "`FICHIER` d’articles : JSON par ligne, _id, title, text ; le catalogue sans lui")
	number(c, &limit, "limit", limit, "`N` phrases")
	return c
}

// readPassages gives the passages of a corpus, or of the catalogue.
func (a *app) readPassages(ctx context.Context, corpus string, yield func(llm.Passage)) error {
	take := func(r postgres.IndexRow) error {
		yield(llm.Passage{N: 1, Title: r.Title, Type: r.Type, Number: r.OfficialNumber, Article: r.ArticleNumber,
			Heading: r.ArticleHeading, Path: r.Path, Text: r.Passage.Text})
		return ctx.Err()
	}
	if corpus == "" {
		return a.withDB(ctx, func(db *postgres.DB) error { return db.IndexRows(ctx, nil, take) })
	}
	c := newFixed()
	if err := c.read(corpus, ""); err != nil {
		return err
	}
	return c.IndexRows(ctx, nil, take)
}

// checking is one measurement of the checks.
type checking struct {
	limit     int
	sentences []trueSentence
	seen      int
	counts    map[string]*checkCount
	slowest   time.Duration
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
		for _, v := range judge.Variants(s.words) {
			m.check(s, v)
		}
	}
}

func (m *checking) check(s trueSentence, v judge.Variant) {
	began := time.Now()
	verdict := answer.Check(strings.TrimSuffix(v.Text, ".")+" [1].", []llm.Passage{s.passage})
	m.slowest = max(m.slowest, time.Since(began))
	c := m.counts[v.Kind]
	if c == nil {
		c = &checkCount{Kind: v.Kind, Wrong: []string{}}
		m.counts[v.Kind] = c
	}
	c.Shown++
	c.Warned += ones(!verdict.OK)
	if verdict.OK != v.True && len(c.Wrong) < examples {
		said := v.Text
		if verdict.Warning != nil {
			said += " → " + *verdict.Warning
		}
		c.Wrong = append(c.Wrong, said)
	}
}

// tellChecks prints the counts.
func (a *app) tellChecks(m *checking) error {
	var counts []*checkCount
	for _, kind := range judge.Kinds() {
		if c := m.counts[kind]; c != nil {
			counts = append(counts, c)
		}
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"sentences": m.seen, "kinds": counts, "slowest_ms": float64(m.slowest.Microseconds()) / 1000})
	}
	t := table{head: []string{"VARIANTE", "PHRASES", "SIGNALÉES", "PART"}}
	for _, c := range counts {
		t.add(c.Kind, c.Shown, c.Warned, hundredths(float64(c.Warned)/float64(c.Shown))+" %")
	}
	if err := t.write(a.out, ""); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "%s du droit ; la plus lente vérification a pris %s ms.\n", count(m.seen, "phrase"),
		comma(fmt.Sprintf("%.2f", float64(m.slowest.Microseconds())/1000)))
	return err
}
