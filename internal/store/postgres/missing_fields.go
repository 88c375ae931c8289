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

// Lacking is the error that a text cannot be accepted, because required fields were neither
// read nor given.
type Lacking struct{ Fields []string }

// Error names the fields.
func (l *Lacking) Error() string { return fmt.Sprintf("not given: %v", l.Fields) }

// gives reports whether the change sets the field.
func (c DocumentChange) gives(field string) bool { return slices.Contains(c.fields(), field) }

// Lacking lists the required fields of a text in review that could not be read and that the
// change does not set.
func (c DocumentChange) Lacking(doubts []law.Doubt) []string {
	return slices.DeleteFunc(law.Lacking(doubts), c.gives)
}

// complete returns an error that wraps *Lacking if the text lacks a required field after
// the change. If the change sets the promulgation date, complete adds the first day in
// force that was derived from that date.
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
