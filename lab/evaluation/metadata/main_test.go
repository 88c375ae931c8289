package main

import (
	"os"
	"testing"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/lab/readpages"
)

// TestMain lets the test program read pages in a child that is itself again.
func TestMain(m *testing.M) {
	pdftext.Main()
	ocr.Main()
	os.Exit(m.Run())
}

// reader reads files, and is closed with the test.
func reader(t *testing.T, cache string) *readpages.Reader {
	t.Helper()
	r := &readpages.Reader{Cache: cache}
	t.Cleanup(r.Close)
	return r
}
