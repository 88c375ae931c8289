package ingestion

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/law"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func TestMain(m *testing.M) { leak.Main(m) }

// bundle is a runner with a real database and folder, and a fake PDF.
type bundle struct {
	*GazetteReader
	pdf    *fakePDF
	folder *blobs.Folder
	id     uuid.UUID
	sha    string
}

// setup stores a file of the given pages and queues its ingestion.
func setup(t *testing.T, pages []layout.Page) *bundle {
	t.Helper()
	folder, err := blobs.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	content := fmt.Sprintf("%%PDF-1.7 of %d pages", len(pages))
	sum := sha256.Sum256([]byte(content))
	b := &bundle{folder: folder, pdf: &fakePDF{pages: pages, reads: map[int]int{}}, id: postgres.NewID(), sha: hex.EncodeToString(sum[:])}
	if err := folder.Put(t.Context(), b.sha, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	b.GazetteReader = &GazetteReader{DB: pgtest.New(t), Blobs: folder, Read: b.pdf.open, Log: slog.New(slog.DiscardHandler), Now: time.Now, Renew: time.Hour}
	if err := pgtest.AddFile(t.Context(), b.DB, postgres.Ingestion{ID: b.id, SHA256: b.sha, Filename: "jo-2023-04.pdf", Size: int64(len(content))}); err != nil {
		t.Fatal(err)
	}
	return b
}

// row reads the ingestion's row.
func (b *bundle) row(t *testing.T) postgres.Ingestion {
	t.Helper()
	row, err := b.DB.Ingestion(t.Context(), b.id)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// check fails the test unless the row is in the given state and its error contains reason.
func (b *bundle) check(t *testing.T, state, reason string) postgres.Ingestion {
	t.Helper()
	row := b.row(t)
	if row.State != state || !strings.Contains(row.Error, reason) || (reason == "") != (row.Error == "") {
		t.Fatalf("state %q, error %q; want %q with %q", row.State, row.Error, state, reason)
	}
	return row
}

// killed runs the ingestion in a goroutine that the test can end at any point, like kill
// -9, and then makes the row due again, as the sweep does.
func (b *bundle) killed(t *testing.T, attempt int) {
	t.Helper()
	dead := make(chan struct{})
	finished := false
	go func() {
		defer close(dead)
		_ = b.Run(context.Background(), b.id)
		finished = true
	}()
	<-dead
	if finished {
		t.Fatal("the run was not killed")
	}
	if row := b.row(t); row.State != "running" || row.Attempt != attempt {
		t.Fatalf("after the kill: state %q, attempt %d", row.State, row.Attempt)
	}
	if err := b.DB.ReleaseIngestion(t.Context(), b.id, attempt); err != nil {
		t.Fatal(err)
	}
}

// fakePDF is a document that counts how often each page is read.
type fakePDF struct {
	pages   []layout.Page
	missing int
	before  func(ctx context.Context, start, end int) error // called before each Read

	mu    sync.Mutex
	reads map[int]int
	opens int
}

func (f *fakePDF) open(context.Context, string) (Document, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opens++
	return f, nil
}

func (f *fakePDF) Pages() int   { return len(f.pages) }
func (f *fakePDF) Missing() int { return f.missing }
func (f *fakePDF) Close() error { return nil }

func (f *fakePDF) Render(context.Context, int, float64) (*image.Gray, error) {
	return image.NewGray(image.Rect(0, 0, 10, 10)), nil
}

func (f *fakePDF) Read(ctx context.Context, start, end int) ([]layout.Page, error) {
	if f.before != nil {
		if err := f.before(ctx, start, end); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []layout.Page
	for n := start; n <= end; n++ {
		f.reads[n]++
		p := f.pages[n-1]
		p.Words = slices.Clone(p.Words)
		out = append(out, p)
	}
	return out, nil
}

// readOnce fails the test unless every page except the given ones was read once.
func (f *fakePDF) readOnce(t *testing.T, besides ...int) {
	t.Helper()
	for n := range len(f.pages) {
		if got := f.reads[n+1]; got != 1 && !slices.Contains(besides, n+1) {
			t.Errorf("page %d was read %d times", n+1, got)
		}
	}
}

// typeset makes a page with one column from lines; an empty line is a gap.
func typeset(number int, lines ...string) layout.Page {
	p := layout.Page{Number: number, Width: 595, Height: 842, Source: layout.Layer}
	for i, line := range lines {
		x, y := 72.0, 72+float64(i)*14
		for word := range strings.FieldsSeq(line) {
			width := 5 * float64(len([]rune(word)))
			p.Words = append(p.Words, layout.Word{Text: word, Size: 10, Rect: law.Rect{x, y, x + width, y + 10}})
			x += width + 4
		}
	}
	if len(lines) == 0 {
		p.Source = layout.None
	}
	return p
}

// lawPages returns a law of n pages, with two articles on each.
func lawPages(n int) []layout.Page {
	var pages []layout.Page
	for i := range n {
		var lines []string
		if i == 0 {
			lines = append(lines, "LOI N° 2023-04 du 12 mars 2023", "portant code du travail", "",
				"L’Assemblée nationale a délibéré et adopté,", "le Président de la République promulgue la loi dont la teneur suit :")
		}
		for k := range 2 {
			article := 2*i + k + 1
			lines = append(lines, "", fmt.Sprintf("Article %d.", article),
				fmt.Sprintf("Le travailleur a droit à %d jours de congé par an dans les conditions", article),
				"que la présente loi fixe.")
		}
		pages = append(pages, typeset(i+1, lines...))
	}
	return pages
}
