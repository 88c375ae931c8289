package main

import (
	"context"
	"log/slog"
	"sync"

	"vigueur/internal/httpapi"
	"vigueur/internal/pdftext"
)

// draws lets the server draw pages of gazettes, each in a child process. The child's
// engine is started once beside the rest, so that the first page need not wait for
// its code to be compiled. end ends the children that wait for the next page.
func draws(ctx context.Context, server *httpapi.Server, log *slog.Logger) (end func()) {
	spares := &pdftext.Spares{}
	reader := pdftext.Reader{Spares: spares}
	server.OpenPDF = func(ctx context.Context, path string) (httpapi.PDF, error) { return reader.Open(ctx, path) }
	ctx, stop := context.WithCancel(ctx)
	var warming sync.WaitGroup
	warming.Go(func() {
		if err := reader.Warm(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "start the engine that draws pages: the first page may be late", "error", err)
		}
	})
	return func() {
		stop()
		warming.Wait()
		spares.Close()
	}
}
