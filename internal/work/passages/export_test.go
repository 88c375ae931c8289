package passages

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/work"
)

// Run brings the index up to date with the catalogue, as work.Run does.
func (r *PassageFeeder) Run(ctx context.Context, id uuid.UUID) error {
	return work.Run(ctx, r.Worker(), id)
}
