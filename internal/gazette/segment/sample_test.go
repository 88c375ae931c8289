package segment_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

const sample = "../../../scripts/sample/"

// truth is what the generator of the sample gazettes knows about them.
type truth struct {
	Issues []struct {
		ID, File, Number, Date string
	} `json:"issues"`
	Texts []truthText `json:"texts"`
}

type truthText struct {
	Issue       string          `json:"issue"`
	Type        law.DocType     `json:"doc_type"`
	Number      string          `json:"numero_officiel"`
	Title       string          `json:"title"`
	Domain      string          `json:"domaine"`
	Promulgated string          `json:"date_promulgation"`
	InForce     string          `json:"date_entree_vigueur"`
	FirstPage   int             `json:"first_page"`
	LastPage    int             `json:"last_page"`
	Preamble    string          `json:"preamble"`
	Articles    []truthArticle  `json:"articles"`
	Annexes     []truthArticle  `json:"annexes"`
	Relations   []truthRelation `json:"relations"`
}

type truthArticle struct {
	Number string   `json:"number"`
	Title  string   `json:"title"`
	Path   []string `json:"path"`
	Page   int      `json:"page"`
	Text   string   `json:"text"`
}

type truthRelation struct {
	Kind      string   `json:"kind"`
	Target    string   `json:"target"`
	Articles  []string `json:"target_articles"`
	Effective string   `json:"effective_date"`
	By        string   `json:"by_article"`
	NewTexts  []struct {
		Number string `json:"number"`
		Text   string `json:"text"`
	} `json:"new_texts"`
}

// TestSample compares the cut of the three sample gazettes with their truth: each text and what it says about
// itself; each article with its page, headings and words; and each relation.
func TestSample(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(sample + "truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var want truth
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for _, issue := range want.Issues {
		t.Run(issue.ID, func(t *testing.T) {
			t.Parallel()
			got := segment.Split(arranged(t, sample+"gazettes/"+issue.File), gazette.Hints{Filename: issue.File})
			if got.Number != issue.Number || got.Date == nil || day(*got.Date) != issue.Date {
				t.Errorf("issue n° %q of %v, want n° %s of %s", got.Number, got.Date, issue.Number, issue.Date)
			}
			texts := slices.DeleteFunc(slices.Clone(want.Texts), func(x truthText) bool { return x.Issue != issue.ID })
			if len(got.Texts) != len(texts) {
				t.Fatalf("%d texts, want %d", len(got.Texts), len(texts))
			}
			for i, w := range texts {
				t.Run(string(w.Type)+" "+w.Number, func(t *testing.T) { checkText(t, got.Texts[i], w) })
			}
		})
	}
}

func checkText(t *testing.T, got gazette.Text, w truthText) {
	d := got.Document
	same(t, "type", string(d.Type), string(w.Type))
	same(t, "number", d.OfficialNumber, w.Number)
	same(t, "title", d.Title, w.Title)
	same(t, "domain", d.Domain, w.Domain)
	same(t, "promulgated", day(d.Promulgated), w.Promulgated)
	if w.Type != law.Circulaire { // the sample's circular does not say from when it applies
		same(t, "in force", day(d.EntersInForce), w.InForce)
	}
	if d.FirstPage != w.FirstPage || d.LastPage != w.LastPage {
		t.Errorf("pages %d to %d, want %d to %d", d.FirstPage, d.LastPage, w.FirstPage, w.LastPage)
	}
	if len(got.Doubts) > 0 {
		t.Errorf("doubts: %v", got.Doubts)
	}
	checkArticles(t, got, w)
	checkRelations(t, got, w.Relations)
	checkWordings(t, got, w.Relations)
	words := ""
	for i, a := range got.Articles {
		if a.Position != i {
			t.Errorf("article %d is at position %d", i, a.Position)
		}
		checkPassages(t, a)
		if a.Number == "" && a.Heading != "Signatures" {
			words += a.Text + "\n"
		}
	}
	if !strings.HasPrefix(bare(words), bare(w.Preamble)) {
		t.Errorf("preamble %q, want %q", words, w.Preamble)
	}
}

func checkArticles(t *testing.T, got gazette.Text, w truthText) {
	articles := slices.DeleteFunc(slices.Clone(got.Articles), func(a law.Article) bool { return a.Number == "" })
	want := slices.Clone(w.Articles)
	for _, a := range w.Annexes {
		a.Number, a.Title, _ = strings.Cut(a.Title, " — ")
		a.Number = "Annexe" + strings.TrimPrefix(a.Number, "ANNEXE")
		want = append(want, a)
	}
	if len(articles) != len(want) {
		t.Fatalf("%d articles, want %d", len(articles), len(want))
	}
	for i, a := range articles {
		same(t, "article", a.Number, want[i].Number)
		same(t, a.Number+" heading", a.Heading, want[i].Title)
		same(t, a.Number+" path", strings.Join(a.Path, "/"), strings.Join(want[i].Path, "/"))
		same(t, a.Number+" text", bare(a.Text), bare(want[i].Text))
		same(t, a.Number+" alineas", strings.Join(strings.Fields(strings.ReplaceAll(a.Text, "\n", " ¶ ")), " "),
			strings.Join(strings.Fields(strings.ReplaceAll(strings.ReplaceAll(want[i].Text, " |", ""), "\n", " ¶ ")), " "))
		if a.Page != want[i].Page {
			t.Errorf("article %s on page %d, want %d", a.Number, a.Page, want[i].Page)
		}
	}
}

func checkRelations(t *testing.T, got gazette.Text, want []truthRelation) {
	if len(got.Relations) != len(want) {
		t.Fatalf("%d relations, want %d", len(got.Relations), len(want))
	}
	for i, r := range got.Relations {
		w := want[i]
		if w.Kind == "insere" { // a new article is a change of its text
			w.Kind = "modifie"
		}
		same(t, "relation", strings.Join([]string{string(r.Kind), r.TargetNumber, strings.Join(r.TargetArticles, ","), day(r.Effective), got.Articles[r.Article].Number}, " "),
			strings.Join([]string{w.Kind, w.Target, strings.Join(w.Articles, ","), w.Effective, w.By}, " "))
	}
}

// checkWordings compares the new wordings of a text with the truth: there are no others, and each has its
// words, its place and its change.
func checkWordings(t *testing.T, got gazette.Text, want []truthRelation) {
	n := 0
	for i, w := range want {
		for _, x := range w.NewTexts {
			if n == len(got.Wordings) {
				t.Fatalf("no wording of article %s", x.Number)
			}
			g := got.Wordings[n]
			a := got.Wording(g)
			same(t, "wording", a.Number, x.Number+" (nouveau)")
			same(t, "wording "+x.Number, bare(a.Text), bare(x.Text))
			same(t, "alineas of "+x.Number, strings.Join(strings.Fields(strings.ReplaceAll(a.Text, "\n", " ¶ ")), " "),
				strings.Join(strings.Fields(strings.ReplaceAll(x.Text, "\n", " ¶ ")), " "))
			same(t, "by", got.Articles[g.Article].Number, w.By)
			if g.Relation != i || g.Inserted != (w.Kind == "insere") || g.Part != "" || len(a.Spans) == 0 {
				t.Errorf("wording of article %s: %+v, %d spans", x.Number, g, len(a.Spans))
			}
			n++
		}
	}
	if n < len(got.Wordings) {
		t.Errorf("%d wordings, want %d", len(got.Wordings), n)
	}
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// bare leaves what is printed: no white space, and no marks between the cells of a table.
func bare(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "|", "")), "")
}

func day(d time.Time) string { return d.Format(time.DateOnly) }
