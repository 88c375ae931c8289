package respond

import "vigueur/internal/kit/errs"

// NoDocument gives a NotFound error the message for a missing text.
func NoDocument(err error) error {
	return NotFound(err, "Document introuvable.")
}

// NotFound gives an error of the kind NotFound the sentence for people, and returns others
// unchanged.
func NotFound(err error, sentence string) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, sentence, err)
	}
	return err
}
