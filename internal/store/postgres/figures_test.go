package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
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
	_, id, err := db.CreateTurn(t.Context(), postgres.Turn{UserID: db.user.ID, Question: "Q ?", Model: "extractif"})
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
		_, message, err := b.CreateTurn(ctx, postgres.Turn{UserID: user, Question: question})
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

// wrongCells counts the cells of document_counts that differ from the texts of the same
// snapshot.
const wrongCells = `WITH held AS (
		SELECT coalesce(domaine, '') AS domaine, coalesce(doc_type, '') AS doc_type, coalesce(statut, '') AS statut, month, count(*) AS n
		FROM (SELECT domaine, doc_type, statut, date_trunc('month', promulgated_on::timestamp)::date AS month FROM documents WHERE NOT in_review) d
		GROUP BY month, CUBE (domaine, doc_type, statut)),
	counted AS (SELECT domaine, doc_type, statut, month, sum(n) AS n FROM document_counts GROUP BY 1, 2, 3, 4)
	SELECT count(*) FILTER (WHERE coalesce(h.n, 0) <> coalesce(c.n, 0)), count(h.n)
	FROM held h FULL JOIN counted c USING (domaine, doc_type, statut, month)`

func (b bundle) wrongCells(ctx context.Context, t *testing.T) (wrong, cells int) {
	t.Helper()
	ok(t, b.QueryRow(ctx, wrongCells).Scan(&wrong, &cells))
	return wrong, cells
}

// editor makes random changes of every kind to the catalogue.
type editor struct {
	bundle
	t    *testing.T
	rand *rand.Rand
	file postgres.Ingestion
}

func (e *editor) someText(i int) postgres.Text {
	d := day("2020-01-01").AddDate(0, e.rand.IntN(30), e.rand.IntN(28))
	x := text(fmt.Sprintf("Texte %d de %s", i, e.file.Filename), fmt.Sprintf("%s-%d", e.file.Filename, i), d, "1")
	x.Document.Domain = []string{"travail", "impots", "douanes"}[e.rand.IntN(3)]
	x.Document.Type = []law.DocType{law.Loi, law.Decret}[e.rand.IntN(2)]
	if e.rand.IntN(3) == 0 {
		x.Doubts = []law.Doubt{{Field: "title", Reason: "Douteux."}}
	}
	return x
}

// step makes one change; it may fail if its object was deleted or is locked.
func (e *editor) step(ctx context.Context) error {
	var id uuid.UUID
	err := e.QueryRow(ctx, `SELECT id FROM documents WHERE ingestion_id = $1 AND NOT in_review ORDER BY random() LIMIT 1`, e.file.ID).Scan(&id)
	what := e.rand.IntN(8)
	if err != nil {
		what = 0 // there is nothing to change
	}
	switch what {
	case 0, 1: // replaces what an earlier attempt saved
		texts := make([]postgres.Text, 1+e.rand.IntN(6))
		for i := range texts {
			texts[i] = e.someText(i)
		}
		return e.SaveSegmentation(ctx, e.file.ID, e.file.Attempt, postgres.Segmentation{Texts: texts})
	case 2:
		return e.Exec(ctx, `UPDATE documents SET promulgated_on = promulgated_on + 40 WHERE id = $1`, id)
	case 3:
		status := []law.Status{law.InForce, law.Repealed}[e.rand.IntN(2)]
		_, err := e.ChangeDocument(ctx, id, postgres.DocumentChange{}, postgres.StatusChange{Status: &status})
		return err
	case 4:
		domain, kind := "civil", law.Arrete
		_, err := e.ChangeDocument(ctx, id, postgres.DocumentChange{Domain: &domain, Type: &kind}, postgres.StatusChange{})
		return err
	case 5:
		return e.review(ctx)
	case 6:
		_, err := e.DeleteDocument(ctx, id)
		return err
	}
	return e.undone(ctx, id)
}

// review settles a text in review, as a person does.
func (e *editor) review(ctx context.Context) error {
	var id uuid.UUID
	if err := e.QueryRow(ctx, `SELECT id FROM documents WHERE ingestion_id = $1 AND in_review LIMIT 1`, e.file.ID).Scan(&id); err != nil {
		return nil //nolint:nilerr // no text is in review
	}
	if err := e.Exec(ctx, `UPDATE ingestions SET state = 'review' WHERE id = $1`, e.file.ID); err != nil {
		return err
	}
	_, err := e.AcceptText(ctx, e.file.ID, id, postgres.DocumentChange{})
	if e.rand.IntN(3) == 0 && err == nil {
		err = e.RejectText(ctx, e.file.ID, id, "") // NotFound, because the text was accepted
	}
	again := e.Exec(ctx, `UPDATE ingestions SET state = 'running', lease_until = 'infinity' WHERE id = $1`, e.file.ID)
	if errs.Is(err, errs.NotFound) || err == nil {
		return again
	}
	return err
}

// undone changes a text and rolls back the change, or a part of it.
func (e *editor) undone(ctx context.Context, id uuid.UUID) error {
	return e.Exec(ctx, fmt.Sprintf(`DO $do$ BEGIN
		UPDATE documents SET statut = 'modifie' WHERE id = '%[1]s';
		BEGIN
			DELETE FROM documents WHERE id = '%[1]s';
			RAISE EXCEPTION 'no';
		EXCEPTION WHEN raise_exception THEN NULL;
		END;
		UPDATE documents SET domaine = 'penal' WHERE ingestion_id = '%[2]s';
	END $do$`, id, e.file.ID))
}

func TestCountsAreWhatIsThereWhoeverWrites(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	const editors, steps = 4, 40
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	var all sync.WaitGroup
	for n := range editors {
		e := editor{bundle: b, t: t, rand: rand.New(rand.NewPCG(seed, uint64(n))), file: b.addGazette(t, fmt.Sprintf("c%d", n))}
		ok(t, b.Exec(ctx, `UPDATE ingestions SET lease_until = 'infinity' WHERE id = $1`, e.file.ID))
		all.Go(func() {
			for range steps {
				err := e.step(ctx)
				if err != nil && !errs.Is(err, errs.NotFound) && !errs.Is(err, errs.Unavailable) { // a deadlock is retried
					t.Errorf("%s: %v", e.file.Filename, err)
					return
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() { all.Wait(); close(ended) }()
	for looking, looks := true, 0; looking; looks++ {
		select {
		case <-ended:
			looking = false
		default:
		}
		if wrong, _ := b.wrongCells(ctx, t); wrong != 0 {
			t.Fatalf("look %d: %d cells are wrong", looks, wrong)
		}
	}
	if _, cells := b.wrongCells(ctx, t); cells == 0 {
		t.Fatal("nothing is left to be counted")
	}
	// Texts that move to another month change every cell that contained them, including all
	// partial rows.
	ok(t, b.Exec(ctx, `CREATE TABLE before AS SELECT domaine, doc_type, statut, month FROM document_counts GROUP BY 1, 2, 3, 4 HAVING sum(n) > 0`))
	ok(t, b.Exec(ctx, `UPDATE documents SET promulgated_on = promulgated_on + 4000`))
	var left int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM document_counts JOIN before USING (domaine, doc_type, statut, month)`).Scan(&left))
	if left != 0 {
		t.Errorf("%d rows stay of cells that are empty", left)
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
	look("remembered", "PORTS", two.Document.ID, one.Document.ID)
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
	if wrong, cells := b.wrongCells(ctx, t); wrong != 0 || cells != 0 {
		t.Errorf("emptied: %d cells, %d wrong", cells, wrong)
	}
}
