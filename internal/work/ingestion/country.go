package ingestion

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
)

// Whose law a text is follows from evidence, the strongest first: what a person said, the head of the gazette, the words
// around the text's articles and its title (who makes it, and where it is signed), and the same of the other texts of the
// file. Mentions within articles are weak: a code that was taken from another state names that state. They decide only
// where they clearly name one country; where they do not, a person is asked. A text that names none has none.

// The weights of mentions of a country in a text, relative to those in its articles: in its title, and in what
// surrounds its articles. One of these is enough.
const (
	titleWeight = 8
	edgeWeight  = 4
	// articleBytes is about the number of bytes of articles that are read, taken from the whole of a long text.
	articleBytes = 120_000
)

// unionNatures are the folded natures of texts that unions make, and that gazettes of their members print. Other
// texts of a national gazette that mention a union are the law of the state.
var unionNatures = []string{"acte uniforme", "acte additionnel", "reglement", "directive", "traite"}

// mentions counts the countries and unions that a text names.
type mentions struct {
	all    country.Tally // weighted
	edges  country.Tally // around its articles
	title  country.Tally
	inside country.Tally // in its articles
}

func mentionsOf(t postgres.StoredText) mentions {
	m := mentions{country.Tally{}, country.Tally{}, country.Tally{}, country.Tally{}}
	title := country.In(t.Document.Title)
	m.all.Add(title, titleWeight)
	m.title.Add(title, titleWeight)
	length := 0
	for _, a := range t.Articles {
		length += len(a.Text)
	}
	every := 1 + length/articleBytes
	for i, a := range t.Articles {
		if a.Wording != nil {
			continue // read with the article that gives it
		}
		if a.Number == "" {
			found := country.In(a.Text)
			m.all.Add(found, edgeWeight)
			m.edges.Add(found, edgeWeight)
			continue
		}
		if i%every == 0 {
			found := country.In(a.Text)
			m.all.Add(found, 1)
			m.inside.Add(found, 1)
		}
	}
	return m
}

// ofUnion reports whether a text names a union as often as any country.
func (m mentions) ofUnion() bool { return slices.ContainsFunc(m.all.Of(), country.Union) }

// maker returns the country that a text names around its articles, else in its title: a law about an agreement names the
// other party in its title, and its own state where it was adopted and signed. If they name several about as often, it
// returns all of these.
func (m mentions) maker() (code country.Code, several []country.Code) {
	codes := m.edges.Of()
	if len(codes) == 0 {
		codes = m.title.Of()
	}
	if len(codes) == 1 {
		return codes[0], nil
	}
	for _, c := range codes {
		if m.inside.Clear(c) {
			return c, nil
		}
	}
	return "", codes
}

// countryCodes converts a country to the codes of the catalogue: nil for a union or none.
func countryCodes(code country.Code, ok bool) []string {
	if !ok || country.Union(code) {
		return nil
	}
	return []string{string(code)}
}

// assignCountries sets the countries whose law the texts of a file are. The law of a union belongs to no single country: it
// may change the law of each member. A text whose words name several countries, none of them clearly, gets a doubt.
//
// A country that a person named (said) is that of all texts.
func assignCountries(texts []postgres.StoredText, pages []layout.Page, said string) {
	head := countryCodes(country.Code(said), said != "")
	if said == "" {
		head = countryCodes(masthead.CountryNamed(pages, true))
	}
	all := make([]mentions, len(texts))
	house := country.Tally{}
	for i, t := range texts {
		all[i] = mentionsOf(t)
		if code, _ := all[i].maker(); code != "" {
			house[code] += country.Enough
		}
	}
	for i := range texts {
		t, m := &texts[i], all[i]
		own, several := m.maker()
		switch {
		case m.ofUnion() && (head == nil || slices.Contains(unionNatures, law.Fold(t.Document.Nature))):
		case head != nil && (said != "" || own == "" || !isRoyal(t.Document.Nature)):
			t.Countries = head
		case own != "":
			t.Countries = countryCodes(own, true)
		default:
			code, known := house.One(nil)
			if inside, ok := m.inside.One(nil); !known && ok && m.inside.Clear(inside) {
				code, known = inside, true
			}
			if several = append(several, m.inside.Of()...); known {
				t.Countries = countryCodes(code, true)
			} else if len(several) > 0 {
				t.Doubts = append(t.Doubts, law.Doubt{Field: "pays", Reason: severalCountries(several)})
			}
		}
	}
}

// isRoyal reports whether a text is the act of a king. Gazettes of states that have none print acts of a neighbor, who
// made them.
func isRoyal(nature string) bool {
	return strings.HasSuffix(law.Fold(nature), " royal")
}

// severalCountries says which countries a text names, none of them clearly enough.
func severalCountries(codes []country.Code) string {
	slices.Sort(codes)
	var names []string
	for _, c := range slices.Compact(codes) {
		names = append(names, country.Name(c))
	}
	return "Rien d’assez sûr ne dit de quel pays est ce droit ; ses mots nomment : " + strings.Join(names, ", ") + ". Indiquez-le."
}
