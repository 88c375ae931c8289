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

	"vigueur/internal/layout"
)

// packers are kept, because a new one clears more memory than a page has.
var packers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a good one
	return z
}}

// errCut is why bytes hold no page.
var errCut = errors.New("it is cut off")

// form is the first byte of a kept page: behind it stand the length of the page's
// JSON without its words, that JSON, and the words. A page kept by an earlier
// version is JSON alone, whose first byte is a brace.
const form = 1

// encode gives the form in which a page is kept, packed, without what Arrange
// makes.
func encode(p layout.Page) ([]byte, error) {
	words := p.Words
	p.Words, p.Lines, p.Aside = nil, nil, nil
	for i := range words {
		w := &words[i]
		// PostgreSQL takes no NUL in a text, and no one can read one.
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
	plain := binary.AppendUvarint([]byte{form}, uint64(len(head)))
	plain = layout.AppendWords(append(plain, head...), words)
	var b bytes.Buffer
	z, _ := packers.Get().(*gzip.Writer) // it holds nothing else
	defer packers.Put(z)
	z.Reset(&b)
	if _, err := z.Write(plain); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// decode is encode's inverse. Fields of a later form that it does not know are
// passed over.
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
	if len(plain) == 0 || plain[0] != form {
		err = json.Unmarshal(plain, &p)
		return p, err
	}
	n, size := binary.Uvarint(plain[1:])
	if size <= 0 || n > uint64(len(plain)-1-size) {
		return p, errCut
	}
	head, words := plain[1+size:][:n], plain[1+size:][n:]
	if err := json.Unmarshal(head, &p); err != nil {
		return p, err
	}
	p.Words, err = layout.ReadWords(words)
	return p, err
}
