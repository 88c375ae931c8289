package passages

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/milvus"
	"vigueur/internal/search/milvus/milvustest"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work"
	"vigueur/internal/work/embedding"
)

// bundle is a runner with a private database and Milvus, and a worker's searcher.
type bundle struct {
	*PassageFeeder
	index    *milvus.Index
	server   *milvustest.Server
	embedder *embedding.VectorMaker
	files    int
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func setup(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	server := milvustest.Start(t)
	db := pgtest.New(t)
	quiet := slog.New(slog.DiscardHandler)
	register, err := memindex.Open(t.Context(), memindex.Options{Source: db, Register: true})
	ok(t, err)
	store := &milvus.Store{Address: "http://" + server.Address, Patience: time.Minute}
	t.Cleanup(func() { ok(t, store.Close()) })
	b := &bundle{server: server, PassageFeeder: &PassageFeeder{DB: db, Store: store, Average: register.Average, Log: quiet},
		embedder: &embedding.VectorMaker{DB: db, Model: embedding.Model{Name: "essai", Embedder: directions{}}, Log: quiet}}
	b.index = &milvus.Index{Store: store, Register: register, Lost: func(ctx context.Context, _ error) {
		if err := db.PassageIndex().Miss(ctx); err != nil {
			t.Error(err)
		}
	}}
	return b
}

// directions is an embedder: the direction of a text's vector depends on the text's length.
type directions struct{}

func (directions) Embed(_ context.Context, texts []string) (out [][]float32, err error) {
	for _, text := range texts {
		out = append(out, [][]float32{{1, 0}, {0, 1}, {0.6, 0.8}}[len(text)%3])
	}
	return out, nil
}

// add adds a text to the catalogue, with an article for each body.
func (b *bundle) add(t *testing.T, bodies ...string) uuid.UUID {
	t.Helper()
	b.files++
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", b.files), Filename: "jo.pdf", Size: 1}
	ok(t, pgtest.AddFile(t.Context(), b.DB, i))
	i, err := b.DB.StartIngestion(t.Context(), i.ID)
	ok(t, err)
	day := time.Date(2020, 1, b.files, 0, 0, 0, 0, time.UTC)
	text := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: fmt.Sprint("Loi ", b.files), Type: law.Loi, Domain: "travail",
		OfficialNumber: fmt.Sprint(b.files), Promulgated: day, EntersInForce: day, FirstPage: 1, LastPage: 1}}
	for n, body := range bodies {
		a := law.Article{ID: postgres.NewID(), Position: n, Number: fmt.Sprint(n + 1), Page: 1, Text: body}
		text.Articles = append(text.Articles, a)
		text.Passages = append(text.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Position: n, Page: 1, Text: body})
	}
	ok(t, b.DB.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{text}}))
	ok(t, b.index.Register.Update(t.Context()))
	return text.Document.ID
}

// due returns the row if the sweep would find it due.
func (b *bundle) due(t *testing.T) (id uuid.UUID, due bool) {
	t.Helper()
	ids, err := b.DB.PassageIndex().Due(t.Context(), 1)
	ok(t, err)
	if len(ids) == 0 {
		return id, false
	}
	return ids[0], true
}

// run does the work that is due, and fails the test if none is.
func (b *bundle) run(t *testing.T) error {
	t.Helper()
	id, due := b.due(t)
	if !due {
		t.Fatal("nothing is due")
	}
	err := b.Run(t.Context(), id)
	if _, due := b.due(t); err == nil && due {
		t.Error("it is due again at once")
	}
	return err
}

// finds checks that a search for word finds n passages.
func (b *bundle) finds(t *testing.T, word string, n int, meant bool) {
	t.Helper()
	generations, err := b.DB.Generations(t.Context())
	ok(t, err)
	q := memindex.Query{Text: word, Limit: 10}
	if len(generations) > 0 {
		q.Vector, q.Generation = []float32{1, 0}, generations[0].ID
	}
	hits, err := b.index.Search(t.Context(), q)
	if err != nil || len(hits) != n || n > 0 && hits[0].Semantic != meant {
		t.Errorf("%s: %d hits (%v), %v; want %d, by meaning %v", word, len(hits), hits, err, n, meant)
	}
}

func TestIndexFollowsTheCatalogue(t *testing.T) {
	b := setup(t)
	if _, err := b.index.Search(t.Context(), memindex.Query{Text: "préavis", Limit: 5}); !milvus.Lost(err) {
		t.Errorf("before it was made: %v", err)
	}
	ok(t, b.run(t)) // with an empty catalogue
	b.finds(t, "préavis", 0, false)
	b.add(t, "Le préavis est d’un mois.", "La farine est blanche.")
	b.finds(t, "préavis", 0, false)
	ok(t, b.run(t))
	b.finds(t, "préavis", 1, false)

	// Vectors are computed: a new collection replaces the one without vectors.
	before, err := b.Store.Searched(t.Context())
	ok(t, err)
	g, err := b.embedder.Generation(t.Context())
	ok(t, err)
	if due, err := b.DB.DueEmbedding(t.Context(), g.ID); err != nil || len(due) == 0 {
		t.Fatal(due, err)
	}
	ok(t, work.Run(t.Context(), b.embedder, g.ID))
	ok(t, b.index.Register.Update(t.Context()))
	ok(t, b.run(t))
	after, err := b.Store.Searched(t.Context())
	if err != nil || after.Name == before.Name || after.Generation != g.ID || after.Dimensions != 2 {
		t.Errorf("%+v after %+v, %v", after, before, err)
	}
	b.finds(t, "préavis", 2, true)
	// While a text has no vectors yet, all searches use words only.
	second := b.add(t, "Le préavis du cadre est de trois mois.")
	ok(t, b.run(t))
	b.finds(t, "préavis", 2, false)

	_, err = b.DB.DeleteDocument(t.Context(), second)
	ok(t, err)
	ok(t, b.index.Register.Update(t.Context()))
	ok(t, b.run(t))
	b.finds(t, "préavis", 2, true)
	if now, err := b.Store.Searched(t.Context()); err != nil || now.Name != after.Name {
		t.Errorf("a change made the whole anew: %+v, %v", now, err)
	}
}

func TestIndexIsMadeAnew(t *testing.T) {
	b := setup(t)
	b.add(t, "Le préavis est d’un mois.")
	ok(t, b.run(t))
	first, err := b.Store.Searched(t.Context())
	ok(t, err)

	ok(t, b.DB.PassageIndex().Remake(t.Context())) // a rebuild was requested
	ok(t, b.run(t))
	second, err := b.Store.Searched(t.Context())
	if err != nil || second.Name == first.Name {
		t.Errorf("%s after %s, %v", second.Name, first.Name, err)
	}
	b.finds(t, "préavis", 1, false)

	b.Average = func() float64 { return 3 * first.Average } // passages became longer
	b.add(t, "La farine est blanche.")
	ok(t, b.run(t))
	third, err := b.Store.Searched(t.Context())
	if err != nil || third.Name == second.Name || third.Average != 3*first.Average {
		t.Errorf("%+v after %+v, %v", third, second, err)
	}
	b.finds(t, "farine", 1, false)

	ok(t, b.Store.Drop(t.Context(), third)) // the collection is lost, which the first search notices
	if hits, err := b.index.Search(t.Context(), memindex.Query{Text: "préavis", Limit: 5}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("lost: %d hits, %v", len(hits), err)
	}
	ok(t, b.run(t))
	b.finds(t, "préavis", 1, false)
}

func TestMilvusThatIsDownIsTriedAgain(t *testing.T) {
	b := setup(t)
	b.Store.Patience = time.Second
	b.add(t, "Le préavis est d’un mois.")
	b.server.Stop(t)
	if err := b.run(t); !errs.Is(err, errs.Unavailable) {
		t.Errorf("down: %v", err)
	}
	row, err := b.DB.PassageIndex().Now(t.Context())
	if err != nil || row.Failures != 1 || row.Error == "" || row.State != "queued" || !row.Rebuild {
		t.Errorf("row %+v, %v", row, err)
	}
	if _, due := b.due(t); due {
		t.Error("it is tried again at once")
	}
	// A worker that must stop releases the row, so that another can lease it at once.
	ok(t, b.DB.PassageIndex().Remake(t.Context()))
	id, due := b.due(t)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := b.Run(stopped, id); err == nil || !due {
		t.Errorf("stopped, due %v: %v", due, err)
	}
	if err := b.Run(t.Context(), postgres.NewID()); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("another row: %v", err)
	}
}
