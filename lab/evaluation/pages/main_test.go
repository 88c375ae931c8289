package main

import (
	"os"
	"testing"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
)

// TestMain lets the test program read pages in a child that is itself again.
func TestMain(m *testing.M) {
	pdftext.Main()
	ocr.Main()
	os.Exit(m.Run())
}
