// Command procfile starts the lines of a Procfile and keeps them running: every line of output carries the
// name of the process it came from, and a process that ends is started again, after a delay that doubles until
// it stays. When this program is told to end (SIGINT, SIGTERM, SIGHUP), all end: SIGTERM first, SIGKILL after
// the grace period. So they do when a process ends by itself right after its first start, for it cannot start.
//
// Each process leads a process group of its own, so its children go with it, and the kernel kills it
// should this program die without a word (SIGKILL): nothing is left behind in any case.
//
// A line is run by the shell as "exec COMMAND", so it is one command; several go into a script or sh -c '…'.
//
// The exit code is that of the process that could not start (1 if it ended with 0), 0 when all ended because
// they were told to, 2 for a Procfile or a flag that cannot be read.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

func main() {
	// The kernel's word "kill it when its parent dies" means the parent's thread: processes are started from
	// this one, and it stays.
	runtime.LockOSThread()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run reads flags, Procfile and settings, starts everything and returns the exit code.
func run(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	options, err := readFlags(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	var processes []process
	if err == nil {
		processes, err = load(options.procfile, options.counts)
	}
	var settings []string
	if err == nil {
		settings, err = readSettings(options.settings, environ)
	}
	if err != nil {
		fmt.Fprintln(stderr, "procfile:", err)
		return 2
	}
	g := group{
		environ: append(environ, settings...),
		out:     newMultiplexer(stdout, processes, options.color),
		log:     stderr,
		grace:   options.grace,
		settled: options.settled,
		delay:   options.delay,
	}
	return g.run(ctx, processes)
}

type options struct {
	procfile string
	settings string
	counts   counts
	color    bool
	grace    time.Duration
	settled  time.Duration
	delay    time.Duration
}

func readFlags(args []string, stderr io.Writer) (options, error) {
	o := options{counts: counts{}}
	flags := flag.NewFlagSet("procfile", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.procfile, "f", "Procfile", "the `file` with the lines to start")
	flags.StringVar(&o.settings, "env", "", "a `file` of KEY=VALUE lines; the environment wins over it")
	flags.Var(o.counts, "c", "how many of a line to start, as `name=number`; may be repeated")
	flags.BoolVar(&o.color, "color", false, "color the names")
	flags.DurationVar(&o.grace, "grace", 10*time.Second, "time between SIGTERM and SIGKILL")
	flags.DurationVar(&o.settled, "settled", 10*time.Second, "a process that lives this long has started")
	flags.DurationVar(&o.delay, "delay", time.Second, "time before the first restart of a process; doubled after each failure")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return o, nil
}
