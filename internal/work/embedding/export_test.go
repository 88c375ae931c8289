package embedding

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/work"
)

// Run embeds the passages that a generation lacks, as work.Run does.
func (r *VectorMaker) Run(ctx context.Context, id uuid.UUID) error { return work.Run(ctx, r, id) }

// Run embeds the passages that a generation lacks, as work.Run does.
func (k *Known) Run(ctx context.Context, id uuid.UUID) error { return work.Run(ctx, k, id) }
