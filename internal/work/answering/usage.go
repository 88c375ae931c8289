package answering

import (
	"context"
	"log/slog"
	"slices"

	"vigueur/internal/answer/llm"
	"vigueur/internal/store/postgres"
)

// use adds the usage of one request to the attempt's usage of the same server.
func (j *job) use(u llm.Usage) {
	i := slices.IndexFunc(j.used, func(usage postgres.Usage) bool { return usage.Server == u.Server })
	if i < 0 {
		i, j.used = len(j.used), append(j.used, postgres.Usage{Server: u.Server, Model: j.Model})
	}
	of := &j.used[i]
	of.Requests++
	of.In, of.Out, of.Cost = of.In+u.In, of.Out+u.Out, of.Cost+u.Cost
	of.Estimated = of.Estimated || u.Estimated
}

// keepUsage stores the attempt's usage of models, however the attempt ended, because the tokens
// of a failed answer have a price, too. If that fails, the answer is kept all the same. The
// debug log has a record for each server, from which the metrics are counted.
func (j *job) keepUsage(ctx context.Context) {
	for _, usage := range j.used {
		j.Log.LogAttrs(ctx, slog.LevelDebug, "model usage", slog.Any("message_id", j.ID), slog.String("server", usage.Server), slog.String("model", usage.Model),
			slog.Int("requests", usage.Requests), slog.Int("tokens_in", usage.In), slog.Int("tokens_out", usage.Out), slog.Float64("cost", usage.Cost))
	}
	if err := j.DB.AddUsage(ctx, j.ID, j.Attempt, j.used); err != nil {
		j.Log.LogAttrs(ctx, slog.LevelWarn, "usage of models not kept", slog.Any("message_id", j.ID), slog.Any("error", err))
	}
}
