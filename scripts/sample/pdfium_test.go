package main

import (
	"fmt"
	"testing"

	"github.com/klippa-app/go-pdfium/requests"
)

// text is the text layer of a page, counted from 0.
func (r *reader) text(index int) (string, error) {
	got, err := r.instance.GetPageText(&requests.GetPageText{Page: r.page(index)})
	if err != nil {
		return "", fmt.Errorf("pdfium: text of page %d: %w", index+1, err)
	}
	return got.Text, nil
}

func TestOpenRefusesWhatIsNoPDF(t *testing.T) {
	t.Parallel()
	e, err := newEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.open([]byte("Journal officiel")); err == nil {
		t.Error("no error")
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
