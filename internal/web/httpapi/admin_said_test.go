package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/ingestion"
)

// TestWhatIsSaidOfAFile: what an editor says of a whole file is shown with it, and exported as truth.
func TestWhatIsSaidOfAFile(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	file := func(name, number string) (postgres.Ingestion, postgres.StoredText) {
		i := b.addFile(t, name)
		x := waiting("Acte additionnel n° "+number, "doc_type")
		x.Document.Nature = "Acte additionnel"
		ok(t, b.DB.SavePages(t.Context(), i.ID, i.Attempt, []postgres.StoredPage{{Number: 1, Source: "layer", Content: []byte("x")}}, 1))
		b.endFile(t, i, "review", "", x)
		return i, x
	}
	first, text := file("a1", "1")
	second, _ := file("b2", "2")
	path := transport.Prefix + "/admin/ingestions/"
	accepted := b.do(t, "POST", path+first.ID.String()+"/review/"+text.Document.ID.String(), `{"decision":"accept","doc_type":"arrete"}`, editor...)
	equal(t, "accepted", accepted.status, http.StatusOK)

	equal(t, "said", b.do(t, "PATCH", path+first.ID.String(), `{"kind":"compilation","pays":"cm"}`, editor...).status, http.StatusAccepted)
	shown := decode[gazettes.IngestionBody](t, b.do(t, "GET", path+first.ID.String(), "", editor...))
	equal(t, "shown", *shown.Kind+" "+*shown.Country, "compilation cm")
	equal(t, "faults", found(t, b.do(t, "PATCH", path+second.ID.String(), `{"kind":"livre","pays":"zz"}`, editor...)), []string{"enum body.kind", "value_error body.pays"})
	equal(t, "no law", b.do(t, "PATCH", path+second.ID.String(), `{"kind":"no_law"}`, editor...).status, http.StatusAccepted)
	equal(t, "texts of no law", len(decode[struct{ Items []any }](t, b.do(t, "GET", path+second.ID.String()+"/review", "", editor...)).Items), 0)

	again, err := b.DB.StartIngestion(t.Context(), first.ID)
	ok(t, err)
	ok(t, b.DB.MarkIngestion(t.Context(), first.ID, again.Attempt, "done", ""))
	wantDetail(t, b.do(t, "PATCH", path+first.ID.String(), `{"kind":"no_law"}`, editor...), http.StatusConflict)
	truth := decode[map[string]ingestion.Truth](t, b.do(t, "GET", transport.Prefix+"/admin/reviews/truth", "", editor...))
	if len(truth) != 1 {
		t.Fatalf("truth: %+v", truth)
	}
	for name, f := range truth {
		if !strings.HasPrefix(name, "cm/") || !strings.HasSuffix(name, "-a1.pdf") || f.Texts[0].Type != law.Arrete {
			t.Errorf("truth of %s: %+v", name, f)
		}
	}
}
