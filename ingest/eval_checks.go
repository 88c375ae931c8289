package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"syscall"
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
			m.time()
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
	began := processorTime()
	for part := range slices.Chunk(m.taken, answerSentences) {
		var text strings.Builder
		passages := make([]llm.Passage, len(part))
		for i, s := range part {
			passages[i] = s.passage
			passages[i].N = i + 1
			_, _ = fmt.Fprintf(&text, "%s [%d].\n", strings.TrimSuffix(s.words, "."), i+1) // never fails
		}
		answer.Check(text.String(), passages)
		answers++
	}
	m.answer = (processorTime() - began) / time.Duration(max(1, answers))
}

// processorTime is what this process has had of the processor.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
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
		return writeJSON(a.out, map[string]any{"sentences": m.seen, "kinds": counts, "slowest_ms": float64(m.slowest.Microseconds()) / 1000,
			"ms_per_answer": float64(m.answer.Microseconds()) / 1000, "sentences_per_answer": answerSentences})
	}
	t := table{head: []string{"VARIANTE", "PHRASES", "SIGNALÉES", "PART"}}
	for _, c := range counts {
		t.add(c.Kind, c.Shown, c.Warned, hundredths(float64(c.Warned)/float64(c.Shown))+" %")
	}
	if err := t.write(a.out, ""); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "%s du droit ; la plus lente vérification a pris %s ms ; une réponse de %d phrases, %s ms de processeur.\n",
		count(m.seen, "phrase"), comma(fmt.Sprintf("%.2f", float64(m.slowest.Microseconds())/1000)), answerSentences,
		comma(fmt.Sprintf("%.2f", float64(m.answer.Microseconds())/1000)))
	return err
}
