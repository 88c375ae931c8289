package answering

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/work"
)

// Run leases an answer and runs the attempt to its end, as work.Run does. It is the
// hinted answer, unless a person with fewer running answers comes first.
func (r *Runner) Run(ctx context.Context, hint uuid.UUID) error { return work.Run(ctx, r, hint) }
