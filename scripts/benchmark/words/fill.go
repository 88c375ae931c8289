package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/law"
	_ "vigueur/internal/search/named" // resolves the names of texts
	"vigueur/internal/store/postgres"
	"vigueur/scripts/benchmark/report"
)

// articlesEach is how many articles a made text has.
const articlesEach = 100

// fill stores the catalogue as a worker does, a text a file, always the same one.
func fill(ctx context.Context, r *report.Report, url string, m *made, articles int) error {
	db, err := postgres.Open(ctx, url)
	if err != nil {
		return err
	}
	defer db.Close()
	random := rand.New(rand.NewPCG(90, 1000))
	began := time.Now()
	for n := 0; n < articles; n += articlesEach {
		t := m.text(random, n/articlesEach)
		i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", n), Filename: "made.pdf", Size: 1}
		if err := db.AddFile(ctx, i, func(context.Context) error { return nil }); err != nil {
			return err
		}
		if i, err = db.StartIngestion(ctx, i.ID); err != nil {
			return err
		}
		if err := db.SaveSegmentation(ctx, i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{t}}); err != nil {
			return err
		}
	}
	r.Figure("fill_s", time.Since(began).Seconds(), "s, as a worker stores texts")
	return nil
}

func (m *made) text(random *rand.Rand, n int) postgres.StoredText {
	day := time.Date(1960+n%60, time.Month(1+n%12), 1+n%28, 0, 0, 0, 0, time.UTC)
	number := fmt.Sprintf("%d-%d", day.Year(), n)
	types := law.DocTypes()
	t := postgres.StoredText{Countries: []string{[]string{"bj", "sn", "tg"}[n%3]}, Document: law.Document{ID: postgres.NewID(), Title: "Texte n° " + number,
		Type: types[n%len(types)], Nature: "Loi", Domain: []string{"travail", "impots", "civil"}[n%3], OfficialNumber: number, Promulgated: day, EntersInForce: day, FirstPage: 1, LastPage: 1}}
	for i := range articlesEach {
		var body []string
		for range 1 + random.IntN(4) {
			body = append(body, m.sentences[random.IntN(len(m.sentences))])
		}
		t.Articles = append(t.Articles, law.Article{ID: postgres.NewID(), DocumentID: t.Document.ID, Number: fmt.Sprint(i + 1), Page: 1, Position: i,
			Path: strings.Split(m.headings[random.IntN(len(m.headings))], " > "), Text: strings.Join(body, "\n")})
	}
	return t
}

// ask measures a kind of query, each asked once before.
func ask(ctx context.Context, r *report.Report, client *stage.Client, s set) error {
	var took []time.Duration
	var found, let int
	for round := range 3 {
		for _, q := range s.queries {
			began := time.Now()
			total, less, err := search(ctx, client, q)
			if err != nil {
				return err
			}
			if round == 0 {
				found += total
				if less {
					let++
				}
				continue
			}
			took = append(took, time.Since(began))
		}
	}
	n := float64(max(1, len(s.queries)))
	r.Figure(s.name+"_p50_ms", report.Quantile(took, .5), "ms")
	r.Figure(s.name+"_p99_ms", report.Quantile(took, .99), "ms")
	r.Figure(s.name+"_found", float64(found)/n, "articles found, on average")
	r.Figure(s.name+"_words_let_go", float64(let)/n, "of the queries")
	return nil
}

func search(ctx context.Context, client *stage.Client, q string) (total int, less bool, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, client.URL+"/api/v1/search?q="+url.QueryEscape(q[:min(len(q), 200)]), http.NoBody)
	if err != nil {
		return 0, false, err
	}
	request.Header.Set("Authorization", "Bearer "+client.Token)
	reply, err := client.HTTP.Do(request)
	if err != nil {
		return 0, false, err
	}
	defer func() { _ = reply.Body.Close() }() // it is read whole
	raw, err := io.ReadAll(reply.Body)
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: HTTP %d: %s", q, reply.StatusCode, raw)
	}
	if err != nil {
		return 0, false, err
	}
	var body struct {
		Total   int `json:"total"`
		Words   int `json:"words"`
		Matched int `json:"words_matched"`
	}
	err = json.Unmarshal(raw, &body)
	return body.Total, body.Matched < body.Words, err
}
