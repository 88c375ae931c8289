package retrieve_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

const sampleFolder = "../../../scripts/sample"

// truthText is a text of the sample gazettes, as recorded by the program that made them.
type truthText struct {
	DocType  law.DocType `json:"doc_type"`
	Number   string      `json:"numero_officiel"`
	Title    string      `json:"title"`
	Domain   string      `json:"domaine"`
	Date     string      `json:"date_promulgation"`
	InForce  string      `json:"date_entree_vigueur"`
	First    int         `json:"first_page"`
	Last     int         `json:"last_page"`
	Preamble string      `json:"preamble"`
	Articles []struct {
		Number string   `json:"number"`
		Path   []string `json:"path"`
		Page   int      `json:"page"`
		Text   string   `json:"text"`
	} `json:"articles"`
	Relations []struct {
		Kind      string   `json:"kind"`
		Target    string   `json:"target"`
		Articles  []string `json:"target_articles"`
		Effective string   `json:"effective_date"`
		By        string   `json:"by_article"`
	} `json:"relations"`
}

type sampleQuestion struct {
	ID         string `json:"id"`
	Question   string `json:"question"`
	Date       string `json:"date"`
	Answerable bool   `json:"answerable"`
	Articles   []struct {
		Document string `json:"document"`
		Article  string `json:"article"`
	} `json:"articles"`
	KeyFacts []string `json:"key_facts"`
}

// open stores the sample's texts in a new catalogue and returns a searcher for it, whose
// day is 1 March 2026.
func open(t testing.TB) (*retrieve.Searcher, *memindex.Index, *postgres.DB) {
	t.Helper()
	db := pgtest.New(t)
	saved(t, db, sampleTexts(t)...)
	lexicon := french.NewLexicon()
	index, err := memindex.Open(t.Context(), memindex.Options{Source: db, Lexicon: lexicon})
	if err != nil {
		t.Fatal(err)
	}
	return &retrieve.Searcher{DB: db, Index: index, Names: db, Now: today, Lexicon: lexicon}, index, db
}

// today returns 1 March 2026, in the afternoon.
func today() time.Time { return time.Date(2026, 3, 1, 15, 0, 0, 0, time.UTC) }

// saved stores texts as those of one file, and returns the id and the attempt of its
// ingestion.
func saved(t testing.TB, db *postgres.DB, texts ...postgres.StoredText) (ingestion uuid.UUID, attempt int) {
	t.Helper()
	id := postgres.NewID()
	sha := strings.ReplaceAll(uuid.NewString()+uuid.NewString(), "-", "")
	if err := pgtest.AddFile(t.Context(), db, postgres.Ingestion{ID: id, SHA256: sha, Filename: "essai.pdf", Size: 1}); err != nil {
		t.Fatal(err)
	}
	started, err := db.StartIngestion(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.SaveSegmentation(t.Context(), id, started.Attempt, postgres.Segmentation{Texts: texts}); err != nil {
		t.Fatal(err)
	}
	return id, started.Attempt
}

func sampleTexts(t testing.TB) []postgres.StoredText {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(sampleFolder, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Texts []truthText `json:"texts"`
	}
	if err := json.Unmarshal(raw, &truth); err != nil {
		t.Fatal(err)
	}
	texts := make([]postgres.StoredText, len(truth.Texts))
	for i, x := range truth.Texts {
		texts[i] = x.text()
	}
	return texts
}

func (x truthText) text() postgres.StoredText {
	t := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: x.Title, Type: x.DocType, Domain: x.Domain,
		OfficialNumber: x.Number, Promulgated: date(x.Date), EntersInForce: date(x.InForce), FirstPage: x.First, LastPage: x.Last}}
	add := func(a law.Article) {
		a.ID, a.Position = postgres.NewID(), len(t.Articles)
		t.Articles = append(t.Articles, a)
		t.Passages = append(t.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Position: len(t.Passages), Page: a.Page, Text: a.Text})
	}
	add(law.Article{Heading: "Préambule", Page: x.First, Text: x.Preamble})
	by := make(map[string]uuid.UUID)
	for _, a := range x.Articles {
		add(law.Article{Number: a.Number, Path: a.Path, Page: a.Page, Text: a.Text})
		by[a.Number] = t.Articles[len(t.Articles)-1].ID
	}
	for _, r := range x.Relations {
		kind := law.RelationKind(r.Kind)
		if kind != law.Repeals {
			kind = law.Amends
		}
		t.Relations = append(t.Relations, law.Relation{ID: postgres.NewID(), SourceID: t.Document.ID, SourceArticle: by[r.By], Kind: kind,
			TargetNumber: r.Target, TargetArticles: r.Articles, Effective: date(r.Effective)})
	}
	return t
}

func date(s string) time.Time {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(fmt.Sprintf("date %q: %v", s, err))
	}
	return d
}

func sampleQuestions(t testing.TB) []sampleQuestion {
	t.Helper()
	f, err := os.Open(filepath.Join(sampleFolder, "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []sampleQuestion
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q sampleQuestion
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	return out
}

func (q sampleQuestion) ask() retrieve.Question {
	var f law.Filters
	if q.Date != "" {
		day := date(q.Date)
		f.Date = &day
	}
	return retrieve.Question{Text: q.Question, Filters: f}
}

// rank returns the rank, from 1, of the first right article among the hits, or 0 if there
// is none.
func (q sampleQuestion) rank(hits []retrieve.Hit) int {
	for i, h := range hits {
		for _, a := range q.Articles {
			if h.Document.OfficialNumber == a.Document && law.ArticleKey(h.Article.Number) == law.ArticleKey(a.Article) {
				return i + 1
			}
		}
	}
	return 0
}
