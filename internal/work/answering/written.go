package answering

import (
	"strings"

	"vigueur/internal/answer/refer"
)

// yieldWritten passes on an answer that the search wrote itself: the words of an article,
// the status of a text, or the statement that the catalogue does not contain it.
func yieldWritten(w *refer.Written, yield func(delta string) error) error {
	for _, piece := range w.Pieces {
		if err := yield(piece); err != nil {
			return err
		}
	}
	return nil
}

// withoutNotes removes the sentences about the catalogue and about the model from an
// answer: these sentences cite no article, so they cannot be checked.
func (j *job) withoutNotes(text string) string {
	text = strings.TrimPrefix(text, j.helpLead())
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
