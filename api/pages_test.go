package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/web/httpapi"
)

func TestMain(m *testing.M) {
	pdftext.Main()
	os.Exit(m.Run())
}

// onePage is a PDF of one page, 300 by 400 points, with a black square.
func onePage() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	const paint = "0 0 0 rg 0 300 100 100 re f"
	var positions []int
	for i, object := range []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 4 0 R>>", fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(paint), paint)} {
		positions = append(positions, b.Len())
		fmt.Fprintf(&b, "%d 0 obj%sendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(positions)+1)
	for _, offset := range positions {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(positions)+1, start)
	return b.Bytes()
}

// TestPagesAreDrawnInAChild renders a page as the server does, and a second one in the same
// child process.
func TestPagesAreDrawnInAChild(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(path, onePage(), 0o600); err != nil {
		t.Fatal(err)
	}
	// Two readers would decode their first responses concurrently, and the race detector
	// does not see that the standard library synchronizes its cache of types.
	if err := (pdftext.Reader{}).Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	var server httpapi.Server
	end := enableFiles(t.Context(), &server, slog.New(slog.DiscardHandler))
	defer end()
	for range 2 {
		pdf, err := server.OpenPDF(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := pdf.Render(t.Context(), 1, 144)
		if err != nil || picture.Rect.Dx() != 600 || picture.Rect.Dy() != 800 || picture.GrayAt(50, 50).Y != 0 || picture.GrayAt(500, 700).Y != 255 {
			t.Errorf("%v: %v", picture.Rect, err)
		}
		if err := pdf.Close(); err != nil {
			t.Error(err)
		}
	}
}
