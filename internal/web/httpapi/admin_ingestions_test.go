package httpapi

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// addFile adds a file that is being processed.
func (b *bundle) addFile(t *testing.T, name string) postgres.Ingestion {
	t.Helper()
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: strings.Repeat("0", 64-len(name)) + name, Filename: name + ".pdf", Size: 9}
	ok(t, pgtest.AddFile(t.Context(), b.DB, i))
	i, err := b.DB.StartIngestion(t.Context(), i.ID)
	ok(t, err)
	return i
}

// endFile ends a file with the given texts.
func (b *bundle) endFile(t *testing.T, i postgres.Ingestion, state, reason string, texts ...postgres.StoredText) {
	t.Helper()
	if len(texts) > 0 {
		ok(t, b.DB.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: texts}))
	}
	ok(t, b.DB.MarkIngestion(t.Context(), i.ID, i.Attempt, state, reason))
}

func TestIngestions(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	path := transport.Prefix + "/admin/ingestions"
	failed, waiting := b.addFile(t, "a1"), b.addFile(t, "b2")
	b.endFile(t, failed, "failed", "Fichier abîmé.")
	shown := b.do(t, "GET", path+"/"+failed.ID.String(), "", editor...)
	equal(t, "fields", keys(t, shown.body), set("id", "filename", "sha256", "size", "state", "stage", "pages_done", "pages_total", "pages_unread", "error", "kind", "pays",
		"attempts", "documents", "refined_in_seconds", "created_at", "updated_at"))
	equal(t, "why", *decode[gazettes.IngestionBody](t, shown).Error, "Fichier abîmé.")
	names := func(query string) (list []string) {
		for _, i := range decode[respond.Listing[gazettes.IngestionBody]](t, b.do(t, "GET", path+query, "", editor...)).Items {
			list = append(list, i.Filename)
		}
		return list
	}
	equal(t, "all", names(""), []string{"b2.pdf", "a1.pdf"})
	equal(t, "failed", names("?state=failed"), []string{"a1.pdf"})
	first := decode[respond.Listing[gazettes.IngestionBody]](t, b.do(t, "GET", path+"?limit=1", "", editor...))
	equal(t, "second page", names("?limit=1&before="+*first.NextBefore), []string{"a1.pdf"})
	equal(t, "state", found(t, b.do(t, "GET", path+"?state=perdu", "", editor...)), []string{"enum query.state"})

	retried := b.do(t, "POST", path+"/"+failed.ID.String()+"/retry", "", editor...)
	equal(t, "retry", retried.status, http.StatusAccepted)
	equal(t, "queued", decode[gazettes.IngestionBody](t, retried).State, "queued")
	equal(t, "hint", <-b.hints, failed.ID)
	wantDetail(t, b.do(t, "POST", path+"/"+waiting.ID.String()+"/retry", "", editor...), http.StatusConflict)
	cancelled := decode[gazettes.IngestionBody](t, b.do(t, "POST", path+"/"+failed.ID.String()+"/cancel", "", editor...))
	equal(t, "cancelled", cancelled.State, "cancelled")
	equal(t, "again", b.do(t, "POST", path+"/"+failed.ID.String()+"/cancel", "", editor...).status, http.StatusAccepted)
	for _, unknown := range []string{"", "/review", "/events"} {
		wantDetail(t, b.do(t, "GET", path+"/"+uuid.NewString()+unknown, "", editor...), http.StatusNotFound)
		equal(t, "id", found(t, b.do(t, "GET", path+"/x"+unknown, "", editor...)), []string{"uuid_parsing path.id"})
	}
}

func TestIngestionEvents(t *testing.T) {
	b := setup(t)
	i := b.addFile(t, "a1")
	response := b.send(t, "GET", transport.Prefix+"/admin/ingestions/"+i.ID.String()+"/events", "", b.as(t, "editor")...)
	defer response.Body.Close()
	equal(t, "type", response.Header.Get("Content-Type"), "text/event-stream; charset=utf-8")
	lines := bufio.NewScanner(response.Body)
	next := func() (event string) {
		for lines.Scan() {
			if line := lines.Text(); strings.HasPrefix(line, "event: ") {
				event = strings.TrimPrefix(line, "event: ")
			} else if data, holds := strings.CutPrefix(line, "data: "); holds {
				return event + " " + decode[gazettes.IngestionBody](t, reply{body: []byte(data)}).State
			}
		}
		return ""
	}
	equal(t, "first", next(), "progress running")
	ok(t, b.DB.SetStage(t.Context(), i.ID, i.Attempt, "texts"))
	equal(t, "stage", next(), "progress running")
	b.endFile(t, i, "done", "", newText("Loi A", "2024-01-01"))
	last := next()
	for last == "progress running" { // saved, but not marked yet
		last = next()
	}
	equal(t, "end", last, "final done")
	equal(t, "after", next(), "")
	over := b.do(t, "GET", transport.Prefix+"/admin/ingestions/"+i.ID.String()+"/events", "", b.as(t, "editor")...)
	if !strings.HasPrefix(string(over.body), "id: 1\nevent: final\n") {
		t.Errorf("of a file that has ended: %s", over.body)
	}
}

func TestReview(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	old := newText("Loi ancienne", "2020-01-01")
	old.Document.OfficialNumber = "2020-07"
	b.addTexts(t, old)

	doubtful, spurious := newText("Lo1 nouve11e", "2024-01-01"), newText("Page de garde", "2024-01-01")
	doubtful.Document.OfficialNumber = ""
	doubtful.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Le numéro est illisible.", Confidence: 0.3, Words: "LOI N° 2O", Page: 1}}
	doubtful.Evidence = []law.Evidence{{Field: "date_promulgation", Words: "DU 1ER JANVIER 2024", Page: 1, Confidence: 0.95}}
	spurious.Doubts = []law.Doubt{{Field: "title", Reason: "Le titre n’a pas été trouvé."}}
	doubtful.Relations = []law.Relation{{ID: uuid.New(), SourceArticle: doubtful.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi,
		TargetNumber: "2020-07", Effective: doubtful.Document.EntersInForce}}
	i := b.addFile(t, "a1")
	ok(t, b.DB.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{doubtful, spurious}}))
	path := fmt.Sprintf("%s/admin/ingestions/%s/review", transport.Prefix, i.ID)
	one, other := path+"/"+doubtful.Document.ID.String(), path+"/"+spurious.Document.ID.String()
	wantDetail(t, b.do(t, "POST", one, `{"decision":"accept"}`, editor...), http.StatusConflict) // still running
	ok(t, b.DB.MarkIngestion(t.Context(), i.ID, i.Attempt, "review", ""))

	list := decode[respond.Listing[gazettes.ReviewBody]](t, b.do(t, "GET", path, "", editor...)).Items
	equal(t, "texts", len(list), 2)
	equal(t, "doubts", list[0].Doubts, doubtful.Doubts)
	equal(t, "evidence", list[0].Evidence, doubtful.Evidence)
	equal(t, "faults", found(t, b.do(t, "POST", one, `{"decision":"oui","doc_type":"x","domaine":"mer","date_promulgation":"hier","title":""}`, editor...)),
		[]string{"enum body.decision", "string_too_short body.title", "enum body.doc_type", "date_from_datetime_parsing body.date_promulgation"})
	equal(t, "no such domain", found(t, b.do(t, "POST", one, `{"decision":"accept","domaine":"mer"}`, editor...)), []string{"enum body.domaine"})
	equal(t, "no decision", found(t, b.do(t, "POST", one, `{}`, editor...)), []string{"missing body.decision"})
	wantDetail(t, b.do(t, "POST", path+"/"+uuid.NewString(), `{"decision":"accept"}`, editor...), http.StatusNotFound)

	previous, err := b.DB.CatalogueVersion(t.Context())
	ok(t, err)
	accepted := b.do(t, "POST", one, `{"decision":"accept","title":"Loi nouvelle","numero_officiel":"2024-09","nature":"Ordonnance","date_entree_vigueur":"2024-06-01"}`, editor...)
	equal(t, "accept", accepted.status, 200)
	d := decode[law.Record](t, accepted)
	equal(t, "corrected", []string{d.Title, d.Nature, d.OfficialNumber, d.EntersInForce}, []string{"Loi nouvelle", "Ordonnance", "2024-09", "2024-06-01"})
	equal(t, "in the catalogue", b.get(t, transport.Prefix+"/documents/"+d.ID.String()).status, 200)
	repealed := decode[law.Record](t, b.get(t, transport.Prefix+"/documents/"+old.Document.ID.String()))
	equal(t, "repeals", repealed.Status, law.Repealed)
	equal(t, "by", *repealed.RepealedBy, d.ID)
	changed, _, err := b.DB.Changes(t.Context(), previous)
	ok(t, err)
	equal(t, "told", len(changed), 2)

	equal(t, "reject", b.do(t, "POST", other, `{"decision":"reject"}`, editor...).status, http.StatusNoContent)
	row := decode[gazettes.IngestionBody](t, b.do(t, "GET", strings.TrimSuffix(path, "/review"), "", editor...))
	equal(t, "settled", row.State, "done")
	equal(t, "left", row.Documents, []gazettes.IngestedTextBody{{ID: d.ID, Title: "Loi nouvelle", Type: law.Loi, Nature: "Ordonnance", Number: "2024-09", Articles: 2}})
	wantDetail(t, b.do(t, "POST", other, `{"decision":"accept"}`, editor...), http.StatusNotFound)
}

// TestAcceptingWithoutADate checks that a text without a date or a type is accepted only
// once a person gives them; the number is optional. Dates that were derived from the date
// move with it.
func TestAcceptingWithoutADate(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	text := newText("Texte", "2026-11-22")
	text.Document.OfficialNumber = ""
	text.Document.EntersInForce = text.Document.Promulgated
	text.Doubts = []law.Doubt{{Field: "numero_officiel"}, {Field: "date_promulgation"}, {Field: "date_entree_vigueur"}, {Field: "doc_type", Words: "AVIS"}}
	text.Relations = []law.Relation{{ID: uuid.New(), SourceArticle: text.Articles[0].ID, Kind: law.Repeals, TargetNumber: "2020-07",
		Effective: text.Document.EntersInForce}}
	i := b.addFile(t, "a1")
	b.endFile(t, i, "review", "", text)
	path := fmt.Sprintf("%s/admin/ingestions/%s/review/%s", transport.Prefix, i.ID, text.Document.ID)
	refused := b.do(t, "POST", path, `{"decision":"accept"}`, editor...)
	equal(t, "status", refused.status, http.StatusUnprocessableEntity)
	equal(t, "neither", found(t, refused), []string{"missing body.doc_type", "missing body.date_promulgation"})
	if !strings.Contains(string(refused.body), "La date de promulgation n’a pas été trouvée dans le texte") {
		t.Errorf("why: %s", refused.body)
	}
	equal(t, "a blank date", found(t, b.do(t, "POST", path, `{"decision":"accept","doc_type":"loi","date_promulgation":null}`, editor...)),
		[]string{"missing body.date_promulgation"})
	equal(t, "not in the catalogue", b.get(t, transport.Prefix+"/documents/"+text.Document.ID.String()).status, 404)
	accepted := b.do(t, "POST", path, `{"decision":"accept","doc_type":"loi","date_promulgation":"2019-04-01"}`, editor...)
	equal(t, "accepted", accepted.status, 200)
	d := decode[law.Record](t, accepted)
	equal(t, "days", []string{d.Promulgated, d.EntersInForce, d.OfficialNumber}, []string{"2019-04-01", "2019-04-01", ""})
	whole, err := b.DB.WholeText(t.Context(), text.Document.ID)
	ok(t, err)
	equal(t, "first day of its changes", whole.Relations[0].Effective.Format("2006-01-02"), "2019-04-01")
}

// TestReopen undoes an acceptance: the text is in review as before, is not visible, what it
// repealed is in force again, and it can be accepted again.
func TestReopen(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	old := newText("Loi ancienne", "2020-01-01")
	old.Document.OfficialNumber = "2020-07"
	b.addTexts(t, old)
	text := newText("Lo1", "2024-01-01")
	text.Doubts = []law.Doubt{{Field: "title", Reason: "Illisible.", Confidence: 0.3, Words: "Lo1", Page: 1}}
	text.Relations = []law.Relation{{ID: uuid.New(), SourceArticle: text.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi,
		TargetNumber: "2020-07", Effective: text.Document.EntersInForce}}
	i := b.addFile(t, "a1")
	sure := newText("Loi sûre", "2024-02-01")
	b.endFile(t, i, "review", "", text, sure)
	path := fmt.Sprintf("%s/admin/ingestions/%s/review", transport.Prefix, i.ID)
	one := path + "/" + text.Document.ID.String()
	status := func() law.Status {
		return decode[law.Record](t, b.get(t, transport.Prefix+"/documents/"+old.Document.ID.String())).Status
	}
	wantDetail(t, b.do(t, "POST", one, `{"decision":"reopen"}`, editor...), http.StatusNotFound) // still in review
	equal(t, "accept", b.do(t, "POST", one, `{"decision":"accept","title":"Loi","nature":"Ordonnance","date_promulgation":"2023-05-01","date_entree_vigueur":"2023-06-01"}`, editor...).status, 200)
	equal(t, "repealed", status(), law.Repealed)
	previous, err := b.DB.CatalogueVersion(t.Context())
	ok(t, err)

	reopened := b.do(t, "POST", one, `{"decision":"reopen"}`, editor...)
	equal(t, "reopen", reopened.status, 200)
	d := decode[law.Record](t, reopened)
	equal(t, "as it was", []string{d.Title, d.Nature, d.Promulgated, d.EntersInForce}, []string{"Lo1", "", "2024-01-01", text.Document.EntersInForce.Format("2006-01-02")})
	list := decode[respond.Listing[gazettes.ReviewBody]](t, b.do(t, "GET", path, "", editor...)).Items
	equal(t, "waiting", len(list), 1)
	equal(t, "doubts", list[0].Doubts, text.Doubts)
	equal(t, "state", decode[gazettes.IngestionBody](t, b.do(t, "GET", strings.TrimSuffix(path, "/review"), "", editor...)).State, "review")
	wantDetail(t, b.get(t, transport.Prefix+"/documents/"+text.Document.ID.String()), http.StatusNotFound)
	equal(t, "law again", status(), law.InForce)
	whole, err := b.DB.WholeText(t.Context(), text.Document.ID)
	ok(t, err)
	equal(t, "first day of its changes", whole.Relations[0].Effective, text.Document.EntersInForce)
	changed, _, err := b.DB.Changes(t.Context(), previous)
	ok(t, err)
	equal(t, "told", len(changed), 2)
	log, _, err := b.DB.Audit(t.Context(), postgres.AuditQuery{Action: postgres.TextReopened, Limit: 10})
	ok(t, err)
	equal(t, "log", []any{len(log), log[0].Object, log[0].UserID != nil}, []any{1, text.Document.ID.String(), true})

	wantDetail(t, b.do(t, "POST", one, `{"decision":"reopen"}`, editor...), http.StatusNotFound)
	wantDetail(t, b.do(t, "POST", path+"/"+sure.Document.ID.String(), `{"decision":"reopen"}`, editor...), http.StatusConflict)
	wantDetail(t, b.do(t, "POST", path+"/"+uuid.NewString(), `{"decision":"reopen"}`, editor...), http.StatusNotFound)
	wantDetail(t, b.do(t, "POST", one, `{"decision":"reopen"}`, b.as(t, "user")...), http.StatusForbidden)
	equal(t, "accept again", b.do(t, "POST", one, `{"decision":"accept"}`, editor...).status, 200)
	equal(t, "repealed again", status(), law.Repealed)
}

// TestForgetIngestion deletes a file without texts, including its bytes, but no others.
func TestForgetIngestion(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	id := decode[uploadReply](t, b.upload(t, pdf)).Ingestion
	failed, err := b.DB.StartIngestion(t.Context(), id)
	ok(t, err)
	busy, gave := b.addFile(t, "b2"), b.addFile(t, "c3")
	b.endFile(t, failed, "failed", "Fichier abîmé.")
	b.endFile(t, gave, "done", "", newText("Loi", "2024-01-01"))
	forget := func(id uuid.UUID, headers ...string) reply {
		return b.do(t, "DELETE", transport.Prefix+"/admin/ingestions/"+id.String(), "", headers...)
	}
	wantDetail(t, forget(failed.ID, b.as(t, "user")...), http.StatusForbidden)
	wantDetail(t, forget(busy.ID, editor...), http.StatusConflict)
	wantDetail(t, forget(gave.ID, editor...), http.StatusConflict)
	wantDetail(t, forget(uuid.New(), editor...), http.StatusNotFound)
	equal(t, "forget", forget(failed.ID, editor...).status, http.StatusNoContent)
	wantDetail(t, forget(failed.ID, editor...), http.StatusNotFound)
	if _, err := b.Blobs.Open(t.Context(), failed.SHA256); !errs.Is(err, errs.NotFound) {
		t.Errorf("its bytes: %v", err)
	}
	log, _, err := b.DB.Audit(t.Context(), postgres.AuditQuery{Action: postgres.FileForgotten, Limit: 10})
	ok(t, err)
	equal(t, "log", []any{len(log), log[0].Object}, []any{1, failed.ID.String()})
	equal(t, "added again", b.upload(t, pdf).status, http.StatusAccepted)
}

func TestFileOfWhichAllIsRejectedMayBeRetried(t *testing.T) {
	b := setup(t)
	text := newText("Page de garde", "2024-01-01")
	text.Doubts = []law.Doubt{{Field: "title", Reason: "Illisible."}}
	i := b.addFile(t, "a1")
	b.endFile(t, i, "review", "", text)
	path := fmt.Sprintf("%s/admin/ingestions/%s", transport.Prefix, i.ID)
	equal(t, "reject", b.do(t, "POST", path+"/review/"+text.Document.ID.String(), `{"decision":"reject"}`, b.as(t, "editor")...).status, 204)
	equal(t, "retry", b.do(t, "POST", path+"/retry", "", b.as(t, "editor")...).status, http.StatusAccepted)
}

// TestReplacedEditionLeadsToItsSuccessor supersedes a text by another and undoes it, over
// HTTP.
func TestReplacedEditionLeadsToItsSuccessor(t *testing.T) {
	b := setup(t)
	old, waiting := newText("Loi du port", "2024-01-01"), newText("Loi des ports", "2024-01-02")
	waiting.Document.OfficialNumber = "2024-02"
	waiting.Doubts = []law.Doubt{{Field: "title", Reason: "Illisible."}}
	first, second := b.addFile(t, "a1"), b.addFile(t, "a2")
	b.endFile(t, first, "done", "", old)
	b.endFile(t, second, "review", "", waiting)
	editor := b.as(t, "editor")
	review := fmt.Sprintf("%s/admin/ingestions/%s/review/%s", transport.Prefix, second.ID, waiting.Document.ID)
	body := func(id string) string { return `{"decision":"accept","remplace":"` + id + `"}` }
	equal(t, "no id", b.do(t, "POST", review, body("x"), editor...).status, http.StatusUnprocessableEntity)
	equal(t, "no text", b.do(t, "POST", review, body(waiting.Document.ID.String()), editor...).status, http.StatusConflict)
	equal(t, "accepted", b.do(t, "POST", review, body(old.Document.ID.String()), editor...).status, http.StatusOK)

	reader := b.as(t, "user")
	shown := b.do(t, "GET", transport.Prefix+"/documents/"+old.Document.ID.String(), "", reader...)
	equal(t, "the old edition opens", shown.status, http.StatusOK)
	equal(t, "its successor", shown.header.Get("Link"), fmt.Sprintf(`<%s%s/documents/%s>; rel="successor-version"`, strings.TrimRight(b.BaseURL, "/"), transport.Prefix, waiting.Document.ID))
	list := decode[struct{ Total int }](t, b.do(t, "GET", transport.Prefix+"/documents", "", reader...))
	equal(t, "listed", list.Total, 1)
	back := fmt.Sprintf("%s/admin/ingestions/%s/review/%s", transport.Prefix, first.ID, old.Document.ID)
	equal(t, "no rejecting what was cited", b.do(t, "POST", back, `{"decision":"reject"}`, editor...).status, http.StatusNotFound)
	equal(t, "back", b.do(t, "POST", back, `{"decision":"accept"}`, editor...).status, http.StatusOK)
	list = decode[struct{ Total int }](t, b.do(t, "GET", transport.Prefix+"/documents", "", reader...))
	equal(t, "both listed", list.Total, 2)
}

// TestUncertainRelationIsSettled lists a repeal that may mean two codes, and settles it
// either way.
func TestUncertainRelationIsSettled(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	old, young, change := newText("Code des impôts de 1990", "1990-01-01"), newText("Code des impôts de 2000", "2000-01-01"), newText("Loi de finances", "2024-01-01")
	day := old.Document.Promulgated.AddDate(0, 0, 1)
	change.Relations = []law.Relation{{ID: uuid.New(), SourceArticle: change.Articles[0].ID, Kind: law.Repeals, TargetType: law.Code,
		TargetTitle: "Code des impôts", TargetDate: &day, Effective: change.Document.EntersInForce}}
	b.addTexts(t, old, young, change)
	path := transport.Prefix + "/admin/relations"
	one := path + "/" + change.Relations[0].ID.String()
	items := decode[respond.Listing[gazettes.UncertainRelationBody]](t, b.do(t, "GET", path, "", editor...)).Items
	equal(t, "relations", len(items), 1)
	r := items[0]
	equal(t, "words", r.Target.Title, "Code des impôts")
	equal(t, "day", *r.Target.Date, "1990-01-02")
	equal(t, "candidates", []uuid.UUID{r.Candidates[0].ID, r.Candidates[1].ID}, []uuid.UUID{old.Document.ID, young.Document.ID})
	equal(t, "no target", found(t, b.do(t, "POST", one, `{"decision":"accept"}`, editor...)), []string{"missing body.document_id"})
	equal(t, "faults", found(t, b.do(t, "POST", one, `{"decision":"peut-être","document_id":7}`, editor...)), []string{"enum body.decision", "uuid_parsing body.document_id"})
	wantDetail(t, b.do(t, "POST", path+"/"+uuid.NewString(), `{"decision":"reject"}`, editor...), http.StatusNotFound)
	wantDetail(t, b.do(t, "POST", one, `{"decision":"accept","document_id":"`+uuid.NewString()+`"}`, editor...), http.StatusConflict)
	status := func() string {
		return string(decode[law.Record](t, b.get(t, transport.Prefix+"/documents/"+young.Document.ID.String())).Status)
	}
	equal(t, "accept", b.do(t, "POST", one, `{"decision":"accept","document_id":"`+young.Document.ID.String()+`"}`, editor...).status, http.StatusNoContent)
	equal(t, "status", status(), "abroge")
	equal(t, "settled", len(decode[respond.Listing[gazettes.UncertainRelationBody]](t, b.do(t, "GET", path, "", editor...)).Items), 0)
	equal(t, "reject", b.do(t, "POST", one, `{"decision":"reject"}`, editor...).status, http.StatusNoContent)
	equal(t, "status", status(), "en_vigueur")
}

// TestFileTellsWhenItsTextsAreRefined checks that the time is in the list and beside the file
// while a worker is at the vectors, and null otherwise.
func TestFileTellsWhenItsTextsAreRefined(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	path := transport.Prefix + "/admin/ingestions"
	file := b.addFile(t, "a1")
	text := newText("Loi sans vecteurs", "2030-01-09")
	b.endFile(t, file, "done", "", text)
	seconds := func() (of []*int64) {
		t.Helper()
		shown := decode[gazettes.IngestionBody](t, b.do(t, "GET", path+"/"+file.ID.String(), "", editor...))
		for _, i := range decode[respond.Listing[gazettes.IngestionBody]](t, b.do(t, "GET", path, "", editor...)).Items {
			of = append(of, i.RefinedIn)
		}
		return append(of, shown.RefinedIn)
	}
	for _, s := range seconds() {
		if s != nil {
			t.Errorf("nobody is at it: %d", *s)
		}
	}
	ctx := t.Context()
	g, err := b.DB.EnsureSentenceGeneration(ctx, postgres.Generation{ID: postgres.NewID(), Model: "m", Chunking: "c", Dimensions: 1, Probe: []byte{}},
		func(postgres.Generation) bool { return false })
	ok(t, err)
	lease, err := b.DB.LeaseEmbedding(ctx, g.ID)
	ok(t, err)
	ok(t, b.DB.RenewEmbedding(ctx, lease, 0.01))
	all := seconds()
	if len(all) != 2 {
		t.Fatalf("%d files", len(all))
	}
	for _, s := range all {
		if want := int64(100 * len(text.Passages)); s == nil || *s < want-1 || *s > want { // the pace is stored with single precision
			t.Errorf("in %v, want %d", s, want)
		}
	}
}
