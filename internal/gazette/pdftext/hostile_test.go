package pdftext

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"vigueur/internal/kit/confine"
	"vigueur/internal/kit/errs"
)

// swollen is a compressed stream of a few kilobytes that expands to more than the engine's memory.
var swollen = sync.OnceValue(func() []byte { return deflated(zeros(1200)) })

// zeros returns a compressed stream of the given number of mebibytes of zeros. Each
// mebibyte after the first is compressed to the same bytes, so these bytes are
// repeated here instead of being compressed a thousand times.
func zeros(mebibytes int) []byte {
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	var ends []int
	for range 3 {
		_, failed := z.Write(make([]byte, 1<<20))
		err = errors.Join(err, failed, z.Flush())
		ends = append(ends, b.Len())
	}
	if err = errors.Join(err, z.Close()); err != nil {
		panic(err)
	}
	made := b.Bytes()
	again := made[ends[1]:ends[2]]
	if !bytes.Equal(again, made[ends[0]:ends[1]]) {
		panic("the third mebibyte is written otherwise than the second")
	}
	const sum, mod = 4, 65521 // bytes of the checksum, which is that of zeros alone
	all := slices.Concat(made[:ends[0]], bytes.Repeat(again, mebibytes-1), made[ends[2]:len(made)-sum])
	return binary.BigEndian.AppendUint32(all, uint32(mebibytes<<20%mod)<<16|1)
}

func deflated(content []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(content); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func TestZerosSwell(t *testing.T) {
	t.Parallel()
	z, err := zlib.NewReader(bytes.NewReader(zeros(5)))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil || !bytes.Equal(all, make([]byte, 5<<20)) {
		t.Errorf("%d bytes, %v", len(all), err)
	}
	if n := len(swollen()); n > 32<<10 {
		t.Errorf("%d bytes", n)
	}
}

// bomb is a file of two good pages and a page whose content is the given stream.
func bomb(filter string, stream []byte) []byte {
	m := numbered(3)
	whole := m.bytes()
	old := []byte(fmt.Sprintf("<< /Length %d >>\nstream\n", len("BT /F1 10 Tf 50 792 Td (Page 2 du fichier) Tj ET\n")))
	second := bytes.Index(whole, []byte("\n7 0 obj\n")) + len("\n7 0 obj\n")
	end := second + bytes.Index(whole[second:], []byte("\nendstream"))
	if !bytes.HasPrefix(whole[second:], old) {
		panic("the second page's content is not where it was")
	}
	var b bytes.Buffer
	b.Write(whole[:second])
	fmt.Fprintf(&b, "<< /Length %d /Filter %s >>\nstream\n", len(stream), filter)
	b.Write(stream)
	b.Write(whole[end:])
	return b.Bytes() // the table of objects is wrong now, so PDFium searches the file for its objects
}

// vast is held by a test while its child needs a gigabyte, so that only one such child runs at a time.
var vast sync.Mutex

// TestBombedPage checks that at most one page is lost if its content expands to more than a
// gigabyte.
func TestBombedPage(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string][]byte{
		"once":  bomb("/FlateDecode", zeros(100)),
		"twice": bomb("[/FlateDecode /FlateDecode]", swollen()),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vast.Lock()
			defer vast.Unlock()
			d := opened(t, Reader{}, file(t, "bombe.pdf", raw))
			pages, err := d.Read(t.Context(), 1, 3)
			if err != nil || len(pages) != 3 {
				t.Fatalf("%d pages: %v", len(pages), err)
			}
			for _, n := range []int{1, 3} {
				if words(pages[n-1]) != fmt.Sprintf("Page %d du fichier", n) {
					t.Errorf("page %d: %+v", n, pages[n-1])
				}
			}
			if len(pages[1].Words) != 0 {
				t.Errorf("page 2 has words: %s", words(pages[1]))
			}
		})
	}
}

// TestBombedObjects opens a file whose objects are all in one stream, which expands to
// more than a gigabyte.
func TestBombedObjects(t *testing.T) {
	t.Parallel()
	stream := swollen()
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	pos := b.Len()
	fmt.Fprintf(&b, "4 0 obj\n<< /Type /ObjStm /N 3 /First 20 /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n", len(stream))
	b.Write(stream)
	b.WriteString("\nendstream\nendobj\n")
	xref := b.Len()
	// One row for each object: first the objects in the stream with their index there, then the stream, then this table.
	rows := []byte{0, 0, 0, 0, 2, 0, 4, 0, 2, 0, 4, 1, 2, 0, 4, 2, 1, byte(pos >> 8), byte(pos), 0, 1, 0, 0, 0}
	fmt.Fprintf(&b, "5 0 obj\n<< /Type /XRef /Size 6 /W [1 2 1] /Root 1 0 R /Length %d >>\nstream\n", len(rows))
	b.Write(rows)
	fmt.Fprintf(&b, "\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", xref)
	vast.Lock()
	defer vast.Unlock()
	_, err := Reader{OpenTimeout: hang}.Open(t.Context(), file(t, "bombe.pdf", b.Bytes()))
	if !errs.Is(err, errs.Unprocessable) || !strings.Contains(errs.Public(err), "endommagé") {
		t.Errorf("%v", err)
	}
}

// TestManyPages reads a file of 1,600 pages.
func TestManyPages(t *testing.T) {
	t.Parallel()
	const n = 1600
	d := opened(t, Reader{}, file(t, "long.pdf", numbered(n).bytes()))
	pages, err := d.Read(t.Context(), 1, n)
	if err != nil || len(pages) != n {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for i, p := range pages {
		if p.Number != i+1 || words(p) != fmt.Sprintf("Page %d du fichier", i+1) {
			t.Fatalf("page %d: %+v", i+1, p)
		}
	}
}

// TestPagesThatShareOneStream opens a small file whose 10,000 pages share one huge stream.
// It checks that the pages are counted without being read, and that at most maxChars
// characters of a page are read.
func TestPagesThatShareOneStream(t *testing.T) {
	t.Parallel()
	const n = 10_000
	d := opened(t, Reader{}, file(t, "partage.pdf", shared(t, n, 70_000)))
	if d.Pages() != n {
		t.Fatalf("%d pages, want %d", d.Pages(), n)
	}
	pages, err := d.Read(t.Context(), n, n)
	if err != nil || len(pages) != 1 {
		t.Fatalf("the last page: %d, %v", len(pages), err)
	}
	chars := 0
	for _, w := range pages[0].Words {
		chars += len(w.Text)
	}
	if chars == 0 || chars > maxChars {
		t.Errorf("%d characters were read of a page, %d may be", chars, maxChars)
	}
}

// shared returns a file of n pages that share one stream of the given number of words.
func shared(t *testing.T, n, words int) []byte {
	t.Helper()
	var stream bytes.Buffer
	z := zlib.NewWriter(&stream)
	var err error
	for i := 0; i < words && err == nil; i += 10 {
		_, err = fmt.Fprintf(z, "BT /F1 10 Tf 50 %d Td (%s) Tj ET\n", 14*(i%600/10), strings.Repeat("alinéa ", 10))
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count %d /Kids [", n)
	for i := range n {
		fmt.Fprintf(&b, "%d 0 R ", 5+i)
	}
	b.WriteString("] >>\nendobj\n3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n")
	fmt.Fprintf(&b, "4 0 obj\n<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream\nendobj\n", stream.Len(), stream.Bytes())
	for i := range n {
		fmt.Fprintf(&b, "%d 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents 4 0 R>>\nendobj\n", 5+i)
	}
	b.WriteString("trailer\n<< /Root 1 0 R >>\n%%EOF\n") // without a table of objects, PDFium searches for the objects
	if b.Len() > 2<<20 {
		t.Fatalf("a file of %d bytes is not small", b.Len())
	}
	return b.Bytes()
}

// TestVastPage reads and paints a page of seven meters square.
func TestVastPage(t *testing.T) {
	t.Parallel()
	m := made{pages: []madePage{{lines: []string{"Plan"}, box: "0 0 20000 20000"}}}
	d := opened(t, Reader{}, file(t, "plan.pdf", m.bytes()))
	pages, err := d.Read(t.Context(), 1, 1)
	if err != nil || words(pages[0]) != "Plan" || pages[0].Width != 20000 {
		t.Errorf("%+v, %v", pages, err)
	}
	img, err := d.Render(t.Context(), 1, 300)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(img.Pix); n > maxPixels*11/10 || n < maxPixels/2 {
		t.Errorf("%d pixels", n)
	}
}

// TestVanishedFile removes the file and kills its child after the file was opened: all
// pages must still be read.
func TestVanishedFile(t *testing.T) {
	t.Parallel()
	path := file(t, "parti.pdf", numbered(4).bytes())
	d := opened(t, Reader{}, path)
	if _, err := d.Read(t.Context(), 1, 2); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	confine.KillGroup(d.child.cmd)
	<-d.child.dead
	pages, err := d.Read(t.Context(), 3, 4)
	if err != nil || len(pages) != 2 || words(pages[1]) != "Page 4 du fichier" {
		t.Errorf("%+v, %v", pages, err)
	}
	if _, err := patient(nil).Open(t.Context(), path); !errs.Is(err, errs.NotFound) {
		t.Errorf("opened again: %v", err)
	}
}

// FuzzDamaged cuts a file and flips its bits. The file must open or be refused with a
// message, each page must have its words or a reason in Fault, and this process must survive.
func FuzzDamaged(f *testing.F) {
	gazette, err := os.ReadFile("../../../scripts/sample/gazettes/jo-2025-05.pdf")
	if err != nil {
		f.Fatal(err)
	}
	small := numbered(3).bytes()
	f.Add(false, uint(len(small)/2), uint(0), byte(0))
	f.Add(false, uint(len(small)), uint(120), byte(0xff))
	f.Add(false, uint(len(small)), uint(300), byte(1))
	f.Add(false, uint(9), uint(0), byte(0))
	f.Add(true, uint(len(gazette)*2/3), uint(0), byte(0))
	f.Add(true, uint(len(gazette)-200), uint(500), byte(0x10))
	f.Add(true, uint(len(gazette)), uint(3000), byte(0x55))
	f.Add(true, uint(len(gazette)), uint(len(gazette)-30), byte(0x80))
	f.Fuzz(func(t *testing.T, large bool, keep, flip uint, bits byte) {
		raw := bytes.Clone(small)
		if large {
			raw = bytes.Clone(gazette)
		}
		raw = raw[:keep%uint(len(raw)+1)]
		for i := flip; i < uint(len(raw)); i += 4096 {
			raw[i] ^= bits
		}
		d, err := patient(&kept).Open(t.Context(), file(t, "abîmé.pdf", raw))
		if err != nil {
			if errs.Public(err) == "" || errs.Is(err, errs.Internal) {
				t.Errorf("no sentence: %v", err)
			}
			return
		}
		pages, err := d.Read(t.Context(), 1, min(d.Pages(), 20))
		if err != nil && !errs.Is(err, errs.Unprocessable) {
			t.Errorf("read: %v", err)
		}
		for _, p := range pages {
			if len(p.Words) > 0 && p.Fault != "" {
				t.Errorf("page %d has words and a fault: %s", p.Number, p.Fault)
			}
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}
