package answering

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/work"
)

// Run leases an answer and runs the attempt to its end, as work.Run does. The answer is the
// hinted one, unless the answer of a person with fewer running answers takes precedence.
func (r *AnswerWriter) Run(ctx context.Context, hint uuid.UUID) error { return work.Run(ctx, r, hint) }

// NoHelpLine begins an answer to somebody in distress.
const NoHelpLine = noHelpLine
