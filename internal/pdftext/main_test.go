package pdftext

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	Main()
	if path := os.Getenv(envOrphan); path != "" {
		orphan(path)
	}
	os.Exit(m.Run())
}
