package postgres_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// dueExamples returns whether examples are to be made.
func (b bundle) dueExamples(t *testing.T) bool {
	t.Helper()
	ids, err := b.DueExamples(t.Context(), true)
	ok(t, err)
	return len(ids) == 1
}

// TestExamplesWaitForTheCatalogue: they are made once it rests and everything that decides about answers is there.
func TestExamplesWaitForTheCatalogue(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	exec := func(sql string) {
		t.Helper()
		ok(t, b.Exec(ctx, sql))
	}
	b.ingested(t, "a", text("Loi sur le sel", "2020-1", day("2020-01-02"), "1er", "2"))
	wait := func(what string) {
		t.Helper()
		if b.dueExamples(t) {
			t.Errorf("made %s", what)
		}
	}
	wait("while files come")
	exec(`UPDATE catalogue_changes SET changed_at = now() - interval '3 minutes'`)
	wait("before versions are assembled")
	exec(`UPDATE followers SET version = 1000000, rebuild = false WHERE name = 'versions'`)
	g, err := b.EnsureSentenceGeneration(ctx, postgres.Generation{ID: postgres.NewID(), Model: "m", Chunking: "c", Dimensions: 3, Fingerprint: "f", Probe: []byte{1}}, func(postgres.Generation) bool { return false })
	ok(t, err)
	wait("before passages have vectors")
	if ids, err := b.DueExamples(ctx, false); err != nil || len(ids) != 1 {
		t.Fatalf("without sentences: %v, %v", ids, err)
	}
	exec(`UPDATE generations SET covered = 1000000 WHERE id = '` + g.ID.String() + `'`)
	wait("while another worker has the hint")
	exec(`UPDATE followers SET lease_until = '-infinity' WHERE name = 'examples'`)
	if !b.dueExamples(t) {
		t.Fatal("not made when everything is there")
	}
	row, err := b.ExampleIndex().Now(ctx)
	ok(t, err)
	row, err = b.ExampleIndex().Lease(ctx, row.ID)
	ok(t, err)
	version, err := b.CatalogueVersion(ctx)
	ok(t, err)
	ok(t, b.SaveExamples(ctx, row.Leased, version, nil))
	late := row.Leased
	late.Attempt++
	wantKind(t, b.SaveExamples(ctx, late, version, nil), errs.LeaseLost)
	ok(t, row.Finish(ctx))
	exec(`UPDATE followers SET lease_until = '-infinity' WHERE name = 'examples'`)
	wait("again, of the same catalogue")
	exec(`UPDATE followers SET updated_at = now() - interval '25 hours' WHERE name = 'examples'`)
	if !b.dueExamples(t) {
		t.Error("not made again the next day")
	}
}

// TestExamplesAreOfSoundTexts: an example goes as soon as its text changes, is repealed or leaves the catalogue.
func TestExamplesAreOfSoundTexts(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	salt, mills, taxes := text("Loi sur le sel", "2020-1", day("2020-01-02"), "1er", "2"), text("Loi sur les moulins", "2020-2", day("2020-01-03"), "1er"), text("Loi de finances", "2020-3", day("2020-01-04"), "1er")
	taxes.Document.Domain = "impots"
	b.ingested(t, "a", salt, mills, taxes)
	ids, err := b.ExampleIndex().Due(ctx, 1)
	ok(t, err)
	row, err := b.ExampleIndex().Lease(ctx, ids[0])
	ok(t, err)
	version, err := b.CatalogueVersion(ctx)
	ok(t, err)
	of := func(question string, x postgres.Text, article int, probability float64) postgres.ExampleAnswer {
		return postgres.ExampleAnswer{Question: question, Document: x.Document.ID, Article: x.Articles[article].ID, Number: x.Articles[article].Number, Page: 1, Quote: "Texte", Probability: probability}
	}
	gone := of("Qui vend la lune ?", salt, 0, 1)
	gone.Document = uuid.New()
	ok(t, b.SaveExamples(ctx, row.Leased, version, []postgres.ExampleAnswer{of("Qui vend le sel ?", salt, 0, 0.94), of("Qui pèse le sel ?", salt, 1, 0.97), of("Qui moud ?", mills, 0, 0.95), of("Qui paie ?", taxes, 0, 0.93), gone}))
	shown := func(want ...string) {
		t.Helper()
		list, err := b.ExampleAnswers(ctx, 5)
		ok(t, err)
		var got []string
		for _, e := range list {
			got = append(got, e.Question)
		}
		if !slices.Equal(got, want) {
			t.Errorf("shown %q, want %q", got, want)
		}
	}
	shown("Qui pèse le sel ?", "Qui paie ?", "Qui moud ?") // the fuller domain first, one of each, then the next of each
	ok(t, b.Exec(ctx, `UPDATE documents SET statut = 'abroge' WHERE id = '`+taxes.Document.ID.String()+`'`))
	shown("Qui pèse le sel ?", "Qui moud ?")
	ok(t, b.Exec(ctx, `INSERT INTO law_changes (kind, document_id, title, doc_type, domaine) VALUES ('wording', '`+salt.Document.ID.String()+`', '', 'loi', 'travail')`))
	shown("Qui moud ?")
	ok(t, b.Exec(ctx, `INSERT INTO catalogue_changes (document_id) VALUES ('`+mills.Document.ID.String()+`')`))
	shown()
}
