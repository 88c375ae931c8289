// Command worker is the queue process: it writes answers, takes gazettes in, and
// sweeps for rows that no worker holds. Any number of workers run side by side.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"vigueur/internal/config"
	"vigueur/internal/errs"
	"vigueur/internal/observe"
	"vigueur/internal/pdftext"
)

func main() {
	// The process that reads a PDF is this program once more.
	pdftext.Main()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, errs.Public(err))
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	c, err := config.LoadWorker(config.Environ())
	if err != nil {
		return err
	}
	log := observe.Logger(os.Stderr, "worker", c.LogLevel)
	w, err := open(ctx, c, log)
	if err != nil {
		log.ErrorContext(ctx, "start", "error", err)
		return err
	}
	defer w.close()
	if err := w.start(ctx); err != nil {
		log.ErrorContext(ctx, "start", "error", err)
		return err
	}
	passages, version := w.index.Size()
	log.InfoContext(ctx, "ready", "passages", passages, "catalogue", version,
		slog.Int("answers", c.Answers), slog.Int("ingestions", c.Ingestions))
	<-ctx.Done()
	log.Info("stopping")
	w.stop()
	return nil
}
