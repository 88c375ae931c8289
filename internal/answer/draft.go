package answer

import (
	"context"
	"log/slog"
	"time"

	"vigueur/internal/errs"
)

// draftEvery is how often a running answer is looked at whose readers may not
// hear it.
const draftEvery = time.Second

// draft stores what has been written into the row whenever the readers cannot
// hear it, until ctx ends, so that they go on from there. An answer that is heard
// costs the row nothing.
func (j *job) draft(ctx context.Context, _ context.CancelCauseFunc) {
	tick := time.NewTicker(draftEvery)
	defer tick.Stop()
	for saved := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		text, ends, unheard := j.stream.Unheard()
		if !unheard || len(ends) == saved {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, draftEvery)
		err := j.DB.SaveDraft(limited, j.ID, j.Attempt, text, ends)
		cancel()
		switch {
		case err == nil:
			saved = len(ends)
		case ctx.Err() == nil && !errs.Is(err, errs.LeaseLost): // a lost lease is told by its renewal
			j.Log.LogAttrs(ctx, slog.LevelWarn, "draft", slog.Any("message_id", j.ID), slog.Any("error", err))
		}
	}
}
