package titles

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/meili/meilitest"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

var quiet = slog.New(slog.DiscardHandler)

// bundle is a runner with a private database and Meilisearch.
type bundle struct {
	*TitleFeeder
	server *meilitest.Server
	files  int
}

func setup(t *testing.T) *bundle {
	t.Helper()
	t.Parallel()
	s := meilitest.New(t)
	x, err := meili.Open(s.URL, s.Key)
	if err != nil {
		t.Fatal(err)
	}
	x.Patience = time.Minute // so that a busy machine is not taken for an index that is down
	t.Cleanup(x.Close)
	return &bundle{TitleFeeder: &TitleFeeder{DB: pgtest.New(t), Index: x, Log: quiet}, server: s}
}

// add adds a text for each title to the catalogue.
func (b *bundle) add(t *testing.T, titles ...string) (ids []uuid.UUID) {
	t.Helper()
	b.files++
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", b.files), Filename: "jo.pdf", Size: 1}
	if err := pgtest.AddFile(t.Context(), b.DB, i); err != nil {
		t.Fatal(err)
	}
	i, err := b.DB.StartIngestion(t.Context(), i.ID)
	if err != nil {
		t.Fatal(err)
	}
	var texts []postgres.StoredText
	for n, title := range titles {
		texts = append(texts, postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: law.Loi, Domain: []string{"travail", "impots"}[n%2],
			OfficialNumber: fmt.Sprintf("20%02d-%d", b.files, n), Promulgated: time.Date(2000+n, 1, 1, 0, 0, 0, 0, time.UTC), FirstPage: 1, LastPage: 1}})
		ids = append(ids, texts[n].Document.ID)
	}
	if err := b.DB.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: texts}); err != nil {
		t.Fatal(err)
	}
	if err := b.DB.MarkIngestion(t.Context(), i.ID, i.Attempt, "done", ""); err != nil {
		t.Fatal(err)
	}
	return ids
}

// due returns the row if the sweep would find it due.
func (b *bundle) due(t *testing.T) (id uuid.UUID, ok bool) {
	t.Helper()
	ids, err := b.DB.TitleIndex().Due(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(ids) == 0 {
		return id, false
	}
	return ids[0], true
}

// once does the work that is due, and fails the test if none is.
func (b *bundle) once(t *testing.T) error {
	t.Helper()
	id, ok := b.due(t)
	if !ok {
		t.Fatal("nothing is due")
	}
	return b.Run(t.Context(), id)
}

func (b *bundle) wantTitles(t *testing.T, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := b.server.Titles("titles"); !slices.Equal(got, want) {
		t.Errorf("indexed %q, want %q", got, want)
	}
}

func TestIndexFollowsTheCatalogue(t *testing.T) {
	b := setup(t)
	ids := b.add(t, "Code du travail", "Code des impôts")
	if err := b.once(t); err != nil {
		t.Fatal(err)
	}
	b.wantTitles(t, "Code du travail", "Code des impôts")
	if _, ok := b.due(t); ok {
		t.Error("work is due though nothing has changed")
	}
	b.add(t, "Loi de finances")
	if _, err := b.DB.DeleteDocument(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	if err := b.once(t); err != nil {
		t.Fatal(err)
	}
	b.wantTitles(t, "Code des impôts", "Loi de finances")
	if err := b.DB.TitleIndex().Remake(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.once(t); err != nil {
		t.Fatal(err)
	}
	b.wantTitles(t, "Code des impôts", "Loi de finances")
	if n := b.server.Calls("POST /swap-indexes"); n != 2 {
		t.Errorf("%d swaps, want 2", n)
	}
}

func TestServerThatIsDownIsTriedAgain(t *testing.T) {
	b := setup(t)
	b.add(t, "Code du travail")
	b.server.Down(true)
	if err := b.once(t); !errs.Is(err, errs.Unavailable) {
		t.Fatalf("run: %v", err)
	}
	row, err := b.DB.TitleIndex().Now(t.Context())
	if err != nil || row.State != "queued" || row.Failures != 1 || row.Error != "Meilisearch ne répond pas." {
		t.Errorf("row %+v, %v", row, err)
	}
	if _, ok := b.due(t); ok {
		t.Error("it is due again at once")
	}
	b.server.Down(false)
	if err := b.DB.TitleIndex().Remake(t.Context()); err != nil { // an operator requests a rebuild without waiting
		t.Fatal(err)
	}
	if err := b.once(t); err != nil {
		t.Fatal(err)
	}
	b.wantTitles(t, "Code du travail")
	if row, err = b.DB.TitleIndex().Now(t.Context()); err != nil || row.Failures != 0 || row.Error != "" || row.State != "done" {
		t.Errorf("row %+v, %v", row, err)
	}
}

func TestOneWorkerHoldsTheIndex(t *testing.T) {
	b := setup(t)
	b.add(t, "Code du travail")
	id, _ := b.due(t)
	row, err := b.DB.TitleIndex().Lease(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context(), id); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("a second worker: %v, want LeaseLost", err)
	}
	row.Attempt = 7
	if err := row.Advance(t.Context(), 1); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("an attempt that is not the row's writes: %v", err)
	}
	if err := b.Run(t.Context(), uuid.New()); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("an unknown row: %v", err)
	}
}

func TestWorkerThatStopsGivesItBack(t *testing.T) {
	b := setup(t)
	b.add(t, "Code du travail")
	id, _ := b.due(t)
	ctx, stop := context.WithCancel(t.Context())
	b.Renew = time.Hour
	b.server.Down(true)
	stop()
	if err := b.Run(ctx, id); err == nil {
		t.Error("a run whose worker stops ends well")
	}
	row, err := b.DB.TitleIndex().Now(t.Context())
	if err != nil || row.Failures != 0 {
		t.Errorf("row %+v, %v", row, err)
	}
}

// TestBothFindTitlesAlike checks that a search by title finds what it must, both by
// PostgreSQL alone and with the index.
func TestBothFindTitlesAlike(t *testing.T) {
	b := setup(t)
	b.add(t, "Loi portant code du travail", "Loi relative aux sociétés commerciales", "Loi sur l’arbitrage commercial", "Décret n° 2000-190 sur les ports")
	if err := b.once(t); err != nil {
		t.Fatal(err)
	}
	alone := b.DB
	searcher := &Searcher{Index: b.Index, Log: quiet, Now: time.Now}
	for _, with := range []bool{false, true} {
		if with {
			alone.UseNearest(searcher.Nearest)
		}
		for _, c := range []struct {
			q    postgres.DocumentQuery
			want int
		}{
			{postgres.DocumentQuery{Title: "code du travail"}, 1},
			{postgres.DocumentQuery{Title: "CODE DU TRAVAIL"}, 1},
			{postgres.DocumentQuery{Title: "travial"}, 1},
			{postgres.DocumentQuery{Title: "comercialles"}, 1}, // two slips from « sociétés … », four from « arbitrage … »
			{postgres.DocumentQuery{Title: "travial", Domain: "impots"}, 0},
			{postgres.DocumentQuery{Title: "travial", Domain: `x" OR domaine = "travail`}, 0},
			{postgres.DocumentQuery{Title: "travial", Type: law.Code}, 0},
			{postgres.DocumentQuery{Title: "xylophone"}, 0},
			{postgres.DocumentQuery{Title: "2000-109"}, 0},
			{postgres.DocumentQuery{Title: `"`}, 0},
		} {
			c.q.Page, c.q.PageSize = 1, 10
			items, total, err := alone.Documents(t.Context(), c.q)
			if err != nil || total != c.want || len(items) != c.want {
				t.Errorf("with the index %v, %+v: %d texts, total %d, %v; want %d", with, c.q, len(items), total, err, c.want)
			}
		}
	}
	// A text that is still in the index but no longer in the catalogue is not shown.
	items, _, err := alone.Documents(t.Context(), postgres.DocumentQuery{Title: "travial", Page: 1, PageSize: 10})
	if err != nil || len(items) != 1 {
		t.Fatalf("%v, %v", items, err)
	}
	if _, err := alone.DeleteDocument(t.Context(), items[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, total, err := alone.Documents(t.Context(), postgres.DocumentQuery{Title: "travial", Page: 1, PageSize: 10}); err != nil || total != 0 {
		t.Errorf("a text that is gone is found: %d, %v", total, err)
	}
}

func TestPostgresAnswersWhenTheIndexIsDown(t *testing.T) {
	b := setup(t)
	b.add(t, "Loi portant code du travail")
	b.server.Down(true)
	now := time.Now()
	searcher := &Searcher{Index: b.Index, Log: quiet, Now: func() time.Time { return now }}
	b.DB.UseNearest(searcher.Nearest)
	for n, typed := range []string{"travial", "travai1"} {
		if _, total, err := b.DB.Documents(t.Context(), postgres.DocumentQuery{Title: typed, Page: 1, PageSize: 10}); err != nil || total != 1 {
			t.Errorf("search %d: %d texts, %v", n, total, err)
		}
	}
	if n := b.server.Calls("POST /indexes/titles/search"); n != 1 {
		t.Errorf("an index that is down was asked %d times, want once and then a rest", n)
	}
}

func TestSearcherRests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Searcher{Now: time.Now}
		s.until = time.Now().Add(retryAfter)
		if _, err := s.Nearest(t.Context(), postgres.DocumentQuery{}); !errors.Is(err, errCircuitOpen) {
			t.Errorf("while it rests: %v", err)
		}
		time.Sleep(retryAfter)
		if s.circuitOpen() {
			t.Error("it rests for longer than it should")
		}
	})
}
