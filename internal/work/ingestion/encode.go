package ingestion

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"vigueur/internal/gazette/layout"
)

// gzipWriters are pooled, because a new writer allocates more memory than a page takes.
var gzipWriters = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, packing) // the level is valid
	return z
}}

// packing is the compression level. Level 4 of this library takes a third less time than level 1 of the standard
// library, and compresses better; levels 1 to 3 of this library compress less well.
const packing = 4

// Errors of stored bytes.
var (
	errTruncated = errors.New("it is cut off")
	errFormat    = errors.New("its format is unknown")
)

// formatVersion is the first byte of a stored page. The length of the page's JSON without
// its words follows, then that JSON, then the words.
const formatVersion = 1

// encode returns a page as it is stored: compressed, without the lines that Arrange makes.
func encode(p layout.Page) ([]byte, error) {
	words := p.Words
	p.Words, p.Lines, p.Aside = nil, nil, nil
	for i := range words {
		w := &words[i]
		// PostgreSQL accepts no NUL in a text, and a NUL prints nothing.
		if strings.IndexByte(w.Text, 0) >= 0 {
			w.Text = strings.ReplaceAll(w.Text, "\x00", "")
		}
		w.Text = strings.ToValidUTF8(w.Text, "\ufffd")
	}
	empty := func(w layout.Word) bool { return w.Text == "" }
	if slices.ContainsFunc(words, empty) {
		words = slices.DeleteFunc(slices.Clone(words), empty)
	}
	head, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	plain := binary.AppendUvarint([]byte{formatVersion}, uint64(len(head)))
	plain = layout.AppendWords(append(plain, head...), words)
	var b bytes.Buffer
	z, _ := gzipWriters.Get().(*gzip.Writer) // the pool contains only writers
	defer gzipWriters.Put(z)
	z.Reset(&b)
	if _, err := z.Write(plain); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// decode is the inverse of encode. It ignores unknown fields of a later version.
func decode(content []byte) (p layout.Page, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("stored page: %w", err)
		}
	}()
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return p, err
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		return p, err
	}
	if len(plain) == 0 || plain[0] != formatVersion {
		return p, errFormat
	}
	n, size := binary.Uvarint(plain[1:])
	if size <= 0 || n > uint64(len(plain)-1-size) {
		return p, errTruncated
	}
	head, words := plain[1+size:][:n], plain[1+size:][n:]
	if err := json.Unmarshal(head, &p); err != nil {
		return p, err
	}
	p.Words, err = layout.ReadWords(words)
	return p, err
}
