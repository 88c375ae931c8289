package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// TestWritersOfTextsTakeLocksInOneOrder segments a file again while an editor supersedes
// one of its texts by a text of another file, sets a repeal between both, deletes the other
// text, or settles the file itself. Wherever the segmentation is when the editor's call
// starts, there is no deadlock.
func TestWritersOfTextsTakeLocksInOneOrder(t *testing.T) {
	b := setup(t)
	steps, err := b.Stepped(t.Context())
	ok(t, err)
	defer steps.Close()
	round := 0
	prepare := func() (cut func(context.Context, *postgres.DB) error, editors []func(context.Context, *postgres.DB) error) {
		round++
		old := text("Loi une", fmt.Sprintf("2020-%d", round), day("2020-01-01"), "1er")
		by := text("Loi deux", fmt.Sprintf("2024-%d", round), day("2024-01-01"), "1er")
		by.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: by.Articles[0].ID, Kind: law.Amends, TargetType: law.Loi,
			TargetNumber: old.Document.OfficialNumber, Effective: by.Document.EntersInForce}}
		waits := text("Loi trois", fmt.Sprintf("2022-%d", round), day("2022-01-01"), "1er")
		waits.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Illisible.", Confidence: .5}}
		one := b.addGazette(t, fmt.Sprintf("one %d", round))
		b.save(t, one, old)
		two := b.addGazette(t, fmt.Sprintf("two %d", round))
		b.save(t, two, by, waits)
		ok(t, b.MarkIngestion(t.Context(), two.ID, two.Attempt, "review", ""))
		said := postgres.StatusChange{RepealedBy: &by.Document.ID}
		return func(ctx context.Context, db *postgres.DB) error {
				return db.SaveSegmentation(ctx, one.ID, one.Attempt, postgres.Segmentation{Texts: []postgres.Text{old}})
			}, []func(context.Context, *postgres.DB) error{
				func(ctx context.Context, db *postgres.DB) error {
					_, err := db.AcceptText(ctx, two.ID, waits.Document.ID, postgres.DocumentChange{Supersedes: &old.Document.ID})
					return err
				},
				func(ctx context.Context, db *postgres.DB) error {
					_, err := db.ChangeDocument(ctx, old.Document.ID, postgres.DocumentChange{}, said)
					return err
				},
				func(ctx context.Context, db *postgres.DB) error {
					_, err := db.DeleteDocument(ctx, by.Document.ID)
					return err
				},
				func(ctx context.Context, db *postgres.DB) error { // of the same file, where nothing can be accepted then
					_, err := db.AcceptText(ctx, one.ID, old.Document.ID, postgres.DocumentChange{})
					return err
				},
			}
	}
	for _, step := range writing(t, steps, prepare) {
		for e := range 4 {
			cut, editors := prepare()
			_, errCut, errEdit := pausedAt(t, steps, step, cut, editors[e])
			if errCut != nil {
				t.Errorf("editor %d at statement %d: the cut failed: %v", e, step, errCut)
			}
			if errEdit != nil && !errs.Is(errEdit, errs.NotFound) && !errs.Is(errEdit, errs.Conflict) { // the segmentation deleted the text
				t.Errorf("editor %d at statement %d: %v", e, step, errEdit)
			}
		}
	}
}

// writing returns the numbers of the statements of a segmentation after which it holds more
// locks than before.
func writing(t *testing.T, db *postgres.DB, prepare func() (func(context.Context, *postgres.DB) error, []func(context.Context, *postgres.DB) error)) (steps []int) {
	t.Helper()
	cut, _ := prepare()
	n := 0
	ok(t, cut(postgres.Stepping(t.Context(), func(_ uint32, sql string) {
		n++
		if locks := strings.Contains(sql, "_lock(") || strings.Contains(sql, "FOR KEY SHARE") ||
			strings.HasPrefix(sql, "DELETE FROM documents") || strings.Contains(sql, "INSERT INTO catalogue_changes"); locks {
			steps = append(steps, n)
		}
	}), db))
	if len(steps) < 4 {
		t.Fatalf("only %d statements are known to lock", len(steps))
	}
	return steps
}

// TestTitleIsMeantByItsWords checks that a relation that names a code by its title does not
// match a text whose title merely contains the same letters. It must find the code
// whichever text was added first, after a correction of the code's title, and after the
// deletion of another text.
func TestTitleIsMeantByItsWords(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	change := text("Loi n° 2024-1", "2024-1", day("2024-01-01"), "1er")
	change.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends, TargetType: law.Code,
		TargetTitle: "Code des 100% marchés_publics", Effective: day("2024-02-01")}}
	b.ingested(t, "change", change)
	letters := text("Code des 100% marchés_publicsX", "1990-2", day("1990-01-01"), "1er")
	other := text("Code des 1000 marchés publics", "1990-3", day("1990-01-01"), "1er")
	letters.Document.Type, other.Document.Type = law.Code, law.Code
	b.ingested(t, "letters", letters)
	b.ingested(t, "other", other)
	code := text("Loi portant code des 100% marches_publics, annexe", "1991-1", day("1991-01-01"), "1er")
	code.Document.Type = law.Code
	b.ingested(t, "code", code)
	tied := func() (ids []uuid.UUID) {
		r, err := b.Relations(ctx, change.Document.ID)
		ok(t, err)
		for _, a := range r.Amends {
			ids = append(ids, a.ID)
		}
		return ids
	}
	want := func(when string, ids ...uuid.UUID) {
		t.Helper()
		if got := tied(); fmt.Sprint(got) != fmt.Sprint(ids) {
			t.Errorf("%s: tied to %v, want %v", when, got, ids)
		}
	}
	want("the code came last", code.Document.ID)
	_, err := b.ChangeDocument(ctx, code.Document.ID, postgres.DocumentChange{Title: ptr("Code des marchés")}, postgres.StatusChange{})
	ok(t, err)
	want("the code is called otherwise")
	_, err = b.ChangeDocument(ctx, letters.Document.ID, postgres.DocumentChange{Title: ptr("Code des 100% marchés_publics")}, postgres.StatusChange{})
	ok(t, err)
	want("the other is called so", letters.Document.ID)
	_, err = b.ChangeDocument(ctx, code.Document.ID, postgres.DocumentChange{Title: ptr("Nouveau code des 100% marchés_publics")}, postgres.StatusChange{})
	ok(t, err)
	want("a second does not untie", letters.Document.ID)
	list, err := b.UncertainRelations(ctx, 10)
	if err != nil || len(list) != 0 {
		t.Errorf("uncertain though tied: %+v, %v", list, err)
	}
	_, err = b.DeleteDocument(ctx, letters.Document.ID)
	ok(t, err)
	want("one of two is left", code.Document.ID)
}

// A code that other texts amend by title loses their changes when it is renamed, and has
// them again under its old title: their effects on its status and articles go and come with
// them. If the changes match another text meanwhile, they become changes of that text.
func TestACodeIsCalledOtherwiseAndBack(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Code du commerce, livre premier", "", day("1990-01-01"), "1er", "2")
	code.Document.Type = law.Code
	sea := text("Code du commerce maritime", "", day("1991-01-01"), "1er")
	sea.Document.Type = law.Code
	change := text("Loi n° 2024-1", "2024-1", day("2024-01-01"), "1er")
	for i := range 40 {
		title := "Code du commerce, livre premier"
		if i == 0 {
			title = "Code du commerce"
		}
		change.Relations = append(change.Relations, law.Relation{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends,
			TargetType: law.Code, TargetTitle: title, TargetArticles: []string{"2"}, Effective: day("2024-02-01")})
	}
	b.ingested(t, "code", code)
	b.ingested(t, "sea", sea)
	b.ingested(t, "change", change)
	state := func() string {
		t.Helper()
		d, err := b.Document(ctx, code.Document.ID)
		ok(t, err)
		r, err := b.Relations(ctx, change.Document.ID)
		ok(t, err)
		amended := []string{}
		for _, a := range r.Amends {
			amended = append(amended, a.Title)
		}
		list, err := b.UncertainRelations(ctx, 100)
		ok(t, err)
		days, err := b.ArticleDays(ctx, code.Document.ID)
		ok(t, err)
		until := "open"
		if last := days[len(days)-1]; last.Number == "2" && last.To != nil {
			until = last.To.Format(time.DateOnly)
		}
		return fmt.Sprintf("%s, %q, %d uncertain, article 2 %s", d.Status, amended, len(list), until)
	}
	call := func(d postgres.Text, title string) {
		t.Helper()
		_, err := b.ChangeDocument(ctx, d.Document.ID, postgres.DocumentChange{Title: &title}, postgres.StatusChange{})
		ok(t, err)
	}
	for _, step := range []struct {
		what  string
		text  postgres.Text
		title string
		want  string
	}{
		{"as they came", code, "", `modifie, ["Code du commerce, livre premier"], 1 uncertain, article 2 2024-02-01`},
		{"the code is called otherwise", code, "Code général", `en_vigueur, ["Code du commerce maritime"], 0 uncertain, article 2 open`},
		{"the other too", sea, "Code maritime", `en_vigueur, [], 0 uncertain, article 2 open`},
		{"the code as before", code, "Code du commerce, livre premier", `modifie, ["Code du commerce, livre premier"], 0 uncertain, article 2 2024-02-01`},
		{"by the very same title", code, "Code du commerce, livre premier", `modifie, ["Code du commerce, livre premier"], 0 uncertain, article 2 2024-02-01`},
		{"a second", sea, "Code du commerce maritime", `modifie, ["Code du commerce, livre premier"], 0 uncertain, article 2 2024-02-01`},
	} {
		if step.title != "" {
			call(step.text, step.title)
		}
		if got := state(); got != step.want {
			t.Errorf("%s: %s, want %s", step.what, got, step.want)
		}
	}
}
