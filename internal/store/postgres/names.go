package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
	"vigueur/internal/law/naming"
)

// TextName is a short name that an operator has given to a text.
type TextName struct {
	ID        uuid.UUID `json:"id"`
	Name      string    `json:"name"`
	Means     string    `json:"means"` // number or title of the text
	Country   string    `json:"pays"`  // code, "" for any
	CreatedAt time.Time `json:"created_at"`
}

// TextNames lists the names that operators have given to texts, in alphabetical order.
func (db *DB) TextNames(ctx context.Context) ([]TextName, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[TextName], `SELECT id, name, means, pays, created_at FROM text_aliases ORDER BY fold(name)`)
	return list, classify("names of texts", err)
}

// GivenNames returns the names of TextNames as questions and searches read them.
func (db *DB) GivenNames(ctx context.Context) (names []naming.Given, err error) {
	list, err := db.TextNames(ctx)
	for _, n := range list {
		names = append(names, naming.Given{Name: n.Name, Means: n.Means, Country: country.Code(n.Country)})
	}
	return names, err
}

// NameText gives a text a short name. Conflict if the name has been given already.
func (db *DB) NameText(ctx context.Context, n TextName) (TextName, error) {
	err := db.inTx(ctx, "name a text", func(tx pgx.Tx) error {
		n.ID = NewID()
		if err := tx.QueryRow(ctx, `INSERT INTO text_aliases (id, name, means, pays) VALUES ($1, $2, $3, $4) RETURNING created_at`,
			n.ID, n.Name, n.Means, n.Country).Scan(&n.CreatedAt); err != nil {
			return err
		}
		return audit(ctx, tx, TextNamed, n.ID.String(), details{"name": n.Name, "means": n.Means})
	})
	return n, err
}

// UnnameText takes a name back. NotFound if there is none with the id.
func (db *DB) UnnameText(ctx context.Context, id uuid.UUID) error {
	return db.inTx(ctx, "unname a text", func(tx pgx.Tx) error {
		if err := execOne(ctx, tx, errs.New(errs.NotFound, ""), `DELETE FROM text_aliases WHERE id = $1`, id); err != nil {
			return err
		}
		return audit(ctx, tx, TextUnnamed, id.String(), nil)
	})
}
