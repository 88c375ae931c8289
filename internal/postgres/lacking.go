package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
	"vigueur/internal/law"
)

// Lacking is why a text cannot be accepted: fields that it must have were not read,
// and nobody has given them.
type Lacking struct{ Fields []string }

// Error names the fields.
func (l *Lacking) Error() string { return fmt.Sprintf("not given: %v", l.Fields) }

// gives tells whether a change says what a field is.
func (c DocumentChange) gives(field string) bool { return slices.Contains(c.fields(), field) }

// Lacking names the fields that a text in review must have, that were not read,
// and that the change does not give.
func (c DocumentChange) Lacking(doubts []law.Doubt) []string {
	return slices.DeleteFunc(law.Lacking(doubts), c.gives)
}

// complete refuses to accept a text that lacks what it must have. A first day in
// force that was made up with the promulgation moves to the one that is given.
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
