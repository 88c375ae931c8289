package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/address"
)

// AddressedText is a text with the parts of its public address.
type AddressedText struct {
	law.Document
	Countries []string
	Entered   time.Time  // when the service read it
	Repealed  *time.Time // first day on which it is no longer in force
}

// Work returns the text as its address names it.
func (t AddressedText) Work() address.Work { return address.Of(t.Document, t.Countries) }

const addressedColumns = `d.countries, d.created_at, d.repealed_on, ` + documentColumns

func scanAddressed(row pgx.CollectableRow) (t AddressedText, err error) {
	err = row.Scan(append([]any{&t.Countries, &t.Entered, &t.Repealed}, documentFields(&t.Document)...)...)
	return t, err
}

func (db *DB) listAddressed(ctx context.Context, what, query string, args ...any) ([]AddressedText, error) {
	list, err := collect(ctx, db.pool, scanAddressed, `SELECT `+addressedColumns+` FROM documents d `+query, args...)
	return list, classify(what, err)
}

// TextsOfDay returns the texts promulgated on a day, superseded editions among them.
func (db *DB) TextsOfDay(ctx context.Context, day time.Time) ([]AddressedText, error) {
	return db.listAddressed(ctx, "texts of a day", `WHERE d.promulgated_on = $1 AND `+readableByID+` ORDER BY d.id`, day)
}

// AddressedTexts returns the texts with the given ids, in no particular order. Ids of no text
// of the catalogue are skipped.
func (db *DB) AddressedTexts(ctx context.Context, ids []uuid.UUID) ([]AddressedText, error) {
	return db.listAddressed(ctx, "texts by id", `WHERE d.id = ANY($1) AND `+readableByID, ids)
}

// TextsOfYear returns a page of the texts of a country that were promulgated in a year, the newest first. country is
// the country in their addresses, "" for texts whose address has none; pages are counted from 1.
func (db *DB) TextsOfYear(ctx context.Context, country string, year, page, size int) ([]AddressedText, error) {
	return db.listAddressed(ctx, "texts of a year", `WHERE NOT d.in_review AND coalesce(d.countries[1], '') = $1
			AND d.promulgated_on >= make_date($2, 1, 1) AND d.promulgated_on < make_date($2 + 1, 1, 1)
		ORDER BY d.promulgated_on DESC, d.id LIMIT $3 OFFSET $4`, country, year, size, int64(page-1)*int64(size))
}

// NewestTexts returns the texts that the service read last, the last first.
func (db *DB) NewestTexts(ctx context.Context, limit int) ([]AddressedText, error) {
	return db.listAddressed(ctx, "newest texts", `WHERE NOT d.in_review ORDER BY d.created_at DESC, d.id LIMIT $1`, limit)
}

// CountryYear is how many texts of a country were promulgated in a year.
type CountryYear struct {
	Country string // "": of no country
	Year    int
	Texts   int
}

// CountryYears counts the texts of the catalogue by the country of their addresses and their
// year, in that order, the newest year first.
func (db *DB) CountryYears(ctx context.Context) ([]CountryYear, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[CountryYear], `SELECT coalesce(countries[1], ''), date_part('year', promulgated_on)::integer, count(*)::integer
		FROM documents WHERE NOT in_review GROUP BY 1, 2 ORDER BY 1, 2 DESC`)
	return list, classify("texts by country", err)
}

// recordWithdrawn records the address of a text that a person withdraws. It must be called
// before the text is deleted.
func recordWithdrawn(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	rows, err := tx.Query(ctx, `SELECT `+addressedColumns+` FROM documents d WHERE d.id = $1`, id)
	if err != nil {
		return err
	}
	t, err := pgx.CollectExactlyOneRow(rows, scanAddressed)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO withdrawn_texts (address, document_id) VALUES ($1, $2)
		ON CONFLICT (address) DO UPDATE SET document_id = EXCLUDED.document_id, withdrawn_at = now()`, t.Work().Full(), id)
	return err
}

// Withdrawn reports whether a person withdrew a text with the id or the address. If the address has no type, texts of
// every type match.
func (db *DB) Withdrawn(ctx context.Context, w address.Work, id uuid.UUID) (gone bool, err error) {
	addresses := []string{w.Full()}
	if w.Type == "" {
		for _, of := range law.DocTypes() {
			w.Type = of
			addresses = append(addresses, w.Full())
		}
	}
	err = db.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM withdrawn_texts WHERE address = ANY($1) OR document_id = $2)`, addresses, id).Scan(&gone)
	return gone, classify("withdrawn text", err)
}
