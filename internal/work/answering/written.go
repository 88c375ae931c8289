package answering

import (
	"strings"

	"vigueur/internal/search/retrieve"
)

// yieldWritten passes on an answer that the search wrote itself: the words of a text, what
// has become of it, or that the catalogue does not have it.
func yieldWritten(w *retrieve.DirectAnswer, yield func(delta string) error) error {
	for _, piece := range w.Pieces {
		if err := yield(piece); err != nil {
			return err
		}
	}
	return nil
}

// withoutNotes removes the sentences about the catalogue and about the model from an
// answer: they cite no article, and are not checked against one.
func (j *job) withoutNotes(text string) string {
	if j.fallbackLead != "" {
		text = strings.Replace(text, j.fallbackLead, "\n\n", 1)
	}
	if j.found.Written == nil {
		return text
	}
	for _, note := range j.found.Written.Notes {
		text = strings.Replace(text, note, "", 1)
	}
	return text
}
