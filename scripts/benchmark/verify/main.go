// Command verify measures how long it takes to check a brief of 60 references and 30 quotations.
//
// It fills a database with codes of some hundred articles, drawn from a small vocabulary, and
// writes briefs whose references are to articles of these, each second with a quotation in which a word is
// changed now and then. Each brief is checked once, as POST /api/v1/verify does once the text has arrived; the first is
// not measured. There is no peer: what a reference means follows from this service's rules.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/law"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/scripts/benchmark/report"
)

// goal is how long a brief may take, in ms, by the 99th percentile.
const goal = 2000

const references = 60 // of a brief

func main() {
	texts := flag.Int("texts", 40, "codes of the catalogue")
	articles := flag.Int("articles", 400, "articles of each")
	briefs := flag.Int("briefs", 20, "briefs to check")
	flag.Parse()
	if err := run(context.Background(), *texts, *articles, *briefs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, texts, articles, briefs int) (err error) {
	r := report.New("verify", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); err == nil {
			err = failed
		}
	}()
	db, err := postgres.Open(ctx, s.DatabaseURL())
	if err != nil {
		return err
	}
	defer db.Close()
	draw := rand.New(rand.NewPCG(44, 3))
	all := make([]postgres.StoredText, texts)
	for i := range all {
		all[i] = code(draw, i, articles)
		if err := add(ctx, db, i, all[i]); err != nil {
			return err
		}
	}
	r.Figure("texts", float64(texts), "")
	r.Figure("articles", float64(texts*articles), "")
	var took []time.Duration
	for i := range briefs + 1 {
		brief := write(draw, all)
		began := time.Now()
		got, err := verify.Check(ctx, db, verify.Writing{Text: brief, Day: date(2026, 1), Country: "bj"})
		if err != nil {
			return err
		}
		if i > 0 { // the first loads what every check is read with
			took = append(took, time.Since(began))
		}
		if len(got.References) != references || len(got.Quotations) != references/2 {
			return fmt.Errorf("%d references and %d quotations were found in:\n%s", len(got.References), len(got.Quotations), brief)
		}
		for _, q := range got.Quotations {
			if q.Verdict != "identique" && q.Verdict != "differente" {
				return fmt.Errorf("a quotation is %s: %+v", q.Verdict, q)
			}
		}
	}
	r.Figure("references", references, "of each brief")
	r.Figure("p50_ms", report.Quantile(took, 0.5), "ms, a brief")
	r.Figure("p99_ms", report.Quantile(took, 0.99), "ms, a brief")
	r.Goal("p99_ms", report.AtMost, goal)
	return r.Print(os.Stdout)
}

func date(year, month int) time.Time {
	return time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
}

var vocabulary = strings.Fields("travail salarié employeur contrat préavis congé taxe port navire pêche forêt mine eau sol juge tribunal délai amende peine " +
	"commune ministre arrêté agent service public marché prix vente bail loyer école santé hôpital médecin route douane impôt revenu société")

func words(draw *rand.Rand, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = vocabulary[draw.IntN(len(vocabulary))]
	}
	return strings.Join(out, " ")
}

// code returns a law of articles.
func code(draw *rand.Rand, n, articles int) postgres.StoredText {
	on := date(1990+n%30, 1+n%12)
	number := fmt.Sprintf("%d-%02d", on.Year(), 10+n)
	t := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: fmt.Sprintf("Loi n° %s sur %s", number, words(draw, 4)), Type: law.Loi, Domain: "travail",
		OfficialNumber: number, Promulgated: on, EntersInForce: on, FirstPage: 1, LastPage: 90}, Countries: []string{"bj"}}
	for i := range articles {
		a := law.Article{ID: postgres.NewID(), Number: fmt.Sprint(i + 1), Page: 1 + i/5, Position: i, Text: words(draw, 40+draw.IntN(160)) + "."}
		t.Articles = append(t.Articles, a)
		t.Passages = append(t.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Page: a.Page, Position: i, Text: a.Text})
	}
	return t
}

// add adds a text to the catalogue, as of a file of its own.
func add(ctx context.Context, db *postgres.DB, n int, t postgres.StoredText) error {
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", n), Filename: "a.pdf", Size: 1}
	if err := pgtest.AddFile(ctx, db, i); err != nil {
		return err
	}
	started, err := db.StartIngestion(ctx, i.ID)
	if err != nil {
		return err
	}
	return db.SaveSegmentation(ctx, i.ID, started.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{t}})
}

// write writes a brief.
func write(draw *rand.Rand, all []postgres.StoredText) string {
	var b strings.Builder
	for i := range references {
		t := all[draw.IntN(len(all))]
		a := t.Articles[draw.IntN(len(t.Articles))]
		fmt.Fprintf(&b, "Attendu que %s, l’article %s de la loi n° %s du %s", words(draw, 30), a.Number, t.Document.OfficialNumber, law.WriteDate(t.Document.Promulgated))
		if i%2 == 0 {
			quoted := strings.Fields(a.Text)[:20]
			if i%4 == 0 {
				quoted[7] = "autrement"
			}
			fmt.Fprintf(&b, " dispose : « %s »", strings.Join(quoted, " "))
		}
		b.WriteString(".\n\n")
	}
	return b.String()
}
