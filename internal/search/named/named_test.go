package named

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// known returns a text of the catalogue.
func known(title string, kind law.DocType, number, day string, codes ...country.Code) Candidate {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	n := postgres.NamedText{Document: law.Document{Title: title, Type: kind, OfficialNumber: number, Promulgated: date}}
	for _, c := range codes {
		n.Countries = append(n.Countries, string(c))
	}
	return CandidateOf(n)
}

var shelf = []Candidate{
	known("Loi n° 2010-05 du 3 mai 2010 relative aux meuniers", law.Loi, "2010-05", "2010-05-03", "bj"),
	known("Décret n° 2010-05 du 9 mai 2010", law.Decret, "2010-05", "2010-05-09", "sn"),
	known("Décret n° 2000-190/PRES/PM du 17 mai 2000", law.Decret, "2000-190/PRES/PM", "2000-05-17", "bf"),
	known("Loi n° 65-99 relative au Code du travail", law.Code, "65-99", "2003-09-11", "ma"),
	known("Loi n° 28-2008 portant code du travail au Burkina Faso", law.Code, "28-2008", "2008-05-13", "bf"),
	known("Loi n° 2020-9 modifiant le code du travail", law.Loi, "2020-9", "2020-02-01", "bf"),
	known("Acte uniforme relatif au droit de l'arbitrage", law.Loi, "", "2017-11-23", "ohada"),
	known("Acte uniforme relatif au droit de la médiation", law.Loi, "", "2017-11-23", "ohada"),
	known("Arrêté du 10 septembre 2004 relatif au blanchiment", law.Arrete, "", "2004-09-10", "tn"),
	known("Loi n° 2024-15 du 23 mai 2024 portant répression de l'usure", law.Loi, "2024-15", "2024-05-23", "bj"),
	known("Loi n° 70-03 portant Code de la famille", law.Loi, "70-03", "2004-02-03", "ma"),
	known("Loi n° 2024-16 du 24 mai 2024 portant autre chose", law.Loi, "2024-16", "2024-05-24", "bj"),
}

func TestNamed(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"la loi 2010-05":                          "Loi n° 2010-05 du 3 mai 2010 relative aux meuniers",
		"le décret 2010-05":                       "Décret n° 2010-05 du 9 mai 2010",
		"l’arrêté n° 2010-05":                     "",
		"la loi sénégalaise n° 2010-05":           "",
		"le décret n° 2000-190":                   "Décret n° 2000-190/PRES/PM du 17 mai 2000",
		"le décret n° 2000-190/MF":                "",
		"la loi n° 65-99":                         "Loi n° 65-99 relative au Code du travail",
		"le décret n° 65-99":                      "",
		"le code du travail marocain":             "Loi n° 65-99 relative au Code du travail",
		"le code du travail du Burkina Faso":      "Loi n° 28-2008 portant code du travail au Burkina Faso",
		"le code du travail togolais":             "",
		"le code pénal":                           "",
		"AUA":                                     "Acte uniforme relatif au droit de l'arbitrage",
		"AUM":                                     "Acte uniforme relatif au droit de la médiation",
		"AUSCGIE":                                 "",
		"l’arrêté du 10 septembre 2004":           "Arrêté du 10 septembre 2004 relatif au blanchiment",
		"la loi béninoise de 2024 contre l’usure": "Loi n° 2024-15 du 23 mai 2024 portant répression de l'usure",
		"l’acte uniforme sur l’arbitrage est-il en vigueur ?":    "Acte uniforme relatif au droit de l'arbitrage",
		"l’acte uniforme relatif au droit de la médiation dit ?": "Acte uniforme relatif au droit de la médiation",
	} {
		q := question.Read(asked, question.Conversation{})
		if len(q.References) != 1 {
			t.Errorf("%s: %+v", asked, q.References)
			continue
		}
		got := ""
		if found := meantOf(shelf, q.References[0], q.Countries); len(found) > 0 {
			got = found[0].Document.Title
		}
		if got != want {
			t.Errorf("%s: %q, want %q", asked, got, want)
		}
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	x := shelf[0]
	x.Document.ID, x.Document.Domain, x.Document.Status = uuid.New(), "travail", law.InForce
	other := uuid.New()
	for name, c := range map[string]struct {
		filters law.Filters
		want    bool
	}{
		"none":              {law.Filters{}, true},
		"its domain":        {law.Filters{Domain: "travail"}, true},
		"another domain":    {law.Filters{Domain: "impôts"}, false},
		"its kind":          {law.Filters{Type: law.Loi}, true},
		"another kind":      {law.Filters{Type: law.Decret}, false},
		"its status":        {law.Filters{Status: law.InForce}, true},
		"another status":    {law.Filters{Status: law.Repealed}, false},
		"that text":         {law.Filters{DocumentID: &x.Document.ID}, true},
		"another text":      {law.Filters{DocumentID: &other}, false},
		"one fits of two":   {law.Filters{Domain: "travail", Type: law.Decret}, false},
		"both fit of two":   {law.Filters{Domain: "travail", Type: law.Loi}, true},
		"a day is no sieve": {law.Filters{Date: &time.Time{}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := Mention{Texts: []Candidate{x}}.filter(c.filters)
			if got := len(m.Texts) == 1; got != c.want || len(m.Barred) == len(m.Texts) {
				t.Errorf("admitted %v, barred %d; want %v", got, len(m.Barred), c.want)
			}
		})
	}
}

// shelved returns a source of the texts of the shelf, and the id of one of them.
func shelved(place int) (source *Memory, id uuid.UUID) {
	var all []postgres.NamedText
	for i, x := range shelf {
		x.Document.ID = uuid.UUID{byte(i + 1)}
		all = append(all, x.NamedText)
	}
	return InMemory(all), uuid.UUID{byte(place + 1)}
}

// ask returns a question in March 2024.
func ask(text string, filters law.Filters, earlier ...string) Question {
	q := Question{Before: question.Conversation{Asked: earlier}, Filters: filters, Today: time.Date(2024, 3, 14, 0, 0, 0, 0, time.UTC)}
	asked := question.Read(text, q.Before)
	q.Asked = &asked
	return q
}

func TestResolve(t *testing.T) {
	t.Parallel()
	source, decree := shelved(2)
	const law2010, decree2000, codeOfFaso = "Loi n° 2010-05 du 3 mai 2010 relative aux meuniers", "Décret n° 2000-190/PRES/PM du 17 mai 2000", "Loi n° 28-2008 portant code du travail au Burkina Faso"
	for name, c := range map[string]struct {
		question Question
		want     []string // the title of the first text of each mention, "" if it means none
	}{
		"a text":                                {ask("Que dit la loi n° 2010-05 ?", law.Filters{}), []string{law2010}},
		"two texts":                             {ask("La loi n° 2010-05 et le décret n° 2000-190 ?", law.Filters{}), []string{law2010, decree2000}},
		"one that is not there":                 {ask("Que dit la loi n° 1999-12 ?", law.Filters{}), []string{""}},
		"a number alone":                        {ask("Que dit 2000-190 ?", law.Filters{}), []string{decree2000}},
		"a number alone that no text has":       {ask("Que dit 2000-191 ?", law.Filters{}), nil},
		"words that are no title":               {ask("Que dit la convention sur le sel ?", law.Filters{}), nil},
		"a year that has no such text":          {ask("Que dit la loi de 2012 ?", law.Filters{}), []string{""}},
		"a year that has texts of another type": {ask("Que dit l’arrêté béninois de 2024 ?", law.Filters{}), nil},
		"a year with words that no title has":   {ask("Que dit la loi béninoise de 2024 contre les intérêts trop hauts ?", law.Filters{}), nil},
		"texts of a year that has none":         {ask("Que disent les lois de 2012 ?", law.Filters{}), nil},
		"a text of a year that has none":        {ask("Est-ce une loi de 2012 ?", law.Filters{}), nil},
		"a collective agreement":                {ask("Que dit la convention collective de la métallurgie ?", law.Filters{}), []string{""}},
		"collective agreements of any branch":   {ask("Que dit une convention collective de branche ?", law.Filters{}), nil},
		"a year to come":                        {ask("Que dit la loi de 2031 ?", law.Filters{}), []string{""}},
		"an article of the text that is open":   {ask("Que dit l’article 5 ?", law.Filters{DocumentID: &decree}), []string{decree2000}},
		"an article of no text":                 {ask("Que dit l’article 5 ?", law.Filters{}), []string{""}},
		"an article of the text named before":   {ask("Et l’article 5 ?", law.Filters{}, "Que dit la loi n° 2010-05 ?"), []string{law2010}},
		"one before that the catalogue has":     {ask("Et l’article 5 ?", law.Filters{}, "Que dit la loi n° 2010-05 ?", "Que dit la loi n° 1999-12 ?"), []string{law2010}},
		"the same code of the country asked of": {ask("Et l’article 5 au Burkina Faso ?", law.Filters{}, "Que dit le code du travail ?"), []string{codeOfFaso}},
		"two codes, each of its country":        {ask("L’article 156 du code du travail burkinabè et l’article 171 du code du travail marocain", law.Filters{}), []string{codeOfFaso, "Loi n° 65-99 relative au Code du travail"}},
		"a name that is one country's":          {ask("L’article 156 du code du travail burkina et l’article 171 moudawana", law.Filters{}), []string{codeOfFaso, "Loi n° 70-03 portant Code de la famille"}},
		"no reference":                          {ask("Combien dure le préavis ?", law.Filters{}), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mentions, err := NewLookup(source).Resolve(t.Context(), c.question)
			if err != nil || mentions == nil {
				t.Fatalf("%v, %v", mentions, err)
			}
			var got []string
			for _, m := range mentions {
				got = append(got, strings.Join(titles(m.Texts[:min(1, len(m.Texts))]), ""))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A mention without a text says why: the catalogue has no such text, or has texts of that name that are not meant.
func TestMentionsWithoutAText(t *testing.T) {
	t.Parallel()
	source, _ := shelved(0)
	var millers []postgres.NamedText
	for i, x := range mills(mostOfName+1, "bj") {
		x.Document.ID, x.Document.Title, x.Document.Type = uuid.UUID{byte(i + 1)}, "Code du moulin banal", law.Code
		millers = append(millers, x.NamedText)
	}
	committee := known("Décret portant constitution d’un comité", law.Decret, "", "2008-11-15")
	committee.Document.ID = uuid.UUID{1}
	for name, c := range map[string]struct {
		source        *Memory
		question      Question
		barred, alike int
		absent, any   bool
	}{
		"no such number":                 {source, ask("Que dit la loi n° 1999-12 ?", law.Filters{}), 0, 0, true, false},
		"no such code":                   {source, ask("Que dit le code pénal ?", law.Filters{}), 0, 0, true, false},
		"the code of another country":    {source, ask("Que dit le code du travail togolais ?", law.Filters{}), 0, 2, false, false},
		"a decree, not the law":          {source, ask("Que dit la loi n° 2000-190 ?", law.Filters{}), 0, 0, true, false},
		"a text of another day":          {source, ask("Que dit l’arrêté du 11 septembre 2004 ?", law.Filters{}), 0, 0, false, false},
		"a decree, not the constitution": {InMemory([]postgres.NamedText{committee.NamedText}), ask("Que dit la Constitution ?", law.Filters{}), 0, 1, false, false},
		"too many of one name":           {InMemory(millers), ask("Que dit le code du moulin banal ?", law.Filters{}), 0, mostOfName + 1, false, false},
		"the filters":                    {source, ask("Que dit la loi n° 2010-05 ?", law.Filters{Type: law.Decret}), 1, 0, false, false},
		"an article of no text":          {source, ask("Que dit l’article 5 ?", law.Filters{}), 0, 0, false, false},
		"a lettered article":             {source, ask("Que dit l’article L. 1224-1 ?", law.Filters{}), 0, 0, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mentions, err := NewLookup(c.source).Resolve(t.Context(), c.question)
			if err != nil || len(mentions) != 1 {
				t.Fatalf("%+v, %v", mentions, err)
			}
			m := mentions[0]
			if len(m.Texts) > 0 || len(m.Barred) != c.barred || len(m.Alike) != c.alike || len(m.WithName()) != c.barred+c.alike {
				t.Errorf("means %q, barred %q, alike %q", titles(m.Texts), titles(m.Barred), titles(m.Alike))
			}
			if m.Absent() != c.absent || m.OfAnyText() != c.any {
				t.Errorf("absent %v, of any text %v; want %+v", m.Absent(), m.OfAnyText(), c)
			}
		})
	}
}

// If more texts have a number than a mention holds, More is set.
func TestMoreTextsThanAMentionHolds(t *testing.T) {
	t.Parallel()
	for n, more := range map[int]bool{MostTexts: false, MostTexts + 1: true} {
		var all []postgres.NamedText
		for i := range n {
			x := known("Arrêté n° 77", law.Arrete, "77", "2001-01-01")
			x.Document.ID = uuid.UUID{1, byte(i)}
			all = append(all, x.NamedText)
		}
		mentions, err := NewLookup(InMemory(all)).Resolve(t.Context(), ask("Que dit l’arrêté n° 77 ?", law.Filters{}))
		if err != nil || len(mentions) != 1 || len(mentions[0].Texts) != MostTexts || mentions[0].More != more {
			t.Errorf("of %d texts: %d mentions, %v", n, len(mentions), err)
		}
	}
}

func TestInWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asked, words string
		want         bool
	}{
		"its number":              {"la loi n° 2010-05", "Loi modifiant la loi n° 2010-5 du 3 mai 2010", true},
		"another number":          {"la loi n° 2010-05", "Loi modifiant la loi n° 2010-6", false},
		"its title":               {"le code pénal", "L’article 4 du Code pénal est abrogé.", true},
		"its title, of a country": {"le code pénal du Bénin", "Le Code pénal est abrogé.", true},
		"other words between":     {"le code pénal", "Le Code de procédure pénale est abrogé.", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := question.Read("Que dit "+c.asked+" ?", question.Conversation{}).References
			if len(r) != 1 || InWords(c.words, r[0]) != c.want {
				t.Errorf("%+v in « %s », want %v", r, c.words, c.want)
			}
		})
	}
}
