package answer

import (
	"context"
	"strings"

	"vigueur/internal/llm"
	"vigueur/internal/retrieve"
)

// generate has the answer written, unless the search gave it as it stands: what a text
// says word for word, what has become of it, what the catalogue does not have. There a
// model could add nothing and change much, so none is asked, whichever was chosen.
func (j *job) generate(ctx context.Context, model llm.Generator, yield func(delta string) error) error {
	if j.found.Written == nil {
		return model.Generate(ctx, j.prompt(), yield)
	}
	for _, piece := range j.found.Written.Pieces {
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
