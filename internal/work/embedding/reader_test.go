package embedding_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/work/embedding"
)

// TestSentencesAreReadBesideTheSearchedVectors checks that generations of sentences do not
// replace the searched generations and are not searched, and that an old one is read until
// its successor is complete.
func TestSentencesAreReadBesideTheSearchedVectors(t *testing.T) {
	b := setup(t)
	text := b.save(t, "Un.", "Deux et plus.")
	words := b.generation(t)
	ok(t, b.Run(t.Context(), words.ID))
	m := &model{}
	known := &embedding.Known{VectorMaker: &embedding.VectorMaker{DB: b.DB, Model: embedding.Model{Name: "phrases", Embedder: m}, Sentences: true, Log: b.Log}}
	reader := embedding.Reader{Known: known}
	ids := []uuid.UUID{text.Passages[0].ID, text.Passages[1].ID, uuid.New()}
	vector, err := reader.Question(t.Context(), "Combien ?")
	ok(t, err)
	question := func() []float32 { return vector }
	if near, err := reader.Cosines(t.Context(), question, ids); err != nil || len(near) != 0 {
		t.Fatalf("before they are made: %v, %v", near, err)
	}
	first, err := known.ID(t.Context())
	ok(t, err)
	version, err := b.DB.CatalogueVersion(t.Context())
	ok(t, err)
	ok(t, known.Run(t.Context(), first))
	near, err := reader.Cosines(t.Context(), question, ids)
	if err != nil || len(near) != 2 || near[ids[0]].Sentence < 0.9 || near[ids[0]].Sentence > 1.01 || near[ids[0]].Projected == near[ids[0]].Projected {
		t.Fatalf("near %v, %v", near, err)
	}
	if near, err := reader.Cosines(t.Context(), func() []float32 { return nil }, ids); err != nil || len(near) != 0 {
		t.Errorf("to a question without a vector: %v, %v", near, err)
	}
	if changed, _, err := b.DB.Changes(t.Context(), version); err != nil || len(changed) != 0 {
		t.Errorf("the index is told of %v, %v", changed, err)
	}
	searched := func(moment string) {
		t.Helper()
		rows := b.vectors(t)
		list, err := b.DB.Generations(t.Context())
		if err != nil || len(list) != 1 || list[0].ID != words.ID || !list[0].Current || len(rows) != 2 || rows[0].Generation != words.ID {
			t.Errorf("%s: searched are %d rows of %+v, %v", moment, len(rows), list, err)
		}
	}
	searched("with sentences")

	// The vectors of another build are computed while those of the first are read.
	other := &model{turn: 0.3}
	next := &embedding.Known{VectorMaker: &embedding.VectorMaker{DB: b.DB, Model: embedding.Model{Name: "phrases", Embedder: other}, Sentences: true, Log: b.Log}}
	second, err := next.ID(t.Context())
	if err != nil || second == first {
		t.Fatalf("another build is %v, %v", second, err)
	}
	fail := errors.New("stop")
	other.before = func([]string) error { return fail }
	if err := next.Run(t.Context(), second); !errors.Is(err, fail) {
		t.Fatal(err)
	}
	if near, err := reader.Cosines(t.Context(), question, ids); err != nil || len(near) != 2 {
		t.Errorf("while another is made: %v, %v", near, err)
	}
	other.before = nil
	ok(t, next.Run(t.Context(), second))
	list, err := b.DB.SentenceGenerations(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != second || list[0].Current {
		t.Errorf("generations of sentences %+v, %v", list, err)
	}
	searched("with another build")
	if err := known.Run(t.Context(), first); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("the old generation: %v", err)
	}
}
