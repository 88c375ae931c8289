package postgres_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func (b bundle) save(t *testing.T, i postgres.Ingestion, texts ...postgres.StoredText) {
	t.Helper()
	ok(t, b.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: texts}))
}

func TestSameBytesAreRefused(t *testing.T) {
	b := setup(t)
	i := b.addGazette(t, "a1")
	err := pgtest.AddFile(t.Context(), b.DB, postgres.Ingestion{ID: postgres.NewID(), SHA256: i.SHA256, Filename: "copie.pdf"})
	wantKind(t, err, errs.Conflict)
	same, err := b.IngestionBySHA(t.Context(), i.SHA256)
	ok(t, err)
	if same.ID != i.ID {
		t.Errorf("found %v, want %v", same.ID, i.ID)
	}
}

func TestPagesAreACheckpoint(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	pages := func(numbers ...int) (list []postgres.StoredPage) {
		for _, n := range numbers {
			list = append(list, postgres.StoredPage{Number: n, Source: layout.Layer, Content: fmt.Append(nil, n)})
		}
		return list
	}
	ok(t, b.SavePages(ctx, i.ID, i.Attempt, pages(1, 2), 5))
	ok(t, b.SavePages(ctx, i.ID, i.Attempt, pages(2, 3), 5)) // a page that is saved twice counts once
	got, err := b.Ingestion(ctx, i.ID)
	ok(t, err)
	if got.PagesDone != 3 || got.PagesTotal != 5 {
		t.Errorf("%d of %d pages", got.PagesDone, got.PagesTotal)
	}
	b.expire(t, "ingestions", i.ID)
	second, err := b.StartIngestion(ctx, i.ID)
	ok(t, err)
	wantKind(t, b.SavePages(ctx, i.ID, i.Attempt, pages(4), 5), errs.LeaseLost)
	wantKind(t, b.ReplacePages(ctx, i.ID, i.Attempt, pages(1)), errs.LeaseLost)
	better := []postgres.StoredPage{{Number: 2, Content: []byte("better")}, {Number: 9, Content: []byte("no page")}}
	ok(t, b.ReplacePages(ctx, i.ID, second.Attempt, better))
	stored, err := b.LoadPages(ctx, i.ID)
	ok(t, err)
	if len(stored) != 3 || string(stored[1].Content) != "better" || stored[1].Source != layout.Layer || string(stored[0].Content) != "1" {
		t.Errorf("stored %+v", stored)
	}
	done, err := b.DonePages(ctx, i.ID)
	ok(t, err)
	if !slices.Equal(done, []int{1, 2, 3}) || second.PagesDone != 3 {
		t.Errorf("done %v, progress %d", done, second.PagesDone)
	}
	loaded, err := b.LoadPages(ctx, i.ID)
	ok(t, err)
	if len(loaded) != 3 || string(loaded[2].Content) != "3" {
		t.Errorf("loaded %v", loaded)
	}
}

func TestMarkIsTheLastWrite(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	ok(t, b.SetStage(ctx, i.ID, i.Attempt, "texts"))
	ok(t, b.MarkIngestion(ctx, i.ID, i.Attempt, "failed", "Fichier abîmé."))
	wantKind(t, b.SetStage(ctx, i.ID, i.Attempt, "save"), errs.LeaseLost)
	wantKind(t, b.MarkIngestion(ctx, i.ID, i.Attempt, "done", ""), errs.LeaseLost)
	got, err := b.Ingestion(ctx, i.ID)
	ok(t, err)
	if got.State != "failed" || got.Error != "Fichier abîmé." || !got.Ended() {
		t.Errorf("ingestion %+v", got)
	}
	ok(t, b.RetryIngestion(ctx, i.ID, nil))
	again, err := b.StartIngestion(ctx, i.ID)
	ok(t, err)
	if again.Attempt != i.Attempt+1 {
		t.Errorf("attempt %d after a retry, want %d: an old worker's fence must hold", again.Attempt, i.Attempt+1)
	}
	wantKind(t, b.RetryIngestion(ctx, i.ID, nil), errs.Conflict)
	ok(t, b.CancelIngestion(ctx, i.ID))
	if cancel, err := b.KeepIngestion(ctx, i.ID, again.Attempt, 0); err != nil || !cancel {
		t.Errorf("cancel %v, %v", cancel, err)
	}
}

func TestCatalogue(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	code := text("Code du travail de l’Été", "2023-04", day("2023-03-01"), "1er", "14")
	doubtful := text("Projet de loi", "", day("2023-03-01"), "1er")
	doubtful.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun numéro lu.", Confidence: .2}}
	tax := text("Loi de finances 100%", "2023-05", day("2023-12-01"), "1er")
	tax.Document.Domain = "impots"
	b.save(t, i, code, doubtful, tax)

	for _, c := range []struct {
		name string
		q    postgres.DocumentQuery
		want int
	}{
		{"all", postgres.DocumentQuery{}, 2},
		{"domain", postgres.DocumentQuery{Domain: "impots"}, 1},
		{"unknown domain", postgres.DocumentQuery{Domain: "rien"}, 0},
		{"status", postgres.DocumentQuery{Status: law.Repealed}, 0},
		{"type", postgres.DocumentQuery{Type: law.Loi}, 2},
		{"title without accents", postgres.DocumentQuery{Title: "l’ete"}, 1},
		{"per cent is a character", postgres.DocumentQuery{Title: "100%"}, 1},
		{"underscore is a character", postgres.DocumentQuery{Title: "d_"}, 0},
		{"backslash", postgres.DocumentQuery{Title: `\`}, 0},
	} {
		c.q.Page, c.q.PageSize = 1, 10
		items, total, err := b.Documents(ctx, c.q)
		if err != nil || total != c.want || len(items) != c.want {
			t.Errorf("%s: %d items, total %d, %v; want %d", c.name, len(items), total, err, c.want)
		}
	}
	items, total, err := b.Documents(ctx, postgres.DocumentQuery{Page: 2, PageSize: 1})
	if err != nil || total != 2 || len(items) != 1 || items[0].ID != code.Document.ID {
		t.Errorf("page 2: %v, total %d, %v; want the older text", items, total, err)
	}
	if items, total, err = b.Documents(ctx, postgres.DocumentQuery{Page: 1 << 40, PageSize: 100}); err != nil || total != 2 || len(items) != 0 {
		t.Errorf("a page far beyond: %v, total %d, %v", items, total, err)
	}
	_, err = b.Document(ctx, doubtful.Document.ID)
	wantKind(t, err, errs.NotFound)
	_, err = b.Articles(ctx, doubtful.Document.ID)
	wantKind(t, err, errs.NotFound)
	articles, err := b.Articles(ctx, code.Document.ID)
	ok(t, err)
	a, err := b.Article(ctx, code.Document.ID, articles[1].ID)
	ok(t, err)
	if len(articles) != 2 || a.Number != "14" || a.Text == "" || len(a.Spans) != 1 {
		t.Errorf("articles %v, one of them %+v", articles, a)
	}
	_, err = b.Article(ctx, tax.Document.ID, articles[1].ID)
	wantKind(t, err, errs.NotFound)
	domains, err := b.Domains(ctx)
	ok(t, err)
	if domains[0].Code != "travail" || domains[0].Documents != 1 {
		t.Errorf("domains %+v", domains)
	}
	f, err := b.DocumentFile(ctx, code.Document.ID)
	if err != nil || f.SHA256 != i.SHA256 {
		t.Errorf("file %+v, %v", f, err)
	}
}

func rows(t *testing.T, b bundle, documents []uuid.UUID) (list []postgres.IndexRow) {
	t.Helper()
	ok(t, b.IndexRows(t.Context(), documents, func(r postgres.IndexRow) error {
		list = append(list, r)
		return nil
	}))
	return list
}

func TestAmendmentAndRepealChangeTheLawByDate(t *testing.T) {
	for _, order := range []string{"code first", "amendment first"} {
		t.Run(order, func(t *testing.T) {
			b := setup(t)
			code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1er", "14", "14 bis")
			decree := text("Décret n° 2023-9", "2023-9", day("2023-04-01"), "1er")
			decree.Document.Type = law.Decret
			amending := text("Loi n° 2025-02 modifiant le code du travail", "2025-02", day("2025-01-15"), "1er", "2")
			amending.Relations = []law.Relation{
				{ID: postgres.NewID(), SourceArticle: amending.Articles[0].ID, Kind: law.Amends, TargetTitle: "code du travail",
					TargetArticles: []string{"Art. 14"}, Effective: day("2025-02-01")},
				{ID: postgres.NewID(), SourceArticle: amending.Articles[1].ID, Kind: law.Repeals, TargetType: law.Decret,
					TargetNumber: "2023-9", Effective: day("2025-02-01")},
			}
			older := func() { b.save(t, b.addGazette(t, "a1"), code, decree) }
			newer := func() { b.save(t, b.addGazette(t, "b2"), amending) }
			if order == "code first" {
				older()
				newer()
			} else {
				newer()
				older()
			}

			d, err := b.Document(t.Context(), code.Document.ID)
			if err != nil || d.Status != law.Amended || d.RepealedBy != nil {
				t.Errorf("code %+v, %v", d, err)
			}
			d, err = b.Document(t.Context(), decree.Document.ID)
			if err != nil || d.Status != law.Repealed || d.RepealedBy == nil || *d.RepealedBy != amending.Document.ID {
				t.Errorf("decree %+v, %v", d, err)
			}
			for _, r := range rows(t, b, []uuid.UUID{code.Document.ID, decree.Document.ID}) {
				ended := r.Passage.DocumentID == decree.Document.ID || r.ArticleNumber == "14"
				if (r.To != nil) != ended || ended && !r.To.Equal(day("2025-02-01")) {
					t.Errorf("article %s of %s in force until %v", r.ArticleNumber, r.Title, r.To)
				}
			}
			found, err := b.Found(t.Context(), []uuid.UUID{code.Passages[1].ID, code.Passages[2].ID, uuid.New()})
			ok(t, err)
			f := found[code.Passages[1].ID]
			if len(found) != 2 || len(f.Relations) != 1 || f.Relations[0].Type != "modifie_par" || f.Relations[0].Date != "2025-02-01" ||
				*f.Relations[0].ArticleID != amending.Articles[0].ID {
				t.Errorf("found %+v", f)
			}
			places, err := b.Spans(t.Context(), []uuid.UUID{code.Passages[1].ID, uuid.New()})
			if ok(t, err); len(places) != 1 || len(places[code.Passages[1].ID]) != 1 {
				t.Errorf("places %+v", places)
			}
			if other := found[code.Passages[2].ID]; len(other.Relations) != 0 {
				t.Errorf("article 14 bis is said to be changed: %+v", other.Relations)
			}
		})
	}
}

func TestFollowersSeeEveryChange(t *testing.T) {
	b := setup(t)
	ctx, cancel := context.WithCancel(t.Context())
	woken := make(chan struct{}, 100)
	ended := make(chan error, 1)
	go func() { ended <- b.Listen(ctx, func() { woken <- struct{}{} }) }()
	<-woken // Listen has begun
	i := b.addGazette(t, "a1")
	one := text("Loi une", "1", day("2023-03-01"), "1er")
	b.save(t, i, one)
	<-woken
	changed, version, err := b.Changes(ctx, 0)
	ok(t, err)
	if current, err := b.CatalogueVersion(ctx); err != nil || current != version || !slices.Equal(changed, []uuid.UUID{one.Document.ID}) {
		t.Errorf("changed %v to version %d (current %d, %v)", changed, version, current, err)
	}
	if n := len(rows(t, b, nil)); n != 1 {
		t.Errorf("%d rows in all", n)
	}
	// After the file is segmented again, the old text is listed as changed and has no rows.
	two := text("Loi deux", "2", day("2023-03-01"), "1er")
	b.save(t, i, two)
	<-woken
	changed, _, err = b.Changes(ctx, version)
	ok(t, err)
	if len(changed) != 2 || len(rows(t, b, []uuid.UUID{one.Document.ID})) != 0 {
		t.Errorf("changed %v", changed)
	}
	cancel()
	if err := <-ended; !errs.Is(err, errs.Cancelled) {
		t.Errorf("Listen ended with %v", err)
	}
}

func TestStatusFollowsWhenTheDayHasCome(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	decree := text("Décret n° 2023-9", "2023-9", day("2023-04-01"), "1er")
	decree.Document.Type = law.Decret
	repealing := text("Décret n° 2025-1", "2025-1", day("2025-01-15"), "1er")
	repealing.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: repealing.Articles[0].ID, Kind: law.Repeals,
		TargetType: law.Decret, TargetNumber: "2023-9", Effective: time.Now().AddDate(0, 0, 2)}}
	b.save(t, b.addGazette(t, "a1"), decree)
	b.save(t, b.addGazette(t, "b2"), repealing)
	status := func() law.Status {
		d, err := b.Document(ctx, decree.Document.ID)
		ok(t, err)
		return d.Status
	}
	if n, err := b.RefreshStatuses(ctx); err != nil || n != 0 || status() != law.InForce {
		t.Errorf("two days before: %d refreshed, %v, status %s", n, err, status())
	}
	ok(t, b.Exec(ctx, `UPDATE relations SET effective_on = current_date`))
	previous, err := b.CatalogueVersion(ctx)
	ok(t, err)
	if n, err := b.RefreshStatuses(ctx); err != nil || n != 1 || status() != law.Repealed {
		t.Errorf("on the day: %d refreshed, %v, status %s", n, err, status())
	}
	if cursor, err := b.CatalogueVersion(ctx); err != nil || cursor == previous {
		t.Errorf("followers are not told: version %d, %v", cursor, err)
	}
	if n, err := b.RefreshStatuses(ctx); err != nil || n != 0 {
		t.Errorf("once more: %d refreshed, %v", n, err)
	}
}

func TestEveryFileOfATextIsAmended(t *testing.T) {
	b := setup(t)
	one := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "14")
	twin := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "14")
	amending := text("Loi n° 2025-02", "2025-02", day("2025-01-15"), "1er")
	amending.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: amending.Articles[0].ID, Kind: law.Amends,
		TargetType: law.Loi, TargetNumber: "2023-04", TargetArticles: []string{"14"}, Effective: day("2025-02-01")}}
	b.save(t, b.addGazette(t, "a1"), one)
	change := b.addGazette(t, "b2")
	b.save(t, change, amending)
	b.save(t, b.addGazette(t, "c3"), twin) // the second file with the same law is added last
	both := []uuid.UUID{one.Document.ID, twin.Document.ID}
	for _, r := range rows(t, b, both) {
		if r.To == nil || !r.To.Equal(day("2025-02-01")) || r.Status != law.Amended {
			t.Errorf("article %s of %v is law until %v, status %s", r.ArticleNumber, r.Passage.DocumentID, r.To, r.Status)
		}
	}
	// After another reading, the amendment turns out to be none.
	amending.Relations = nil
	b.save(t, change, amending)
	for _, r := range rows(t, b, both) {
		if r.To != nil || r.Status != law.InForce {
			t.Errorf("article %s is still said to end on %v, status %s", r.ArticleNumber, r.To, r.Status)
		}
	}
}

// TestWhatIsUrgent checks that questions and files are urgent until they have ended.
func TestWhatIsUrgent(t *testing.T) {
	b := setup(t)
	urgent := func(moment string, question, file bool) {
		t.Helper()
		if questions, files, err := b.UrgentWork(t.Context()); err != nil || questions != question || files != file {
			t.Errorf("%s: urgent %v, %v, %v", moment, questions, files, err)
		}
	}
	urgent("nothing waits", false, false)
	file := b.addGazette(t, "a1")
	urgent("a file is read", false, true)
	ok(t, b.MarkIngestion(t.Context(), file.ID, file.Attempt, "done", ""))
	urgent("the file is read", false, false)
	_, m := b.ask(t, nil, "Mon préavis ?")
	urgent("a question waits", true, false)
	ok(t, b.Exec(t.Context(), `UPDATE messages SET state = 'done' WHERE id = $1`, m))
	urgent("the question is answered", false, false)
}

// journal returns the entries of the journal as lines: kind, title, articles and first day.
func (b bundle) journal(t *testing.T) (lines []string) {
	t.Helper()
	var list []string
	ok(t, b.QueryRow(t.Context(), `SELECT coalesce(array_agg(concat_ws(' ', kind, title, nullif(array_to_string(articles, ','), ''), valid_from, nullif(gone, false)) ORDER BY id), '{}') FROM law_changes`).Scan(&list))
	return list
}

func wantJournal(t *testing.T, b bundle, want ...string) {
	t.Helper()
	if got := b.journal(t); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the journal is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestJournalOfTexts(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1er", "14")
	b.save(t, b.addGazette(t, "a1"), code)
	act := text("Loi n° 2025-02 modifiant le code du travail", "2025-02", day("2025-01-15"), "1er")
	act.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: act.Articles[0].ID, Kind: law.Amends, TargetNumber: "2023-04", TargetType: law.Loi, TargetArticles: []string{"14"}, Effective: day("2025-02-01")}}
	end := text("Loi n° 2026-07 abrogeant le code du travail", "2026-07", day("2026-01-15"), "1er")
	end.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: end.Articles[0].ID, Kind: law.Repeals, TargetNumber: "2023-04", TargetType: law.Loi, Effective: day("2027-01-01")}}
	b.save(t, b.addGazette(t, "b2"), act)
	b.save(t, b.addGazette(t, "c3"), end)
	want := []string{
		"added Loi n° 2023-04 portant Code du travail",
		"modified Loi n° 2023-04 portant Code du travail 14 2025-02-01",
		"added Loi n° 2025-02 modifiant le code du travail",
		"repealed Loi n° 2023-04 portant Code du travail 2027-01-01",
		"added Loi n° 2026-07 abrogeant le code du travail",
	}
	got := b.journal(t)
	for _, line := range want {
		if !strings.Contains(strings.Join(got, "\n")+"\n", line+"\n") {
			t.Errorf("the journal lacks %q: %q", line, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d entries %q, want %d", len(got), got, len(want))
	}
	// What changes nothing tells nothing.
	ok(t, b.ReindexDocument(ctx, code.Document.ID))
	_, err := b.RefreshStatuses(ctx)
	ok(t, err)
	_, err = b.ChangeDocument(ctx, code.Document.ID, postgres.DocumentChange{Domain: ptr("impots")}, postgres.StatusChange{})
	ok(t, err)
	wantJournal(t, b, got...)
	_, err = b.DeleteDocument(ctx, end.Document.ID)
	ok(t, err)
	left := b.journal(t)[len(got):]
	if joined := strings.Join(left, "\n"); len(left) != 2 || !strings.Contains(joined, "withdrawn Loi n° 2026-07") || !strings.Contains(joined, "restored Loi n° 2023-04") {
		t.Errorf("after the repealing act is withdrawn: %q", left)
	}
}

// The state that the migration gives to texts that exist is the state that a write finds.
func TestJournalOfEditions(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	old := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1er")
	first := b.addGazette(t, "a1")
	b.save(t, first, old)
	better := old
	better.Document.ID = postgres.NewID()
	better.Articles = append([]law.Article(nil), old.Articles...)
	better.Passages = nil
	for i := range better.Articles {
		better.Articles[i].ID, better.Articles[i].DocumentID = postgres.NewID(), better.Document.ID
	}
	b.save(t, b.addGazette(t, "b2"), better)
	superseded := uuid.Nil
	ok(t, b.QueryRow(ctx, `SELECT id FROM documents WHERE superseded_by IS NOT NULL`).Scan(&superseded))
	title := old.Document.Title
	switch superseded {
	case old.Document.ID:
		wantJournal(t, b, "added "+title, "replaced "+title)
	default: // the earlier one stays: nothing has changed for readers
		wantJournal(t, b, "added "+title)
	}
}

// wordings returns versions of the articles of a text, for RebuildVersions.
func wordings(text, act uuid.UUID, bodies ...string) func(postgres.Amended) (postgres.Assembled, error) {
	return func(postgres.Amended) (out postgres.Assembled, err error) {
		for i, body := range bodies {
			number := fmt.Sprint(i + 1)
			start := day("2025-02-01")
			out.Versions = append(out.Versions,
				postgres.ArticleVersion{Number: number, Article: uuid.NewSHA1(text, []byte(number)), Ordinal: 0, Body: "printed"},
				postgres.ArticleVersion{Number: number, Article: uuid.NewSHA1(text, []byte(number)), Ordinal: 1, Body: body, From: &start, Act: &act, Gone: body == ""})
		}
		return out, nil
	}
}

func TestJournalOfWordings(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1", "2")
	act := text("Loi n° 2025-02 modifiant le code du travail", "2025-02", day("2025-01-15"), "1er")
	b.save(t, b.addGazette(t, "a1"), code, act)
	ok(t, b.Exec(ctx, `INSERT INTO amendment_operations (act_id, ordinal, words, operation, target_id) VALUES ($1, 0, '', '{}', $2)`, act.Document.ID, code.Document.ID))
	before := b.journal(t)
	rebuild := func(bodies ...string) {
		t.Helper()
		ok(t, b.RebuildVersions(ctx, code.Document.ID, wordings(code.Document.ID, act.Document.ID, bodies...)))
	}
	title := code.Document.Title
	rebuild("new words")
	want := slices.Concat(before, []string{"wording " + title + " 1 2025-02-01"})
	wantJournal(t, b, want...)
	written := func() (transactions string) {
		t.Helper()
		ok(t, b.QueryRow(ctx, `SELECT string_agg(xmin::text, ' ' ORDER BY article_key, ordinal) FROM article_versions`).Scan(&transactions))
		return transactions
	}
	once := written()
	rebuild("new words") // the same result, which is not written again
	wantJournal(t, b, want...)
	if again := written(); again != once {
		t.Errorf("versions that have not changed were written again: %s, %s", once, again)
	}
	rebuild("new words", "")
	want = append(want, "wording "+title+" 2 2025-02-01 t")
	wantJournal(t, b, want...)
	rebuild("other words")
	want = append(want, "wording "+title+" 1 2025-02-01", "wording "+title+" 2")
	wantJournal(t, b, want...)
	_, err := b.DeleteDocument(ctx, code.Document.ID)
	ok(t, err)
	rebuild()
	wantJournal(t, b, append(want, "withdrawn "+title)...)
}

// The database, whatever its zone, and the programs agree on what today is where a law is in force.
func TestLawDay(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	for _, place := range []string{"2026-11-24T23:30:00Z", "2026-11-24T22:30:00Z", "2026-07-01T22:30:00Z", "2026-11-25T03:30:00Z", "2026-11-25T12:00:00Z"} {
		instant, err := time.Parse(time.RFC3339, place)
		ok(t, err)
		for _, code := range []string{"ci", "sn", "bj", "cm", "cd", "mg", "mu", "ma", "fr", "lu", "ht", "ca", "ohada", "xx", ""} {
			var got time.Time
			ok(t, b.QueryRow(ctx, `SELECT law_day($1, $2)`, instant, []string{code}).Scan(&got))
			if want := country.Today(instant, code); !got.Equal(want) {
				t.Errorf("%s in %q: %s, want %s", place, code, got.Format(time.DateOnly), want.Format(time.DateOnly))
			}
		}
		var got, tokyo time.Time
		ok(t, b.QueryRow(ctx, `SELECT law_day($1, '{}'), (SELECT law_day($1, '{}') FROM (SELECT set_config('TimeZone', 'Asia/Tokyo', true)) z)`, instant).Scan(&got, &tokyo))
		if want := country.Today[string](instant); !got.Equal(want) || !tokyo.Equal(want) {
			t.Errorf("%s in no country: %s and %s, want %s", place, got, tokyo, want)
		}
	}
}

// begin announces a file of some bytes.
func (b bundle) begin(t *testing.T, user uuid.UUID, size int) postgres.Upload {
	t.Helper()
	u, err := b.BeginUpload(t.Context(), postgres.Upload{ID: postgres.NewID(), UserID: user, Filename: "jo.pdf", SHA256: strings.Repeat("a", 64), Size: int64(size)})
	ok(t, err)
	return u
}

// Small parts share a row, whatever comes between them, and the file is what was sent.
func TestSmallPartsShareARow(t *testing.T) {
	b := setup(t)
	sizes := []int{1, 4 << 20, 1 << 10, 1, 1, 0}
	for range 100 {
		sizes = append(sizes, 100)
	}
	var file []byte
	u := b.begin(t, b.user.ID, 64<<20)
	for i, size := range sizes {
		part := bytes.Repeat([]byte{byte(i)}, size)
		ok(t, b.AddPart(t.Context(), u, int64(len(file)), part))
		file = append(file, part...)
	}
	wantKind(t, b.AddPart(t.Context(), u, 1, []byte("x")), errs.Conflict)
	var kept bytes.Buffer
	ok(t, b.WriteParts(t.Context(), u, &kept))
	if !bytes.Equal(kept.Bytes(), file) {
		t.Errorf("%d bytes, want the %d that were sent", kept.Len(), len(file))
	}
	var rows int
	ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM upload_parts WHERE upload_id = $1`, u.ID).Scan(&rows))
	if want := 2 + 10; rows != want { // of the large parts, and of 10 002 bytes in small ones
		t.Errorf("%d rows for %d parts, want %d", rows, len(sizes), want)
	}
}

// TestSampleLeaves checks that what was added as a sample leaves when there is other law, and stays until then: beside
// nothing, and beside texts that wait for a person.
func TestSampleLeaves(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	sample, own := b.addGazette(t, "a1"), b.addGazette(t, "b2")
	ok(t, b.Exec(ctx, `UPDATE ingestions SET metadata = '{"exemple": true}' WHERE id = $1`, sample.ID))
	left := text("Code d’un pays inventé", "2023-04", day("2023-03-01"), "1er")
	b.save(t, sample, left)
	ok(t, b.MarkIngestion(ctx, sample.ID, sample.Attempt, "done", ""))
	down := true
	leaves := func(moment string, want ...string) {
		t.Helper()
		var gone []string
		n, err := b.DropSample(ctx, func(_ context.Context, sha string) error {
			if down {
				return errs.New(errs.Unavailable, "")
			}
			gone = append(gone, sha)
			return nil
		})
		if n != len(want) || !slices.Equal(gone, want) || err != nil && !down {
			t.Errorf("%s: %d files, the bytes %v leave, want %v; %v", moment, n, gone, want, err)
		}
	}
	leaves("alone")
	doubtful := text("Projet de loi", "", day("2023-03-01"), "1er")
	doubtful.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun numéro lu.", Confidence: .2}}
	b.save(t, own, doubtful)
	leaves("beside a text that waits")
	b.save(t, own, doubtful, text("Loi de finances", "2023-05", day("2023-12-01"), "1er"))
	leaves("beside law, while its bytes cannot be deleted")
	down = false
	leaves("beside law", sample.SHA256)
	leaves("again")
	if _, err := b.Document(ctx, left.Document.ID); !errs.Is(err, errs.NotFound) {
		t.Errorf("its text is there: %v", err)
	}
}
