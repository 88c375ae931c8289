package export

import (
	"bytes"
	"io"

	"vigueur/internal/kit/paper"
	"vigueur/internal/law"
)

// Docx writes a text as a file for Word.
func Docx(w io.Writer, t Text) error { return onPaper(w, t, paper.Docx) }

// PDF writes a text on pages of A4.
func PDF(w io.Writer, t Text) error { return onPaper(w, t, paper.PDF) }

func onPaper(w io.Writer, t Text, write func(io.Writer, paper.Paper) error) error {
	var b bytes.Buffer
	if err := Markdown(&b, t); err != nil {
		return err
	}
	return write(w, paper.Paper{Title: OneLine(t.Document.Title), Foot: paper.Foot(law.WriteDate(t.Day)), Made: t.Day, Markdown: b.Bytes()})
}
