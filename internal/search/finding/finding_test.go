package finding_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/search/finding"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/milvus"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// desk is a catalogue with two indexes: the complete index in memory, and a register, which
// only ranks the passages that another store finds.
type desk struct {
	*finding.Finder
	db     *postgres.DB
	memory *memindex.Index
	clock  time.Time
	said   []string // ways and reasons in the log records
	files  int
}

var vocabulary = strings.Fields(`licenciement preavis conge salaire employeur contrat prime greve retraite cotisation indemnite tribunal delai bail
	loyer locataire douane impot taxe declaration permis construction foncier commune maire election vote mandat juge appel cassation amende peine
	prison delit crime victime assurance accident vehicule route navire port aeroport mine carriere eau foret chasse peche elevage semence`)

func open(t *testing.T, texts int) *desk {
	t.Helper()
	t.Parallel()
	d := &desk{db: pgtest.New(t), clock: time.Unix(1_800_000_000, 0)}
	r := rand.New(rand.NewPCG(1, 2))
	for range texts {
		d.add(t, r)
	}
	var err error
	d.memory, err = memindex.Open(t.Context(), memindex.Options{Source: d.db})
	ok(t, err)
	register, err := memindex.Open(t.Context(), memindex.Options{Source: d.db, Register: true})
	ok(t, err)
	d.Finder = &finding.Finder{Words: d.db, Register: register, Log: slog.New(ways{d}), Now: func() time.Time { return d.clock }}
	return d
}

// ways is a log handler that records the ways and reasons of searches.
type ways struct{ *desk }

func (ways) Enabled(context.Context, slog.Level) bool { return true }
func (w ways) WithAttrs([]slog.Attr) slog.Handler     { return w }
func (w ways) WithGroup(string) slog.Handler          { return w }
func (w ways) Handle(_ context.Context, r slog.Record) error {
	said := map[string]string{}
	r.Attrs(func(a slog.Attr) bool { said[a.Key] = a.Value.String(); return true })
	w.said = append(w.said, strings.Trim(said["way"]+" "+said["why"], " "))
	return nil
}

// add adds a text of random articles to the catalogue. Every third text is repealed, every
// fourth is about taxes, and one article of each is in force until 2021.
func (d *desk) add(t *testing.T, r *rand.Rand) {
	t.Helper()
	d.files++
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", d.files), Filename: "jo.pdf", Size: 1}
	ok(t, pgtest.AddFile(t.Context(), d.db, i))
	i, err := d.db.StartIngestion(t.Context(), i.ID)
	ok(t, err)
	day := time.Date(2020, 1, d.files, 0, 0, 0, 0, time.UTC)
	text := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: "Loi sur " + vocabulary[r.IntN(len(vocabulary))], Type: law.Loi,
		Domain: []string{"travail", "impots"}[d.files/4%2], OfficialNumber: fmt.Sprint(d.files), Promulgated: day, EntersInForce: day, FirstPage: 1, LastPage: 1}}
	for n := range 8 {
		words := make([]string, 8+r.IntN(20))
		for w := range words {
			words[w] = vocabulary[r.IntN(1+r.IntN(len(vocabulary)))]
		}
		a := law.Article{ID: postgres.NewID(), Position: n, Number: fmt.Sprint(n + 1), Page: 1, Text: strings.Join(words, " ")}
		if n == 0 {
			end := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
			a.ValidTo = &end
		}
		text.Articles = append(text.Articles, a)
		text.Passages = append(text.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Position: n, Page: 1, Text: a.Text})
	}
	ok(t, d.db.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{text}}))
}

// asked returns questions with all kinds of filters.
func (d *desk) asked(t *testing.T) (list []memindex.Query) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	var some uuid.UUID
	for _, h := range d.memory.Search(memindex.Query{Text: "salaire", Limit: 1}) {
		some = h.DocumentID
	}
	for i := range 60 {
		words := make([]string, 1+i%5)
		for w := range words {
			words[w] = vocabulary[r.IntN(len(vocabulary))]
		}
		words[0] += []string{"", "s"}[i%2] // plural or singular, as people write
		q := memindex.Query{Text: "Quelle " + strings.Join(words, " et "), Limit: 20}
		switch i % 6 {
		case 1:
			q.Filters.Domain = "impots"
		case 2:
			q.Day = time.Date(2020, 12, 1, 0, 0, 0, 0, time.UTC)
		case 3:
			q.Day = time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)
		case 4:
			q.Filters.DocumentID = &some
		case 5:
			q.Filters.Type, q.Repealed = law.Decret, true
		}
		list = append(list, q)
	}
	return list
}

// The search by words in PostgreSQL finds what the index in memory finds by words, with
// every filter and with misspelled words.
func TestWordsFindWhatTheIndexFinds(t *testing.T) {
	d := open(t, 20)
	d.Milvus = func(context.Context, memindex.Query) ([]memindex.Hit, error) {
		return nil, errs.New(errs.Unavailable, "")
	}
	for _, q := range d.asked(t) {
		want := d.memory.Search(q)
		got, err := d.Search(t.Context(), q)
		ok(t, err)
		if len(got) != len(want) {
			t.Errorf("%s: %d passages, in memory %d", q.Text, len(got), len(want))
		}
		for i := range min(5, len(got), len(want)) {
			if got[i].Semantic || got[i].PassageID != want[i].PassageID {
				t.Errorf("%s %+v: hit %d is %v (meant %v), in memory %v", q.Text, q.Filters, i, got[i].Score, got[i].Semantic, want[i].Score)
			}
		}
	}
	for _, text := range []string{"", "xyzzy", `' | & ! :* \ "`, strings.Repeat("préavis ", 4000)} {
		if hits, err := d.Search(t.Context(), memindex.Query{Text: text, Limit: 5}); err != nil || (text == "" || text == "xyzzy") && len(hits) > 0 {
			t.Errorf("%.20q: %d hits, %v", text, len(hits), err)
		}
	}
}

// While Milvus does not answer, questions are answered by words without waiting, except for
// the one question that tries Milvus again.
func TestWithoutWaiting(t *testing.T) {
	d := open(t, 6)
	var fault error
	asked := 0
	d.Milvus = func(context.Context, memindex.Query) ([]memindex.Hit, error) {
		asked++
		return []memindex.Hit{{Semantic: true}}, fault
	}
	q := memindex.Query{Text: "salaire", Limit: 5}
	search := func(meant bool) {
		t.Helper()
		hits, err := d.Search(t.Context(), q)
		if err != nil || len(hits) == 0 || hits[0].Semantic != meant {
			t.Errorf("%d hits, meant %v, %v", len(hits), meant, err)
		}
	}
	search(true)
	fault = errs.Wrap(errs.Unavailable, "", milvus.ErrSlow)
	search(false)
	search(false) // Milvus is not asked
	d.clock = d.clock.Add(6 * time.Second)
	fault = errs.Wrap(errs.Unavailable, "", milvus.ErrLost)
	search(false)
	d.clock = d.clock.Add(6 * time.Second)
	fault = errs.New(errs.Unavailable, "")
	search(false)
	d.clock = d.clock.Add(6 * time.Second)
	fault = nil
	search(true)
	search(true)
	if got, want := strings.Join(d.said, ", "), "milvus, words slow, words slow, words filling, words away, milvus, milvus"; got != want {
		t.Errorf("said %s, want %s", got, want)
	}
	if asked != 6 {
		t.Errorf("Milvus was asked %d times", asked)
	}
	// Errors other than that Milvus is unavailable are returned, and a canceled question
	// finds nothing.
	fault = errors.New("a defect")
	if _, err := d.Search(t.Context(), q); !errors.Is(err, fault) {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	fault = errs.Wrap(errs.Unavailable, "", ctx.Err())
	if hits, err := d.Search(ctx, q); err == nil {
		t.Errorf("%d hits", len(hits))
	}
	fault = nil
	search(true)
}

// A collection that lacks many texts is not searched; a collection that lacks a few is.
func TestWhileItIsFilled(t *testing.T) {
	d := open(t, 3)
	d.Milvus = func(context.Context, memindex.Query) ([]memindex.Hit, error) {
		return []memindex.Hit{{Semantic: true}}, nil
	}
	lacks := 0
	d.Lacks = func(context.Context) (int, error) { return lacks, nil }
	for i, n := range []int{0, finding.Behind, finding.Behind - 1} {
		lacks = n
		d.clock = d.clock.Add(10 * time.Second)
		hits, err := d.Search(t.Context(), memindex.Query{Text: "salaire contrat prime", Limit: 5})
		if err != nil || len(hits) == 0 || hits[0].Semantic != (i != 1) {
			t.Errorf("%d texts lacking: %d hits, %v", n, len(hits), err)
		}
	}
	row := d.db.PassageIndex()
	if n, err := row.Behind(t.Context(), 2); err != nil || n != 2 {
		t.Errorf("%d texts behind, %v", n, err)
	}
}

// If Milvus accepts connections but never responds, one question waits for it until the
// timeout, and the next questions do not wait.
func TestSilentMilvus(t *testing.T) {
	d := open(t, 3)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	t.Cleanup(func() { _ = l.Close() })
	store := &milvus.Store{Address: l.Addr().String(), Patience: 50 * time.Millisecond}
	t.Cleanup(func() { _ = store.Close() })
	d.Milvus = (&milvus.Index{Store: store, Register: d.Register}).Search
	for range 3 {
		hits, err := d.Search(t.Context(), memindex.Query{Text: "salaire contrat prime", Limit: 5})
		if err != nil || len(hits) == 0 {
			t.Errorf("%d hits, %v", len(hits), err)
		}
	}
	for _, way := range d.said {
		if !strings.HasPrefix(way, "words ") {
			t.Errorf("went by %s", way)
		}
	}
}
