// Command capacity loads 1 to 4 workers and 2 APIs with answers, gazettes and page loads at once, and plans from it.
//
// It sets up a whole system of its own. Answers are written by a model of a steady pace that takes next to no processor
// (300 ms to the first token, then 50 a second, 200 in all); pages are what the web page asks for, one after the other;
// gazettes are made ones that nobody has printed, with a text layer. Each is measured alone first: what one costs the
// APIs, the workers, PostgreSQL and Redis, in processor time, operations and bytes, less what the idle system costs. Then
// all three together with 1, 2, 3 and 4 workers, and with four that have more places than the machine can serve: a line a
// step, and which part gave first. predicted_share is what the costs of each alone foretell of the processor time of the
// step with all workers, as a share of what it took.
//
// With -table FILE… nothing is loaded: the files hold the last lines of this benchmark and of « search » (for two sizes
// at least), and the tables of docs/capacity.md are printed as Markdown, by the prices and habits that the other flags state.
// With -board FILE.html a real Prometheus looks at such a load, in which a worker dies, for 75 seconds; what the dashboard of
// deployments/monitoring asks is drawn into the file, to be looked at. A query without a series, and an alert's figure that
// no program gave, make it fail.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

type options struct {
	span    time.Duration
	workers int
	loads   float64       // page loads a second in the mixed steps
	every   time.Duration // between two gazettes in the mixed steps
}

func main() {
	var o options
	page := flag.String("board", "", "draw the dashboard from a load, with a real Prometheus, as a page in this file, and measure nothing")
	program := flag.String("prometheus", "prometheus", "the Prometheus program, for -board")
	table := flag.Bool("table", false, "print the tables from the figures in the files that are named, and load nothing")
	flag.DurationVar(&o.span, "span", 8*time.Second, "how long each measurement takes")
	flag.IntVar(&o.workers, "workers", 4, "workers of the last step")
	flag.Float64Var(&o.loads, "loads", 20, "page loads a second in the mixed steps")
	flag.DurationVar(&o.every, "every", 2*time.Second, "time between two gazettes in the mixed steps")
	habits := usual()
	habits.flags(flag.CommandLine)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := error(nil)
	switch {
	case *table:
		err = printTables(os.Stdout, habits, flag.Args())
	case *page != "":
		err = drawBoard(ctx, *program, *page)
	default:
		err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // nothing is left to stop
	}
}

// atOnce is how many answers a worker writes at once.
const atOnce = 16

var pace = stage.Pace{First: 300 * time.Millisecond, Each: 20 * time.Millisecond, Tokens: 200}

// answerTime is how long the model takes for an answer.
var answerTime = pace.First + pace.Each*time.Duration(pace.Tokens-1)

func run(ctx context.Context, o options) (err error) {
	r := report.New("capacity", report.ThisMachine())
	s, err := open(ctx, "")
	if err != nil {
		return err
	}
	defer func() { err = joined(err, s.Close()) }()
	alone, err := s.alone(ctx, o)
	if err != nil {
		return err
	}
	alone.tell(r)
	if err := s.mixed(ctx, r, o, alone); err != nil {
		return err
	}
	return r.Print(os.Stdout)
}
