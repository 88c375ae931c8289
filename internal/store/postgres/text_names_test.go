package postgres_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// wantNamed checks which texts have all the given keys.
func (b bundle) wantNamed(t *testing.T, keys []string, want ...string) {
	t.Helper()
	found, err := b.NamedBy(t.Context(), postgres.NameQuery{All: keys, Most: 10})
	ok(t, err)
	var got []string
	for _, x := range found[0] {
		got = append(got, x.Document.Title)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q: %q, want %q", keys, got, want)
	}
}

func (b bundle) wantBehind(t *testing.T, want ...string) {
	t.Helper()
	behind, err := b.Behind(t.Context(), 10)
	ok(t, err)
	var got []string
	for _, x := range behind.Texts {
		got = append(got, x.Title)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) || behind.Keyed != postgres.KeysOfThis || behind.Bare {
		t.Errorf("behind: %q, %+v, want %q", got, behind, want)
	}
}

// Every write of a text makes its keys in the same transaction.
func TestNamesFollowTheCatalogue(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	i := b.addGazette(t, "a1")
	mill, waiting := text("Loi sur le moulin", "2021-01", day("2021-01-01"), "1"), text("Loi sur la roue", "2021-02", day("2021-01-01"), "1")
	waiting.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun."}}
	b.save(t, i, mill, waiting)
	ok(t, b.MarkIngestion(ctx, i.ID, i.Attempt, "review", ""))
	b.wantBehind(t)
	b.wantNamed(t, []string{naming.Type(law.Loi), naming.Year(2021)}, "Loi sur le moulin")
	_, err := b.AcceptText(ctx, i.ID, waiting.Document.ID, postgres.DocumentChange{Title: ptr("Loi sur le bief")})
	ok(t, err)
	b.wantBehind(t)
	b.wantNamed(t, []string{"bief"}, "Loi sur le bief")
	b.wantNamed(t, []string{"roue"})
	for _, change := range []postgres.DocumentChange{{OfficialNumber: ptr("2021-77/AN")}, {Nature: ptr("Ordonnance")}, {Type: ptr(law.Code)}, {Promulgated: ptr(day("2020-05-05"))}} {
		_, err = b.ChangeDocument(ctx, mill.Document.ID, change, postgres.StatusChange{})
		ok(t, err)
	}
	b.wantBehind(t)
	b.wantNamed(t, []string{naming.Stem("2021-77"), french.Terms("Ordonnance")[0], naming.Type(law.Code), naming.Day(day("2020-05-05")), naming.Called(law.Loi)}, "Loi sur le moulin")
	_, err = b.DeleteDocument(ctx, mill.Document.ID)
	ok(t, err)
	b.wantNamed(t, []string{"moulin"})
	b.wantBehind(t)
}

// Texts that programs of the previous release write are recognized as lacking keys, and
// MakeNames makes the keys.
func TestNamesOfOtherProgramsAreMade(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	b := bundle{DB: db}
	b.user = b.addUser(t, "claire@exemple.org", "user")
	mill := text("Loi sur le moulin", "2021-01", day("2021-01-01"), "1")
	b.ingested(t, "a1", mill, text("Loi sur le bief", "2021-02", day("2021-01-01"), "1"))
	b.wantBehind(t)
	pgtest.Exec(t, url, `UPDATE documents SET statut = 'modifie', last_page = 9`)
	b.wantBehind(t) // this change affects no name
	pgtest.Exec(t, url, `UPDATE documents SET title = 'Loi sur la roue' WHERE id = '`+mill.Document.ID.String()+`'`)
	b.wantBehind(t, "Loi sur la roue")
	b.wantNamed(t, []string{"moulin"}) // the old keys find nothing
	if made, err := b.MakeNames(t.Context()); err != nil || made != 1 {
		t.Errorf("%d made, %v", made, err)
	}
	b.wantBehind(t)
	b.wantNamed(t, []string{"roue"}, "Loi sur la roue")
	pgtest.Exec(t, url, `UPDATE text_names SET analysis = analysis + 1`) // keys of a newer program
	b.wantBehind(t, "Loi sur la roue", "Loi sur le bief")
	if made, err := b.MakeNames(t.Context()); err != nil || made != 0 {
		t.Errorf("%d of a newer program made anew, %v", made, err)
	}
	pgtest.Exec(t, url, `UPDATE text_names SET keys = '{}', analysis = 0`)
	_, err = postgres.Migrate(t.Context(), url, nil)
	ok(t, err)
	b.wantBehind(t)
	b.wantNamed(t, []string{"bief"}, "Loi sur le bief")
}

// The statistics of keys exist once PostgreSQL has analyzed the table. They do not change
// which texts are found.
func TestNamesAreFoundByCommonKeysToo(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	pgtest.Exec(t, url, `INSERT INTO ingestions (id, sha256, filename, size, state, lease_until) VALUES ('`+uuid.Nil.String()+`', repeat('a', 64), 'a.pdf', 1, 'done', now())`)
	pgtest.Exec(t, url, `INSERT INTO documents (id, ingestion_id, position, title, doc_type, domaine, numero_officiel, promulgated_on, in_force_on, first_page, last_page, passages_count)
		SELECT md5(n::text)::uuid, '`+uuid.Nil.String()+`', n, 'Loi portant moulin ' || n, 'loi', 'autre', '', '2021-01-01', '2021-01-01', 1, 1, 1 FROM generate_series(1, 400) n`)
	_, err := postgres.Migrate(t.Context(), url, nil) // makes the keys and runs ANALYZE
	ok(t, err)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	b := bundle{DB: db}
	for key, all := range map[string]bool{"moulin": true, "77": false} {
		if share, err := db.KeyShare(t.Context(), key); err != nil || (share > .9) != all {
			t.Errorf("%v of the texts have %s, %v", share, key, err)
		}
	}
	b.wantNamed(t, []string{"moulin", "77", naming.Type(law.Loi)}, "Loi portant moulin 77")
	b.wantNamed(t, []string{"moulin", "77", naming.Type(law.Code)})
	found, err := db.NamedBy(t.Context(), postgres.NameQuery{All: []string{"77"}, Any: []string{naming.Silent, "&bj"}, Most: 5},
		postgres.NameQuery{All: []string{"77"}, Any: []string{"&bj", "&sn"}, Most: 5})
	ok(t, err)
	if len(found[0]) != 1 || len(found[1]) != 0 {
		t.Errorf("%d and %d texts, want 1 and 0", len(found[0]), len(found[1]))
	}
	long, none := postgres.NameQuery{All: []string{"portant", "moulin", "77"}}, postgres.NameQuery{All: []string{"moulin", "402"}}
	for name, c := range map[string]struct {
		ask  []postgres.NameQuery
		want int
	}{
		"the first":             {[]postgres.NameQuery{long, {All: []string{"moulin"}}}, 0},
		"one after none":        {[]postgres.NameQuery{none, long, {All: []string{"moulin"}}}, 1},
		"one of any":            {[]postgres.NameQuery{{All: []string{"77"}, Any: []string{"&bj"}}, {All: []string{"77"}, Any: []string{"&bj", naming.Silent}}}, 1},
		"none":                  {[]postgres.NameQuery{none, none}, -1},
		"nothing is asked for":  {nil, -1},
		"more than fit a batch": {append(slices.Repeat([]postgres.NameQuery{none}, 60), long), 60},
	} {
		if got, err := db.FirstNamed(t.Context(), c.ask...); err != nil || got != c.want {
			t.Errorf("%s: %d, %v; want %d", name, got, err, c.want)
		}
	}
	pgtest.Exec(t, url, `UPDATE documents SET in_review = true WHERE title = 'Loi portant moulin 77'`)
	if got, err := db.FirstNamed(t.Context(), long); err != nil || got != -1 {
		t.Errorf("of a text in review %d, %v; want -1", got, err)
	}
}

// If many texts have outdated keys, Behind lists the smallest sufficient class of them; if
// even that class is too large, it says so.
func TestOfManyTextsBehindTheLeastKnownAreListed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before string
		want   postgres.Behind
		listed int
	}{
		"none":                         {`SELECT 1`, postgres.Behind{}, 0},
		"few":                          {`UPDATE text_names SET analysis = 99 WHERE document_id IN (SELECT id FROM documents WHERE position <= 4)`, postgres.Behind{}, 4},
		"many of another version":      {`UPDATE text_names SET analysis = 99`, postgres.Behind{Keyed: postgres.KeysOfOthers}, 0},
		"few of these to be made":      {`UPDATE text_names SET analysis = CASE WHEN position <= 3 THEN 0 ELSE 99 END FROM documents WHERE id = document_id`, postgres.Behind{Keyed: postgres.KeysOfOthers}, 3},
		"many renamed, few never made": {`UPDATE text_names SET analysis = 0, keys = CASE WHEN position <= 2 THEN '{}' ELSE keys END FROM documents WHERE id = document_id`, postgres.Behind{Keyed: postgres.KeysOfWhatTheyWere}, 2},
		"many never made":              {`UPDATE text_names SET analysis = 0, keys = '{}'`, postgres.Behind{Bare: true}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := pgtest.NewURL(t)
			pgtest.Exec(t, url, `INSERT INTO ingestions (id, sha256, filename, size, state, lease_until) VALUES ('`+uuid.Nil.String()+`', repeat('a', 64), 'a.pdf', 1, 'done', now())`)
			pgtest.Exec(t, url, `INSERT INTO documents (id, ingestion_id, position, title, doc_type, domaine, numero_officiel, promulgated_on, in_force_on, first_page, last_page, passages_count)
				SELECT md5(n::text)::uuid, '`+uuid.Nil.String()+`', n, 'Loi portant moulin ' || n, 'loi', 'autre', '', '2021-01-01', '2021-01-01', 1, 1, 1 FROM generate_series(1, 20) n`)
			_, err := postgres.Migrate(t.Context(), url, nil)
			ok(t, err)
			pgtest.Exec(t, url, c.before)
			db, err := postgres.Open(t.Context(), url)
			ok(t, err)
			t.Cleanup(db.Close)
			got, err := db.Behind(t.Context(), 4)
			ok(t, err)
			if len(got.Texts) != c.listed || got.Keyed != c.want.Keyed || got.Bare != c.want.Bare {
				t.Errorf("%d texts, keyed %v, bare %v; want %d, %+v", len(got.Texts), got.Keyed, got.Bare, c.listed, c.want)
			}
			found, err := db.NamedBy(t.Context(), postgres.NameQuery{All: []string{"moulin"}, Most: 30}, postgres.NameQuery{All: []string{"moulin"}, Most: 30, Keys: c.want.Keyed})
			ok(t, err)
			if each := len(found[0]) + len(found[1]); c.want.Keyed != postgres.KeysOfThis && each+c.listed != 20 {
				t.Errorf("%d texts by keys of either version, want all but the listed", each)
			}
		})
	}
}
