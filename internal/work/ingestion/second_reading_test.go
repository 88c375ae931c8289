package ingestion

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// misread sets up a file of four pages. The second page is a scan on which the head of article 3 is misread. part is
// the result of a second reading: the lines as printed.
func misread(t *testing.T) (b *bundle, part [][]layout.Word) {
	t.Helper()
	shown, scans := scanned(lawPages(4), 2)
	b = setup(t, shown)
	seen := scans[0]
	seen.Source, seen.Words = layout.OCR, slices.Clone(seen.Words)
	for i, w := range seen.Words {
		seen.Words[i].Size = 0
		if len(part) == 0 || part[len(part)-1][0].Rect[1] != w.Rect[1] {
			part = append(part, nil)
		}
		part[len(part)-1] = append(part[len(part)-1], seen.Words[i])
	}
	part = slices.Clone(part)
	i := slices.IndexFunc(seen.Words, func(w layout.Word) bool { return w.Text == "Article" })
	seen.Words[i].Text, seen.Words[i+1].Text = "(at", "x"
	b.OCR = func(_ context.Context, _ Renderer, _ *ocr.Budget, _ []layout.Page, yield func(layout.Page) error) error {
		return yield(seen)
	}
	return b, part
}

// TestContradictedPlacesAreReadAgain: article 3, whose head was misread, is found by a second reading, which is kept.
func TestContradictedPlacesAreReadAgain(t *testing.T) {
	t.Parallel()
	once, _ := misread(t)
	if err := once.Run(t.Context(), once.id); err != nil {
		t.Fatal(err)
	}
	if row := once.row(t); row.Documents[0].Articles != 7 {
		t.Fatalf("read once: %+v", row.Documents)
	}
	b, part := misread(t)
	b.Part = func(ctx context.Context, doc Renderer, _ *ocr.Budget, p layout.Page, _ law.Rect, _ ocr.Setting) ([][]layout.Word, error) {
		if p.Source == layout.Layer {
			return nil, nil // compared with what it shows
		}
		if _, err := doc.Render(ctx, p.Number, 300); err != nil || p.Number != 2 {
			t.Errorf("page %d: %v", p.Number, err)
		}
		return part, nil
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	row := b.row(t)
	if row.State != "done" || row.Error != "" || row.Documents[0].Articles != 8 {
		t.Errorf("%q, %q, %+v", row.State, row.Error, row.Documents)
	}
	stored, err := b.DB.LoadPages(t.Context(), b.id)
	if err != nil {
		t.Fatal(err)
	}
	page, err := decode(stored[1].Content)
	if err != nil || !slices.ContainsFunc(page.Words, func(w layout.Word) bool { return w.Text == "3." }) {
		t.Errorf("stored: %+v, %v", page.Words, err)
	}
}

// TestASecondReadingThatFails: a missing tool leaves the pages as they were first read. After an attempt was killed,
// the next attempt reads the misread place again, but no whole page.
func TestASecondReadingThatFails(t *testing.T) {
	t.Parallel()
	without, _ := misread(t)
	without.Part = func(context.Context, Renderer, *ocr.Budget, layout.Page, law.Rect, ocr.Setting) ([][]layout.Word, error) {
		return nil, errs.New(errs.Unavailable, "x")
	}
	if err := without.Run(t.Context(), without.id); err != nil {
		t.Fatal(err)
	}
	if row := without.row(t); row.Documents[0].Articles != 7 {
		t.Errorf("without the tool: %+v", row.Documents)
	}

	b, part := misread(t)
	crash := true
	b.Part = func(_ context.Context, _ Renderer, _ *ocr.Budget, p layout.Page, _ law.Rect, _ ocr.Setting) ([][]layout.Word, error) {
		if p.Source == layout.Layer {
			return nil, nil
		}
		if crash {
			crash = false
			runtime.Goexit()
		}
		return part, nil
	}
	b.killed(t, 1)
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	if row := b.row(t); row.Documents[0].Articles != 8 {
		t.Errorf("after a crash: %+v", row.Documents)
	}
	b.pdf.readOnce(t)
}

// TestLayersAreCompared: a page that shows another word than its text layer is a doubt of its text. Pages with a text layer are
// not read again for it.
func TestLayersAreCompared(t *testing.T) {
	t.Parallel()
	b := setup(t, lawPages(2))
	b.Part = func(_ context.Context, _ Renderer, _ *ocr.Budget, p layout.Page, _ law.Rect, s ocr.Setting) ([][]layout.Word, error) {
		words := slices.Clone(p.Words)
		for i := range words {
			if words[i].Text == "Article" && p.Number == 1 {
				words[i+1].Text = "77"
			}
		}
		return [][]layout.Word{words}, nil
	}
	if err := b.Run(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	if row := b.row(t); row.State != "review" {
		t.Errorf("%q, %+v", row.State, row.Documents)
	}
	stored, err := b.DB.LoadPages(t.Context(), b.id)
	if err != nil {
		t.Fatal(err)
	}
	if page, err := decode(stored[0].Content); err != nil || !slices.ContainsFunc(page.Words, func(w layout.Word) bool { return w.Other }) {
		t.Errorf("stored: %+v, %v", page.Words, err)
	}
}
