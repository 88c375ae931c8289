package pdftext

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/confine"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// kept holds the children of tests that do not examine their child, so that many
// hostile files are read by one child after each other.
var kept = Spares{patience: time.Minute}

// hang is the time after which a test gives up a child that does not answer, enough
// for the busiest machine.
const hang = 5 * time.Minute

func patient(s *Spares) Reader { return Reader{OpenTimeout: hang, PageTimeout: hang, Spares: s} }

// opened opens the file and closes it when the test ends.
func opened(t testing.TB, r Reader, path string) *Document {
	t.Helper()
	r.OpenTimeout, r.PageTimeout = cmp.Or(r.OpenTimeout, hang), cmp.Or(r.PageTimeout, hang)
	d, err := r.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func words(p layout.Page) string {
	var out []string
	for _, w := range p.Words {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

func near(a, b law.Rect) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1 {
			return false
		}
	}
	return true
}

func TestReadWords(t *testing.T) {
	t.Parallel()
	m := made{pages: []madePage{
		{lines: []string{"La loi n\\260 2010-05 est abrog\\351e."}},
		{lines: []string{"Deux"}, extra: "/Rotate 90"},
		{lines: []string{"Trois"}, extra: "/Rotate 180"},
		{lines: []string{"Quatre"}, extra: "/CropBox [40 700 300 842]"},
		{content: "BT /F1 10 Tf 0 1 -1 0 200 300 Tm (Monte) Tj ET 0 0 100 100 re f\n"},
		{},
	}}
	d := opened(t, Reader{}, file(t, "mots.pdf", m.bytes()))
	if d.Pages() != 6 || d.Missing() != 0 {
		t.Fatalf("%d pages, %d missing", d.Pages(), d.Missing())
	}
	pages, err := d.Read(t.Context(), 1, 6)
	if err != nil {
		t.Fatal(err)
	}
	// The base line is 50 points below the top; a word reaches 9 above and 2.5
	// below it, at 10 points.
	tests := []struct {
		text          string
		width, height float64
		turn          layout.Rotation
		rect          law.Rect
		drawn         bool
	}{
		{"La loi n° 2010-05 est abrogée.", 595, 842, layout.Upright, law.Rect{50, 41, 61.7, 52.5}, false},
		{"Deux", 842, 595, layout.Down, law.Rect{789.5, 50, 801, 75}, false},
		{"Trois", 595, 842, layout.Over, law.Rect{520.5, 789.5, 545, 801}, false},
		{"Quatre", 260, 142, layout.Upright, law.Rect{10, 41, 42.2, 52.5}, false},
		{"Monte", 595, 842, layout.Up, law.Rect{191, 512.5, 202.5, 542}, true},
		{"", 595, 842, layout.Upright, law.Rect{}, false},
	}
	for i, tt := range tests {
		p := pages[i]
		if p.Number != i+1 || p.Width != tt.width || p.Height != tt.height || words(p) != tt.text || p.Drawn != tt.drawn || p.Fault != "" {
			t.Errorf("page %d: %+v", i+1, p)
		}
		if tt.text == "" {
			if p.Source != layout.None {
				t.Errorf("page %d: source %q", i+1, p.Source)
			}
			continue
		}
		w := p.Words[0]
		if !near(w.Rect, tt.rect) || w.Turn != tt.turn || w.Size != 10 || !w.Bold || w.Ital || p.Source != layout.Layer {
			t.Errorf("page %d: %+v, want %v turned %d", i+1, w, tt.rect, tt.turn)
		}
	}
}

func TestReadChecksItsPages(t *testing.T) {
	t.Parallel()
	d := opened(t, Reader{}, file(t, "deux.pdf", numbered(2).bytes()))
	for _, r := range [][2]int{{0, 1}, {1, 3}, {2, 1}, {3, 3}} {
		if _, err := d.Read(t.Context(), r[0], r[1]); !errs.Is(err, errs.Invalid) {
			t.Errorf("pages %v: %v", r, err)
		}
	}
	if _, err := d.Render(t.Context(), 3, 100); !errs.Is(err, errs.Invalid) {
		t.Errorf("render: %v", err)
	}
	pages, err := d.Read(t.Context(), 2, 2)
	if err != nil || len(pages) != 1 || words(pages[0]) != "Page 2 du fichier" {
		t.Errorf("page 2: %v %v", pages, err)
	}
}

func TestRender(t *testing.T) {
	t.Parallel()
	m := made{pages: []madePage{{content: "0 0 297.5 842 re f\n"}, {box: "0 0 14400 14400"}}}
	d := opened(t, Reader{}, file(t, "image.pdf", m.bytes()))
	img, err := d.Render(t.Context(), 1, 72)
	if err != nil {
		t.Fatal(err)
	}
	if img.Rect.Size() != image.Pt(595, 842) {
		t.Fatalf("size %v", img.Rect.Size())
	}
	if left, right := img.GrayAt(100, 400).Y, img.GrayAt(500, 400).Y; left != 0 || right != 255 {
		t.Errorf("left half is %d, right half %d", left, right)
	}
	large, err := d.Render(t.Context(), 2, 300) // five meters square at full resolution
	if err != nil {
		t.Fatal(err)
	}
	if n := len(large.Pix); n > maxPixels*11/10 || n < maxPixels/2 {
		t.Errorf("%d pixels", n)
	}
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	whole := numbered(3).bytes()
	tests := []struct {
		name  string
		bytes []byte
		kind  errs.Kind
		says  string
	}{
		{"vide.pdf", nil, errs.Unsupported, "Le fichier est vide."},
		{"page.pdf", []byte("\n<!DOCTYPE html><html></html>"), errs.Unsupported, "page web"},
		{"renvoi.pdf", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00"), errs.Unsupported, "Git LFS"},
		{"autre.pdf", []byte("PK\x03\x04 autre chose"), errs.Unsupported, "n’est pas un PDF"},
		{"court.pdf", []byte("%PDF-1.7\nrien d’autre"), errs.Unprocessable, "incomplet"},
		{"bruit.pdf", append([]byte("%PDF-1.7\n"), []byte(strings.Repeat("bruit ", 500)+"\n%%EOF\n")...), errs.Unprocessable, "endommagé"},
		{"coupé.pdf", whole[:150], errs.Unprocessable, "la fin du fichier manque"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := patient(&kept).Open(t.Context(), file(t, tt.name, tt.bytes))
			if err == nil {
				t.Fatalf("opened with %d pages: %v", d.Pages(), d.Close())
			}
			if !errs.Is(err, tt.kind) || !strings.Contains(errs.Public(err), tt.says) {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := patient(nil).Open(t.Context(), filepath.Join(t.TempDir(), "absent.pdf")); !errs.Is(err, errs.NotFound) {
		t.Errorf("absent file: %v", err)
	}
}

// TestTruncated checks that the remaining pages of a file that lost its end are read,
// and that the missing pages are counted.
func TestTruncated(t *testing.T) {
	t.Parallel()
	whole := numbered(8).bytes()
	cut := bytes.Index(whole, []byte("\n14 0 obj")) // the sixth page
	d := opened(t, Reader{}, file(t, "tronqué.pdf", whole[:cut]))
	pages, err := d.Read(t.Context(), 1, d.Pages())
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for i, p := range pages {
		if words(p) == fmt.Sprintf("Page %d du fichier", i+1) {
			read++
		}
	}
	if read != 5 {
		t.Errorf("%d pages read of %d, %d missing", read, d.Pages(), d.Missing())
	}
	if lost := d.Missing() + len(pages) - read; lost != 3 {
		t.Errorf("%d pages said to be lost", lost)
	}
}

// TestKilledChild checks that no page is lost if the child is killed from outside.
func TestKilledChild(t *testing.T) {
	t.Parallel()
	d := opened(t, Reader{}, file(t, "dix.pdf", numbered(10).bytes()))
	if _, err := d.Read(t.Context(), 1, 3); err != nil {
		t.Fatal(err)
	}
	confine.KillGroup(d.child.cmd)
	<-d.child.dead
	pages, err := d.Read(t.Context(), 1, 10)
	if err != nil || len(pages) != 10 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for i, p := range pages {
		if p.Fault != "" || words(p) != fmt.Sprintf("Page %d du fichier", i+1) {
			t.Errorf("page %d: %+v", i+1, p)
		}
	}
}

// TestStall sets a time limit that no child can meet: each page ends a child and gets
// a message in Fault, until the file is given up.
func TestStall(t *testing.T) {
	t.Parallel()
	d := opened(t, Reader{PageTimeout: time.Nanosecond}, file(t, "lent.pdf", numbered(maxDeaths+3).bytes()))
	pages, err := d.Read(t.Context(), 1, 2)
	if err != nil || len(pages) != 2 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for i, p := range pages {
		if !strings.HasPrefix(p.Fault, fmt.Sprintf("La page %d n’a pas pu être lue", i+1)) || p.Source != layout.None {
			t.Errorf("page %d: %+v", i+1, p)
		}
	}
	if _, err := d.Render(t.Context(), 1, 100); !errs.Is(err, errs.Unprocessable) {
		t.Errorf("render: %v", err)
	}
	pages, err = d.Read(t.Context(), 1, maxDeaths+3)
	if !errs.Is(err, errs.Unprocessable) || len(pages) != maxDeaths-3 {
		t.Errorf("after %d pages: %v", len(pages), err)
	}
}

func TestCancelledRead(t *testing.T) {
	t.Parallel()
	d := opened(t, Reader{}, file(t, "dix.pdf", numbered(10).bytes()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Read(ctx, 1, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
	pages, err := d.Read(t.Context(), 1, 10)
	if err != nil || len(pages) != 10 {
		t.Errorf("afterwards: %d pages, %v", len(pages), err)
	}
	if _, err := patient(nil).Open(ctx, file(t, "un.pdf", numbered(1).bytes())); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
}

// TestReadAhead reads runs of pages in and out of order, renders pages in between, and
// kills the child while it reads ahead: every page must be read correctly.
func TestReadAhead(t *testing.T) {
	t.Parallel()
	d := opened(t, Reader{}, file(t, "trente.pdf", numbered(30).bytes()))
	check := func(start, end int) {
		t.Helper()
		pages, err := d.Read(t.Context(), start, end)
		if err != nil || len(pages) != end-start+1 {
			t.Fatalf("pages %d to %d: %d, %v", start, end, len(pages), err)
		}
		for i, p := range pages {
			if p.Number != start+i || words(p) != fmt.Sprintf("Page %d du fichier", start+i) || p.Fault != "" {
				t.Errorf("page %d: %+v", start+i, p)
			}
		}
	}
	paint := func(n int) {
		t.Helper()
		if _, err := d.Render(t.Context(), n, 20); err != nil {
			t.Fatal(err)
		}
	}
	check(1, 4)
	if d.next != 5 || d.asked != 8 {
		t.Errorf("the child reads %d to %d ahead", d.next, d.asked)
	}
	check(5, 8)
	paint(3)
	if len(d.kept) != 4 || d.asked != 0 {
		t.Errorf("%d pages kept, %d asked for", len(d.kept), d.asked)
	}
	paint(9)
	check(9, 10)
	check(11, 14)
	check(15, 16) // fewer pages than were read ahead
	check(17, 22)
	check(2, 5) // earlier pages again
	check(25, 30)
	check(7, 7)
	check(8, 11)
	confine.KillGroup(d.child.cmd)
	<-d.child.dead
	paint(1)
	check(12, 15)
	check(27, 30)
	check(1, 30)
}

func TestClosedDocument(t *testing.T) {
	t.Parallel()
	d := opened(t, Reader{}, file(t, "un.pdf", numbered(1).bytes()))
	child := d.child
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	<-child.dead
	if _, err := d.Read(t.Context(), 1, 1); err == nil {
		t.Error("a closed document was read")
	}
}

// TestDocumentsSideBySide checks that documents and calls do not disturb each
// other.
func TestDocumentsSideBySide(t *testing.T) {
	t.Parallel()
	path := file(t, "vingt.pdf", numbered(20).bytes())
	documents := []*Document{opened(t, Reader{}, path), opened(t, Reader{}, path)}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			pages, err := documents[i%2].Read(t.Context(), i+1, i+1)
			if err != nil || words(pages[0]) != fmt.Sprintf("Page %d du fichier", i+1) {
				t.Errorf("page %d: %v %v", i+1, pages, err)
			}
		})
	}
	wg.Wait()
}

func TestWarm(t *testing.T) {
	t.Parallel()
	if err := (Reader{}).Warm(t.Context()); err != nil {
		t.Error(err)
	}
	if err := (Reader{StartTimeout: time.Nanosecond}).Warm(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("without time: %v", err)
	}
}

func TestCacheDir(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	if got := cacheDir(dir); got != dir {
		t.Errorf("%q", got)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info, err)
	}
	if got := cacheDir(filepath.Join(file(t, "fichier", nil), "cache")); got != "" {
		t.Errorf("a folder that cannot be: %q", got)
	}
}

// realFiles are the collected official texts, absent from most machines.
const realFiles = "../../../../shared/data/pdfs"

func TestRealFiles(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(realFiles); err != nil {
		t.Skip("no collection of official texts at " + realFiles)
	}
	var paths []string
	for _, pattern := range []string{"*/*.pdf"} {
		found, err := filepath.Glob(filepath.Join(realFiles, pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	// The files that must be refused, with a part of the message.
	refused := map[string]string{
		"made-html-named.pdf": "page web", "made-zero-bytes.pdf": "vide", "real-35-bytes-not-a-pdf.pdf": "n’est pas un PDF",
		"real-lfs-pointer-named.pdf": "Git LFS", "made-user-password-motdepasse.pdf": "mot de passe",
		"made-truncated-jo-congo.pdf": "aucune de ses 28 pages",
	}
	for _, path := range paths {
		name := filepath.Base(path)
		d, err := patient(&kept).Open(t.Context(), path)
		if says := refused[name]; says != "" || err != nil {
			if err == nil || says == "" || !strings.Contains(errs.Public(err), says) {
				t.Errorf("%s: %v, want « %s »", name, err, says)
			}
			continue
		}
		// The first four pages of each file: under the race detector all 1,500 pages take minutes.
		last := min(d.Pages(), 4)
		pages, err := d.Read(t.Context(), 1, last)
		if err != nil || len(pages) != last {
			t.Errorf("%s: %d of %d pages: %v", name, len(pages), last, err)
		}
		for _, p := range pages {
			if p.Fault != "" {
				t.Errorf("%s: page %d: %s", name, p.Number, p.Fault)
			}
		}
		checkReal(t, name, pages)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

// checkReal checks texts and scanned pages that are known of some files.
func checkReal(t *testing.T, name string, pages []layout.Page) {
	t.Helper()
	layout.Arrange(pages)
	var lines []string
	useless := 0
	for _, p := range pages {
		if p.Layer() == layout.Useless {
			useless++
		}
		for i := range p.Lines {
			lines = append(lines, p.Lines[i].Text())
		}
	}
	text := strings.Join(lines, "\n")
	for _, want := range map[string][]string{
		"moudawana-chiffre.pdf":                    {"MOUDAWANA"},
		"made-bad-xref-loi-1997-012.pdf":           {"ARTICLE"},
		"made-rotated-90-loi-2025-9.pdf":           {"Loi n° 2025-9 du 21 mai 2025"},
		"jo-2025-26.pdf":                           {"Loi n° 10-2025 du 28 mai 2025 relative au\ntitre, à l’exercice de la profession d’architecte et à"},
		"loi-2016-48-banques-jort.pdf":             {"Article premier - La présente loi a pour objectif\nd’organiser"},
		"loi-028-2008-code-du-travail.pdf":         {"Art. 5. Le travail forcé ou obligatoire est interdit."},
		"made-pages-out-of-order-loi-2000-015.pdf": {"partis politiques"},
	}[name] {
		if !strings.Contains(text, want) {
			t.Errorf("%s: « %s » is not in its text", name, want)
		}
	}
	// How many of the pages read need OCR.
	scans := map[string]int{"loi-2024-15-usure.pdf": 2, "loi-2000-83-commerce-electronique-police-cassee.pdf": 4,
		"loi-61-33-statut-fonctionnaires-scan.pdf": 4, "jo-2025-26.pdf": 0, "code-procedure-civile.pdf": 0, "real-blank-page.pdf": 0}
	if want, ok := scans[name]; ok && useless != want {
		t.Errorf("%s: %d pages to recognize, want %d", name, useless, want)
	}
}
