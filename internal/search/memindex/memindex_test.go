package memindex

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/postings"
	"vigueur/internal/store/postgres"
)

// catalogue is a Source in memory.
type catalogue struct {
	mu      sync.Mutex
	texts   map[uuid.UUID][]postgres.IndexRow
	changes []uuid.UUID
	broken  int // number of reads that will fail
	wake    chan func()
}

func newCatalogue() *catalogue {
	return &catalogue{texts: make(map[uuid.UUID][]postgres.IndexRow), wake: make(chan func(), 1)}
}

// set changes a text. Without rows the text is deleted.
func (c *catalogue) set(id uuid.UUID, rows ...postgres.IndexRow) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.texts[id] = rows
	c.changes = append(c.changes, id)
}

func (c *catalogue) CatalogueVersion(context.Context) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int64(len(c.changes)), nil
}

func (c *catalogue) Changes(_ context.Context, cursor int64) ([]uuid.UUID, int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken > 0 {
		c.broken--
		return nil, cursor, errors.New("down")
	}
	return slices.Clone(c.changes[cursor:]), int64(len(c.changes)), nil
}

func (c *catalogue) IndexRows(_ context.Context, documents []uuid.UUID, yield func(postgres.IndexRow) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var ids []uuid.UUID
	for id := range c.texts {
		if documents == nil || slices.Contains(documents, id) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	for _, id := range ids {
		for _, r := range c.texts[id] {
			if err := yield(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// Listen passes wake to the test and waits.
func (c *catalogue) Listen(ctx context.Context, wake func()) error {
	c.wake <- wake
	<-ctx.Done()
	return ctx.Err()
}

func id(n int) uuid.UUID { return uuid.NewSHA1(uuid.Nil, fmt.Append(nil, n)) }

// text makes the rows of text n, one article per body.
func text(n int, bodies ...string) []postgres.IndexRow {
	var rows []postgres.IndexRow
	for i, body := range bodies {
		rows = append(rows, postgres.IndexRow{
			Passage:       law.Passage{ID: id(n*1000 + i), DocumentID: id(n), ArticleID: id(n*1000 + i + 500), Position: i, Text: body},
			ArticleNumber: fmt.Sprint(i + 1), Title: fmt.Sprintf("Loi n° 2020-%d", n), Type: law.Loi, Domain: "travail",
			OfficialNumber: fmt.Sprintf("2020-%d", n), Status: law.InForce, From: day1(2020),
		})
	}
	return rows
}

func day1(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }

func open(t testing.TB, c *catalogue) *Index {
	t.Helper()
	x, err := Open(t.Context(), Options{Source: c, Retry: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// found returns the passages of a search, as numbers of text and article.
func found(x *Index, q Query) (out []string) {
	if q.Limit == 0 {
		q.Limit = 100
	}
	for _, h := range x.Search(q) {
		for n := range 100 {
			for i := range 30 {
				if h.PassageID == id(n*1000+i) {
					out = append(out, fmt.Sprintf("%d/%d", n, i+1))
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func wantFound(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestFiltersApplyWithinTheSearch(t *testing.T) {
	t.Parallel()
	c := newCatalogue()
	a, b, d := text(1, "le préavis de grève"), text(2, "le préavis de congé"), text(3, "le préavis de bail")
	until := day1(2022)
	a[0].To = &until
	b[0].Domain, b[0].Type, b[0].From = "civil", law.Decret, day1(2021)
	d[0].Status = law.Repealed
	c.set(id(1), a...)
	c.set(id(2), b...)
	c.set(id(3), d...)
	x := open(t, c)
	two := id(2)
	wantFound(t, found(x, Query{Text: "préavis"}), "1/1", "2/1")
	wantFound(t, found(x, Query{Text: "préavis", Repealed: true}), "1/1", "2/1", "3/1")
	wantFound(t, found(x, Query{Text: "préavis", Filters: law.Filters{Status: law.Repealed}}), "3/1")
	wantFound(t, found(x, Query{Text: "préavis", Filters: law.Filters{Domain: "civil"}}), "2/1")
	wantFound(t, found(x, Query{Text: "préavis", Filters: law.Filters{Type: law.Loi}}), "1/1")
	wantFound(t, found(x, Query{Text: "préavis", Filters: law.Filters{DocumentID: &two}}), "2/1")
	wantFound(t, found(x, Query{Text: "préavis", Day: day1(2020)}), "1/1")
	wantFound(t, found(x, Query{Text: "préavis", Day: day1(2020).AddDate(0, 0, -1)}))
	wantFound(t, found(x, Query{Text: "préavis", Day: until.AddDate(0, 0, -1)}), "1/1", "2/1")
	wantFound(t, found(x, Query{Text: "préavis", Day: until}), "2/1")
	wantFound(t, found(x, Query{Text: "licorne"}))
	wantFound(t, found(x, Query{Text: ""}))
	if hits := x.Search(Query{Text: "préavis", Repealed: true, Limit: 2}); len(hits) != 2 {
		t.Errorf("%d hits for a limit of 2", len(hits))
	}
}

func TestMistypedAndInflectedWordsAreFound(t *testing.T) {
	t.Parallel()
	c := newCatalogue()
	c.set(id(1), text(1, "Le licenciement d’un salarié protégé", "La marchandise est dédouanée")...)
	x := open(t, c)
	wantFound(t, found(x, Query{Text: "liscenciement"}), "1/1")
	wantFound(t, found(x, Query{Text: "LICENCIER"}), "1/1")
	wantFound(t, found(x, Query{Text: "dedouanement"}), "1/2")
	wantFound(t, found(x, Query{Text: "mon patron m'a viré"}), "1/1")
}

func TestEqualScoresAreOrderedByID(t *testing.T) {
	t.Parallel()
	c := newCatalogue()
	for n := range 9 {
		row := text(n, "le même préavis")
		row[0].Title, row[0].OfficialNumber = "Loi", ""
		c.set(id(n), row...)
	}
	hits := open(t, c).Search(Query{Text: "préavis", Limit: 9})
	if !slices.IsSortedFunc(hits, func(a, b Hit) int { return slices.Compare(a.PassageID[:], b.PassageID[:]) }) || len(hits) != 9 {
		t.Errorf("hits %v", hits)
	}
}

var vocabulary = []string{"préavis", "congé", "salaire", "grève", "contrat", "licenciement", "licencier", "douane", "impôt", "trois (3) mois",
	"bail", "loyer", "amende", "travail", "travailleur", "employeur", "article 5", "indemnité", "durée", "délai"}

func randomText(r *rand.Rand, n int) []postgres.IndexRow {
	var bodies []string
	for range 1 + r.IntN(5) {
		body := ""
		for range 3 + r.IntN(30) {
			body += " " + vocabulary[r.IntN(len(vocabulary))]
		}
		bodies = append(bodies, body)
	}
	return text(n, bodies...)
}

// A catalogue is searched in the same way after any updates, merges and deletions as if it had been read at once.
func TestHistoryDoesNotMatter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	c := newCatalogue()
	for n := range 20 {
		c.set(id(n), randomText(r, n)...)
	}
	x := open(t, c)
	for step := range 120 {
		for range 1 + r.IntN(3) {
			n := r.IntN(40)
			if r.IntN(4) == 0 {
				c.set(id(n))
			} else {
				c.set(id(n), randomText(r, n)...)
			}
		}
		if err := x.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(x.now.Load().views); n > mostSegments {
			t.Fatalf("step %d: %d segments", step, n)
		}
		if step%10 != 9 {
			continue
		}
		anew := open(t, c)
		for _, q := range []string{"préavis de licenciement", "durée du travail", "amende de trois mois", "salair", "loi 2020-7 article 2"} {
			query := Query{Text: q, Limit: 50}
			if got, want := x.Search(query), anew.Search(query); !reflect.DeepEqual(got, want) {
				t.Fatalf("step %d, %q: %v, read at once %v", step, q, got, want)
			}
		}
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newCatalogue()
		c.set(id(1), text(1, "le préavis")...)
		x := open(t, c)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- x.Follow(ctx) }()
		wake := <-c.wake
		c.set(id(2), text(2, "le préavis de grève")...)
		c.set(id(1))
		c.broken = 3 // the store is unavailable for a while
		wake()
		time.Sleep(time.Second) // of the fake clock
		wantFound(t, found(x, Query{Text: "préavis"}), "2/1")
		if passages, version := x.Size(); passages != 1 || version != 3 {
			t.Errorf("%d passages at version %d", passages, version)
		}
		if n := x.PerText(); n != 1 {
			t.Errorf("%v passages a text, one of them gone", n)
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Follow ended with %v", err)
		}
	})
}

// Deleted texts do not count in PerText.
func TestPerText(t *testing.T) {
	t.Parallel()
	c := newCatalogue()
	x := open(t, c)
	if n := x.PerText(); n != 0 {
		t.Errorf("%v in an empty catalogue", n)
	}
	c.set(id(1), text(1, "le préavis", "la grève", "le bail")...)
	c.set(id(2), text(2, "le loyer")...)
	if x = open(t, c); x.PerText() != 2 {
		t.Errorf("%v, want 2", x.PerText())
	}
}

func TestOpenReturnsErrors(t *testing.T) {
	t.Parallel()
	failing := errors.New("no rows")
	_, err := Open(t.Context(), Options{Source: failingSource{newCatalogue(), failing}})
	if !errors.Is(err, failing) {
		t.Errorf("got %v", err)
	}
}

type failingSource struct {
	*catalogue
	err error
}

func (f failingSource) IndexRows(context.Context, []uuid.UUID, func(postgres.IndexRow) error) error {
	return f.err
}

func TestReadersDoNotWaitForUpdates(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	c := newCatalogue()
	c.set(id(0), text(0, "le préavis qui reste")...)
	x := open(t, c)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if len(x.Search(Query{Text: "qui reste", Limit: 100})) == 0 {
					t.Error("a text that never changed was not found")
					return
				}
			}
		})
	}
	for range 60 {
		n := 1 + r.IntN(10)
		c.set(id(n), randomText(r, n)...)
		if err := x.Update(t.Context()); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	readers.Wait()
}

func TestArticlesByNumber(t *testing.T) {
	t.Parallel()
	c := newCatalogue()
	for n, bodies := range [][]string{{"un", "deux"}, {"l’article 1er est remplacé"}, {"autre"}} {
		c.set(id(n+1), text(n+1, bodies...)...)
	}
	x := open(t, c)
	q := Query{Limit: 10}
	if hits := x.Articles(q, []uuid.UUID{id(1)}, []string{"2", "1er"}); len(hits) != 2 || hits[0].PassageID != id(1001) {
		t.Errorf("articles 2 and 1 of the first text: %v", hits)
	}
	if hits := x.Articles(q, nil, []string{"1er"}); len(hits) != 3 {
		t.Errorf("article 1 of any text: %v", hits)
	}
	if hits := x.Articles(Query{Limit: 10, Day: day1(2019)}, nil, []string{"1er"}); len(hits) != 0 {
		t.Errorf("before it was law: %v", hits)
	}
}

func TestRarity(t *testing.T) {
	t.Parallel()
	c := newCatalogue()
	for n := range 20 {
		bodies := []string{"le salaire"}
		if n == 7 {
			bodies = append(bodies, "la grève")
		}
		c.set(id(n), text(n, bodies...)...)
	}
	r := open(t, c).Rarity([]string{"salair", "grev", "licorne"})
	if !(r[0] < r[1] && r[1] < r[2]) || r[2] != 1 {
		t.Errorf("rarities %v", r)
	}
}

// A new wording is an article of the text that it amends, not of the one that gives it, also in a file of the index
// and after segments were merged.
func TestArticlesOfAnAmendedText(t *testing.T) {
	t.Parallel()
	c := newCatalogue()
	code, change := text(1, "Le préavis est de trois mois."), text(2, "Les mots du préavis sont changés.", "Le préavis est de deux mois.")
	change[1].ArticleNumber, change[1].NewWording, change[1].Amended = "1er", true, []uuid.UUID{id(1)}
	lone := text(3, "Le préavis est oral.")
	lone[0].NewWording = true // the amended text is not in the catalogue
	c.set(id(1), code...)
	c.set(id(2), change...)
	c.set(id(3), lone...)
	x := open(t, c)
	single, err := postings.Decode(x.now.Load().merge().Encode())
	if err != nil {
		t.Fatal(err)
	}
	read := &Index{options: x.options}
	read.now.Store((*state)(nil).with((&snapshot{}).replace(1, nil, single), nil))
	for name, x := range map[string]*Index{"built": x, "read": read} {
		q := Query{Limit: 10, Day: day1(2021)}
		for _, w := range []struct {
			of   uuid.UUID
			want []uuid.UUID
		}{{id(1), []uuid.UUID{id(1000), id(2001)}}, {id(2), []uuid.UUID{id(2000)}}, {id(3), nil}} {
			var got []uuid.UUID
			for _, h := range x.Articles(q, []uuid.UUID{w.of}, []string{"1er"}) {
				got = append(got, h.PassageID)
			}
			slices.SortFunc(got, func(a, b uuid.UUID) int { return slices.Index(w.want, a) - slices.Index(w.want, b) })
			if !slices.Equal(got, w.want) {
				t.Errorf("%s: articles of %v: %v, want %v", name, w.of, got, w.want)
			}
		}
		for _, h := range x.Search(Query{Text: "deux mois préavis", Limit: 10, Day: day1(2021)}) {
			if h.NewWording != (h.PassageID == id(2001) || h.PassageID == id(3000)) || len(h.Amended) > 0 != (h.PassageID == id(2001)) {
				t.Errorf("%s: hit %+v", name, h)
			}
		}
	}
}
