package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// Leased jobs and jobs that are not due yet do not count as waiting for a worker.
func TestOnlyWhatAWorkerMightTakeWaits(t *testing.T) {
	db := setup(t)
	answers := func() postgres.Waiting {
		t.Helper()
		classes, err := db.Waiting(t.Context())
		if err != nil || len(classes) != 8 || classes[1].Class != "answers" {
			t.Fatalf("classes %+v, %v", classes, err)
		}
		return classes[1]
	}
	if w := answers(); w.Waits != nil || w.Oldest != nil {
		t.Errorf("without work: %+v", w)
	}
	_, id, err := db.CreateTurn(t.Context(), postgres.NewTurn{UserID: db.user.ID, Question: "Q ?", Model: "extractif"})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(t.Context(), `UPDATE messages SET created_at = created_at - interval '1 hour' WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	if w := answers(); w.Waits == nil || *w.Waits < time.Hour || *w.Waits > 2*time.Hour {
		t.Errorf("a question of an hour ago waits for %v", w.Waits)
	}
	if err := db.Exec(t.Context(), `UPDATE messages SET not_before = now() + interval '1 hour' WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	if w := answers(); w.Waits != nil || w.Queued != 1 {
		t.Errorf("what must not be taken yet waits for %v", w.Waits)
	}
	if err := db.Exec(t.Context(), `UPDATE messages SET not_before = now() - interval '1 minute' WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	if w := answers(); w.Waits == nil || *w.Waits < time.Minute || *w.Waits > 30*time.Minute {
		t.Errorf("what might be taken for a minute waits for %v", w.Waits)
	}
	if _, err := db.StartAnswer(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if w := answers(); w.Waits != nil || w.Running != 1 || w.Oldest == nil || *w.Oldest < time.Hour {
		t.Errorf("taken: %+v", w)
	}
}

// TestUncertainQuestions counts questions by their words, and shows those of three accounts and
// those whose asker rated the answer.
func TestUncertainQuestions(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	answer := func(user uuid.UUID, question string, grade chat.Grade) uuid.UUID {
		t.Helper()
		_, message, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: user, Question: question})
		ok(t, err)
		w, err := b.StartAnswer(ctx, message)
		ok(t, err)
		_, err = b.FinishAnswer(ctx, message, w.Attempt, postgres.Outcome{State: chat.Done, Content: "…", Certainty: &chat.Certainty{Grade: grade, Probability: .2}})
		ok(t, err)
		return message
	}
	eve, noe := b.addUser(t, "eve@exemple.org", "user"), b.addUser(t, "noe@exemple.org", "user")
	answer(b.user.ID, "Quel est l’âge de la retraite ?", chat.Refused)
	answer(eve.ID, "quel est l'age de la retraite", chat.Refused)
	answer(noe.ID, "Quel est l’âge de la retraite ?!", chat.Unsure)
	answer(noe.ID, "Quel est l’âge de la retraite ?", chat.Sure) // was answered once
	for range 4 {                                                // one person's own affair
		answer(eve.ID, "Mon voisin Zylberman peut-il couper mon arbre ?", chat.Refused)
	}
	rated := answer(noe.ID, "Combien coûte un permis ?", chat.Unsure)
	ok(t, b.SetFeedback(ctx, noe.ID, rated, postgres.Feedback{Rating: "down"}))

	today := time.Now().UTC().Truncate(24 * time.Hour)
	list, err := b.UncertainQuestions(ctx, today.AddDate(0, 0, -1), today, 3, 10)
	ok(t, err)
	if list.Unsure != 2 || list.Refused != 6 || list.Hidden != 4 || len(list.Items) != 2 {
		t.Fatalf("%+v", list)
	}
	if q := list.Items[0]; q.Text != "Quel est l’âge de la retraite ?!" || q.Asked != 3 || q.Refused != 2 || q.People != 3 || q.Answer != nil {
		t.Errorf("%+v", q)
	}
	if q := list.Items[1]; q.Text != "Combien coûte un permis ?" || q.Asked != 1 || q.People != 1 || q.Answer == nil || *q.Answer != rated {
		t.Errorf("%+v", q)
	}
	if list, err = b.UncertainQuestions(ctx, today.AddDate(0, 0, -1), today, 1, 10); err != nil || list.Hidden != 0 || len(list.Items) < 3 {
		t.Errorf("from one account on: %+v, %v", list, err)
	}
	if list, err = b.UncertainQuestions(ctx, today.AddDate(0, 0, -9), today.AddDate(0, 0, -8), 3, 10); err != nil || len(list.Items) != 0 || list.Hidden != 0 {
		t.Errorf("other days: %+v, %v", list, err)
	}
}

// Each list gives every text once, in its order, with the number of all.
func TestListsGiveEveryText(t *testing.T) {
	b := setup(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var texts []postgres.StoredText
	for i := range 60 {
		x := text(fmt.Sprintf("Texte %d", i), fmt.Sprint(i), day("2020-01-01").AddDate(0, r.IntN(30), r.IntN(28)), "1")
		x.Document.Domain = []string{"autre", "travail", "impots"}[r.IntN(3)]
		x.Document.Type = []law.DocType{law.Loi, law.Arrete}[r.IntN(2)]
		if r.IntN(3) == 0 {
			x.Doubts = []law.Doubt{{Field: "title", Reason: "Douteux."}}
		}
		texts = append(texts, x)
	}
	b.save(t, b.addGazette(t, "c1"), texts...)
	repealed := law.Repealed
	for _, x := range texts[:20] {
		if len(x.Doubts) == 0 {
			_, err := b.ChangeDocument(t.Context(), x.Document.ID, postgres.DocumentChange{}, postgres.StatusChange{Status: &repealed})
			ok(t, err)
		}
	}
	b.walkEveryList(t)
}

// walkEveryList reads each list page by page and compares it with a plain query.
func (b bundle) walkEveryList(t *testing.T) {
	t.Helper()
	for _, domain := range []string{"", "autre", "travail"} {
		for _, kind := range []law.DocType{"", law.Loi, law.Arrete, law.Constitution} {
			for _, status := range []law.Status{"", law.Repealed} {
				q := postgres.DocumentQuery{Domain: domain, Type: kind, Status: status, PageSize: 3}
				b.walk(t, q)
				q.Title, q.PageSize = "texte", 5
				b.walk(t, q)
			}
		}
	}
}

func (b bundle) walk(t *testing.T, q postgres.DocumentQuery) {
	t.Helper()
	var want, got []uuid.UUID
	ok(t, b.QueryRow(t.Context(), `SELECT coalesce(array_agg(id ORDER BY promulgated_on DESC, id), '{}') FROM documents WHERE NOT in_review
		AND ($1 = '' OR domaine = $1) AND ($2 = '' OR doc_type = $2) AND ($3 = '' OR statut = $3)`, q.Domain, string(q.Type), string(q.Status)).Scan(&want))
	for q.Page = 1; ; q.Page++ {
		items, total, err := b.Documents(t.Context(), q)
		ok(t, err)
		if total != len(want) {
			t.Errorf("%+v: a total of %d, want %d", q, total, len(want))
		}
		if len(items) == 0 {
			break
		}
		for _, d := range items {
			got = append(got, d.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v: %v, want %v", q, got, want)
	}
}

func TestASearchByTitleFollowsEveryChange(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	file := b.addGazette(t, "a1")
	one, two := text("Loi sur les ports", "1", day("2020-01-01"), "1"), text("Décret sur les ports", "2", day("2021-01-01"), "1")
	b.save(t, file, one, two)
	look := func(what string, title string, want ...uuid.UUID) {
		t.Helper()
		items, total, err := b.Documents(ctx, postgres.DocumentQuery{Title: title, Page: 1, PageSize: 10})
		ok(t, err)
		var got []uuid.UUID
		for _, d := range items {
			got = append(got, d.ID)
		}
		if !slices.Equal(got, want) || total != len(want) {
			t.Errorf("%s: %v of %d, want %v", what, got, total, want)
		}
	}
	look("at first", "PORTS", two.Document.ID, one.Document.ID)
	title := "Loi sur les quais"
	_, err := b.ChangeDocument(ctx, one.Document.ID, postgres.DocumentChange{Title: &title}, postgres.StatusChange{})
	ok(t, err)
	look("renamed", "PORTS", two.Document.ID)
	look("by its new name", "quais", one.Document.ID)
	_, err = b.DeleteDocument(ctx, two.Document.ID)
	ok(t, err)
	look("deleted", "PORTS")
	ok(t, b.Exec(ctx, `TRUNCATE documents CASCADE`))
	look("emptied", "quais")
}
