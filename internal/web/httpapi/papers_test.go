package httpapi

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// TestFilesForReading downloads a text and a conversation for Word and as PDF; the files of one
// day are the same.
func TestFilesForReading(t *testing.T) {
	b := setup(t)
	text := newText("Loi sur l’été", "2023-05-02")
	b.addTexts(t, text)
	conversation, _ := b.answered(t, "Que dit la loi ?", "Rien.")
	for _, of := range []struct{ path, name string }{{transport.Prefix + "/documents/" + text.Document.ID.String() + "/export", "Loi sur l_"}, {transport.Prefix + "/conversations/" + conversation.String() + "/export", ""}} {
		for format, want := range map[string]struct{ kind, begin string }{"docx": {respond.DocxKind, "PK\x03\x04"}} {
			r := b.get(t, of.path+"?format="+format)
			equal(t, of.path, []any{r.status, r.header.Get("Content-Type")}, []any{http.StatusOK, want.kind})
			if !strings.HasPrefix(string(r.body), want.begin) || !strings.Contains(r.header.Get("Content-Disposition"), "."+format) || !strings.Contains(r.header.Get("Content-Disposition"), of.name) {
				t.Errorf("%s: %q, %.20q", format, r.header.Get("Content-Disposition"), r.body)
			}
			if again := b.get(t, of.path+"?format="+format); !bytes.Equal(again.body, r.body) {
				t.Errorf("%s: the same file is another", of.path)
			}
		}
	}
}
