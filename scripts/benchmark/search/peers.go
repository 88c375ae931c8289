package main

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/blevesearch/bleve/v2"
	_ "modernc.org/sqlite" // the driver

	"vigueur/internal/law/french"
)

// fts5 is SQLite's full-text index, in memory.
type fts5 struct {
	db    *sql.DB
	asked *sql.Stmt
}

func openFTS5(source *made) (engine, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection would have a database of its own
	if _, err := db.Exec(`CREATE VIRTUAL TABLE articles USING fts5(heads, body, tokenize = 'unicode61 remove_diacritics 2')`); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := fill(db, source); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	asked, err := db.Prepare(`SELECT rowid FROM articles WHERE articles MATCH ? ORDER BY bm25(articles, 2.0, 1.0) LIMIT ?`)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &fts5{db, asked}, nil
}

func fill(db *sql.DB, source *made) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after the commit it does nothing
	insert, err := tx.Prepare(`INSERT INTO articles (heads, body) VALUES (?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, r := range source.rows {
		if _, err := insert.Exec(strings.Join(r.Path, "\n"), r.Passage.Text); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (f *fts5) search(question string, hits int) error {
	var words []string
	for _, w := range plainWords(question) {
		words = append(words, `"`+w+`"`)
	}
	rows, err := f.asked.Query(strings.Join(words, " OR "), hits)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(new(int64)); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (f *fts5) close() error { return errors.Join(f.asked.Close(), f.db.Close()) }

// plainWords are the words of a question that say something, as they are written.
func plainWords(question string) (words []string) {
	for _, t := range french.Analyze(question) {
		if !t.Stop {
			words = append(words, strings.ReplaceAll(question[t.Start:t.End], `"`, ""))
		}
	}
	return words
}

// bleveIndex is a bleve index of its usual kind, which is kept in files: the one
// in memory alone is its old kind, many times slower to fill.
type bleveIndex struct {
	bleve.Index
	dir string
}

func openBleve(source *made) (e engine, err error) {
	dir, err := os.MkdirTemp("", "vigueur-bleve-*")
	if err != nil {
		return nil, err
	}
	index, err := bleve.New(filepath.Join(dir, "index"), bleve.NewIndexMapping())
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	e = bleveIndex{index, dir}
	if err := fillBleve(index, source); err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

func fillBleve(index bleve.Index, source *made) error {
	const together = 1000
	batch := index.NewBatch()
	for i, r := range source.rows {
		if err := batch.Index(strconv.Itoa(i), map[string]string{"heads": strings.Join(r.Path, "\n"), "body": r.Passage.Text}); err != nil {
			return err
		}
		if batch.Size() == together || i == len(source.rows)-1 {
			if err := index.Batch(batch); err != nil {
				return err
			}
			batch.Reset()
		}
	}
	return nil
}

func (b bleveIndex) search(question string, hits int) error {
	asked := bleve.NewSearchRequestOptions(bleve.NewMatchQuery(strings.Join(plainWords(question), " ")), hits, 0, false)
	_, err := b.Search(asked)
	return err
}

func (b bleveIndex) close() error { return errors.Join(b.Close(), os.RemoveAll(b.dir)) }
