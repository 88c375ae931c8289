package ocr

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// spotted renders pages that are white but for one point, in the middle of a part.
type spotted struct{}

func (spotted) Render(_ context.Context, _ int, dpi float64) (*image.Gray, error) {
	img := image.NewGray(image.Rect(0, 0, int(6*dpi), int(8*dpi)))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	img.SetGray(int(1.5*dpi), int(2*dpi), color.Gray{})
	return img, nil
}

// TestPart holds what of a page is handed to Tesseract, how, and where the words lie that come back.
func TestPart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	said, picture := filepath.Join(dir, "said"), filepath.Join(dir, "picture")
	r := Reader{free: true, Program: program(t, "echo \"$@\" > "+said+"; cat > "+picture+"; printf '"+strings.ReplaceAll(table, "%", "%%")+"'\n")}
	page := layout.Page{Number: 4, Width: 432, Height: 576}
	lines, err := r.Part(t.Context(), spotted{}, page, law.Rect{72, 108, 144, 180}, Setting{DPI: 144})
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 1 || len(lines[0]) != 2 || lines[0][0].Text != "Article" || lines[0][0].Rect != (law.Rect{122, 208, 162, 228}) {
		t.Errorf("%+v", lines)
	}
	args, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--dpi 144 ", "--psm 6 "} {
		if !strings.Contains(string(args), want) {
			t.Errorf("%s lacks %q", args, want)
		}
	}
	raw, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	head := "P5\n144 144\n255\n"
	if !strings.HasPrefix(string(raw), head) || raw[len(head)+72*144+72] != 0 {
		t.Errorf("the picture begins with %q", raw[:min(len(raw), 20)])
	}
}

// TestPartOfALeaningPage: places go to the straight page and back.
func TestPartOfALeaningPage(t *testing.T) {
	t.Parallel()
	r := Reader{free: true, Program: program(t, "cat >/dev/null; printf '"+strings.ReplaceAll(table, "%", "%%")+"'\n")}
	page := layout.Page{Number: 1, Width: 432, Height: 576, Skew: 2}
	straight := law.Rect{122, 208, 162, 228}
	lines, err := r.Part(t.Context(), spotted{}, page, law.Rect{72, 108, 144, 180}, Setting{DPI: 144})
	if err != nil || len(lines) != 1 {
		t.Fatal(lines, err)
	}
	back := Straight(page, lines[0][0].Rect)
	for i := range back {
		if math.Abs(back[i]-straight[i]) > 0.02 {
			t.Errorf("%v, want %v", back, straight)
		}
	}
	if lines[0][0].Rect == straight {
		t.Error("the page does not lean")
	}
}

func TestPartThatFails(t *testing.T) {
	t.Parallel()
	page := layout.Page{Number: 13, Width: 432, Height: 576}
	part := law.Rect{72, 108, 144, 180}
	if _, err := (Reader{free: true, Program: program(t, "exit 1")}).Part(t.Context(), spotted{}, page, part, Setting{DPI: 144}); !errs.Is(err, errs.Unprocessable) {
		t.Errorf("failing: %v", err)
	}
	if _, err := (Reader{free: true, Program: program(t, "exit 0")}).Part(t.Context(), blankDoc{}, page, part, Setting{DPI: 144}); !errs.Is(err, errs.Unprocessable) {
		t.Errorf("a page that cannot be painted: %v", err)
	}
	if lines, err := (Reader{free: true, Program: program(t, "exit 1")}).Part(t.Context(), spotted{}, page, law.Rect{900, 900, 950, 950}, Setting{DPI: 144}); err != nil || lines != nil {
		t.Errorf("outside the page: %v, %v", lines, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("canceled")
	cancel(why)
	if _, err := (Reader{free: true, Program: program(t, "exit 0")}).Part(ctx, spotted{}, page, part, Setting{DPI: 144}); !errors.Is(err, why) {
		t.Errorf("canceled: %v", err)
	}
}

// TestPartOfAScan reads two lines of a page, and no others.
func TestPartOfAScan(t *testing.T) {
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
	img, err := doc.Render(t.Context(), 3, DPI(pages[0]))
	if err != nil {
		t.Fatal(err)
	}
	first, err := Reader{}.Read(t.Context(), pages[0], img, DPI(pages[0]))
	if err != nil {
		t.Fatal(err)
	}
	arranged := []layout.Page{first}
	layout.Arrange(arranged)
	pos := len(arranged[0].Lines) / 2
	line := arranged[0].Lines[pos]
	part := Straight(first, line.Words[0].Rect)
	for _, w := range line.Words {
		r := Straight(first, w.Rect)
		part = law.Rect{min(part[0], r[0]), min(part[1], r[1]), max(part[2], r[2]), max(part[3], r[3])}
	}
	part = law.Rect{part[0] - 4, part[1] - 2, part[2] + 4, part[3] + 2}
	lines, err := Reader{}.Part(t.Context(), doc, first, part, Setting{DPI: 300})
	if err != nil {
		t.Fatal(err)
	}
	// One letter may be read otherwise: that is what parts are read for.
	if len(lines) != 1 || len(lines[0]) != len(line.Words) || lines[0][0].Text != line.Words[0].Text {
		t.Fatalf("%q was read again as %v", line.Text(), lines)
	}
	for i, w := range lines[0] {
		if was := line.Words[i].Rect; w.Rect[0] > was[2] || w.Rect[2] < was[0] || w.Rect[1] > was[3] || w.Rect[3] < was[1] {
			t.Errorf("%q lies at %v, and did at %v", w.Text, w.Rect, was)
		}
	}
}
