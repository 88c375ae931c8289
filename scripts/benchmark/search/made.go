package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"
	"vigueur/scripts/corpora"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
)

// made is a catalogue of made articles: a memindex.Source and a memindex.VectorSource.
type made struct {
	rows       []postgres.IndexRow
	directions *directions
	changed    []uuid.UUID
}

// articlesEach is how many articles a made text has.
const articlesEach = 100

// material makes the articles and gives the questions to ask.
func material(o options) (*made, []string, error) {
	var sentences []string
	var paths [][]string
	take := func(path []string, text string) {
		paths = append(paths, path)
		for _, s := range french.Sentences(text) {
			sentences = append(sentences, text[s.Start:s.End])
		}
	}
	questions, err := corpusOf(o, take)
	if errors.Is(err, fs.ErrNotExist) {
		questions, err = sample(take)
	}
	if err != nil {
		return nil, nil, err
	}
	return mix(sentences, paths, o.passages, newDirections(o.dimensions, o.most)), questions, nil
}

// corpusOf reads the corpus and the questions that the flags name.
func corpusOf(o options, take func([]string, string)) (questions []string, err error) {
	for _, path := range []string{o.corpus, o.queries} {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
	}
	err = corpora.Articles(o.corpus, func(a corpora.Article) { take(strings.Split(a.Title, " > "), a.Text) })
	if err != nil {
		return nil, err
	}
	list, err := corpora.Queries(o.queries, "")
	for _, q := range list {
		questions = append(questions, q.Text)
	}
	return questions, err
}

// sample reads the sample gazettes' texts and questions.
func sample(take func([]string, string)) (questions []string, err error) {
	raw, err := os.ReadFile("scripts/sample/truth.json")
	if err != nil {
		return nil, err
	}
	var truth struct {
		Texts []struct {
			Articles []struct {
				Path []string `json:"path"`
				Text string   `json:"text"`
			} `json:"articles"`
		} `json:"texts"`
	}
	if err := json.Unmarshal(raw, &truth); err != nil {
		return nil, err
	}
	for _, t := range truth.Texts {
		for _, a := range t.Articles {
			take(a.Path, a.Text)
		}
	}
	asked, err := corpora.Questions("scripts/sample/questions.jsonl")
	for _, q := range asked {
		questions = append(questions, q.Question)
	}
	return questions, err
}

// mix makes n articles of one to four sentences under a heading path, always the
// same ones.
func mix(sentences []string, paths [][]string, n int, d *directions) *made {
	random := rand.New(rand.NewPCG(90, 1000))
	m := &made{directions: d}
	for i := range n {
		var body []string
		for range 1 + random.IntN(4) {
			body = append(body, sentences[random.IntN(len(sentences))])
		}
		text := i / articlesEach
		doc := uuid.NewSHA1(uuid.Nil, fmt.Append(nil, "text", text))
		id := uuid.NewSHA1(doc, fmt.Append(nil, i))
		m.rows = append(m.rows, postgres.IndexRow{
			Passage: law.Passage{ID: id, ArticleID: id, DocumentID: doc, Position: i % articlesEach, Text: strings.Join(body, "\n")},
			Path:    paths[random.IntN(len(paths))], ArticleNumber: fmt.Sprint(i%articlesEach + 1), Title: fmt.Sprintf("Loi n° 2000-%d", text),
			Type: law.Loi, OfficialNumber: fmt.Sprintf("2000-%d", text), Status: law.InForce, From: time.Unix(0, 0).UTC(),
		})
	}
	return m
}

// firstVersion is that of the catalogue before any change.
const firstVersion = 1

func (m *made) CatalogueVersion(context.Context) (int64, error) {
	return firstVersion + int64(len(m.changed)), nil
}

func (m *made) moment(context.Context, int64) (time.Time, error) { return time.Unix(1, 0), nil }

// change makes a text of the catalogue change, without a difference.
func (m *made) change(i int) {
	m.changed = append(m.changed, m.rows[i*articlesEach%len(m.rows)].Passage.DocumentID)
}

func (m *made) Changes(_ context.Context, after int64) ([]uuid.UUID, int64, error) {
	return m.changed[after-firstVersion:], firstVersion + int64(len(m.changed)), nil
}

func (m *made) Listen(ctx context.Context, _ func()) error {
	<-ctx.Done()
	return ctx.Err()
}

// of returns the articles of the given texts, which follow one another; all when nil.
func (m *made) of(documents []uuid.UUID) iter.Seq2[int, postgres.IndexRow] {
	return func(yield func(int, postgres.IndexRow) bool) {
		for i := 0; i < len(m.rows); i++ {
			if documents != nil && !slices.Contains(documents, m.rows[i].Passage.DocumentID) {
				i += articlesEach - 1
			} else if !yield(i, m.rows[i]) {
				return
			}
		}
	}
}

func (m *made) IndexRows(_ context.Context, documents []uuid.UUID, yield func(postgres.IndexRow) error) error {
	for _, r := range m.of(documents) {
		if err := yield(r); err != nil {
			return err
		}
	}
	return nil
}

func (m *made) VectorRows(_ context.Context, documents []uuid.UUID, yield func(postgres.VectorRow) error) error {
	for i, r := range m.of(documents) {
		row := postgres.VectorRow{Generation: m.directions.generation, DocumentID: r.Passage.DocumentID, PassageID: r.Passage.ID,
			Packed: m.directions.of(i)}
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}
