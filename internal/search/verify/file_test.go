package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/paper"
)

// readBack writes a file and reads it.
func readBack(t *testing.T, data []byte) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x")
	ok(t, os.WriteFile(path, data, 0o600))
	return Files{}.Read(t.Context(), path)
}

func TestFiles(t *testing.T) {
	t.Parallel()
	var word, pdf strings.Builder
	p := paper.Paper{Title: "Mémoire", Markdown: []byte("Vu l’article 2 du code du travail, le préavis est dû.")}
	ok(t, paper.Docx(&word, p))
	drawn := fpdf.New("P", "mm", "A4", "")
	drawn.AddPage()
	drawn.SetFont("Helvetica", "", 11)
	drawn.Write(6, drawn.UnicodeTranslatorFromDescriptor("")(string(p.Markdown)))
	ok(t, drawn.Output(&pdf))
	// A page without words: an image only, as of a scan.
	scan := "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
	for name, c := range map[string]struct {
		data string
		want string // part of the text
		kind errs.Kind
		told string // part of the refusal
	}{
		"text":            {data: "L’article 2", want: "L’article 2"},
		"with its mark":   {data: "\ufeffL’article 2", want: "L’article 2"},
		"Windows":         {data: "L\x92article 2 du d\xe9cret co\xfbte 5 \x80", want: "L’article 2 du décret coûte 5 €"},
		"UTF-16":          {data: "\xff\xfeL\x00'\x00a\x00r\x00t\x00", want: "L'art"},
		"Word":            {data: word.String(), want: "Vu l’article 2 du code du travail"},
		"PDF":             {data: pdf.String(), want: "Vu l’article 2 du code du travail"},
		"empty":           {kind: errs.Unprocessable, told: "vide"},
		"blank":           {data: " \n\t ", kind: errs.Unprocessable, told: "ne contient pas de texte"},
		"scan":            {data: scan, kind: errs.Unprocessable, told: "scan"},
		"cut off PDF":     {data: pdf.String()[:300], kind: errs.Unprocessable, told: "PDF"},
		"cut off Word":    {data: word.String()[:len(word.String())/2], kind: errs.Unprocessable, told: "endommagé"},
		"old Word":        {data: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", kind: errs.Unsupported, told: ".docx"},
		"RTF":             {data: `{\rtf1 a}`, kind: errs.Unsupported, told: ".docx"},
		"a picture":       {data: "\x89PNG\r\n\x1a\n\x00\x00\x00", kind: errs.Unsupported, told: "n’est pas un texte"},
		"beyond the size": {data: strings.Repeat("a", MostBytes+1), kind: errs.TooLarge, told: "20 Mio"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := readBack(t, []byte(c.data))
			switch {
			case c.kind == errs.Internal && (err != nil || !strings.Contains(got, c.want)):
				t.Errorf("%q, %v", got, err)
			case c.kind != errs.Internal && (!errs.Is(err, c.kind) || !strings.Contains(errs.Public(err), c.told)):
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	if _, err := (Files{}).Read(t.Context(), t.TempDir()); !errs.Is(err, errs.Unprocessable) {
		t.Error(err)
	}
}
