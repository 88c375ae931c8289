package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// Lacking is the error of accepting a text whose required fields were neither read nor
// given.
type Lacking struct{ Fields []string }

// Error names the fields.
func (l *Lacking) Error() string { return fmt.Sprintf("not given: %v", l.Fields) }

// gives reports whether a change sets a field.
func (c DocumentChange) gives(field string) bool { return slices.Contains(c.fields(), field) }

// Lacking lists the required fields of a text in review that were not read and that the
// change does not set.
func (c DocumentChange) Lacking(doubts []law.Doubt) []string {
	return slices.DeleteFunc(law.Lacking(doubts), c.gives)
}

// complete fails if a text lacks a required field. A first day in force that was derived
// from the promulgation date moves with the date that is given.
func complete(ctx context.Context, tx pgx.Tx, document uuid.UUID, c DocumentChange) (DocumentChange, error) {
	var doubts []law.Doubt
	if err := tx.QueryRow(ctx, `SELECT doubts FROM documents WHERE id = $1`, document).Scan(&doubts); err != nil {
		return c, err
	}
	if fields := c.Lacking(doubts); len(fields) > 0 {
		return c, errs.Wrap(errs.Unprocessable, "Il manque à ce texte ce que personne n’a pu y lire.", &Lacking{fields})
	}
	if c.Promulgated != nil && c.EntersInForce == nil && law.Unread(doubts, "date_entree_vigueur") {
		c.EntersInForce = c.Promulgated
	}
	return c, nil
}
