package postgres

import (
	"context"

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

// SaveGazette stores which issue of a gazette a file is, nil for none, while the attempt holds it.
func (db *DB) SaveGazette(ctx context.Context, ingestion uuid.UUID, attempt int, issue *law.Gazette) error {
	_, err := db.pool.Exec(ctx, `UPDATE ingestions SET gazette = $3 WHERE id = $1 AND attempt = $2`, ingestion, attempt, issue)
	return classify("gazette of "+ingestion.String(), err)
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
