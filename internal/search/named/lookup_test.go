package named

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
	"vigueur/internal/law/read"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// drawn makes texts and references of few words, numbers, days and countries, so that many names fit several texts,
// or almost fit one.
type drawn struct{ *rand.Rand }

func (r drawn) of(list ...string) string { return list[r.IntN(len(list))] }

func (r drawn) some(n int, list ...string) string {
	var words []string
	for range n {
		words = append(words, r.of(list...))
	}
	return strings.Join(words, " ")
}

var (
	drawnWords = []string{"moulin", "sel", "four", "procédure", "pénale", "travail", "régime", "banal", "registre", "[2]", "n° [12]"}
	drawnDays  = []string{"2000-05-17", "2000-06-01", "2010-05-17", "2015-01-01"}
)

func (r drawn) number() string {
	few := fmt.Sprintf("2001-%d", r.IntN(30))
	return r.of("2000-190", "2000-0190", "2000/190", "12", "13", few, few, few) + r.of("", "", "/PRES", "/MF", "-bis")
}

func (r drawn) title() string {
	return r.of("Loi", "Code", "Décret", "Arrêté", "Constitution", "Acte uniforme") + " " + r.of("", "", "modifiant la loi", "abrogeant le code") +
		r.of(" relatif au ", " portant ", " du ", " ") + r.some(1+r.IntN(4), drawnWords...) + r.of("", "", "", " du Bénin", " au Sénégal", " OHADA")
}

func (r drawn) id() (id uuid.UUID) {
	for i := range id {
		id[i] = byte(r.IntN(256))
	}
	return id
}

func (r drawn) kind() law.DocType {
	return law.DocType(r.of("loi", "code", "decret", "arrete", "constitution", ""))
}

func (r drawn) day() time.Time { return dayOf(r.of(drawnDays...)) }

func dayOf(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// reference returns a random reference of any kind that byName knows.
func (r drawn) reference() question.Reference {
	of := question.Reference{}
	if r.IntN(2) == 0 {
		of.Type = r.kind()
	}
	switch r.IntN(6) {
	case 0, 1:
		of.Number = r.number()
		if r.IntN(3) == 0 {
			of.Date = r.day()
		}
	case 2:
		of.Title = r.of("code ", "loi ", "") + r.some(1+r.IntN(2), drawnWords...) + r.of("", " du Bénin")
	case 3:
		of.Date = r.day()
	case 4:
		of.Year = 2000 + 5*r.IntN(4)
		if r.IntN(2) == 0 {
			of.Phrase = r.some(1+r.IntN(5), drawnWords...)
		}
	case 5:
		of.Phrase = r.title() + " " + r.some(r.IntN(4), drawnWords...)
	}
	return of
}

func (r drawn) countries() []country.Code {
	return [][]country.Code{nil, nil, {"bj"}, {"sn"}, {"bj", "sn"}, {"tn"}, {"ohada"}}[r.IntN(7)]
}

// stored returns a catalogue of texts with their keys.
func stored(t testing.TB, texts []Candidate) *postgres.DB {
	t.Helper()
	db, url := catalogue(t, drawn{}, 0)
	var rows []string
	for i, x := range texts {
		id := x.Document.ID
		if id == uuid.Nil {
			id = uuid.UUID{byte(i + 1)}
		}
		rows = append(rows, row(id, i, x.Document, false, "{"+strings.Join(x.Countries, ",")+"}"))
	}
	pgtest.Exec(t, url, insertInto+strings.Join(rows, ",\n"))
	makeAll(t, db)
	return db
}

const insertInto = `INSERT INTO documents (id, ingestion_id, position, title, doc_type, nature, domaine, numero_officiel, promulgated_on, in_force_on,
	first_page, last_page, passages_count, in_review, countries) VALUES `

// row returns SQL for a text of insertInto.
func row(id uuid.UUID, position int, d law.Document, inReview bool, countries string) string {
	quoted := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	return fmt.Sprintf("('%s', '%s', %d, %s, '%s', %s, 'autre', %s, '%s', '2016-01-01', 1, 1, 1, %v, '%s')", id, uuid.UUID{1}, position,
		quoted(d.Title), d.Type, quoted(d.Nature), quoted(d.OfficialNumber), d.Promulgated.Format(time.DateOnly), inReview, countries)
}

// catalogue returns random texts.
func (r drawn) catalogue(n int) (texts []postgres.NamedText) {
	for range n {
		d := law.Document{ID: r.id(), Title: r.title(), Type: law.DocType(r.of("loi", "code", "decret", "arrete", "constitution")),
			Nature: r.of("", "", "", "Ordonnance du moulin"), Promulgated: r.day()}
		if r.IntN(3) > 0 {
			d.OfficialNumber = r.number()
		}
		texts = append(texts, postgres.NamedText{Document: d, Countries: strings.Fields(r.of("", "", "bj", "sn", "bj sn", "ohada", "x-Astrevalle"))})
	}
	return texts
}

// insert returns SQL that adds random texts, one in ten of them in review.
func (r drawn) insert(n int) string {
	var rows []string
	for i, x := range r.catalogue(n) {
		rows = append(rows, row(x.Document.ID, i, x.Document, r.IntN(10) == 0, "{"+strings.Join(x.Countries, ",")+"}"))
	}
	return insertInto + strings.Join(rows, ",\n")
}

// catalogue returns a database with random texts.
func catalogue(t testing.TB, r drawn, n int) (*postgres.DB, string) {
	t.Helper()
	url := pgtest.NewURL(t)
	pgtest.Exec(t, url, fmt.Sprintf(`INSERT INTO ingestions (id, sha256, filename, size, state, lease_until) VALUES ('%s', repeat('a', 64), 'a.pdf', 1, 'done', now())`, uuid.UUID{1}))
	if n > 0 {
		pgtest.Exec(t, url, r.insert(n))
	}
	db, err := postgres.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db, url
}

// everything returns the catalogue in memory, for comparisons.
func everything(t testing.TB, db *postgres.DB) (all []Candidate) {
	t.Helper()
	rows, err := db.NamedTexts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range rows {
		all = append(all, CandidateOf(n))
	}
	return all
}

func makeAll(t testing.TB, db *postgres.DB) {
	t.Helper()
	for {
		made, err := db.MakeNames(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if made == 0 {
			return
		}
	}
}

// A lookup in PostgreSQL finds the same as the rules do among all texts: in a catalogue with current keys, in one to which the
// previous release has just written, and in one whose keys another version makes.
func TestLookupMatchesRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before     string
		references int
	}{
		"keys are made":         {`SELECT 1`, 1000},
		"common keys are known": {`ANALYZE text_names`, 1000},
		"common keys are others by now": {`ANALYZE text_names; UPDATE documents SET title = 'Arrêté portant régime'
			WHERE id::text < '4'`, 300},
		"none are made yet":       {`UPDATE text_names SET keys = '{}', analysis = 0`, 150},
		"half are made":           {`UPDATE text_names SET keys = '{}', analysis = 0 WHERE document_id::text < '8'`, 200},
		"many of another version": {fmt.Sprintf(`UPDATE text_names SET analysis = %d WHERE document_id::text > '4'`, naming.Analysis+1), 300},
		"many of another version, some renamed": {fmt.Sprintf(`UPDATE text_names SET analysis = %d WHERE document_id::text > '2';
			UPDATE documents SET title = 'Arrêté portant régime', numero_officiel = '12' WHERE id IN (SELECT id FROM documents ORDER BY id DESC LIMIT 15)`, naming.Analysis+1), 300},
		"another version made": {fmt.Sprintf(`UPDATE text_names SET keys = '{}', analysis = %d WHERE document_id::text > '8'`, naming.Analysis+1), 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := drawn{rand.New(rand.NewPCG(3, 4))}
			const texts = 300
			db, url := catalogue(t, r, texts)
			makeAll(t, db)
			pgtest.Exec(t, url, c.before)
			all := everything(t, db)
			if len(all) < texts*8/10 || len(all) == texts {
				t.Fatalf("%d texts of %d, want those that are not in review", len(all), texts)
			}
			hits := 0
			for range c.references {
				of, asked := r.reference(), r.countries()
				want := meantOf(all, of, asked)
				l := NewLookup(db)
				if strings.HasPrefix(name, "many") {
					l.most = 20
				}
				got, named, err := l.lookUp(t.Context(), of, asked)
				if err != nil {
					t.Fatal(err)
				}
				if len(named) > 0 != (len(byName(all, of)) > 0) {
					t.Errorf("%+v of %v: texts with the name %q, want %q", of, asked, titles(named), titles(byName(all, of)))
				}
				if !slices.EqualFunc(got, want, func(a, b Candidate) bool { return a.Document.ID == b.Document.ID }) {
					t.Fatalf("%+v of %v: %q, want %q", of, asked, titles(got), titles(want))
				}
				if len(want) > 0 {
					hits++
				}
			}
			if hits < c.references/5 {
				t.Errorf("%d references mean a text: too few to tell", hits)
			}
		})
	}
}

// A lookup among texts in memory finds the same as the rules do.
func TestMemoryMatchesRules(t *testing.T) {
	t.Parallel()
	r := drawn{rand.New(rand.NewPCG(15, 16))}
	hits := 0
	for range 20 {
		source := InMemory(r.catalogue(1 + r.IntN(200)))
		var all []Candidate
		for _, n := range source.texts {
			all = append(all, CandidateOf(n))
		}
		for range 200 {
			of, asked := r.reference(), r.countries()
			want := meantOf(all, of, asked)
			got, named, err := NewLookup(source).lookUp(t.Context(), of, asked)
			if err != nil || !slices.Equal(titles(got), titles(want)) || len(named) > 0 != (len(byName(all, of)) > 0) {
				t.Fatalf("%+v of %v: %q, want %q; %v", of, asked, titles(got), titles(want), err)
			}
			hits += min(1, len(want))
		}
	}
	if hits < 800 {
		t.Errorf("%d references mean a text: too few to tell", hits)
	}
}

// Typed questions are resolved as among all texts.
func TestQuestionsMatchRules(t *testing.T) {
	t.Parallel()
	r := drawn{rand.New(rand.NewPCG(5, 6))}
	db, _ := catalogue(t, r, 200)
	makeAll(t, db)
	all := everything(t, db)
	asked, hits := 0, 0
	for range 200 {
		x := all[r.IntN(len(all))]
		words := r.of("Que dit ", "L'article 5 de ", "Qui abroge ") + r.of("la ", "le ") + r.of(x.Document.Title, strings.ToLower(x.Document.Title),
			"loi n° "+x.Document.OfficialNumber, "loi béninoise de 2015 sur le "+r.some(2, drawnWords...), "code "+r.some(2, drawnWords...)) + " ?"
		q := question.Read(words, question.Conversation{})
		for _, of := range q.References {
			want := meantOf(all, of, q.Countries)
			got, _, err := NewLookup(db).lookUp(t.Context(), of, q.Countries)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(titles(got), titles(want)) {
				t.Errorf("%s: %q, want %q", words, titles(got), titles(want))
			}
			asked++
			hits += min(1, len(want))
		}
	}
	if asked < 100 || hits < 50 {
		t.Errorf("%d references, of which %d mean a text: too few to tell", asked, hits)
	}
}

// A text is found by its current name, whoever wrote it, and by its id.
func TestLookupFollowsTheCatalogue(t *testing.T) {
	t.Parallel()
	db, url := catalogue(t, drawn{rand.New(rand.NewPCG(7, 8))}, 1)
	id := uuid.New()
	add := fmt.Sprintf(`INSERT INTO documents (id, ingestion_id, position, title, doc_type, domaine, numero_officiel, promulgated_on, in_force_on,
		first_page, last_page, passages_count, countries) VALUES ('%s', '%s', 9, 'Code des gabelles', 'code', 'autre', '', '2001-01-01', '2001-01-01', 1, 1, 1, '{sn}')`, id, uuid.UUID{1})
	wants := func(title string, asked []country.Code, want bool) {
		t.Helper()
		found, _, err := NewLookup(db).lookUp(t.Context(), read.Reference{Title: title, Type: law.Code}, asked)
		if err != nil || (len(found) == 1) != want {
			t.Errorf("%s of %v: %q, %v", title, asked, titles(found), err)
		}
	}
	pgtest.Exec(t, url, add)
	wants("code des gabelles", nil, true)
	makeAll(t, db)
	wants("code des gabelles", nil, true)
	wants("code des gabelles", []country.Code{"bj"}, false)
	for _, change := range []string{`title = 'Code des octrois'`, `countries = '{bj}'`} {
		pgtest.Exec(t, url, `UPDATE documents SET `+change+` WHERE id = '`+id.String()+`'`)
	}
	wants("code des gabelles", nil, false)
	wants("code des octrois", []country.Code{"bj"}, true)
	makeAll(t, db)
	wants("code des gabelles", nil, false)
	wants("code des octrois", []country.Code{"bj"}, true)
	l := NewLookup(db)
	if x, ok, err := l.ByID(t.Context(), id); !ok || err != nil || x.Document.Title != "Code des octrois" {
		t.Errorf("%q, %v, %v", x.Document.Title, ok, err)
	}
	pgtest.Exec(t, url, `UPDATE documents SET in_review = true WHERE id = '`+id.String()+`'`)
	wants("code des octrois", nil, false)
	for _, id := range []uuid.UUID{id, uuid.New()} {
		if x, ok, err := NewLookup(db).ByID(t.Context(), id); ok || err != nil {
			t.Errorf("%q is not in the catalogue: %v", x.Document.Title, err)
		}
	}
	pgtest.Exec(t, url, `DELETE FROM documents WHERE id = '`+id.String()+`'`)
	wants("code des octrois", nil, false)
}

// If very many texts have a number, no more of them are read than an answer can consider, and those of the country
// that is asked about come first.
func TestTextsOfOneNumberAreBounded(t *testing.T) {
	t.Parallel()
	db, url := catalogue(t, drawn{rand.New(rand.NewPCG(9, 10))}, 1)
	pgtest.Exec(t, url, fmt.Sprintf(`INSERT INTO documents (id, ingestion_id, position, title, doc_type, domaine, numero_officiel, promulgated_on, in_force_on,
			first_page, last_page, passages_count, countries)
		SELECT md5(n::text)::uuid, '%s', n, 'Arrêté n° 77', 'arrete', 'autre', '77', '2001-01-01', '2001-01-01', 1, 1, 1, CASE WHEN n %% 100 = 0 THEN '{sn}'::text[] ELSE '{bj}' END
		FROM generate_series(1, 1000) n`, uuid.UUID{1}))
	makeAll(t, db)
	of := read.Reference{Number: "77"}
	for asked, want := range map[country.Code]int{"sn": 10, "bj": MostTexts + 2, "tn": 0, "": MostTexts + 1} { // with a country, one text of any other is added
		var codes []country.Code
		if asked != "" {
			codes = append(codes, asked)
		}
		found, _, err := NewLookup(db).lookUp(t.Context(), of, codes)
		if err != nil || len(found) != want || !slices.IsSortedFunc(found, byIDs) {
			t.Errorf("of %q: %d texts, want %d, %v", asked, len(found), want, err)
		}
	}
	pgtest.Exec(t, url, `UPDATE text_names SET analysis = 0`)
	if found, _, err := NewLookup(db).lookUp(t.Context(), of, []country.Code{"sn"}); err != nil || len(found) != 10 {
		t.Errorf("before their keys are made: %d texts, %v", len(found), err)
	}
}

// If a question would read too many texts without keys, an error says so.
func TestTooManyTextsWithoutKeys(t *testing.T) {
	t.Parallel()
	db, url := catalogue(t, drawn{rand.New(rand.NewPCG(11, 12))}, 1)
	of := read.Reference{Number: "77"}
	add := func(start, end int) {
		pgtest.Exec(t, url, fmt.Sprintf(`INSERT INTO documents (id, ingestion_id, position, title, doc_type, domaine, numero_officiel, promulgated_on, in_force_on,
			first_page, last_page, passages_count)
		SELECT md5(n::text)::uuid, '%s', n, 'Arrêté', 'arrete', 'autre', '77', '2001-01-01', '2001-01-01', 1, 1, 1 FROM generate_series(%d, %d) n`, uuid.UUID{1}, start, end))
	}
	add(1, mostStale-1)
	if found, _, err := NewLookup(db).lookUp(t.Context(), of, nil); err != nil || len(found) != mostStale-1 {
		t.Errorf("%d texts without keys, %v", len(found), err)
	}
	add(mostStale, mostStale+1)
	if _, _, err := NewLookup(db).lookUp(t.Context(), of, nil); !errs.Is(err, errs.Unavailable) {
		t.Errorf("%v, want that the catalogue is being prepared", err)
	}
}

// The keys of a title are those of the title without its marks. Package postgres, which writes the keys, does not
// know the marks.
func TestMarksInTitles(t *testing.T) {
	t.Parallel()
	r := drawn{rand.New(rand.NewPCG(13, 14))}
	for range 2000 {
		title := r.title() + r.of(" [3]", " trois [3] mois", " n° [12]", " loi [1, 4] du sel", " art. [5]", "[6]")
		a, b := french.Terms(title), french.Terms(law.RemoveMarks(title))
		slices.Sort(a)
		slices.Sort(b)
		if a, b = slices.Compact(a), slices.Compact(b); !slices.Equal(a, b) {
			t.Fatalf("%s: %q, without marks %q", title, a, b)
		}
	}
}

// The date of a text whose number has other initials does not count.
func TestDateOfOtherInitials(t *testing.T) {
	t.Parallel()
	texts := []Candidate{known("Décret du président", law.Decret, "2001-7/PRES", "2001-02-01"), known("Décret du ministre", law.Decret, "2001-7/MF", "2001-03-01")}
	of := read.Reference{Number: "2001-7/MF", Date: dayOf("2001-02-01")}
	found, _, err := NewLookup(stored(t, texts)).lookUp(t.Context(), of, nil)
	if want := titles(meantOf(texts, of, nil)); err != nil || len(want) != 1 || !slices.Equal(titles(found), want) {
		t.Errorf("%q, want %q: %v", titles(found), want, err)
	}
}
