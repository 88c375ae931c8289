package notify

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/work"
)

// Run leases the inquiry and sends its notification, as work.Run does. LeaseLost also
// if its retry is not due yet.
func (r *MailSender) Run(ctx context.Context, id uuid.UUID) error { return work.Run(ctx, r, id) }
