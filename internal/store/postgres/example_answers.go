package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// ExampleAnswer is a question that the catalogue answers surely, with what answers it.
type ExampleAnswer struct {
	Question    string
	Document    uuid.UUID
	Article     uuid.UUID
	Number      string // of the article, as it is cited
	Page        int
	Quote       string // words of the article
	Probability float64
}

const (
	// examplesQuiet is how long the catalogue must be unchanged before examples are made, because files usually arrive
	// in groups and each changes the catalogue.
	examplesQuiet = 2 * time.Minute
	// examplesLife is how long examples last in a catalogue that does not change: a text comes into
	// force, or is repealed, on a day.
	examplesLife = 24 * time.Hour
)

// ExampleIndex is the row of the examples.
func (db *DB) ExampleIndex() Follower { return Follower{db, "examples"} }

// DueExamples returns the id of the row of the examples if they must be made and no worker holds the row. They must be
// made when the catalogue has changed or they are a day old. They wait until the catalogue has been unchanged for
// examplesQuiet, its versions are assembled and its passages have vectors, because until then answers may change.
// sentences says whether searches use vectors of sentences.
func (db *DB) DueExamples(ctx context.Context, sentences bool) ([]uuid.UUID, error) {
	j := *followerJobs
	j.wake += fmt.Sprintf(` OR updated_at < now() - interval '%d seconds'`, int(examplesLife.Seconds()))
	return j.due(ctx, db, 1, `name = 'examples'`, fmt.Sprintf(`NOT EXISTS (SELECT 1 FROM catalogue_changes c WHERE c.changed_at > now() - interval '%d seconds'
			AND c.version = (SELECT max(version) FROM catalogue_changes))
		AND NOT EXISTS (SELECT 1 FROM followers v WHERE v.name = 'versions' AND v.version < (SELECT coalesce(max(version), 0) FROM catalogue_changes))
		AND NOT EXISTS (SELECT 1 FROM generations g WHERE g.covered < (SELECT coalesce(max(version), 0) FROM catalogue_changes)
			AND (g.role = 'current' OR %t AND g.role = 'sentences'))`, int(examplesQuiet.Seconds()), sentences))
}

// SaveExamples replaces the examples by those that an attempt found in the catalogue of the given
// version. It leaves out those whose text has left the catalogue since.
func (db *DB) SaveExamples(ctx context.Context, l Leased, version int64, list []ExampleAnswer) error {
	return db.inTx(ctx, "save examples", func(tx pgx.Tx) error {
		if err := fence(ctx, tx, "followers", l.ID, l.Attempt); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM example_answers`); err != nil {
			return err
		}
		for _, e := range list {
			_, err := tx.Exec(ctx, `INSERT INTO example_answers (id, question, document_id, article_id, number, page, quote, probability, version)
				SELECT $1, $2, d.id, a.id, $5, $6, $7, $8, $9 FROM documents d, articles a WHERE d.id = $3 AND a.id = $4
				ON CONFLICT (question) DO NOTHING`, NewID(), e.Question, e.Document, e.Article, e.Number, e.Page, e.Quote, e.Probability, version)
			if err != nil {
				return err
			}
		}
		return Following{Leased: l}.advance(ctx, tx, version)
	})
}

// ShownExample is an example with the current data of the text that answers it.
type ShownExample struct {
	ExampleAnswer
	Domain    string
	Title     string
	Countries []string
}

// ExampleAnswers returns at most limit examples whose text is in force and has not changed since they were made. It
// takes one example of each domain in turn, beginning with the domain that has most texts, and never two of the same
// text; within a domain the surest come first.
func (db *DB) ExampleAnswers(ctx context.Context, limit int) ([]ShownExample, error) {
	list, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (e ShownExample, err error) {
		err = r.Scan(&e.Question, &e.Document, &e.Article, &e.Number, &e.Page, &e.Quote, &e.Probability, &e.Domain, &e.Title, &e.Countries)
		return e, err
	}, `WITH sound AS (
			SELECT DISTINCT ON (e.document_id) e.*, d.domaine, d.title, d.countries
			FROM example_answers e JOIN documents d ON d.id = e.document_id JOIN domaines m ON m.code = d.domaine AND m.active
			WHERE d.statut = 'en_vigueur' AND NOT d.in_review
				AND NOT EXISTS (SELECT 1 FROM catalogue_changes c WHERE c.document_id = e.document_id AND c.version > e.version)
				AND NOT EXISTS (SELECT 1 FROM law_changes l WHERE l.document_id = e.document_id AND l.at > e.made_at)
			ORDER BY e.document_id, e.probability DESC, e.question),
		placed AS (SELECT s.*, row_number() OVER (PARTITION BY s.domaine ORDER BY s.probability DESC, s.question) AS place,
				(SELECT coalesce(sum(c.n), 0) FROM document_counts c WHERE c.domaine = s.domaine AND c.doc_type = '' AND c.statut = 'en_vigueur') AS texts
			FROM sound s)
		SELECT question, document_id, article_id, number, page, quote, probability, domaine, title, countries
		FROM placed ORDER BY place, texts DESC, domaine LIMIT $1`, limit)
	return list, classify("example answers", err)
}
