package answering

import (
	"context"
	"log/slog"
	"slices"

	"vigueur/internal/answer/llm"
	"vigueur/internal/store/postgres"
)

// use adds what a request took to what the attempt took of its server.
func (j *job) use(u llm.Usage) {
	i := slices.IndexFunc(j.used, func(of postgres.Usage) bool { return of.Server == u.Server })
	if i < 0 {
		i, j.used = len(j.used), append(j.used, postgres.Usage{Server: u.Server, Model: j.Model})
	}
	of := &j.used[i]
	of.Requests++
	of.In, of.Out, of.Cost = of.In+u.In, of.Out+u.Out, of.Cost+u.Cost
	of.Estimated = of.Estimated || u.Estimated
}

// keepUsage stores what the attempt took of models, however it ended: what was spent on
// an answer that failed is on the bill too. Nobody is kept from an answer because it
// could not be counted. The log tells each server's own share, which is what the figures count.
func (j *job) keepUsage(ctx context.Context) {
	for _, of := range j.used {
		j.Log.LogAttrs(ctx, slog.LevelDebug, "model usage", slog.Any("message_id", j.ID), slog.String("server", of.Server), slog.String("model", of.Model),
			slog.Int("requests", of.Requests), slog.Int("tokens_in", of.In), slog.Int("tokens_out", of.Out), slog.Float64("cost", of.Cost))
	}
	if err := j.DB.AddUsage(ctx, j.ID, j.Attempt, j.used); err != nil {
		j.Log.LogAttrs(ctx, slog.LevelWarn, "usage of models not kept", slog.Any("message_id", j.ID), slog.Any("error", err))
	}
}
