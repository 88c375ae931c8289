package ingestion

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"vigueur/internal/page"
)

// packers are kept, because a new one clears more memory than a page has.
var packers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a good one
	return z
}}

// encode gives the form in which a page is kept: gzip of its JSON, without
// what Arrange makes.
func encode(p page.Page) ([]byte, error) {
	p.Lines, p.Aside = nil, nil
	for i := range p.Words {
		// PostgreSQL takes no NUL in a text, and no one can read one.
		if w := &p.Words[i]; strings.IndexByte(w.Text, 0) >= 0 {
			w.Text = strings.ReplaceAll(w.Text, "\x00", "")
		}
	}
	var b bytes.Buffer
	z, _ := packers.Get().(*gzip.Writer) // it holds nothing else
	defer packers.Put(z)
	z.Reset(&b)
	if err := json.NewEncoder(z).Encode(p); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// decode is encode's inverse. Fields of a later form that it does not know are
// passed over.
func decode(content []byte) (p page.Page, err error) {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return p, fmt.Errorf("stored page: %w", err)
	}
	if err := json.NewDecoder(z).Decode(&p); err != nil {
		return p, fmt.Errorf("stored page: %w", err)
	}
	return p, z.Close()
}
