package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// SaidOfFile is what a person said of a whole file; empty values say nothing.
type SaidOfFile struct {
	Kind    string // a kind of package gazette
	Country string // whose law its texts are, by the code of the country
}

// SaidOfFile returns what a person said of a file.
func (db *DB) SaidOfFile(ctx context.Context, ingestion uuid.UUID) (said SaidOfFile, err error) {
	err = db.pool.QueryRow(ctx, `SELECT said_kind, said_country FROM ingestions WHERE id = $1`, ingestion).Scan(&said.Kind, &said.Country)
	return said, classify("what was said of "+ingestion.String(), err)
}

// SayOfFile records what a person says of a whole file, and queues the file to be segmented again. Nil values stay as they
// are, empty ones are taken back. The errors are those of AddEdit; Conflict also if a file of which a person says that it
// holds no law (noLaw) has texts in the catalogue. Those in review are rejected.
func (db *DB) SayOfFile(ctx context.Context, ingestion uuid.UUID, kind, country *string, noLaw bool) error {
	return db.inTx(ctx, "say what ingestion "+ingestion.String()+" is", func(tx pgx.Tx) error {
		if err := queueResegmentation(ctx, tx, ingestion); err != nil {
			return err
		}
		if noLaw {
			if err := rejectAll(ctx, tx, ingestion); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `UPDATE ingestions SET said_kind = coalesce($2, said_kind), said_country = coalesce($3, said_country) WHERE id = $1`,
			ingestion, kind, country)
		if err != nil {
			return err
		}
		about := details{}
		if kind != nil {
			about["kind"] = *kind
		}
		if country != nil {
			about["pays"] = *country
		}
		return audit(ctx, tx, FileEdited, ingestion.String(), about)
	})
}

// rejectAll deletes the texts in review of a file that has no text in the catalogue. Unlike rejected texts, they come back
// when a person says that the file holds law after all.
func rejectAll(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) error {
	if err := lockTexts(ctx, tx); err != nil {
		return err
	}
	var there bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM documents WHERE ingestion_id = $1 AND (NOT in_review OR superseded_by IS NOT NULL))`, ingestion).Scan(&there)
	if err != nil {
		return err
	}
	if there {
		return errs.New(errs.Conflict, "Des textes de ce fichier sont au catalogue : retirez-les d’abord.")
	}
	_, err = tx.Exec(ctx, `DELETE FROM documents WHERE ingestion_id = $1`, ingestion)
	return err
}

// SaveHouse records the lines by which files of a file's publisher are known.
func (db *DB) SaveHouse(ctx context.Context, ingestion uuid.UUID, attempt int, house []string) error {
	_, err := db.pool.Exec(ctx, `UPDATE ingestions SET house = $3 WHERE id = $1 AND attempt = $2`, ingestion, attempt, texts(house))
	return classify("house of "+ingestion.String(), err)
}

// SaveGazette stores which issue of a gazette a file is, nil for none, while the attempt holds it.
func (db *DB) SaveGazette(ctx context.Context, ingestion uuid.UUID, attempt int, issue *law.Gazette) error {
	_, err := db.pool.Exec(ctx, `UPDATE ingestions SET gazette = $3 WHERE id = $1 AND attempt = $2`, ingestion, attempt, issue)
	return classify("gazette of "+ingestion.String(), err)
}

// SettledText is a text that a person accepted in review, as it is and as it was read.
type SettledText struct {
	ID     uuid.UUID   `json:"id"`
	Title  string      `json:"title"`
	Type   law.DocType `json:"doc_type"`
	Nature string      `json:"nature"`
	Number string      `json:"numero_officiel"`
	Read   struct {
		Title  string `json:"title"`
		Nature string `json:"nature"`
	} `json:"read"`
}

// SettledFile is a file of which persons have settled something.
type SettledFile struct {
	ID       uuid.UUID
	Filename string
	At       time.Time // of its last change
	Said     SaidOfFile
	Texts    []SettledText
}

// mostSettled is the maximum number of files that decisions are proposed from: the last ones of a house speak for it.
const mostSettled = 20

// SettledInHouse returns the files of which persons have settled something and that share a line of their house with the
// given file, the last changed first.
func (db *DB) SettledInHouse(ctx context.Context, ingestion uuid.UUID) ([]SettledFile, error) {
	list, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (f SettledFile, err error) {
		var texts []byte
		if err := r.Scan(&f.ID, &f.Filename, &f.At, &f.Said.Kind, &f.Said.Country, &texts); err != nil {
			return f, err
		}
		return f, json.Unmarshal(texts, &f.Texts)
	}, `SELECT i.id, i.filename, i.updated_at, i.said_kind, i.said_country, coalesce((SELECT jsonb_agg(jsonb_build_object('id', d.id, 'title', d.title,
			'doc_type', d.doc_type, 'nature', d.nature, 'numero_officiel', d.numero_officiel, 'read', d.settled) ORDER BY d.position)
			FROM documents d WHERE d.ingestion_id = i.id AND d.settled IS NOT NULL AND NOT d.in_review), '[]')
		FROM ingestions i WHERE i.house && (SELECT house FROM ingestions WHERE id = $1) AND i.id <> $1 AND (i.said_kind <> '' OR i.said_country <> ''
			OR EXISTS (SELECT FROM documents d WHERE d.ingestion_id = i.id AND d.settled IS NOT NULL AND NOT d.in_review)
			OR EXISTS (SELECT FROM ingestion_edits e WHERE e.ingestion_id = i.id AND e.undone_at IS NULL AND e.kind IN ('split', 'merge')))
		ORDER BY i.updated_at DESC, i.id LIMIT $2`, ingestion, mostSettled)
	return list, classify("settled files of a house", err)
}

// ReviewedFile is a file whose texts persons have settled, as the truth about it.
type ReviewedFile struct {
	ID               uuid.UUID
	Filename, SHA256 string
	Said             SaidOfFile
	Texts            []law.Document
	Articles         []int // of each text, those with a number, annexes left out
	Countries        []string
}

// ReviewedFiles calls yield with each file of which persons have settled something and nothing waits any more, in the order
// in which they were added.
func (db *DB) ReviewedFiles(ctx context.Context, yield func(ReviewedFile) error) error {
	files, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (f ReviewedFile, err error) {
		return f, r.Scan(&f.ID, &f.Filename, &f.SHA256, &f.Said.Kind, &f.Said.Country)
	}, `SELECT i.id, i.filename, i.sha256, i.said_kind, i.said_country FROM ingestions i
		WHERE NOT EXISTS (SELECT FROM documents d WHERE d.ingestion_id = i.id AND d.in_review AND d.superseded_by IS NULL)
		AND (i.said_kind <> '' AND i.state NOT IN ('queued', 'running') OR i.state = 'done' AND (i.said_country <> ''
			OR EXISTS (SELECT FROM documents d WHERE d.ingestion_id = i.id AND d.settled IS NOT NULL)
			OR EXISTS (SELECT FROM ingestion_edits e WHERE e.ingestion_id = i.id AND e.undone_at IS NULL))) ORDER BY i.created_at, i.id`)
	if err != nil {
		return classify("reviewed files", err)
	}
	for _, f := range files {
		var d law.Document
		var articles int
		var countries []string
		rows, err := db.pool.Query(ctx, `SELECT d.doc_type, d.nature, d.numero_officiel, d.promulgated_on, d.title, d.first_page, d.countries,
			(SELECT count(*) FROM articles a WHERE a.document_id = d.id AND a.number <> '' AND a.number NOT LIKE 'Annexe%' AND `+ownArticle+`)
			FROM documents d WHERE d.ingestion_id = $1 ORDER BY d.position`, f.ID)
		if err != nil {
			return classify("reviewed file", err)
		}
		_, err = pgx.ForEachRow(rows, []any{&d.Type, &d.Nature, &d.OfficialNumber, &d.Promulgated, &d.Title, &d.FirstPage, &countries, &articles}, func() error {
			f.Texts, f.Articles, f.Countries = append(f.Texts, d), append(f.Articles, articles), append(f.Countries, countries...)
			return nil
		})
		if err != nil {
			return classify("reviewed file", err)
		}
		if err := yield(f); err != nil {
			return err
		}
	}
	return nil
}
