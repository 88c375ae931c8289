package postgres

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// PageLines is the lines of a page in reading order, from the last segmentation of its
// file.
type PageLines struct {
	Page   int     `json:"page"`
	Width  float64 `json:"width"` // in points, like the height
	Height float64 `json:"height"`
	Lines  []Line  `json:"lines"`
}

// Line is a printed line and how the segmentation labeled it.
type Line struct {
	Rect       law.Rect   `json:"rect"`
	Text       string     `json:"text"`
	Label      string     `json:"label"`
	Confidence float64    `json:"confidence"`
	TextIndex  *int       `json:"text_index"`  // index among the file's texts, nil for none
	DocumentID *uuid.UUID `json:"document_id"` // nil: none, or the text was rejected or deleted
	Article    *string    `json:"article"`     // its number
}

// PageLines returns the lines of a page; NotFound if none are stored.
func (db *DB) PageLines(ctx context.Context, ingestion uuid.UUID, page int) (p PageLines, err error) {
	var lines []byte
	p.Page = page
	err = db.pool.QueryRow(ctx, `SELECT width, height, lines FROM ingestion_lines WHERE ingestion_id = $1 AND page = $2`, ingestion, page).
		Scan(&p.Width, &p.Height, &lines)
	if err == nil {
		err = json.Unmarshal(lines, &p.Lines)
	}
	if err != nil {
		return p, classify("lines of "+ingestion.String(), err)
	}
	pages := []PageLines{p}
	return p, db.forgetGone(ctx, ingestion, pages)
}

// FileLines returns the lines of every page of a file, in order.
func (db *DB) FileLines(ctx context.Context, ingestion uuid.UUID) ([]PageLines, error) {
	pages, err := collect(ctx, db.pool, func(r pgx.CollectableRow) (p PageLines, err error) {
		var lines []byte
		if err := r.Scan(&p.Page, &p.Width, &p.Height, &lines); err != nil {
			return p, err
		}
		return p, json.Unmarshal(lines, &p.Lines)
	}, `SELECT page, width, height, lines FROM ingestion_lines WHERE ingestion_id = $1 ORDER BY page`, ingestion)
	if err != nil {
		return nil, classify("lines of "+ingestion.String(), err)
	}
	return pages, db.forgetGone(ctx, ingestion, pages)
}

// forgetGone removes references to texts that no longer exist from the lines.
func (db *DB) forgetGone(ctx context.Context, ingestion uuid.UUID, pages []PageLines) error {
	rows, err := db.pool.Query(ctx, `SELECT id FROM documents WHERE ingestion_id = $1`, ingestion)
	if err != nil {
		return classify("texts of "+ingestion.String(), err)
	}
	there := map[uuid.UUID]bool{}
	var id uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&id}, func() error {
		there[id] = true
		return nil
	})
	for _, p := range pages {
		for i := range p.Lines {
			if of := p.Lines[i].DocumentID; of != nil && !there[*of] {
				p.Lines[i].DocumentID = nil
			}
		}
	}
	return classify("texts of "+ingestion.String(), err)
}

// saveLines replaces the stored lines of a file.
func saveLines(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID, pages []PageLines) error {
	if _, err := tx.Exec(ctx, `DELETE FROM ingestion_lines WHERE ingestion_id = $1`, ingestion); err != nil {
		return err
	}
	columns := []string{"ingestion_id", "page", "width", "height", "lines"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"ingestion_lines"}, columns, pgx.CopyFromSlice(len(pages), func(i int) ([]any, error) {
		lines, err := listJSON(pages[i].Lines)
		return []any{ingestion, pages[i].Page, pages[i].Width, pages[i].Height, lines}, err
	}))
	return err
}
