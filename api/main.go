// Command api is the HTTP server: it accepts questions and streams their answers, and
// serves conversations and the catalogue. It leaves slow work to the workers, except for
// rendering a page for an editor in a child process. Any number of processes may run side
// by side.
//
// « api --warm » compiles the PDF engine into the account's cache and exits, so that the
// first page does not have to wait for it. Building an image runs this step.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/confine"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/officetext"
	"vigueur/internal/kit/trace"
	"vigueur/internal/ops/config"
	"vigueur/internal/ops/observe"
	"vigueur/internal/search/milvus"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/work/queue"
)

func main() {
	pdftext.Main()    // pages are rendered in a child process, which runs this program
	officetext.Main() // and documents read in another
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := warmOrRun(ctx, os.Args[1:]); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, describe(err))
		os.Exit(1)
	}
}

func warmOrRun(ctx context.Context, args []string) error {
	switch {
	case len(args) == 0:
		return run(ctx, config.Environ())
	case len(args) == 1 && args[0] == "--warm":
		return pdftext.Reader{}.Warm(ctx)
	}
	return errs.New(errs.Invalid, "Usage : api [--warm]")
}

// describe returns the text of an error for the operator: its public message, or else the
// whole error.
func describe(err error) string {
	var known *errs.Error
	if errors.As(err, &known) && known.Public != "" {
		return known.Public
	}
	return err.Error()
}

// run serves requests until ctx ends.
func run(ctx context.Context, environ map[string]string) (err error) {
	cfg, err := config.LoadAPI(environ)
	if err != nil {
		return err
	}
	figures := observe.NewRegistry()
	log := observe.Counting(observe.Logger(os.Stderr, "api", cfg.LogLevel), figures, observe.API)
	limitHeap(log)
	relay.LogTo(log)
	if confine.Landlock() == 0 {
		log.Warn("the kernel has no Landlock: the children that read PDFs are confined without it, and can open files")
	}
	ctx, stop := context.WithCancel(ctx)
	var serving atomic.Pointer[httpapi.Server]
	measured, err := observe.Serve(ctx, cfg.Metrics, figures, func() bool { s := serving.Load(); return s != nil && s.Ready() }, log)
	if err != nil {
		stop()
		return err
	}
	defer func() { stop(); <-measured }()
	traced, err := trace.Open(ctx, trace.Settings{URL: cfg.TracesURL, Process: "api"},
		func(err error) { log.Warn("traces lost", "error", err) })
	if err != nil {
		return err
	}
	defer func() { sendTraces(traced) }()
	db, err := postgres.OpenFor(ctx, cfg.DatabaseURL, postgres.Program{Name: "api", Connections: cfg.Database, Waiting: postgres.LogWaiting(log)})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.CheckMigrated(ctx); err != nil {
		return err
	}
	events, err := relay.Open(cfg.RedisURL, log)
	if err != nil {
		return err
	}
	work, err := queue.NewClient(cfg.RedisURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, work.Close()) }()
	if away := work.Ping(ctx); away != nil { // the catalogue can be read without it
		log.Warn("redis does not serve: questions wait until it does", "error", away)
	}
	limits, err := ratelimit.Open(cfg.RedisURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, limits.Close()) }()
	server, err := newServer(cfg, log)
	if err != nil {
		return err
	}
	server.DB, server.Relay, server.Queue = db, events, work
	server.Workers, server.Askers = work.Workers, questionAskers
	setLimits(server, limits, cfg)
	server.Checks = requiredChecks(db, work, limits, events)
	drawn := enableFiles(ctx, server, log)
	defer drawn()
	optional, err := titleChecks(cfg, db, log)
	if err != nil {
		return err
	}
	server.Checks = append(append(server.Checks, optional...), modelChecks(cfg)...)
	if cfg.MilvusURL != "" {
		store := &milvus.Store{Address: cfg.MilvusURL, Key: cfg.MilvusKey}
		defer func() { err = errors.Join(err, store.Close()) }()
		server.Checks = append(server.Checks, httpapi.Check{Name: "milvus", Ping: func(ctx context.Context) error { return searchable(ctx, store, db) }})
	}
	observe.Sample(figures, sample(db, events, server.Checks))
	ln, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return errs.Wrap(errs.Unavailable, fmt.Sprintf("L’adresse %s (VIGUEUR_LISTEN) ne peut pas être écoutée : %v", cfg.Listen, err), err)
	}
	log.Info("listening", "address", ln.Addr().String())
	serving.Store(server)
	return serve(ctx, server, events, ln)
}

// lastTraces is the timeout for sending pending spans at exit.
const lastTraces = 3 * time.Second

// sendTraces sends pending spans. Its failures were logged.
func sendTraces(closing func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), lastTraces)
	defer cancel()
	_ = closing(ctx)
}

// serve runs the server and the relay. The relay stops last, because streams may need it
// until the server has stopped.
func serve(ctx context.Context, server *httpapi.Server, events *relay.Relay, ln net.Listener) error {
	listening, stop := context.WithCancel(context.WithoutCancel(ctx))
	var waitGroup sync.WaitGroup
	var relayed error
	waitGroup.Go(func() { relayed = events.Run(listening) })
	err := server.Serve(ctx, ln)
	stop()
	waitGroup.Wait()
	return errors.Join(err, relayed)
}
