package pdftext

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"vigueur/internal/kit/lazyre"
)

var (
	linearized = lazyre.New(`/Linearized\b[^>]{0,200}?/N\s+(\d{1,7})\b`)
	treeCount  = lazyre.New(`/Count\s+(\d{1,7})\b`)
	treeKind   = lazyre.New(`/Type\s*/Pages\b`)
)

// expectPages is how many pages the file claims to have, 0 if no claim is found: the
// number in the head of a linearized file, else the largest count of an uncompressed
// page tree. It is a hint for files that lost their end. It is searched by pattern,
// because such a file has no structure left to follow.
func expectPages(r io.ReaderAt, size int64) int {
	const head, step, overlap = 2048, 1 << 20, 512
	buf := make([]byte, min(size, step))
	n, _ := r.ReadAt(buf[:min(head, len(buf))], 0)
	if m := linearized.FindSubmatch(buf[:n]); m != nil {
		return number(m[1])
	}
	most := 0
	for at := int64(0); at < size; at += step - overlap {
		n, err := r.ReadAt(buf, at)
		most = max(most, largestCount(buf[:n]))
		if err != nil {
			break
		}
	}
	return most
}

// largestCount is the largest /Count of the objects in b that have the /Type /Pages.
func largestCount(b []byte) int {
	most := 0
	for _, at := range treeKind.FindAllIndex(b, -1) {
		from := max(0, bytes.LastIndex(b[:at[0]], []byte("obj")))
		to := len(b)
		if end := bytes.Index(b[at[1]:], []byte("endobj")); end >= 0 {
			to = at[1] + end
		}
		if to-from > 1<<16 {
			continue
		}
		if m := treeCount.FindSubmatch(b[from:to]); m != nil {
			most = max(most, number(m[1]))
		}
	}
	return most
}

func number(b []byte) int {
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return 0
	}
	return n
}

// lacksEnd reports whether the file lacks the mark that ends every PDF.
func lacksEnd(r io.ReaderAt, size int64) bool {
	buf := make([]byte, min(size, 2048))
	n, _ := r.ReadAt(buf, size-int64(len(buf)))
	return !bytes.Contains(buf[:n], []byte("%%EOF"))
}

// repairBytes is how many bytes are reserved after a file for a new trailer.
const repairBytes = 256

var (
	catalogue = lazyre.New(`(\d{1,9})\s+(\d{1,5})\s+obj\s*<<[^>]{0,500}?/Type\s*/Catalog\b`)
	encrypted = lazyre.New(`/Encrypt\s+\d`)
)

// trailer makes a trailer for the file b, which lost its end: PDFium finds the objects
// of such a file by itself, but not which of them is the root. The result is empty if
// b has no uncompressed catalogue, or if b is encrypted, because then the lost trailer
// said how.
func trailer(b []byte) []byte {
	all := catalogue.FindAllSubmatch(b, -1)
	if len(all) == 0 || encrypted.Match(b) {
		return nil
	}
	root := all[len(all)-1] // the last one counts, as after an update
	return fmt.Appendf(nil, "\nendobj\ntrailer\n<< /Root %s %s R /Size 1000000 >>\nstartxref\n0\n%%%%EOF\n", root[1], root[2])
}
