package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/transport"
)

func TestChangeDocument(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	old, later := newText("Loi ancienne", "2020-01-01"), newText("Loi nouvelle", "2024-01-01")
	old.Document.OfficialNumber = "2020-O7" // misread: no relation can be linked to it
	later.Relations = []law.Relation{{ID: uuid.New(), SourceArticle: later.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi,
		TargetNumber: "2020-07", Effective: later.Document.EntersInForce}}
	b.addTexts(t, old, later)
	path := transport.Prefix + "/admin/documents/" + old.Document.ID.String()
	key := later.Document.ID.String()
	previous, err := b.DB.CatalogueVersion(t.Context())
	ok(t, err)
	patch := func(body string) law.Record {
		t.Helper()
		r := b.do(t, "PATCH", path, body, editor...)
		equal(t, body, r.status, 200)
		return decode[law.Record](t, r)
	}
	equal(t, "title", patch(`{"title":"Loi très ancienne","domaine":"civil"}`).Title, "Loi très ancienne")
	cursor, err := b.DB.CatalogueVersion(t.Context())
	ok(t, err)
	if cursor <= previous {
		t.Error("the catalogue's followers were not told")
	}
	equal(t, "nature", patch(`{"nature":" Ordonnance "}`).Nature, "Ordonnance")
	equal(t, "nature stays", patch(`{"nature":null}`).Nature, "Ordonnance")
	countries := func(body string) []string {
		t.Helper()
		patch(body)
		d, err := b.DB.Document(t.Context(), old.Document.ID)
		ok(t, err)
		return d.Countries
	}
	equal(t, "country", countries(`{"pays":"bj"}`), []string{"bj"})
	equal(t, "country stays", countries(`{"title":"Loi très ancienne"}`), []string{"bj"})
	equal(t, "no country", countries(`{"pays":""}`), []string{})
	equal(t, "not tied", patch(`{}`).Status, law.InForce)
	tied := patch(`{"numero_officiel":"2020-07"}`)
	equal(t, "tied by its number", []any{tied.Status, tied.RepealedBy.String()}, []any{law.Repealed, key})
	byHand := patch(`{"statut":"en_vigueur"}`)
	equal(t, "by hand", []any{byHand.Status, byHand.RepealedBy == nil}, []any{law.InForce, true})
	equal(t, "stays", patch(`{"title":"Loi"}`).Status, law.InForce)
	equal(t, "repealed by hand", patch(`{"abroge_par":"`+key+`"}`).Status, law.Repealed)
	equal(t, "unrepealed", patch(`{"abroge_par":null}`).Status, law.InForce)
	equal(t, "derived", patch(`{"statut":null}`).Status, law.Repealed)

	for body, want := range map[string]string{
		`{"statut":"perdu"}`: "enum body.statut",
		`{"abroge_par":"x"}`: "uuid_parsing body.abroge_par",
		`{"abroge_par":"` + old.Document.ID.String() + `"}`: "value_error body.abroge_par",
		`{"abroge_par":"` + uuid.NewString() + `"}`:         "value_error body.abroge_par",
		`{"abroge_par":"` + key + `","statut":"modifie"}`:   "value_error body.abroge_par",
		`{"date_promulgation":"01/02/2020"}`:                "date_from_datetime_parsing body.date_promulgation",
		`{"nature":"` + strings.Repeat("é", 101) + `"}`:     "string_too_long body.nature",
		`{"nature":"a\u0000"}`:                              "value_error body.nature",
		`{"pays":"zz"}`:                                     "value_error body.pays",
		`{"title":5}`:                                       "string_type body.title",
	} {
		equal(t, body, found(t, b.do(t, "PATCH", path, body, editor...)), []string{want})
	}
	wantDetail(t, b.do(t, "PATCH", transport.Prefix+"/admin/documents/"+uuid.NewString(), `{"title":"X"}`, editor...), http.StatusNotFound)
}

func TestDeleteDocument(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	old, later := newText("Loi ancienne", "2020-01-01"), newText("Loi nouvelle", "2024-01-01")
	old.Document.OfficialNumber = "2020-07"
	later.Relations = []law.Relation{{ID: uuid.New(), SourceArticle: later.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi,
		TargetNumber: "2020-07", Effective: later.Document.EntersInForce}}
	b.addTexts(t, old, later)
	shown := func(id uuid.UUID) reply { return b.get(t, transport.Prefix+"/documents/"+id.String()) }
	equal(t, "repealed", decode[law.Record](t, shown(old.Document.ID)).Status, law.Repealed)
	file, err := b.DB.DocumentFile(t.Context(), old.Document.ID)
	ok(t, err)
	i, err := b.DB.IngestionBySHA(t.Context(), file.SHA256)
	ok(t, err)
	ok(t, b.DB.MarkIngestion(t.Context(), i.ID, i.Attempt, "done", ""))

	remove := func(id uuid.UUID) reply {
		return b.do(t, "DELETE", transport.Prefix+"/admin/documents/"+id.String(), "", editor...)
	}
	equal(t, "delete", remove(later.Document.ID).status, http.StatusNoContent)
	wantDetail(t, shown(later.Document.ID), http.StatusNotFound)
	equal(t, "in force again", decode[law.Record](t, shown(old.Document.ID)).Status, law.InForce)
	wantDetail(t, remove(later.Document.ID), http.StatusNotFound)
	equal(t, "the file stays", b.get(t, transport.Prefix+"/documents/"+old.Document.ID.String()+"/file").status, 200)

	equal(t, "delete the last", remove(old.Document.ID).status, http.StatusNoContent)
	if _, err := b.DB.Ingestion(t.Context(), i.ID); !errs.Is(err, errs.NotFound) {
		t.Errorf("the file's row: %v", err)
	}
	if _, err := b.Blobs.Open(t.Context(), file.SHA256); !errs.Is(err, errs.NotFound) {
		t.Errorf("the file: %v", err)
	}
}

func TestReindexDocument(t *testing.T) {
	b := setup(t)
	text := newText("Loi", "2024-01-01")
	b.addTexts(t, text)
	previous, err := b.DB.CatalogueVersion(t.Context())
	ok(t, err)
	path := transport.Prefix + "/admin/documents/"
	equal(t, "reindex", b.do(t, "POST", path+text.Document.ID.String()+"/reindex", "", b.as(t, "editor")...).status, http.StatusAccepted)
	changed, _, err := b.DB.Changes(t.Context(), previous)
	ok(t, err)
	equal(t, "told", changed, []uuid.UUID{text.Document.ID})
	wantDetail(t, b.do(t, "POST", path+uuid.NewString()+"/reindex", "", b.as(t, "editor")...), http.StatusNotFound)
}
