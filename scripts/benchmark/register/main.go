// Command register tells what a worker beside Milvus holds of a catalogue of a million texts, and of a quarter of them.
//
// The texts are made by resampling the sentences of a real corpus (--corpus, as « scripts/eval retrieval » reads it;
// without it, those of the sample gazettes), and there is no database: the register reads them as it would read those of
// PostgreSQL, and stores them in files of a folder (--folder, which must be on a disk). Each size has two processes of
// its own: one that makes the register and one that opens the stored files, as a worker does at its first and at its
// later starts. own_kb is what the heap of the second holds more than before it opened them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/memindex"
	"vigueur/internal/store/postgres"
	"vigueur/scripts/benchmark/report"
	"vigueur/scripts/corpora"
)

type options struct {
	corpus, folder string
	texts          int
	hold           bool
}

func main() {
	var o options
	flag.StringVar(&o.corpus, "corpus", "../shared/data/retrieval/corpus.jsonl", "articles whose sentences are resampled")
	flag.StringVar(&o.folder, "folder", "", "folder for the register's files; without it, one that is removed at the end")
	flag.IntVar(&o.texts, "texts", 1_000_000, "texts of the larger catalogue")
	flag.BoolVar(&o.hold, "hold", false, "open the register of the folder and print what it holds (the benchmark starts itself so)")
	flag.Parse()
	err := errors.New("register: --texts must be at least 4")
	switch {
	case o.hold:
		err = hold(context.Background(), o)
	case o.texts >= 4:
		err = run(context.Background(), o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	r := report.New("register", report.ThisMachine())
	var own [2]float64
	for i, size := range []struct {
		name  string
		texts int
	}{{"quarter_", o.texts / 4}, {"", o.texts}} {
		made, opened, err := measure(ctx, o, size.texts)
		if err != nil {
			return err
		}
		own[i] = opened.OwnKB
		r.Figure(size.name+"texts", float64(size.texts), "")
		r.Figure(size.name+"make_s", made.Seconds, "s")
		r.Figure(size.name+"make_peak_mb", made.PeakMB, "MB")
		r.Figure(size.name+"files_mb", opened.FilesMB, "MB")
		r.Figure(size.name+"open_s", opened.Seconds, "s")
		r.Figure(size.name+"own_kb", opened.OwnKB, "KiB")
	}
	r.Goal("own_kb", report.AtMost, max(own[0], 1024)) // what docs/capacity.md reckons with
	return r.Print(os.Stdout)
}

// measure makes the register of so many texts in one process, and opens it in another.
func measure(ctx context.Context, o options, texts int) (made, opened held, err error) {
	if o.folder == "" {
		if o.folder, err = os.MkdirTemp("", "register-"); err != nil {
			return made, opened, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(o.folder)) }()
	}
	for _, to := range []*held{&made, &opened} {
		cmd := exec.CommandContext(ctx, os.Args[0], "-hold", "-folder", o.folder, "-corpus", o.corpus, "-texts", strconv.Itoa(texts))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return made, opened, fmt.Errorf("the register of %d texts: %w", texts, err)
		}
		if err := json.Unmarshal(out, to); err != nil {
			return made, opened, err
		}
	}
	return made, opened, nil
}

// held is what a process tells of its register.
type held struct {
	Seconds float64 // until it is ready
	OwnKB   float64 // on the heap
	PeakMB  float64 // of the process, with mapped files
	FilesMB float64
}

func hold(ctx context.Context, o options) error {
	texts, err := newCatalogue(o)
	if err != nil {
		return err
	}
	lexicon := french.NewLexicon()
	before, began := heap(), time.Now()
	x, err := memindex.Open(ctx, memindex.Options{Source: texts, Lexicon: lexicon, Register: true,
		File:  memindex.File{Dir: o.folder, Moment: func(context.Context, int64) (time.Time, error) { return time.Unix(0, 0), nil }},
		Spill: memindex.Spill{Dir: o.folder}})
	if err != nil {
		return err
	}
	h := held{Seconds: time.Since(began).Seconds(), OwnKB: float64(heap()-before) / 1024}
	if x.Average() == 0 {
		return errors.New("register: it holds nothing")
	}
	runtime.KeepAlive(x)
	peak, err := report.Peak(os.Getpid())
	if err != nil {
		return err
	}
	h.PeakMB = float64(peak) / 1024
	files, err := os.ReadDir(o.folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			return err
		}
		h.FilesMB += float64(info.Size()) / (1 << 20)
	}
	return json.NewEncoder(os.Stdout).Encode(h)
}

// heap is what lives on the heap, in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC() // the first one runs finalizers
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// catalogue is a memindex.Source of made texts, a passage each.
type catalogue struct {
	sentences []string
	texts     int
}

func newCatalogue(o options) (*catalogue, error) {
	c := &catalogue{texts: o.texts}
	err := corpora.Articles(o.corpus, func(a corpora.Article) { c.take(a.Text) })
	if errors.Is(err, fs.ErrNotExist) {
		var raw []byte
		if raw, err = os.ReadFile("scripts/sample/truth.json"); err == nil {
			c.take(string(raw))
		}
	}
	if err == nil && len(c.sentences) == 0 {
		err = errors.New("register: the corpus has no sentence")
	}
	return c, err
}

func (c *catalogue) take(text string) {
	for _, s := range french.Sentences(text) {
		c.sentences = append(c.sentences, text[s.Start:s.End])
	}
}

func (*catalogue) CatalogueVersion(context.Context) (int64, error) { return 1, nil }
func (*catalogue) Changes(_ context.Context, version int64) ([]uuid.UUID, int64, error) {
	return nil, version, nil
}
func (*catalogue) Listen(ctx context.Context, _ func()) error { <-ctx.Done(); return ctx.Err() }

// IndexRows yields the texts, each time the same: four sentences under a title of its own.
func (c *catalogue) IndexRows(_ context.Context, _ []uuid.UUID, yield func(postgres.IndexRow) error) error {
	draw := rand.New(rand.NewPCG(1, 2))
	from := time.Date(2008, 5, 1, 0, 0, 0, 0, time.UTC)
	for i := range c.texts {
		row := postgres.IndexRow{ArticleNumber: "1", Title: fmt.Sprintf("Loi n° %d/%d", i%1000, 1960+i/1000%60), Type: law.Loi, Domain: "travail",
			Status: law.InForce, From: from, Countries: []string{"bf"}}
		row.Passage.DocumentID = made(draw)
		row.Passage.ArticleID, row.Passage.ID = made(draw), made(draw)
		for range 4 {
			row.Passage.Text += c.sentences[draw.IntN(len(c.sentences))] + " "
		}
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}

func made(draw *rand.Rand) (id uuid.UUID) {
	for i := range id {
		id[i] = byte(draw.Uint32())
	}
	return id
}
