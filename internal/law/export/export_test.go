package export

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/address"
)

// sample is a law with a preamble, headings, an annex, signatures and a repeal.
func sample() LegalText {
	day := time.Date(2023, 3, 12, 0, 0, 0, 0, time.UTC)
	id := func(n byte) uuid.UUID { return uuid.UUID{15: n} }
	return LegalText{
		Document: law.Document{ID: id(9), Title: "Loi n° 2023-04 du 12 mars 2023\nportant code du *travail* & <divers>", Type: law.Loi, Nature: "Loi organique", Domain: "travail",
			OfficialNumber: "2023-04", Promulgated: day, EntersInForce: day.AddDate(0, 1, 0), Status: law.InForce, FirstPage: 1, LastPage: 3},
		Countries: []string{"bf"},
		Articles: []law.Article{
			{ID: id(1), Heading: "Préambule", Text: "L’Assemblée nationale a adopté,\nle Président promulgue :"},
			{ID: id(2), Number: "1er", Path: []string{"TITRE I : DES CONTRATS", "Chapitre 1er – Du préavis"}, Text: "1. Le préavis est d’un mois.\n\n- Il peut être doublé ; a < b & c."},
			{ID: id(3), Number: "2", Heading: "De la durée", Path: []string{"TITRE I : DES CONTRATS", "Chapitre 1er – Du préavis"}, Text: "Quarante heures."},
			{ID: id(4), Number: "2", Path: []string{"TITRE II : DIVERS"}, Text: "Est abrogée la loi n° 2010-05."},
			{ID: id(5), Number: "Annexe I", Path: []string{}, Text: "Tableau"},
			{ID: id(6), Heading: "Signatures", Text: "Fait à la capitale."},
		},
		Relations: []law.Relation{{Kind: law.Repeals, SourceArticle: id(4), TargetType: law.Loi, TargetNumber: "2010-05", Effective: day}},
		Evidence:  []law.Evidence{{Field: "date_promulgation", Words: "du 12 mars 2023", Page: 1, Confidence: 0.95}},
	}
}

func write(t testing.TB, f Format, text LegalText) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, text); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	got := write(t, Formats()[0], sample())
	for _, want := range []string{
		"# Loi n° 2023-04 du 12 mars 2023 portant code du \\*travail\\* \\& \\<divers\\>\n", "- Nature : loi organique\n", "- Numéro : 2023-04\n", "- Statut : en vigueur\n",
		"\n## TITRE I : DES CONTRATS\n", "\n### Chapitre 1er – Du préavis\n", "\n###### Article 1er\n\n1\\. Le préavis est d’un mois.\n\n\\- Il peut",
		"\n###### Article 2 – De la durée\n", "\n## TITRE II : DIVERS\n", "\n###### Annexe I\n", "\n###### Signatures\n",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("nowhere is %q in\n%s", want, got)
			}
		})
	}
	if n := strings.Count(got, "## TITRE I : DES CONTRATS"); n != 1 {
		t.Errorf("a heading is written %d times", n)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	f, ok := ByName("json")
	if !ok {
		t.Fatal("no JSON")
	}
	var got jsonText
	if err := json.Unmarshal([]byte(write(t, f, sample())), &got); err != nil {
		t.Fatal(err)
	}
	want := sample()
	if got.Title != want.Document.Title || got.Nature != "Loi organique" || len(got.Articles) != 6 || got.Articles[1].Text != want.Articles[1].Text ||
		got.Articles[0].Path == nil || len(got.Relations) != 1 || got.Relations[0].Number != "2010-05" || got.Promulgated != "2023-03-12" || !slices.Equal(got.Evidence, want.Evidence) {
		t.Errorf("read back %+v", got)
	}
	if bare := write(t, f, LegalText{}); !strings.Contains(bare, `"evidence": []`) {
		t.Errorf("a text without evidence: %s", bare)
	}
	if _, ok := ByName("odt"); ok {
		t.Error("there is a form that there is not")
	}
}

// order is the order of child elements that the schema of Akoma Ntoso 3.0 requires, for the
// elements that the package writes.
var order = map[string][]string{
	"akomaNtoso":     {"act"},
	"act":            {"meta", "preface", "preamble", "body", "conclusions"},
	"meta":           {"identification", "analysis", "references"},
	"identification": {"FRBRWork", "FRBRExpression", "FRBRManifestation"},
	"FRBRWork":       {"FRBRthis", "FRBRuri", "FRBRdate", "FRBRauthor", "FRBRcountry", "FRBRsubtype", "FRBRnumber", "FRBRname"},
	"FRBRExpression": {"FRBRthis", "FRBRuri", "FRBRdate", "FRBRauthor", "FRBRlanguage"},
	"textualMod":     {"source", "destination"},
	"article":        {"num", "heading", "content"},
	"title":          {"num", "heading", "article", "chapter"},
}

// required are the mandatory child elements.
var required = map[string][]string{"act": {"meta", "preface", "body"}, "identification": {"FRBRWork", "FRBRExpression", "FRBRManifestation"},
	"FRBRWork": {"FRBRthis", "FRBRuri", "FRBRdate", "FRBRauthor", "FRBRcountry"}, "article": {"num", "content"}, "textualMod": {"source", "destination"}}

// tree is a parsed element.
type tree struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []tree     `xml:",any"`
	Text     string     `xml:",chardata"`
}

// read parses an export and checks its structure.
func read(t *testing.T, written string) (ids map[string]bool, words string) {
	t.Helper()
	var root tree
	if err := xml.Unmarshal([]byte(written), &root); err != nil {
		t.Fatalf("%v\n%s", err, written)
	}
	ids = map[string]bool{}
	var all strings.Builder
	var walk func(n tree)
	walk = func(n tree) {
		if n.XMLName.Space != namespace {
			t.Fatalf("%s is in the name space %q", n.XMLName.Local, n.XMLName.Space)
		}
		for _, a := range n.Attrs {
			if a.Name.Local != "eId" {
				continue
			}
			if ids[a.Value] || a.Value == "" || strings.ContainsFunc(a.Value, unicode.IsSpace) {
				t.Errorf("eId %q comes twice or is none", a.Value)
			}
			ids[a.Value] = true
		}
		inOrder(t, n)
		all.WriteString(n.Text)
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(root)
	return ids, all.String()
}

func inOrder(t *testing.T, n tree) {
	t.Helper()
	wanted, last := order[n.XMLName.Local], 0
	var names []string
	for _, c := range n.Children {
		names = append(names, c.XMLName.Local)
		if wanted == nil {
			continue
		}
		pos := slices.Index(wanted, c.XMLName.Local)
		if pos < last {
			t.Errorf("%s holds %s, which is not its place", n.XMLName.Local, c.XMLName.Local)
		}
		last = pos
	}
	for _, name := range required[n.XMLName.Local] {
		if !slices.Contains(names, name) {
			t.Errorf("%s has no %s", n.XMLName.Local, name)
		}
	}
}

func TestAkomaNtoso(t *testing.T) {
	t.Parallel()
	written := write(t, Formats()[2], sample())
	ids, words := read(t, written)
	for _, id := range []string{"art_1er", "art_2", "art_2-2", "title_titre-i", "chapter_chapitre-1er", "annexe-i", "pmod_1"} {
		t.Run(id, func(t *testing.T) {
			if !ids[id] {
				t.Errorf("nothing has the eId %s: %v", id, ids)
			}
		})
	}
	var numbers []string
	for _, a := range sample().own() {
		numbers = append(numbers, a.Number)
	}
	for i, id := range address.Articles(numbers) {
		if id != "" && !ids[id] {
			t.Errorf("article %q has not the eId %s of its address", numbers[i], id)
		}
	}
	for _, a := range sample().Articles {
		for _, alinea := range Alineas(a.Text) {
			if !strings.Contains(words, alinea) {
				t.Errorf("lost: %q", alinea)
			}
		}
	}
	for _, want := range []string{`<act name="loi-organique" `, `href="#art_2-2"`, `href="/akn/bf/act/loi/2010-05"`, `<FRBRuri value="/akn/bf/act/2023-03-12/2023-04">`,
		`<title eId="title_titre-i"><num>TITRE I</num><heading>DES CONTRATS</heading><chapter`, "<conclusions><p>Fait", "<preamble><p>L’Assemblée"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(written, want) {
				t.Errorf("nowhere is %s in\n%s", want, written)
			}
		})
	}
}

// Each change that a text makes to other texts has its own identifiers, and shows the
// previous and the new state.
func TestModificationsAreNumbered(t *testing.T) {
	t.Parallel()
	x := sample()
	x.Relations = append(x.Relations, law.Relation{Kind: law.Amends, SourceArticle: x.Articles[1].ID, TargetType: law.Decret, TargetNumber: "99-1"})
	written := write(t, Formats()[2], x)
	for _, want := range []string{
		`<textualMod type="repeal" eId="pmod_1"><source eId="pmod_1__source" href="#art_2-2"></source><destination eId="pmod_1__dest_1" href="/akn/bf/act/loi/2010-05">`,
		`<textualMod type="substitution" eId="pmod_2"><source eId="pmod_2__source" href="#art_1er"></source><destination eId="pmod_2__dest_1" href="/akn/bf/act/decret/99-1">`,
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(written, want) {
				t.Errorf("nowhere is it in\n%s", written)
			}
		})
	}
}

// A line of blanks is not a paragraph, and blanks around a paragraph do not belong to it.
func TestAlineas(t *testing.T) {
	t.Parallel()
	if got := Alineas("  Un. \n\n \t\u00a0\nDeux\r\n"); !slices.Equal(got, []string{"Un.", "Deux"}) {
		t.Errorf("%q", got)
	}
}

func TestTextWithoutArticles(t *testing.T) {
	t.Parallel()
	bare := LegalText{Document: law.Document{Title: "Convention", Type: law.Loi}}
	_, words := read(t, write(t, Formats()[2], bare))
	if !strings.Contains(words, "Convention") {
		t.Errorf("words %q", words)
	}
	bare.Articles = []law.Article{{Text: "Un seul alinéa."}}
	if written := write(t, Formats()[2], bare); !strings.Contains(written, `<hcontainer eId="texte_" name="texte"><content><p>Un seul`) {
		t.Errorf("a text without numbers is not in the body:\n%s", written)
	}
	if got := write(t, Formats()[0], bare); strings.Contains(got, "######") {
		t.Errorf("an empty heading:\n%s", got)
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriterThatFails(t *testing.T) {
	t.Parallel()
	for _, f := range Formats() {
		if err := f.Write(full{}, sample()); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	var _ io.Writer = full{}
}

// FuzzAkomaNtoso checks that for any text the XML is well-formed, its eIds are unique, and
// no word is lost.
func FuzzAkomaNtoso(f *testing.F) {
	f.Add("Loi <b>", "1er", "TITRE I", "Du <script>", "a ]]> b\x00\x0b")
	f.Add("", "", "", "", "")
	f.Add("é", "L. 1224-1", "SECTION\u00a02 — x", "h", "x\r\ny\ufffe\xff")
	f.Fuzz(func(t *testing.T, title, number, heading, name, text string) {
		s := LegalText{Document: law.Document{Title: title, OfficialNumber: number, Type: law.Loi}}
		for i := range 3 {
			s.Articles = append(s.Articles, law.Article{ID: uuid.UUID{byte(i)}, Number: number, Path: []string{heading}, Heading: name, Text: text})
		}
		var root tree
		written := write(t, Formats()[2], s)
		if err := xml.Unmarshal([]byte(written), &root); err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		ids := map[string]bool{}
		for d := xml.NewDecoder(strings.NewReader(written)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if start, ok := token.(xml.StartElement); ok {
				for _, a := range start.Attr {
					if a.Name.Local == "eId" && ids[a.Value] {
						t.Fatalf("eId %q comes twice", a.Value)
					} else if a.Name.Local == "eId" {
						ids[a.Value] = true
					}
				}
			}
		}
	})
}

// FuzzMarkdown checks that no line of a text becomes markup.
func FuzzMarkdown(f *testing.F) {
	f.Add("# titre\n- point\n1) un\n> cité\n*gras* _x_ [a](b) <i>")
	f.Fuzz(func(t *testing.T, text string) {
		for _, line := range Alineas(text) {
			got := block(line)
			if strings.TrimSpace(got) == "" {
				t.Fatalf("%q is lost", line)
			}
			if strings.ContainsAny(got[:1], "#-+=>*_|~`[<&") {
				t.Fatalf("%q begins as markup: %q", line, got)
			}
			for i := 0; i < len(got); i++ {
				if got[i] == '\\' {
					i++
				} else if strings.IndexByte("*_`[]<>#|~&$", got[i]) >= 0 {
					t.Fatalf("%q holds a mark: %q", line, got)
				}
			}
		}
	})
}
