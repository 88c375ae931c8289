package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/judge"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
	"vigueur/scripts/training/encoder/learn"
)

// depth is how many passages are searched for, so that they make a hundred articles.
const depth = 300

// question is one that was judged.
type question struct {
	judge.Query
	split, code string // its sheet's group and code, in the set of codes
	right       map[string]bool
}

// set is articles and the questions asked of them: the source of an index.
type set struct {
	name      string
	articles  []judge.Article
	rows      []postgres.IndexRow
	names     map[uuid.UUID]string // of articles
	questions []question
	corpus    *learn.Corpus // where there are sheets
}

func codesOf(dir string, c *learn.Corpus) (*set, error) {
	s := &set{name: "75 codes", names: make(map[uuid.UUID]string), corpus: c}
	for _, a := range c.Articles {
		s.add(judge.Article{ID: a.ID, Title: a.Title, Text: a.Text})
	}
	if err := s.ask(filepath.Join(dir, learn.QueriesFile), filepath.Join(dir, learn.QrelsFile)); err != nil {
		return nil, err
	}
	i := 0
	err := learn.Lines(filepath.Join(dir, learn.QueriesFile), func(line []byte) error {
		var q struct {
			ID    string `json:"_id"`
			Split string `json:"split_group"`
			Code  string `json:"code"`
		}
		err := json.Unmarshal(line, &q)
		if i < len(s.questions) && s.questions[i].ID == q.ID {
			s.questions[i].split, s.questions[i].code = q.Split, q.Code
			i++
		}
		return err
	})
	return s, err
}

func laborOf(dir string) (*set, error) {
	s := &set{name: "labor code", names: make(map[uuid.UUID]string)}
	if err := judge.Corpus(filepath.Join(dir, "corpus.jsonl"), s.add); err != nil {
		return nil, err
	}
	err := s.ask(filepath.Join(dir, "queries.train.jsonl"), filepath.Join(dir, "qrels.train.tsv"))
	return s, err
}

// ask takes the questions that were judged.
func (s *set) ask(queries, qrels string) error {
	right, err := judge.Qrels(qrels)
	if err != nil {
		return err
	}
	all, err := judge.Queries(queries, "group")
	for _, q := range all {
		if len(right[q.ID]) > 0 {
			s.questions = append(s.questions, question{Query: q, right: right[q.ID]})
		}
	}
	return err
}

// partLimit is the length in bytes at which a long article is cut into passages,
// between paragraphs, as gazettes' articles are.
const partLimit = 1200

func (s *set) add(a judge.Article) {
	s.articles = append(s.articles, a)
	doc := uuid.NewSHA1(uuid.Nil, []byte(s.name))
	id := uuid.NewSHA1(doc, []byte(a.ID))
	s.names[id] = a.ID
	part, n := "", 0
	flush := func() {
		s.rows = append(s.rows, postgres.IndexRow{
			Passage: law.Passage{ID: uuid.NewSHA1(id, []byte{byte(n >> 8), byte(n)}), DocumentID: doc, ArticleID: id,
				Position: len(s.rows), Text: part},
			ArticleNumber: a.ID, Path: strings.Split(a.Title, " > "), Type: law.Code, Status: law.InForce, From: time.Unix(0, 0).UTC(),
		})
		part, n = "", n+1
	}
	for p := range strings.SplitSeq(a.Text, "\n\n") {
		if part != "" && len(part)+len(p) > partLimit {
			flush()
		}
		if part != "" {
			part += "\n"
		}
		part += p
	}
	flush()
}

func (*set) CatalogueVersion(context.Context) (int64, error) { return 1, nil }

func (*set) Changes(_ context.Context, after int64) ([]uuid.UUID, int64, error) {
	return nil, after, nil
}

func (*set) Listen(ctx context.Context, _ func()) error {
	<-ctx.Done()
	return ctx.Err()
}

func (s *set) IndexRows(_ context.Context, _ []uuid.UUID, yield func(postgres.IndexRow) error) error {
	for _, r := range s.rows {
		if err := yield(r); err != nil {
			return err
		}
	}
	return nil
}
