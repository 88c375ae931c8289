// Command versions measures how fast the wordings of a code are assembled from the acts that amend it, and how fast the
// code is read on a day.
//
// It makes a code of 3,000 articles and 200 acts, each of which changes words in articles of the code, and another 200 acts
// that amend nothing. assemble_ms is the whole code from its acts' operations, in one transaction, and read_act_ms the
// reading of one act's operations. Then one process answers, one request after the other: the first hundred articles of
// the code with their words on random days, and the list of all articles. The peer is the same code as it is printed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/e2e/stage"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work/versions"
	"vigueur/scripts/benchmark/report"
)

func main() {
	articles := flag.Int("articles", 3000, "articles of the code")
	acts := flag.Int("acts", 200, "acts that amend it")
	changes := flag.Int("changes", 10, "articles that each act changes")
	requests := flag.Int("requests", 200, "requests of each kind")
	flag.Parse()
	if err := run(context.Background(), *articles, *acts, *changes, *requests); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// readAgain is how many texts of each kind are read once more: each that amends assembles the code again.
const readAgain = 20

// number is the number of the code in the acts.
const number = "2001-01"

func run(ctx context.Context, articles, acts, changes, requests int) (err error) {
	r := report.New("versions", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	db, err := postgres.Open(ctx, s.DatabaseURL())
	if err != nil {
		return err
	}
	defer db.Close()
	code := made("Loi n° "+number+" du 2 mai 2001 portant Code des salines", number, first, articles, printed)
	texts, others := []postgres.StoredText{code}, []postgres.StoredText{}
	random := rand.New(rand.NewPCG(1, 1))
	for n := range acts {
		day := first.AddDate(0, 0, 30*(n+1))
		texts = append(texts, made(fmt.Sprintf("Loi n° %d-%02d modifiant le Code des salines", day.Year(), n+2), fmt.Sprintf("%d-%02d", day.Year(), n+2), day, changes,
			func(int) string { return instruction(1+random.IntN(articles), n) }))
		others = append(others, made(fmt.Sprintf("Décret n° %d-%02d relatif aux tarifs du port", day.Year(), n+500), fmt.Sprintf("%d-%02d", day.Year(), n+500), day, changes, printed))
	}
	if err := add(ctx, db, append(texts, others...)); err != nil {
		return err
	}
	keeper := &versions.VersionAssembler{DB: db, Log: slog.New(slog.DiscardHandler)}
	began := time.Now()
	if _, _, err := keeper.Rebuild(ctx); err != nil {
		return err
	}
	r.Figure("rebuild_ms", ms(time.Since(began)), fmt.Sprintf("ms, all %d texts read and the code assembled", 2*acts+1))
	var wordings, waiting int
	if err := s.Query(ctx, `SELECT count(*) FROM article_versions WHERE act_id IS NOT NULL`, &wordings); err != nil {
		return err
	}
	if err := s.Query(ctx, `SELECT count(*) FROM amendment_waiting`, &waiting); err != nil {
		return err
	}
	if wordings < acts*changes*9/10 {
		return fmt.Errorf("%d wordings of %d instructions, %d wait: nothing worth measuring", wordings, acts*changes, waiting)
	}
	r.Figure("wordings", float64(wordings), "made by acts")
	var assembled []time.Duration
	for range 5 {
		began := time.Now()
		if err := db.RebuildVersions(ctx, code.Document.ID, versions.Assemble); err != nil {
			return err
		}
		assembled = append(assembled, time.Since(began))
	}
	r.Figure("assemble_ms", report.Quantile(assembled, .5), "ms, the whole code, median of 5")
	r.Goal("assemble_ms", report.AtMost, 2000)
	// A text that amends nothing costs the reading of its words and an empty answer.
	for name, of := range map[string][]postgres.StoredText{"read_act_ms": texts[1:min(len(texts), 1+readAgain)], "read_other_ms": others[:min(len(others), readAgain)]} {
		began := time.Now()
		for _, t := range of {
			if err := keeper.Write(ctx, 0, []uuid.UUID{t.Document.ID}); err != nil {
				return err
			}
		}
		r.Figure(name, ms(time.Since(began))/float64(len(of)), map[string]string{"read_act_ms": "ms an act that amends, with the code assembled again",
			"read_other_ms": "ms a text that amends nothing"}[name])
	}
	if err := readDays(ctx, r, s, code.Document.ID, random, acts, requests); err != nil {
		return err
	}
	return r.Print(os.Stdout)
}

// readDays measures the code on random days beside the code as printed.
func readDays(ctx context.Context, r *report.Report, s *stage.Stage, code uuid.UUID, random *rand.Rand, acts, requests int) error {
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx, api)
	if err != nil {
		return err
	}
	path := "/api/v1/documents/" + code.String() + "/articles"
	for _, kind := range []struct{ name, query string }{{"page", "text=true&page_size=100&page=1"}, {"list", "page_size=1000&page=1"}} {
		for _, dated := range []bool{true, false} {
			var took []time.Duration
			for range requests {
				query := kind.query
				if dated {
					query += "&date=" + first.AddDate(0, 0, random.IntN(30*acts)).Format(time.DateOnly)
				}
				began := time.Now()
				if err := get(ctx, client, path+"?"+query); err != nil {
					return err
				}
				took = append(took, time.Since(began))
			}
			for _, q := range []struct {
				name string
				at   float64
			}{{"p50_ms", .5}, {"p99_ms", .99}} {
				if name := kind.name + "_" + q.name; dated {
					r.Figure(name, report.Quantile(took, q.at), "ms, on a day")
				} else {
					r.Peer("as printed", name, report.Quantile(took, q.at))
				}
			}
		}
		r.Goal(kind.name+"_p99_ms", report.AtMost, 50)
	}
	return nil
}

func get(ctx context.Context, c *stage.Client, path string) error {
	answer, err := c.Send(ctx, http.MethodGet, path, nil, nil)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// first is the day of the code.
var first = time.Date(2001, 5, 2, 0, 0, 0, 0, time.UTC)

// printed returns the words of an article.
func printed(n int) string {
	return fmt.Sprintf("La redevance du lot %d est fixée à mesure 0 par tonne de sel.\nElle est payée avant la fin du trimestre.\n%s", n,
		strings.Repeat("Le préposé inscrit au registre la quantité, le jour et le nom du saunier. ", 6))
}

// instruction returns words that change an article of the code, whatever was changed before.
func instruction(article, act int) string {
	return fmt.Sprintf("À l’article %d de la loi n° %s du 2 mai 2001 portant Code des salines, les mots : « du trimestre » sont remplacés par les mots : « du trimestre, acte %d, ».",
		article, number, act)
}

func made(title, number string, day time.Time, articles int, words func(int) string) postgres.StoredText {
	d := law.Document{ID: postgres.NewID(), Title: title, Type: law.Loi, Domain: "travail", OfficialNumber: number, Promulgated: day, EntersInForce: day.AddDate(0, 0, 1),
		FirstPage: 1, LastPage: 1}
	t := postgres.StoredText{Document: d}
	for i := range articles {
		t.Articles = append(t.Articles, law.Article{ID: postgres.NewID(), DocumentID: d.ID, Number: fmt.Sprint(i + 1), Page: 1 + i/10, Position: i, Text: words(i + 1), Spans: []law.Span{}})
	}
	return t
}

// add puts texts into the catalogue, as one file.
func add(ctx context.Context, db *postgres.DB, texts []postgres.StoredText) error {
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", 1), Filename: "jo.pdf", Size: 1}
	if err := pgtest.AddFile(ctx, db, i); err != nil {
		return err
	}
	i, err := db.StartIngestion(ctx, i.ID)
	if err != nil {
		return err
	}
	if err := db.SaveSegmentation(ctx, i.ID, i.Attempt, postgres.Segmentation{Texts: texts}); err != nil {
		return err
	}
	return db.MarkIngestion(ctx, i.ID, i.Attempt, "done", "")
}
