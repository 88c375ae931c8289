package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

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
			from := day("2025-02-01")
			out.Versions = append(out.Versions,
				postgres.ArticleVersion{Number: number, Article: uuid.NewSHA1(text, []byte(number)), Ordinal: 0, Body: "printed"},
				postgres.ArticleVersion{Number: number, Article: uuid.NewSHA1(text, []byte(number)), Ordinal: 1, Body: body, From: &from, Act: &act, Gone: body == ""})
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
	rebuild("new words") // the same result
	wantJournal(t, b, want...)
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
