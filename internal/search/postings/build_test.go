package postings

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
)

// id returns the same id for the same name.
func id(name string) uuid.UUID { return uuid.NewSHA1(uuid.Nil, []byte(name)) }

// row returns a passage of an article of the text « loi ».
func row(article, text string) postgres.IndexRow {
	return postgres.IndexRow{
		Passage:       law.Passage{ID: id(article + text), DocumentID: id("loi"), ArticleID: id(article), Text: text},
		ArticleNumber: article, Type: law.Loi, Status: law.InForce, From: time.Unix(0, 0),
	}
}

// counted counts a passage word by word. Builder.Add must find the same.
func counted(r postgres.IndexRow) (counts map[string]Count, length uint16) {
	counts = make(map[string]Count)
	sum := 0
	add := func(text string, body, heads uint32) {
		for _, term := range french.Terms(text) {
			c := counts[term]
			counts[term] = Count{c.Body + body, c.Heads + heads}
			sum += int(body + heads)
		}
	}
	add(r.Passage.Text, 1, 0)
	headings := slices.Clone(r.Path)
	if r.ArticleHeading != "" {
		headings = append(headings, r.ArticleHeading)
	}
	slices.Reverse(headings)
	for i, h := range headings {
		add(h, 0, []uint32{2, 2, 1, 1, 1, 1}[i])
	}
	add(r.Title, 0, 1)
	for _, number := range []string{french.ArticleTerm(r.ArticleNumber), french.TextTerm(r.OfficialNumber)} {
		if c := counts[number]; number != "" {
			counts[number] = Count{c.Body, c.Heads + 3}
		}
	}
	for term, c := range counts {
		counts[term] = Count{min(c.Body, MaxBody), c.Heads}
	}
	return counts, uint16(min(sum, math.MaxUint16))
}

func TestAddCountsEveryField(t *testing.T) {
	t.Parallel()
	full := row("26 bis", "Le préavis du cadre est écrit. Le cadre signe.")
	full.Title, full.OfficialNumber, full.ArticleHeading = "Loi n° 2023-04 portant code du travail", "2023-04", "Du préavis"
	full.Path = []string{"Livre premier : Du travail", "Titre II : Du contrat", "Chapitre 3 : De la rupture", "Section 1 : Des cadres"}
	unnumbered, bare, empty := full, row("1", "Un seul mot."), row("", "")
	unnumbered.ArticleNumber, unnumbered.ArticleHeading = "", ""
	for name, r := range map[string]postgres.IndexRow{
		"all fields": full, "no number and no heading": unnumbered, "text alone": bare, "nothing": empty,
		"a word more often than a count holds":  row("2", strings.Repeat("préavis ", 3*MaxBody)),
		"more words than a length holds":        row("3", strings.Repeat("préavis congé ", 40_000)),
		"words that say nothing by themselves":  row("4", "le la les de du"),
		"a number of the text within the words": row("5", "la loi n° 2023-04 du 12 mars 2023"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := build([]postgres.IndexRow{r})
			want, length := counted(r)
			if got := held(s)[r.Passage.ID]; !maps.Equal(got, want) {
				t.Errorf("holds %v\nwant  %v", got, want)
			}
			if s.Lengths[0] != length || s.Longest != int(length) || s.Doc(0).Length != float64(length) {
				t.Errorf("lengths %d, %d and %v, want %d", s.Lengths[0], s.Longest, s.Doc(0).Length, length)
			}
		})
	}
}

// For any texts, a segment must contain the counts of each passage's words, and the number of passages of each term.
func TestBuildMatchesCounting(t *testing.T) {
	t.Parallel()
	rows := randomRows(rand.New(rand.NewPCG(21, 22)), 40)
	s := build(rows)
	got, passages, lengths := held(s), make(map[string]int), make(map[uuid.UUID]float64)
	for _, r := range rows {
		want, length := counted(r)
		if !maps.Equal(got[r.Passage.ID], want) {
			t.Fatalf("holds %v\nwant  %v", got[r.Passage.ID], want)
		}
		for term := range want {
			passages[term]++
		}
		lengths[r.Passage.DocumentID] += float64(length)
	}
	if int(s.TermCount()) != len(passages) || len(s.Passages) != len(rows) {
		t.Errorf("%d terms of %d passages, want %d of %d", s.TermCount(), len(s.Passages), len(passages), len(rows))
	}
	for term, n := range passages {
		if got := s.PassagesWith(s.NumberOf(term)); got != n {
			t.Errorf("%q is in %d passages, want %d", term, got, n)
		}
	}
	for d := range uint32(s.DocCount()) {
		if x := s.Doc(d); x.Length != lengths[x.ID] {
			t.Errorf("text %d has the length %v, want %v", d, x.Length, lengths[x.ID])
		}
	}
}

// A passage that says something in few words has a larger share of it than one with many words.
func TestNormsDependOnThePassage(t *testing.T) {
	t.Parallel()
	s := build([]postgres.IndexRow{row("1", "préavis"), row("2", "préavis congé salaire prime grève"), row("3", "préavis")})
	share := func(p int) float32 { return s.Passages[p].Norms.Share(1, 0, 1).Value() }
	if share(0) <= share(1) || share(0) != share(2) {
		t.Errorf("shares %v, %v and %v", share(0), share(1), share(2))
	}
}

// Words are compared by their n-grams; numbers, dates and references only as a whole.
func TestOnlyWordsHaveGrams(t *testing.T) {
	t.Parallel()
	s := build([]postgres.IndexRow{row("1224-1", "préavis de 30000 francs, loi n° 2010-05, le 12 mars 2023")})
	for name, want := range map[string]bool{
		french.Terms("préavis")[0]: true, french.Terms("francs")[0]: true, "30000": false, "2023-03-12": false,
		french.TextTerm("2010-05"): false, french.ArticleTerm("1224-1"): false,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := s.NumberOf(name)
			if n == NoTerm {
				t.Fatalf("there is no term %q", name)
			}
			grams := french.Grams(nil, name)
			if _, count := s.Frequency(n); want && int(count) != len(grams) || !want && count != 0 {
				t.Errorf("%d pieces", count)
			}
			for _, g := range grams {
				if slices.Contains(s.TermsWith(g), n) != want {
					t.Errorf("found by the piece %v: %v, want %v", g, !want, want)
				}
			}
		})
	}
}

func TestTermsSharingCountsGrams(t *testing.T) {
	t.Parallel()
	s := build(randomRows(rand.New(rand.NewPCG(23, 24)), 5))
	asked := french.Grams(nil, "salariee")
	want := make(map[uint32]int)
	for n := range s.TermCount() {
		if _, pieces := s.Frequency(n); pieces == 0 {
			continue
		}
		for _, g := range french.Grams(nil, s.Term(n).Name) {
			if slices.Contains(asked, g) {
				want[n]++
			}
		}
	}
	if got := s.TermsSharing(asked); len(want) == 0 || !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A text belongs to the countries that the catalogue gives it, whatever it mentions. If the catalogue gives none, those that it mentions are
// a guess, but for unions. Mentions in its title, and outside its articles, count more.
func TestCountriesOfAText(t *testing.T) {
	t.Parallel()
	article := func(words string) postgres.IndexRow { return row("1", words) }
	titled := func(title string, rows ...postgres.IndexRow) []postgres.IndexRow {
		for i := range rows {
			rows[i].Title = title
		}
		return rows
	}
	of := func(country string, rows []postgres.IndexRow) []postgres.IndexRow {
		for i := range rows {
			rows[i].Countries = []string{country}
		}
		return rows
	}
	for name, c := range map[string]struct {
		rows []postgres.IndexRow
		want []country.Code
	}{
		"none, and the catalogue says it":    {of("sn", titled("Loi", article("Le préavis."))), []country.Code{"sn"}},
		"several, and the catalogue decides": {of("tg", titled("Convention", article("Le Togo, le Bénin, le Togo, le Bénin."))), []country.Code{"tg"}},
		"another, and the catalogue decides": {of("bj", titled("Loi autorisant l’accord avec le Togo", article("Le Togo. Le Togo."))), []country.Code{"bj"}},
		"none is named":                      {titled("Loi", article("Le préavis.")), nil},
		"one mention in an article is few":   {titled("Loi", article("Un contrat signé au Togo.")), nil},
		"two mentions in an article":         {titled("Loi", article("Le Togo. Le Togo.")), []country.Code{"tg"}},
		"one mention outside the articles":   {titled("Loi", row("", "Le Président du Togo promulgue :")), []country.Code{"tg"}},
		"the title":                          {titled("Code du travail du Togo", article("Le préavis.")), []country.Code{"tg"}},
		"the title is louder than articles":  {titled("Loi du Togo", article("Le Bénin, le Bénin, le Bénin.")), []country.Code{"tg"}},
		"outside is louder than an article":  {titled("Loi", row("", "Le Togo."), article("Le Bénin.")), []country.Code{"tg"}},
		"named about as often":               {titled("Convention", article("Le Togo, le Bénin, le Togo, le Bénin.")), []country.Code{"bj", "tg"}},
		"a title is counted once in a text":  {titled("Loi du Togo", slices.Repeat([]postgres.IndexRow{article("Le Bénin, le Bénin.")}, 15)...), []country.Code{"bj"}},
		"a union":                            {titled("Acte uniforme de l’OHADA", article("Le préavis.")), []country.Code{"ohada"}},
		"headings do not speak of a country": {titled("Loi", func() postgres.IndexRow { r := article("Rien."); r.Path = []string{"Du Togo, du Togo"}; return r }()), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := build(c.rows).ClassOf(0)
			if guessed := c.rows[0].Countries == nil && c.want != nil && name != "a union"; !slices.Equal(got.Countries, c.want) || got.Guessed != guessed {
				t.Errorf("%+v, want %v, guessed %v", got, c.want, guessed)
			}
		})
	}
}

// The mentions of one text do not count for the next.
func TestMentionsOfOneTextAreNotAnothers(t *testing.T) {
	t.Parallel()
	first, second := row("1", "Le Togo, le Togo, le préavis."), row("1", "La grève.")
	first.OfficialNumber, first.Domain, first.Countries = "2020-1", "travail", []string{"tg"}
	second.Passage.DocumentID, second.Type, second.Status, second.Title = id("décret"), law.Decret, law.Repealed, "Décret sur la grève"
	s := build([]postgres.IndexRow{first, first, second})
	want := []Document{
		{ID: id("loi"), Class: Class{Kind: law.Loi, Status: law.InForce, Domain: "travail", Countries: []country.Code{"tg"}}, From: 0, To: 2},
		{ID: id("décret"), Class: Class{Kind: law.Decret, Status: law.Repealed}, From: 2, To: 3},
	}
	for d := range want {
		got := *s.Doc(uint32(d))
		got.latest, got.earliest, got.terms, got.Length = 0, 0, nil, 0
		if len(got.Countries) == 0 {
			got.Countries = nil
		}
		if !reflect.DeepEqual(got, want[d]) {
			t.Errorf("text %d: %+v\nwant %+v", d, got, want[d])
		}
	}
	if v := (View{Segment: s}).Without([]uuid.UUID{id("décret")}); v.DeletedCounts[s.NumberOf(french.Terms("préavis")[0])] != 0 {
		t.Errorf("counted for the second text: %v", v.DeletedCounts)
	}
}

// A text is in force on a day if all its passages are, which may begin and end on different days.
func TestTextInForceNeedsAllPassages(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Unix(0, 0).AddDate(0, 0, n) }
	end := day(30)
	early, late, ending := row("1", "un"), row("2", "deux"), row("3", "trois")
	early.From, late.From, ending.From, ending.To = day(10), day(20), day(5), &end
	s := build([]postgres.IndexRow{early, late, ending})
	for n, want := range map[int]struct {
		passages [3]bool
		all      bool
	}{
		4: {}, 5: {[3]bool{false, false, true}, false}, 10: {[3]bool{true, false, true}, false}, 19: {[3]bool{true, false, true}, false},
		20: {[3]bool{true, true, true}, true}, 29: {[3]bool{true, true, true}, true}, 30: {[3]bool{true, true, false}, false}, 40_000: {[3]bool{true, true, false}, false},
	} {
		t.Run(fmt.Sprint("day ", n), func(t *testing.T) {
			t.Parallel()
			on := Days{Earliest: int32(n), Latest: int32(n)}
			for p := range want.passages {
				if got := s.Passages[p].InForce(on); got != want.passages[p] {
					t.Errorf("passage %d: %v", p, got)
				}
			}
			if got := s.Doc(0).InForce(on); got != want.all {
				t.Errorf("all: %v", got)
			}
		})
	}
	for days, want := range map[Days]bool{{25, 35}: true, {1, 20}: true, {1, 40}: true, {1, 19}: false, {30, 40}: false} {
		each := true
		for p := range s.Passages {
			each = each && s.Passages[p].InForce(days)
		}
		if got := s.Doc(0).InForce(days); got != want || got != each {
			t.Errorf("on one of the days %v: the text %v, each passage %v, want %v", days, got, each, want)
		}
	}
}

// Days before 1970 are negative: a text of 1969 is not of the first day of 1970.
func TestDayCountsFrom1970(t *testing.T) {
	t.Parallel()
	for moment, want := range map[time.Time]int32{
		time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC): 0, time.Date(1970, 1, 2, 23, 59, 59, 0, time.UTC): 1,
		time.Date(1969, 12, 31, 23, 0, 0, 0, time.UTC): -1, time.Date(1960, 8, 1, 0, 0, 0, 0, time.UTC): -3440,
	} {
		t.Run(moment.String(), func(t *testing.T) {
			t.Parallel()
			if got := Day(moment); got != want {
				t.Errorf("day %d, want %d", got, want)
			}
		})
	}
}

// The same rows make the same bytes, whatever the order of map keys.
func TestSameRowsMakeTheSameBytes(t *testing.T) {
	t.Parallel()
	rows := randomRows(rand.New(rand.NewPCG(7, 8)), 20)
	first := build(rows).Encode()
	for range 5 {
		if !slices.Equal(build(rows).Encode(), first) {
			t.Fatal("other bytes")
		}
	}
}
