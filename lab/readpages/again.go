package readpages

import (
	"compress/gzip"
	"context"
	"encoding/gob"
	"fmt"
	"os"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/gazette/recheck"
	"vigueur/internal/law"
)

// parts are what was recognized of parts of pages, by page, place and setting.
type parts map[string][][]layout.Word

// Again reads the places of a file again that the texts cut from its words contradict, as a worker does, and
// returns the numbers of the pages whose words it changed, in place. What was read again is kept beside the words.
func (r *Reader) Again(ctx context.Context, path string, pages []layout.Page, split func([]layout.Page) gazette.Issue) (changed []int, err error) {
	kept, err := r.place(path)
	if err != nil {
		return nil, err
	}
	known, fresh := parts{}, 0
	if kept != "" {
		kept += "." + recognizing + ".parts"
		known = loadAs[parts](kept)
	}
	var doc *pdftext.Document
	defer func() {
		if doc != nil {
			if e := doc.Close(); err == nil {
				err = e
			}
		}
	}()
	check := recheck.Reader{Split: split, Part: func(ctx context.Context, p layout.Page, part law.Rect, s ocr.Setting) (lines [][]layout.Word, err error) {
		key := fmt.Sprintf("%d %.2f {%v} %.2f", p.Number, part, s.DPI, s.Only)
		if lines, ok := known[key]; ok {
			return lines, nil
		}
		if doc == nil {
			if doc, err = (pdftext.Reader{Spares: &r.readers}).Open(ctx, path); err != nil {
				return nil, err
			}
		}
		lines, err = ocr.Reader{}.Part(ctx, doc, p, part, s)
		if err == nil {
			known[key], fresh = lines, fresh+1
		}
		return lines, err
	}}
	marked, err := check.Layers(ctx, pages)
	if err == nil {
		changed, err = check.Pages(ctx, pages)
	}
	if changed = append(marked, changed...); err != nil || fresh == 0 || kept == "" {
		return changed, err
	}
	return changed, keep(kept, known)
}

// loadAs reads what keep has written; what cannot be read is as good as not kept.
func loadAs[M ~map[K]V, K comparable, V any](path string) M {
	f, err := os.Open(path)
	if err != nil {
		return M{}
	}
	defer f.Close()
	var known M
	z, err := gzip.NewReader(f)
	if err != nil || gob.NewDecoder(z).Decode(&known) != nil {
		return M{}
	}
	return known
}
