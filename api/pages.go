package main

import (
	"context"
	"log/slog"
	"sync"

	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/search/verify"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/catalogue"
)

// enableFiles lets the server render pages of gazettes and read files that are to be checked,
// each in a child process. It
// compiles the PDF engine once in the background, so that the first page does not wait for
// it. end ends the idle child processes.
func enableFiles(ctx context.Context, server *httpapi.Server, log *slog.Logger) (end func()) {
	spares := &pdftext.Spares{}
	reader := pdftext.Reader{Spares: spares}
	server.OpenPDF = func(ctx context.Context, path string) (catalogue.PDF, error) { return reader.Open(ctx, path) }
	server.ReadFile = verify.Files{PDF: reader}.Read
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
