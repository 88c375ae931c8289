package ingestion

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// FuzzHints: metadata of a row is read, or is an error of the file.
func FuzzHints(f *testing.F) {
	for _, seed := range []string{"", "{}", "null", `{"title":"Loi","date_promulgation":"2024-02-30"}`, `{"date_publication":"2024-02-29"}`, `[`, `{"title":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, metadata []byte) {
		j := &job{Ingestion: postgres.Ingestion{Metadata: json.RawMessage(metadata)}}
		h, err := j.hints()
		if err != nil && !errs.Is(err, errs.Unprocessable) {
			t.Errorf("%q: %v", metadata, err)
		}
		if err == nil && h.Promulgated != nil && (h.Promulgated.Year() < 0 || h.Promulgated.Year() > 9999) {
			t.Errorf("%q: promulgated %v", metadata, h.Promulgated)
		}
	})
}

// FuzzEditOf: an edit that is read names a line.
func FuzzEditOf(f *testing.F) {
	for _, seed := range []string{`{"lines":[{"page":1,"text":"x"}]}`, `{}`, `null`, `[]`, `{"lines":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if e, err := EditOf(postgres.Edit{ID: uuid.Nil, Kind: "text", Payload: payload}); err == nil && len(e.Lines) == 0 {
			t.Errorf("%q is the edit %+v", payload, e)
		}
	})
}
