// Command worker runs the jobs of the queue: it writes answers, ingests gazettes, sends
// e-mail, keeps the indexes up to date, and enqueues rows that no worker holds. Any number
// of workers run side by side.
//
// « worker --warm » compiles the PDF engine into the account's cache and exits, so that the
// first gazette does not wait for it. Building an image runs this step.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/confine"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/trace"
	"vigueur/internal/ops/config"
	"vigueur/internal/ops/observe"
	"vigueur/internal/store/relay"
	"vigueur/internal/work/queue"
)

func main() {
	// A PDF is read in a child process, which runs this program, and so does the child that confines
	// itself and becomes tesseract.
	pdftext.Main()
	ocr.Main()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := warmOrRun(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, errs.Public(err))
		os.Exit(1)
	}
}

func warmOrRun(ctx context.Context, args []string) error {
	switch {
	case len(args) == 0:
		return run(ctx)
	case len(args) == 1 && args[0] == "--warm":
		return pdftext.Reader{}.Warm(ctx)
	}
	return errs.New(errs.Invalid, "Usage : worker [--warm]")
}

// lastTraces is the timeout for sending pending spans at exit.
const lastTraces = 3 * time.Second

func run(ctx context.Context) error {
	c, err := config.LoadWorker(config.Environ())
	if err != nil {
		return err
	}
	keepHeadroom()
	figures := observe.NewRegistry()
	log := observe.Counting(observe.Logger(os.Stderr, "worker", c.LogLevel), figures, observe.Worker, queue.Kinds()...)
	limitHeap(c.Ingestions, log)
	relay.LogTo(log)
	if confine.Landlock() == 0 {
		log.Warn("the kernel has no Landlock: the children that read PDFs and scans are confined without it, and can open files")
	}
	ctx, stop := context.WithCancel(ctx)
	var ready atomic.Bool
	measured, err := observe.Serve(ctx, c.Metrics, figures, ready.Load, log)
	if err != nil {
		stop()
		return err
	}
	defer func() { stop(); <-measured }()
	traced, err := trace.Open(ctx, trace.Settings{URL: c.TracesURL, Process: "worker"},
		func(err error) { log.Warn("traces lost", "error", err) })
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), lastTraces)
		defer cancel()
		_ = traced(ctx) // errors were logged
	}()
	w, err := open(ctx, c, log)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			log.ErrorContext(ctx, "start", "error", err)
		}
		return err
	}
	defer w.close()
	if err := w.start(ctx); err != nil {
		log.ErrorContext(ctx, "start", "error", err)
		return err
	}
	observe.Sample(figures, w.sample)
	ready.Store(true)
	passages, version := w.index.Size()
	log.InfoContext(ctx, "ready", "passages", passages, "catalogue", version,
		slog.Int("answers", c.Answers), slog.Int("ingestions", c.Ingestions))
	<-ctx.Done()
	ready.Store(false)
	log.Info("stopping")
	w.stop()
	return nil
}
