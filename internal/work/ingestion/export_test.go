package ingestion

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/work"
)

// Run leases the ingestion and runs the attempt to its end, as work.Run does. nil:
// done, in review, or canceled.
func (r *GazetteReader) Run(ctx context.Context, id uuid.UUID) error { return work.Run(ctx, r, id) }
