package segment_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/pdftext"
)

func TestMain(m *testing.M) {
	pdftext.Main()
	os.Exit(m.Run())
}

// readers read one file after another.
var readers pdftext.Spares

// arranged reads a PDF's own text layer as the service does.
func arranged(t *testing.T, path string) []layout.Page {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not here", filepath.Base(path))
	}
	doc, err := pdftext.Reader{Spares: &readers, PageTimeout: 5 * time.Minute}.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	pages, err := doc.Read(context.Background(), 1, doc.Pages())
	if err != nil {
		t.Fatal(err)
	}
	layout.Arrange(pages)
	return pages
}
