package pdftext

import (
	"fmt"
	"io"

	"vigueur/internal/gazette/layout"
)

// writePage sends a page: first the page without its words, then the words.
func writePage(w io.Writer, p layout.Page) error {
	words := p.Words
	p.Words = nil
	if err := writeJSON(w, reply{Page: &p}); err != nil {
		return err
	}
	return writeFrame(w, kindWords, layout.AppendWords(nil, words))
}

// readPage receives a page that writePage sent. It returns nil for a reply without a
// page.
func readPage(r io.Reader) (*layout.Page, error) {
	var got reply
	if err := readJSON(r, &got); err != nil || got.Page == nil {
		return nil, err
	}
	b, err := readFrame(r, kindWords, maxFrame)
	if err != nil {
		return nil, err
	}
	if got.Page.Words, err = layout.ReadWords(b); err != nil {
		return nil, fmt.Errorf("%w: %w", errFrame, err)
	}
	return got.Page, nil
}
