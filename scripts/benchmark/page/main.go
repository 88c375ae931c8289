// Command page measures the web page in Chromium: what it loads at first, when it can be used, and whether it stays quick.
//
// It sets up a whole system of its own with the sample gazettes and a model that writes 2,000 tokens. js_kb and css_kb
// are what a signed-in reader's first screen loads, compressed, in kilobytes of 1,000 bytes, before any PDF;
// interactive_ms is from the navigation, with nothing cached and the processor slowed four times, to the question box
// that can be typed into, the median of several loads; longest_task_ms the longest task of the page while the answer
// streams, slowed the same (by the processor, of the browser's trace: five tasks of each answer are told); highlight_share the share of the
// citations of the sample's questions, and with -real of questions on real gazettes, whose marked words in the PDF are,
// letter by letter, the excerpt, of pages whose own words the service took; of those that it read by recognition
// (read_citations) nothing in the file says what is printed where, and read_marked_share is how many have anything marked;
// memory_mb what the heap of the tab grew by over the last four fifths of many answers, each in a conversation of its own, when
// the garbage is gone (one line for each fifth tells it, with the nodes, those in no document among them, and the listeners).
//
// Each wait ends by itself; what cannot be shown in time is a citation that is not right, and said.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// pace writes as fast as a quick model does.
var pace = stage.Pace{First: 200 * time.Millisecond, Each: 5 * time.Millisecond, Tokens: 2000}

type options struct {
	questions, answers int
	real, only         string
	within             time.Duration
	functions          bool
}

func main() {
	var o options
	flag.IntVar(&o.questions, "questions", 40, "questions of each set whose citations are followed, at most")
	flag.IntVar(&o.answers, "answers", 500, "answers over which the tab's memory is watched")
	flag.StringVar(&o.real, "real", "", "folder with qa/ (questions) and pdfs/ (the gazettes that they are about)")
	flag.StringVar(&o.only, "only", "load,stream,follow,endure", "what is measured")
	flag.BoolVar(&o.functions, "functions", false, "tell what ran in the longest tasks; this lengthens them")
	flag.DurationVar(&o.within, "within", time.Hour, "give up after this long")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	ctx, cancel := context.WithTimeout(ctx, o.within)
	defer cancel()
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.IngestSample(ctx); err != nil {
		return err
	}
	asked, err := sampleQuestions(o.questions)
	if err != nil {
		return err
	}
	if o.real != "" {
		more, err := realQuestions(ctx, s, o.real, o.questions)
		if err != nil {
			return err
		}
		asked = append(asked, more...)
	}
	s.Model(pace)
	if _, err := s.Worker(ctx, nil); err != nil {
		return err
	}
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	chrome, err := browser.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, chrome.Close()) }()
	v := &visit{stage: s, chrome: chrome, url: api.URL, functions: o.functions}
	r := report.New("page", report.ThisMachine())
	for _, part := range strings.Split(o.only, ",") {
		measure, known := map[string]func() error{
			"load": func() error { return v.load(r) }, "stream": func() error { return v.stream(r) },
			"follow": func() error { return v.follow(ctx, r, asked) }, "endure": func() error { return v.endure(ctx, r, o.answers) },
		}[part]
		if !known {
			return fmt.Errorf("%s: only load, stream, follow and endure are measured", part)
		}
		if err := measure(); err != nil {
			return fmt.Errorf("%s: %w", part, err)
		}
	}
	return r.Print(os.Stdout)
}

// visit is a reader at the page.
type visit struct {
	stage  *stage.Stage
	chrome *browser.Browser
	url    string

	functions bool // tell what ran in the longest tasks
}

// signedIn opens a tab in which the reader is signed in, at the question box.
func (v *visit) signedIn() (*browser.Tab, error) {
	tab, err := v.chrome.Tab(v.url)
	if err != nil {
		return nil, err
	}
	email, password := v.stage.Account()
	err = inOrder(func() error { return tab.Open("/connexion") }, func() error { return tab.Type("input[name=email]", email) },
		func() error { return tab.Type("input[name=password]", password) }, func() error { return tab.Key("\r") },
		func() error { return tab.Has("#question") })
	if err != nil {
		tab.Close()
		return nil, err
	}
	return tab, nil
}

// inOrder takes steps one after the other, up to the first that fails: what comes
// behind it would only wait for what does not come.
func inOrder(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

const ended = `["done", "failed"].includes([...document.querySelectorAll(".answer")].at(-1)?.dataset.phase)`

// ask asks a question in a tab, and waits for the end of the answer.
func ask(tab *browser.Tab, question string) error {
	return inOrder(func() error { return tab.Type("#question", question) }, func() error { return tab.Key("\r") },
		func() error { return tab.Await(ended) })
}
