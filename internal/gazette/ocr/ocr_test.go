package ocr

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

func TestMain(m *testing.M) {
	pdftext.Main()
	Main()
	tryConfined()
	os.Exit(m.Run())
}

const header = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"

// table is what Tesseract writes of one line of three words, the second a
// column's rule, the fourth dirt.
const table = header +
	"1\t1\t0\t0\t0\t0\t0\t0\t1000\t1000\t-1\t\n" +
	"4\t1\t1\t1\t1\t0\t100\t200\t400\t40\t-1\t\n" +
	"5\t1\t1\t1\t1\t1\t100\t210\t80\t20\t96.1\tArticle\n" +
	"5\t1\t1\t1\t1\t2\t190\t200\t2\t40\t91\t|\n" +
	"5\t1\t1\t1\t1\t3\t200\t200\t60\t40\t88\tpremier\n" +
	"5\t1\t1\t1\t1\t4\t300\t200\t5\t5\t12\t~\n" +
	"5\t1\t1\t1\t1\t5\t310\t200\t50\t30\tx\tfaux\n"

func TestParseTSV(t *testing.T) {
	t.Parallel()
	got := parseTSV([]byte(table), 0.5)
	want := []layout.Word{
		{Text: "Article", Rect: law.Rect{50, 100, 90, 120}},
		{Text: "premier", Rect: law.Rect{100, 100, 130, 120}},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	// A line's box as high as three words is a stain's.
	tall := strings.Replace(table, "\t100\t200\t400\t40\t", "\t100\t100\t400\t300\t", 1)
	if r := parseTSV([]byte(tall), 0.5)[0].Rect; r != (law.Rect{50, 105, 90, 115}) {
		t.Errorf("word of a stained line: %v", r)
	}
}

func FuzzParseTSV(f *testing.F) {
	f.Add([]byte(table))
	f.Add([]byte("5\t\t\t\t\t\t-1\t99999999999\t1\t1\t1e9\tx"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, w := range parseTSV(b, 0.36) {
			if w.Text == "" || w.Rect[0] > w.Rect[2] || w.Rect[1] > w.Rect[3] || math.IsNaN(w.Rect[0]) {
				t.Errorf("%+v", w)
			}
		}
	})
}

func TestParseOrientation(t *testing.T) {
	t.Parallel()
	for report, want := range map[string]layout.Rotation{
		"Page number: 0\nOrientation in degrees: 180\nRotate: 180\nOrientation confidence: 9.5\n": layout.Over,
		"Rotate: 90\n": layout.Up, "Rotate: 270\n": layout.Down, "Rotate: 0\n": layout.Upright,
		"Rotate: 45\n": layout.Upright, "Rotate: beaucoup\n": layout.Upright, "": layout.Upright,
	} {
		if got := parseOrientation([]byte(report)); got != want {
			t.Errorf("%q: %d, want %d", report, got, want)
		}
	}
}

func FuzzParseOrientation(f *testing.F) {
	f.Add([]byte("Orientation in degrees: 180\nRotate: 180\n"))
	f.Add([]byte("Rotate: -90\nRotate: 9999999999999999999\n"))
	f.Fuzz(func(t *testing.T, report []byte) {
		if turn := parseOrientation(report); turn > layout.Up {
			t.Errorf("turn %d", turn)
		}
	})
}

func TestDPI(t *testing.T) {
	t.Parallel()
	for p, want := range map[[2]float64]float64{{1, 200}: 200, {1, 600}: 300, {0.1, 24}: 300, {0, 0}: 300, {1, 40}: 300, {0.6, 150}: 150} {
		if got := DPI(layout.Page{Cover: p[0], DPI: p[1]}); got != want {
			t.Errorf("cover %v, %v dpi: %v, want %v", p[0], p[1], got, want)
		}
	}
}

// ruled is a page of dashed lines, as text looks from afar.
func ruled() *image.Gray {
	img := image.NewGray(image.Rect(0, 0, 800, 1100))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for y := 100; y < 1000; y += 24 {
		for x := 80; x < 720; x++ {
			for h := range 8 {
				if x%30 < 22 {
					img.SetGray(x, y+h, color.Gray{})
				}
			}
		}
	}
	return img
}

func TestSkewOf(t *testing.T) {
	t.Parallel()
	straight := ruled()
	for _, deg := range []float64{0, 0.5, -1.2, 3, -4.5} {
		got := skewOf(lean(straight, deg))
		if math.Abs(got-deg) > 0.11 {
			t.Errorf("leaning by %v: %v", deg, got)
		}
	}
	blank := image.NewGray(image.Rect(0, 0, 300, 300))
	if got := skewOf(blank); got != 0 {
		t.Errorf("a black page leans by %v", got)
	}
	if got := skewOf(image.NewGray(image.Rectangle{})); got != 0 {
		t.Errorf("no page leans by %v", got)
	}
}

// TestUnturn checks that pictures and rectangles are turned alike.
func TestUnturn(t *testing.T) {
	t.Parallel()
	img := image.NewGray(image.Rect(0, 0, 30, 50))
	img.SetGray(4, 7, color.Gray{Y: 200})
	for turn := layout.Upright; turn <= layout.Up; turn++ {
		out := unturn(img, turn)
		r := layout.Unturn(law.Rect{4, 7, 5, 8}, turn, 30, 50)
		if out.GrayAt(int(r[0]), int(r[1])).Y != 200 {
			t.Errorf("turn %d: the point is not at %v", turn, r)
		}
	}
}

// program writes a shell script that stands for tesseract.
func program(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tesseract")
	// No other test's child may hold it open for writing when it is run: "text file busy".
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o700)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUnavailable(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]Reader{
		"no program": {free: true, Program: filepath.Join(t.TempDir(), "tesseract")},
		"no French":  {free: true, Program: program(t, "echo eng")},
		"failing":    {free: true, Program: program(t, "exit 1")},
	} {
		err := r.Available(t.Context())
		if !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), "tesseract-ocr-fra") {
			t.Errorf("%s: %v", name, err)
		}
		err = r.Pages(t.Context(), blankDoc{}, []layout.Page{{Number: 1}}, 2, func(layout.Page) error { return errors.New("yielded") })
		if !errs.Is(err, errs.Unavailable) {
			t.Errorf("%s: pages: %v", name, err)
		}
	}
	if err := (Reader{free: true, Program: program(t, "exit 1")}).Pages(t.Context(), blankDoc{}, nil, 1, nil); err != nil {
		t.Errorf("no pages: %v", err)
	}
}

// blankDoc renders white pages; page 13 cannot be rendered.
type blankDoc struct{}

func (blankDoc) Render(_ context.Context, n int, dpi float64) (*image.Gray, error) {
	if n == 13 {
		return nil, errs.New(errs.Unprocessable, "La page 13 est abîmée.")
	}
	return image.NewGray(image.Rect(0, 0, int(dpi), int(dpi))), nil
}

func TestPages(t *testing.T) {
	t.Parallel()
	r := Reader{free: true, Program: program(t, fmt.Sprintf("[ \"$1\" = --list-langs ] && exec echo fra\ncat >/dev/null; printf '%s'\n", strings.ReplaceAll(table, "%", "%%")))}
	var pages []layout.Page
	for n := 1; n <= 15; n++ {
		pages = append(pages, layout.Page{Number: n, Width: 72, Height: 72})
	}
	got := map[int]layout.Page{}
	err := r.Pages(t.Context(), blankDoc{}, pages, 3, func(p layout.Page) error {
		got[p.Number] = p
		return nil
	})
	if err != nil || len(got) != 15 {
		t.Fatalf("%d pages: %v", len(got), err)
	}
	for n, p := range got {
		if n == 13 {
			if p.Fault != "La page 13 est abîmée." || len(p.Words) != 0 {
				t.Errorf("page 13: %+v", p)
			}
			continue
		}
		if len(p.Words) != 2 || p.Source != layout.OCR || p.Fault != "" {
			t.Errorf("page %d: %+v", n, p)
		}
	}
	stop := errors.New("assez")
	if err := r.Pages(t.Context(), blankDoc{}, pages, 2, func(layout.Page) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = r.Pages(ctx, blankDoc{}, pages, 2, func(layout.Page) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestSlowPageIsTriedAgainAlone has one page of three hang while the others are
// read, and another one always.
func TestSlowPageIsTriedAgainAlone(t *testing.T) {
	t.Parallel()
	hang := filepath.Join(t.TempDir(), "hang")
	if err := os.WriteFile(hang, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const answer = "[ \"$1\" = --list-langs ] && exec echo fra\ncat >/dev/null\n"
	r := Reader{free: true, Program: program(t, fmt.Sprintf("%s[ -e %s ] && exec sleep 60\nprintf '%s'\n", answer, hang, strings.ReplaceAll(table, "%", "%%")))}
	calls := 0
	r.within = func(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
		calls++
		if calls == 1 {
			return context.WithTimeout(ctx, 100*time.Millisecond)
		}
		if err := os.RemoveAll(hang); err != nil { // what comes after the first has no reason to hang, and no hurry
			t.Error(err)
		}
		return context.WithCancel(ctx)
	}
	recognized := func(r Reader, n int) (order []layout.Page) {
		var pages []layout.Page
		for i := range n {
			pages = append(pages, layout.Page{Number: i + 1, Width: 72, Height: 72})
		}
		err := r.Pages(t.Context(), blankDoc{}, pages, 1, func(p layout.Page) error { order = append(order, p); return nil })
		if err != nil || len(order) != n {
			t.Fatalf("%d pages of %d: %v", len(order), n, err)
		}
		return order
	}
	order := recognized(r, 3)
	if last := order[2]; last.Number != 1 || last.Fault != "" || len(last.Words) != 2 {
		t.Errorf("the page that hung once came back as %+v", last)
	}
	never := Reader{free: true, Program: program(t, answer+"exec sleep 60\n"), Timeout: 10 * time.Millisecond}
	if p := recognized(never, 1)[0]; p.Fault == "" || len(p.Words) != 0 || p.Source == layout.OCR {
		t.Errorf("the page that hangs came back as %+v", p)
	}
	stop := errors.New("assez")
	if err := never.Pages(t.Context(), blankDoc{}, []layout.Page{{Number: 1}}, 1, func(layout.Page) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
}

func TestReadFaults(t *testing.T) {
	t.Parallel()
	img := image.NewGray(image.Rect(0, 0, 10, 10))
	slow := Reader{free: true, Program: program(t, "exec sleep 60"), Timeout: 50 * time.Millisecond}
	_, err := slow.Read(t.Context(), layout.Page{Number: 4}, img, 72)
	if !errs.Is(err, errs.Unprocessable) || !errors.Is(err, errSlow) {
		t.Errorf("slow: %v", err)
	}
	broken := Reader{free: true, Program: program(t, "cat >/dev/null; echo 'read_params_file' >&2; exit 1")}
	if _, err = broken.Read(t.Context(), layout.Page{Number: 5}, img, 72); !errs.Is(err, errs.Unprocessable) || !strings.Contains(err.Error(), "read_params_file") {
		t.Errorf("broken: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = slow.Read(ctx, layout.Page{Number: 6}, img, 72); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// scan is the sample gazette that exists as pictures too: 200 dpi, a little
// skewed.
const scan = "../../../scripts/sample/gazettes/jo-2025-05-scan.pdf"

// TestReadScan recognizes a page as it stands, on either side and upside down.
func TestReadScan(t *testing.T) {
	t.Parallel()
	if err := (Reader{}).Available(t.Context()); err != nil {
		t.Skip(errs.Public(err))
	}
	doc, err := pdftext.Reader{}.Open(t.Context(), scan)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := doc.Close(); err != nil {
			t.Error(err)
		}
	}()
	pages, err := doc.Read(t.Context(), 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	if pages[0].Layer() != layout.Useless || math.Abs(DPI(pages[0])-200) > 1 {
		t.Errorf("cover %v, %v dpi", pages[0].Cover, pages[0].DPI)
	}
	img, err := doc.Render(t.Context(), 3, DPI(pages[0]))
	if err != nil {
		t.Fatal(err)
	}
	for turn, img := range map[layout.Rotation]*image.Gray{layout.Upright: img, layout.Down: unturn(img, layout.Up), layout.Over: unturn(img, layout.Over), layout.Up: unturn(img, layout.Down)} {
		page := pages[0]
		if turn == layout.Down || turn == layout.Up {
			page.Width, page.Height = page.Height, page.Width
		}
		p, err := Reader{}.Read(t.Context(), page, img, DPI(pages[0]))
		if err != nil {
			t.Fatal(err)
		}
		if p.Source != layout.OCR || layout.MainTurn(p.Words) != turn || p.Skew == 0 {
			t.Errorf("turn %d: source %q, turn %d, skew %v", turn, p.Source, p.Words[0].Turn, p.Skew)
		}
		arranged := []layout.Page{p}
		layout.Arrange(arranged)
		text, spans := layout.Join(arranged[0].Lines)
		if q := layout.Judge(p.Words); q.Stop < 0.35 || q.Words < 300 {
			t.Errorf("turn %d: %+v", turn, q)
		}
		if !strings.Contains(text, "entre en vigueur le 15 avril") {
			t.Errorf("turn %d: %s", turn, text)
		}
		for _, s := range spans {
			if s.Rect[0] < 0 || s.Rect[1] < 0 || s.Rect[2] > p.Width || s.Rect[3] > p.Height {
				t.Errorf("turn %d: a line at %v of %v by %v", turn, s.Rect, p.Width, p.Height)
			}
		}
	}
}
