package answering

import (
	"context"
	"log/slog"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/tick"
)

// draftEvery is the interval at which an unpublished text is saved.
const draftEvery = time.Second

// draft saves the text written so far to the row while it cannot be published, until ctx
// ends, so that readers get it from there. It writes nothing while publishing works.
func (j *job) draft(ctx context.Context, _ context.CancelCauseFunc) {
	saved := 0
	for range tick.Every(ctx, draftEvery) {
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
		case ctx.Err() == nil && !errs.Is(err, errs.LeaseLost): // the renewal reports a lost lease
			j.Log.LogAttrs(ctx, slog.LevelWarn, "draft", slog.Any("message_id", j.ID), slog.Any("error", err))
		}
	}
}
