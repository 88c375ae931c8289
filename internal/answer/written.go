package answer

import (
	"strings"

	"vigueur/internal/retrieve"
)

// hand gives the answer that the search found as it stands: what a text
// says word for word, what has become of it, what the catalogue does not have.
func hand(w *retrieve.Written, yield func(delta string) error) error {
	for _, piece := range w.Pieces {
		if err := yield(piece); err != nil {
			return err
		}
	}
	return nil
}

// withoutNotes takes out of an answer the sentences that tell of the catalogue: they
// rest on no article, and are not held against one.
func withoutNotes(text string, w *retrieve.Written) string {
	if w == nil {
		return text
	}
	for _, note := range w.Notes {
		text = strings.Replace(text, note, "", 1)
	}
	return text
}
