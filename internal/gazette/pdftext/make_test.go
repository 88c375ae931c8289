package pdftext

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// made is a PDF made by a test: pages of text in Helvetica, with lines 14 points apart, and
// any other entries of the page dictionary that the test needs.
type made struct {
	pages   []madePage
	count   int      // number of pages that the page tree claims; 0: the true number
	catalog string   // more entries of the catalogue
	objects []string // more objects, behind those of the pages
}

type madePage struct {
	lines   []string
	content string // drawn after the lines
	extra   string // more entries of the page dictionary, such as « /Rotate 90 »
	use     string // more resources
	box     string // MediaBox; empty: 0 0 595 842
}

// bytes returns the file, whose objects are in the order catalogue, page tree, font, pages.
func (m made) bytes() []byte {
	var b bytes.Buffer
	var positions []int
	object := func(format string, args ...any) {
		positions = append(positions, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n"+format+"\nendobj\n", append([]any{len(positions)}, args...)...)
	}
	b.WriteString("%PDF-1.4\n")
	var kids []string
	for i := range m.pages {
		kids = append(kids, fmt.Sprintf("%d 0 R", 4+2*i))
	}
	count := m.count
	if count == 0 {
		count = len(m.pages)
	}
	object("<< /Type /Catalog /Pages 2 0 R %s >>", m.catalog)
	object("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), count)
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>")
	for i, p := range m.pages {
		box := p.box
		if box == "" {
			box = "0 0 595 842"
		}
		var c strings.Builder
		for k, l := range p.lines {
			fmt.Fprintf(&c, "BT /F1 10 Tf 50 %d Td (%s) Tj ET\n", 792-14*k, l)
		}
		c.WriteString(p.content)
		object("<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Resources << /Font << /F1 3 0 R >> %s >> /Contents %d 0 R %s >>", box, p.use, 5+2*i, p.extra)
		object("<< /Length %d >>\nstream\n%s\nendstream", c.Len(), c.String())
	}
	for _, o := range m.objects {
		object("%s", o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(positions)+1)
	for _, o := range positions {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(positions)+1, xref)
	return b.Bytes()
}

// file writes b to a file in a temporary folder of the test and returns its path.
func file(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// numbered is a file of n pages; page k has the text « Page k du fichier ».
func numbered(n int) made {
	var m made
	for i := range n {
		m.pages = append(m.pages, madePage{lines: []string{fmt.Sprintf("Page %d du fichier", i+1)}})
	}
	return m
}
