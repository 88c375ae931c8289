package postgres_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// body is the text of a decree's article; a spoiled one looks like a bad scan.
func body(spoiled bool) string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "Le président du conseil numéro %d répond de la gestion devant l’assemblée de l’exercice %d. ", i, i*3)
	}
	if spoiled {
		return strings.NewReplacer("numéro 1", "nurn*ro ]", "gestion devant l’assemblée de l’exercice 3", "g(stion dev!nt lassernblée").Replace(b.String())
	}
	return b.String()
}

// decree returns one edition of the same decree.
func decree(spoiled bool, day_ string) postgres.StoredText {
	t := text("Décret n° 2000-190 portant attributions des présidents de conseil", "2000-190", day(day_), "1er")
	t.Document.Type = law.Decret
	t.Articles[0].Text = body(spoiled)
	t.Passages[0].Text = t.Articles[0].Text
	return t
}

// ingested adds a file with texts and ends it in the state that the doubts of the texts
// require.
func (b bundle) ingested(t *testing.T, sha string, texts ...postgres.StoredText) postgres.Ingestion {
	t.Helper()
	i := b.addGazette(t, sha)
	ok(t, b.SavePages(t.Context(), i.ID, i.Attempt, []postgres.StoredPage{{Number: 1, Source: layout.Layer, Content: []byte("x")}}, 1))
	b.save(t, i, texts...)
	state := "done"
	waiting, err := b.Reviews(t.Context(), i.ID)
	ok(t, err)
	if len(waiting) > 0 {
		state = "review"
	}
	ok(t, b.MarkIngestion(t.Context(), i.ID, i.Attempt, state, ""))
	return i
}

// listed returns the ids of the catalogue.
func (b bundle) listed(t *testing.T) map[uuid.UUID]bool {
	t.Helper()
	items, total, err := b.Documents(t.Context(), postgres.DocumentQuery{Page: 1, PageSize: 100})
	ok(t, err)
	ids := map[uuid.UUID]bool{}
	for _, d := range items {
		ids[d.ID] = true
	}
	if total != len(ids) {
		t.Errorf("total %d, items %d", total, len(ids))
	}
	return ids
}

func (b bundle) wantListed(t *testing.T, want ...uuid.UUID) {
	t.Helper()
	got := b.listed(t)
	for _, id := range want {
		if !got[id] {
			t.Errorf("%v is not in the catalogue: %v", id, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d texts in the catalogue, want %d", len(got), len(want))
	}
	var passages int
	ok(t, b.IndexRows(t.Context(), nil, func(r postgres.IndexRow) error {
		passages++
		if !got[r.Passage.DocumentID] {
			t.Errorf("a passage of %v is searched", r.Passage.DocumentID)
		}
		return nil
	}))
	if passages < len(want) {
		t.Errorf("%d passages are searched", passages)
	}
	// Reading one text per statement gives the same rows in the same order.
	all, each := b.indexed(t, 1000), b.indexed(t, 1)
	if !reflect.DeepEqual(all, each) || len(all) != passages {
		t.Errorf("%d passages at once, %d text by text", len(all), len(each))
	}
}

func (b bundle) indexed(t *testing.T, atOnce int) (list []uuid.UUID) {
	t.Helper()
	ok(t, b.IndexAll(t.Context(), atOnce, func(r postgres.IndexRow) error {
		list = append(list, r.Passage.ID)
		return nil
	}))
	return list
}

func TestBetterEditionTakesThePlace(t *testing.T) {
	for name, order := range map[string][2]bool{"scan first": {true, false}, "scan last": {false, true}} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			ctx := t.Context()
			editions := map[bool]postgres.StoredText{true: decree(true, "2000-05-17"), false: decree(false, "2000-05-17")}
			law1 := text("Loi ancienne", "1990-1", day("1990-01-01"), "1er")
			b.ingested(t, "a0", law1)
			for spoiled, e := range editions {
				e.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: e.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi,
					TargetNumber: "1990-1", Effective: day("2000-06-01")}}
				editions[spoiled] = e
			}
			first := b.ingested(t, "a1", editions[order[0]])
			previous, err := b.CatalogueVersion(ctx)
			ok(t, err)
			b.ingested(t, "a2", editions[order[1]])
			scan, digital := editions[true].Document.ID, editions[false].Document.ID
			b.wantListed(t, digital, law1.Document.ID)

			old, err := b.Document(ctx, scan)
			ok(t, err)
			if old.SupersededBy == nil || *old.SupersededBy != digital {
				t.Errorf("the scan is superseded by %v", old.SupersededBy)
			}
			if _, err := b.Article(ctx, scan, editions[true].Articles[0].ID); err != nil {
				t.Errorf("an article that was cited does not open: %v", err)
			}
			if _, err := b.DocumentFile(ctx, scan); err != nil {
				t.Errorf("a file that was cited does not open: %v", err)
			}
			repealed, err := b.Document(ctx, law1.Document.ID)
			ok(t, err)
			if repealed.RepealedBy == nil || *repealed.RepealedBy != digital || repealed.Status != law.Repealed {
				t.Errorf("repealed by %v, status %s", repealed.RepealedBy, repealed.Status)
			}
			changed, _, err := b.Changes(ctx, previous)
			ok(t, err)
			if len(changed) < 2 {
				t.Errorf("the followers are told of %v", changed)
			}
			if row, err := b.Ingestion(ctx, first.ID); err != nil || row.Documents[0].InReview {
				t.Errorf("the file says %+v, %v", row.Documents, err)
			}
			if all, err := b.ReviewPage(ctx, postgres.ReviewQuery{}, 1, 10); err != nil || len(all.Items) != 0 {
				t.Errorf("in review: %+v, %v", all, err)
			}
			list, err := b.AllSuperseded(ctx, 10)
			if err != nil || len(list) != 1 || list[0].Document.ID != scan || list[0].By.ID != digital {
				t.Errorf("superseded: %+v, %v", list, err)
			}
		})
	}
}

func TestSupersedingIsUndone(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	scan, digital := decree(true, "2000-05-17"), decree(false, "2000-05-17")
	file := b.ingested(t, "a1", scan)
	b.ingested(t, "a2", digital)
	wantKind(t, b.RejectText(ctx, file.ID, scan.Document.ID, ""), errs.NotFound)
	d, err := b.AcceptText(ctx, file.ID, scan.Document.ID, postgres.DocumentChange{})
	ok(t, err)
	if d.SupersededBy != nil {
		t.Errorf("still superseded by %v", d.SupersededBy)
	}
	b.wantListed(t, scan.Document.ID, digital.Document.ID)
	// A person's decision stays.
	third := decree(false, "2000-05-17")
	b.ingested(t, "a3", third)
	b.wantListed(t, scan.Document.ID, digital.Document.ID)
	log, _, err := b.Audit(ctx, postgres.AuditQuery{Action: postgres.TextRestored, Limit: 5})
	if err != nil || len(log) != 1 || log[0].Object != scan.Document.ID.String() {
		t.Errorf("log %+v, %v", log, err)
	}
}

func TestDoubtfulEditionWaits(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	there, other := decree(false, "2000-05-17"), decree(false, "2000-05-18")
	b.ingested(t, "a1", there)
	file := b.ingested(t, "a2", other)
	b.wantListed(t, there.Document.ID)
	r, err := b.Review(ctx, other.Document.ID)
	ok(t, err)
	if len(r.Doubts) != 1 || r.Doubts[0].Field != postgres.EditionField || !strings.Contains(r.Doubts[0].Reason, there.Document.ID.String()) {
		t.Errorf("doubts %+v", r.Doubts)
	}
	unknown := postgres.NewID()
	_, err = b.AcceptText(ctx, file.ID, other.Document.ID, postgres.DocumentChange{Supersedes: &unknown})
	wantKind(t, err, errs.Conflict)
	_, err = b.AcceptText(ctx, file.ID, other.Document.ID, postgres.DocumentChange{Supersedes: &there.Document.ID})
	ok(t, err)
	b.wantListed(t, other.Document.ID)
	if _, err := b.DeleteDocument(ctx, other.Document.ID); err != nil {
		t.Fatal(err)
	}
	b.wantListed(t, there.Document.ID) // the earlier edition is restored
}

// TestReopenedEditionLeavesItsPlace checks that reopening an edition restores the edition
// that it had superseded, and its doubt.
func TestReopenedEditionLeavesItsPlace(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	there, other := decree(false, "2000-05-17"), decree(false, "2000-05-18")
	b.ingested(t, "a1", there)
	file := b.ingested(t, "a2", other)
	_, err := b.AcceptText(ctx, file.ID, other.Document.ID, postgres.DocumentChange{Supersedes: &there.Document.ID})
	ok(t, err)
	_, err = b.ReopenText(ctx, file.ID, other.Document.ID)
	ok(t, err)
	b.wantListed(t, there.Document.ID)
	r, err := b.Review(ctx, other.Document.ID)
	ok(t, err)
	if len(r.Doubts) != 1 || r.Doubts[0].Field != postgres.EditionField {
		t.Errorf("doubts %+v", r.Doubts)
	}
	_, err = b.AcceptText(ctx, file.ID, other.Document.ID, postgres.DocumentChange{})
	ok(t, err)
	b.wantListed(t, there.Document.ID, other.Document.ID)
}

func TestBothAreKept(t *testing.T) {
	b := setup(t)
	there, other := decree(false, "2000-05-17"), decree(false, "2000-05-18")
	b.ingested(t, "a1", there)
	file := b.ingested(t, "a2", other)
	d, err := b.AcceptText(t.Context(), file.ID, other.Document.ID, postgres.DocumentChange{Promulgated: ptr(day("2000-05-17"))})
	ok(t, err)
	b.wantListed(t, there.Document.ID, other.Document.ID)
	if row, err := b.Ingestion(t.Context(), file.ID); err != nil || row.State != "done" || d.SupersededBy != nil {
		t.Errorf("state %s, superseded by %v, %v", row.State, d.SupersededBy, err)
	}
}

func ptr[T any](v T) *T { return &v }

// TestAttemptAgainKeepsEditions saves a file a second time, as an attempt after a crash
// does.
func TestAttemptAgainKeepsEditions(t *testing.T) {
	b := setup(t)
	scan, digital := decree(true, "2000-05-17"), decree(false, "2000-05-17")
	b.ingested(t, "a1", scan)
	i := b.addGazette(t, "a2")
	b.save(t, i, digital)
	b.wantListed(t, digital.Document.ID)
	b.save(t, i, digital)
	b.wantListed(t, digital.Document.ID)
	ok(t, b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{})) // the second attempt found no texts
	b.wantListed(t, scan.Document.ID)
}

func TestTwoEditionsAtOnce(t *testing.T) {
	b := setup(t)
	var files []postgres.Ingestion
	for n := range 4 {
		files = append(files, b.addGazette(t, fmt.Sprint("a", n)))
	}
	var all sync.WaitGroup
	for n, i := range files {
		all.Go(func() {
			if err := b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{decree(n != 2, "2000-05-17")}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := b.listed(t); len(got) != 1 {
		t.Errorf("%d editions in the catalogue", len(got))
	}
}

func TestWhatAddsDoesNotEndTheWording(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Code du travail", "2023-04", day("2023-03-01"), "5", "6")
	b.ingested(t, "a1", code)
	change := text("Loi modificative", "2024-01", day("2024-01-01"), "1er")
	relation := func(article string, adds bool) law.Relation {
		return law.Relation{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends, TargetType: law.Loi, TargetNumber: "2023-04",
			TargetArticles: []string{article}, Effective: day("2024-01-01"), Adds: adds}
	}
	change.Relations = []law.Relation{relation("5", true), relation("6", false)}
	b.ingested(t, "a2", change)
	five, err := b.Article(ctx, code.Document.ID, code.Articles[0].ID)
	ok(t, err)
	six, err := b.Article(ctx, code.Document.ID, code.Articles[1].ID)
	ok(t, err)
	if five.ValidTo != nil || six.ValidTo == nil {
		t.Errorf("article 5 ends %v, article 6 %v", five.ValidTo, six.ValidTo)
	}
	found, err := b.Found(ctx, []uuid.UUID{code.Passages[0].ID, code.Passages[1].ID})
	ok(t, err)
	for i, p := range code.Passages {
		if n := len(found[p.ID].Relations); n != 1 {
			t.Errorf("article %s carries %d relations, want its own", code.Articles[i].Number, n)
		}
	}
	log, _, err := b.Audit(ctx, postgres.AuditQuery{Action: postgres.StatusChanged, Limit: 5})
	if err != nil || len(log) != 1 || log[0].Object != code.Document.ID.String() || !strings.Contains(string(log[0].Details), `"to": "modifie"`) {
		t.Errorf("log %+v, %v", log, err)
	}
}

func TestUncertainRelationIsSettled(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	old := text("Code des impôts de 1990", "1990-1", day("1990-01-01"), "1er")
	young := text("Code des impôts de 2000", "2000-1", day("2000-01-01"), "1er")
	b.ingested(t, "a1", old)
	b.ingested(t, "a2", young)
	change := text("Loi de finances", "2024-01", day("2024-01-01"), "9")
	change.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Repeals, TargetType: law.Code,
		TargetTitle: "Code des impôts", Effective: day("2024-01-01")}}
	b.ingested(t, "a3", change)
	list, err := b.UncertainRelations(ctx, 10)
	ok(t, err)
	if len(list) != 1 || len(list[0].Candidates) != 2 || list[0].Candidates[0].ID != old.Document.ID || list[0].Article != "9" {
		t.Fatalf("uncertain: %+v", list)
	}
	relation := change.Relations[0].ID
	wantKind(t, b.SettleRelation(ctx, postgres.NewID(), nil), errs.NotFound)
	wantKind(t, b.SettleRelation(ctx, relation, &change.Document.ID), errs.Conflict)
	ok(t, b.SettleRelation(ctx, relation, &old.Document.ID))
	for _, c := range []struct {
		id   uuid.UUID
		want law.Status
	}{{old.Document.ID, law.Repealed}, {young.Document.ID, law.InForce}} {
		if d, err := b.Document(ctx, c.id); err != nil || d.Status != c.want {
			t.Errorf("%s is %s, %v", d.Title, d.Status, err)
		}
	}
	b.ingested(t, "a4", text("Code des impôts fonciers", "2010-1", day("2010-01-01"), "1er"))
	ok(t, b.SettleRelation(ctx, relation, nil))
	if d, err := b.Document(ctx, old.Document.ID); err != nil || d.Status != law.InForce || d.RepealedBy != nil {
		t.Errorf("after « none » it is %s, %v", d.Status, err)
	}
	if list, err = b.UncertainRelations(ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("still uncertain: %+v, %v", list, err)
	}
}
