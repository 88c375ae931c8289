package verify

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/officetext"
)

const (
	// MostBytes is the maximum size of a file.
	MostBytes = 20 << 20
	// mostPages is the maximum number of pages of a PDF.
	mostPages = 400
	// pagesAtOnce is the number of pages that are read together.
	pagesAtOnce = 20
)

// Files reads files. Its zero value is ready to use.
type Files struct{ PDF pdftext.Reader }

// TooLarge returns the error for a file that is larger than MostBytes.
func TooLarge() error {
	return errs.Newf(errs.TooLarge, "Le fichier est trop grand : %d Mio au plus.", MostBytes>>20)
}

// Read returns the text of a file: .txt or .md (UTF-8, UTF-16 or Windows-1252), .docx, .odt or
// .pdf, which it recognizes by its bytes. Errors have French sentences: Unprocessable and
// Unsupported if the file cannot be read, TooLarge if the text is too long.
func (f Files) Read(ctx context.Context, path string) (text string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("verify: %w", err)
	}
	defer file.Close() // nothing was written
	info, err := file.Stat()
	if err != nil {
		return "", fmt.Errorf("verify: %w", err)
	}
	if info.IsDir() {
		return "", errs.New(errs.Unprocessable, "C’est un dossier, non un fichier.")
	}
	head := make([]byte, min(info.Size(), 1024))
	if _, err := io.ReadFull(file, head); err != nil {
		return "", fmt.Errorf("verify: %w", err)
	}
	switch {
	case info.Size() == 0:
		return "", errs.New(errs.Unprocessable, "Le fichier est vide.")
	case info.Size() > MostBytes:
		return "", TooLarge()
	case bytes.Contains(head, []byte("%PDF-")):
		text, err = f.pdf(ctx, path)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		text, err = officetext.Read(ctx, file)
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")), bytes.HasPrefix(head, []byte(`{\rtf`)):
		return "", errs.New(errs.Unsupported, "Les fichiers .doc et .rtf, et les documents protégés, ne sont pas lus : enregistrez une copie en .docx, .odt ou .pdf.")
	default:
		var data []byte
		if data, err = os.ReadFile(path); err == nil {
			text, err = decode(data)
		}
	}
	if err == nil && strings.TrimSpace(text) == "" {
		err = errs.New(errs.Unprocessable, "Le fichier ne contient pas de texte.")
	}
	return text, err
}

// decode returns the text of bytes in UTF-8, UTF-16 with its mark, or Windows-1252.
func decode(data []byte) (string, error) {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	case bytes.IndexByte(data, 0) >= 0:
		return "", errs.New(errs.Unsupported, "Ce fichier n’est pas un texte : .txt, .md, .docx, .odt et .pdf sont lus.")
	case utf8.Valid(data):
		return string(bytes.TrimPrefix(data, []byte("\ufeff"))), nil
	default:
		text, err := charmap.Windows1252.NewDecoder().Bytes(data)
		return string(text), err
	}
	units := make([]uint16, (len(data)-2)/2)
	for i := range units {
		units[i] = order.Uint16(data[2+2*i:])
	}
	return string(utf16.Decode(units)), nil
}

// pdf returns the text of a PDF.
func (f Files) pdf(ctx context.Context, path string) (text string, err error) {
	d, err := f.PDF.Open(ctx, path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if d.Pages() > mostPages {
		return "", errs.Newf(errs.TooLarge, "Le PDF a %d pages ; %d au plus.", d.Pages(), mostPages)
	}
	var lines []layout.Line
	fault := ""
	for from := 1; from <= d.Pages(); from += pagesAtOnce {
		pages, err := d.Read(ctx, from, min(from+pagesAtOnce-1, d.Pages()))
		if err != nil {
			return "", err
		}
		for i := range pages {
			if fault == "" {
				fault = pages[i].Fault
			}
			pages[i].Words = pdftext.MendCodes(pages[i].Words)
		}
		layout.Arrange(pages)
		for _, p := range pages {
			lines = append(lines, p.Lines...)
		}
	}
	if len(lines) == 0 && fault != "" {
		return "", errs.New(errs.Unprocessable, fault)
	}
	if len(lines) == 0 {
		return "", errs.New(errs.Unprocessable, "Ce PDF n’a que des images de pages (un scan) : il n’a pas de texte à vérifier.")
	}
	return paragraphs(lines), nil
}

// paragraphs joins lines to paragraphs. A gap higher than the line separates paragraphs: it is a
// blank line.
func paragraphs(lines []layout.Line) string {
	var out strings.Builder
	from := 0
	for i := 1; i <= len(lines); i++ {
		if i < len(lines) && lines[i].Gap <= lines[i].Rect[3]-lines[i].Rect[1] {
			continue
		}
		words, _ := layout.Join(lines[from:i])
		if from > 0 {
			out.WriteString("\n\n")
		}
		out.WriteString(words)
		from = i
	}
	return out.String()
}
