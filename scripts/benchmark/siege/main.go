// Command siege attacks a service in the ways in which one client could stop it, and measures what that costs those who
// use it as people do.
//
// Its second part are attacks from one address (attacks.go): bodies that come byte by byte, large bodies that stay
// incomplete, sign-ins with made-up addresses and with the right password, searches of a long history, earlier turns full
// of references, requests full of faults, texts full of marks, files that come byte by byte, and a public text as of any day;
// each, and all at once, against the API alone or behind nginx or Caddy with the samples of deployments/proxies (-targets), while 50 honest clients
// sign in, ask and read. Their p99 must stay within three times that of the same target in peace, none of them may get a
// 5xx, and the API's memory must stay below -memory. The last line has the worst of all: honest_p99_ratio, honest_5xx and
// peak_mb.
//
// Its first part holds connections open that ask for nothing.
//
// It sets up a whole system of its own with an API, a worker and the sample gazettes, and asks questions one after the
// other: first of the calm system, then while 3,000 connections that have asked once are kept open, 3,000 never send a
// byte, and 500 send their request a byte a second. What the API closes comes back at once. The time to the first
// chunk of an answer must stay within twice its idle value at the 99th percentile, in the same run on the same machine;
// the memory is what the API's process has more in RAM than before. Besiegers and besieged share the machine's cores.
//
// The connections come from many addresses of 127.0.0.0/8, because one has too few ports; the API takes loopback for a
// proxy that speaks for many, so the bound on one network is not what is measured. Where the process may not open so many
// files the crowds are smaller, each by as much, and the figures say how many there were.
//
// That takes three minutes, of the API alone. Before a release: -targets api,nginx,caddy -attack 20s -span 100s -questions 500
// -idle 10000 -silent 10000 -slow 1000, half an hour.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
	"vigueur/scripts/corpora"
)

func main() {
	questions := flag.Int("questions", 150, "questions to ask, before the siege and in it")
	idle := flag.Int("idle", 3000, "connections that have asked once")
	silent := flag.Int("silent", 3000, "connections that never send a byte")
	slow := flag.Int("slow", 500, "connections that send a byte a second")
	targets := flag.String("targets", "api", "what is attacked, of api,nginx,caddy")
	attackSpan := flag.Duration("attack", 4*time.Second, "how long each attack lasts; 0: none")
	only := flag.String("only", "", "the attacks that are made, by their names; empty: each, and all at once")
	memory := flag.Float64("memory", 512, "MB that the API may take in the attacks")
	span := flag.Duration("span", 32*time.Second, "over which the questions are spread, both times; the server's deadlines are 30 and 75 s")
	wage := flag.String("wage", "", "attack as told, until the standard input ends (the benchmark starts itself so)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *wage != "" {
		if err := obey(ctx, *wage); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1) //nolint:gocritic // nothing is left to stop
		}
		return
	}
	attacked := assault{strings.Split(*targets, ","), *attackSpan, *memory, *only}
	if err := run(ctx, asking{*questions, *span}, crowds{*idle, *silent, *slow}, attacked); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// assault is what is attacked, how long each attack lasts, how many MB the API may take, and which attacks are made.
type assault struct {
	targets []string
	span    time.Duration
	memory  float64
	only    string
}

// asking is how many questions are asked, over how long.
type asking struct {
	questions int
	span      time.Duration
}

// crowds are how many connections there are of each kind.
type crowds struct{ idle, silent, slow int }

func (c crowds) all() int { return c.idle + c.silent + c.slow }

// fit makes the crowds as much smaller, each, as the files that a process may open
// ask for; the API has some for itself.
func (c crowds) fit(files int) crowds {
	const others = 1500
	if room := files - others; c.all() > room {
		share := float64(max(room, 0)) / float64(c.all())
		return crowds{int(share * float64(c.idle)), int(share * float64(c.silent)), int(share * float64(c.slow))}
	}
	return c
}

// openFiles raises the number of files that this process and its children may open to
// what is needed, where it may, and gives how many they are.
func openFiles(needed int) int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1024 // what every process may
	}
	most := max(limit.Max, uint64(needed))
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: most, Max: most}); err == nil {
		return int(most)
	}
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit.Max, Max: limit.Max}) // so that children have as many
	return int(limit.Max)
}

func run(ctx context.Context, how asking, wanted crowds, attacked assault) (err error) {
	size := wanted.fit(openFiles(wanted.all() + 2000))
	r := report.New("siege", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.IngestSample(ctx); err != nil {
		return err
	}
	if _, err = s.Worker(ctx, nil); err != nil {
		return err
	}
	s.Set("VIGUEUR_TRUSTED_PROXIES", "127.0.0.0/8")
	s.Set("VIGUEUR_PUBLIC_CATALOGUE", "true")
	s.Set("VIGUEUR_GUEST_QUESTIONS", "20")
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	if how.questions > 0 {
		if err := crowd(ctx, s, api, how, size, wanted, r); err != nil {
			return err
		}
	}
	if attacked.span > 0 {
		all, err := campaign(ctx, s, api, attacked, r)
		if err != nil {
			return err
		}
		r.Figure("honest_p99_ratio", all.ratio, "p99 of honest clients in the worst attack, of that in peace")
		r.Goal("honest_p99_ratio", report.AtMost, 3)
		r.Figure("honest_5xx", float64(all.faults), "failures of honest clients in the worst attack")
		r.Goal("honest_5xx", report.AtMost, 0)
		r.Figure("peak_mb", all.peak, "MB of the API in RAM")
		r.Goal("peak_mb", report.AtMost, attacked.memory)
	}
	return r.Print(os.Stdout)
}

// crowd measures questions in peace, and while connections are held open that ask for nothing.
func crowd(ctx context.Context, s *stage.Stage, api *stage.Process, how asking, size, wanted crowds, r *report.Report) error {
	client, err := s.Client(ctx, api)
	if err != nil {
		return err
	}
	calm, err := measure(ctx, client, how)
	if err != nil {
		return err
	}
	before, err := report.Resident(api.PID())
	if err != nil {
		return err
	}
	siege, err := lay(ctx, api.URL[len("http://"):], size)
	if err != nil {
		return err
	}
	besieged, err := measure(ctx, client, how)
	if err != nil {
		siege.lift()
		return fmt.Errorf("in the siege: %w", err)
	}
	during, err := report.Resident(api.PID())
	held := siege.held.Load()
	siege.lift()
	if err != nil {
		return err
	}
	r.Figure("idle", float64(size.idle), fmt.Sprintf("connections, of %d", wanted.idle))
	r.Figure("silent", float64(size.silent), fmt.Sprintf("connections, of %d", wanted.silent))
	r.Figure("slow", float64(size.slow), fmt.Sprintf("connections, of %d", wanted.slow))
	r.Figure("held", float64(held), "connections open at the end of it")
	r.Figure("came_back", float64(siege.returns.Load()), "connections that were closed and came back")
	r.Figure("refused", float64(siege.refused.Load()), "connections that were refused")
	r.Figure("calm_p50_ms", report.Quantile(calm, .5), "ms")
	r.Figure("calm_p99_ms", report.Quantile(calm, .99), "ms")
	r.Figure("p50_ms", report.Quantile(besieged, .5), "ms")
	r.Figure("p99_ms", report.Quantile(besieged, .99), "ms")
	r.Goal("p99_ms", report.AtMost, 2*report.Quantile(calm, .99))
	r.Figure("calm_mib", float64(before)/1024, "MiB in RAM")
	r.Figure("mib", float64(during)/1024, "MiB in RAM")
	r.Figure("kib_per_connection", float64(during-before)/float64(max(held, 1)), "KiB")
	return nil
}

// measure asks questions one after the other, at one pace if each is answered in time,
// and some before that do not count; it gives the time to the first chunk of each.
func measure(ctx context.Context, client *stage.Client, how asking) ([]time.Duration, error) {
	questions, err := corpora.SampleQuestions(stage.Root())
	if err != nil {
		return nil, err
	}
	const warm = 20 // connections, caches and the garbage collector's pace
	var times []time.Duration
	pace := time.NewTicker(max(how.span/time.Duration(max(how.questions, 1)), time.Millisecond))
	defer pace.Stop()
	for i := range how.questions + warm {
		if i >= warm {
			<-pace.C
		}
		a, err := client.Ask(ctx, questions[i%len(questions)], nil)
		if err != nil {
			return nil, err
		}
		if !a.Ended || a.First == 0 {
			return nil, fmt.Errorf("no answer to %q: %s", questions[i%len(questions)], a.Error)
		}
		if i >= warm {
			times = append(times, a.First)
		}
	}
	return times, nil
}
