package export

import (
	"bytes"
	"io"

	"vigueur/internal/kit/paper"
	"vigueur/internal/law"
)

// Docx writes a text as a file for Word.
func Docx(w io.Writer, t Text) error {
	var b bytes.Buffer
	if err := Markdown(&b, t); err != nil {
		return err
	}
	return paper.Docx(w, paper.Paper{Title: OneLine(t.Document.Title), Foot: paper.Foot(law.WriteDate(t.Day)), Made: t.Day, Markdown: b.Bytes()})
}
