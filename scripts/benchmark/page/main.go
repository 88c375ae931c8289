// Command page measures the web page in Chromium: what it loads at first, when it can be used, and whether it stays quick.
//
// It sets up a whole system of its own with the sample gazettes and a model that writes 2,000 tokens. Its parts (-only):
// visits is a guest's first minute on a phone, on a phone with letters of 200 %, and on a desk, over 400 kbit/s and with the
// processor slowed four times: usable until a question can be typed, first_words from asking to the answer, source from its mark
// to the cited words, longest_task by the processor (of the browser's trace), wide the page's width, js and css what was loaded
// when it was usable, compressed, in kilobytes of 1,000 bytes. tasks takes ten errands of a citizen and an operator with a hand
// that never waits, and prints their clicks, keys, scrolls and seconds. stream is the longest task of the page while a long
// answer streams, slowed the same (three tasks of each answer are told). The others take longer than three minutes:
// follow tells the share of the citations of the sample's questions, and with -real of questions on real gazettes, whose marked words
// in the PDF are, letter by letter, the excerpt, of pages whose own words the service took; of those that it read by recognition
// (read_citations) nothing in the file says what is printed where, and read_marked_share is how many have anything marked;
// endure tells by memory_mb what the heap of the tab grew by over the last four fifths of many answers, each in a conversation of its own, when
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
	pictures           string
	within             time.Duration
	functions          bool
}

func main() {
	var o options
	flag.IntVar(&o.questions, "questions", 40, "questions of each set whose citations are followed, at most")
	flag.IntVar(&o.answers, "answers", 500, "answers over which the tab's memory is watched")
	flag.StringVar(&o.real, "real", "", "folder with qa/ (questions) and pdfs/ (the gazettes that they are about)")
	flag.StringVar(&o.only, "only", "visits,tasks,stream", "what is measured, of these and follow and endure")
	flag.StringVar(&o.pictures, "pictures", "", "folder for a picture of the end of each task")
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
	// The law of two countries, of which a reader chooses one.
	err = s.Query(ctx, `WITH one AS (UPDATE documents SET countries = CASE WHEN title ILIKE '%code du travail%' THEN '{bj}'::text[] ELSE '{tg}' END RETURNING id),
		changed AS (INSERT INTO catalogue_changes (document_id) SELECT id FROM one RETURNING 1) SELECT count(*) FROM changed`, new(int))
	if err != nil {
		return err
	}
	questions, err := sampleQuestions(o.questions)
	if err != nil {
		return err
	}
	if o.real != "" {
		more, err := realQuestions(ctx, s, o.real, o.questions)
		if err != nil {
			return err
		}
		questions = append(questions, more...)
	}
	s.Model(pace)
	if err := s.AddUser(ctx, editor, "editor"); err != nil {
		return err
	}
	for name, value := range map[string]string{"VIGUEUR_PUBLIC_CATALOGUE": "true", "VIGUEUR_GUEST_QUESTIONS": "100", "VIGUEUR_SIGNUP_DOMAINS": signupDomain, "VIGUEUR_SENTENCES": "false"} {
		s.Set(name, value)
	}
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
	v := &visit{stage: s, chrome: chrome, url: api.URL, functions: o.functions, pictures: o.pictures}
	r := report.New("page", report.ThisMachine())
	for _, part := range strings.Split(o.only, ",") {
		measure, known := map[string]func() error{
			"visits": func() error { return v.visits(r) }, "tasks": func() error { return v.tasks(ctx, r) }, "stream": func() error { return v.stream(r) },
			"follow": func() error { return v.follow(ctx, r, questions) }, "endure": func() error { return v.endure(ctx, r, o.answers) },
		}[part]
		if !known {
			return fmt.Errorf("%s: only visits, tasks, stream, follow and endure are measured", part)
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

	functions bool   // tell what ran in the longest tasks
	pictures  string // folder
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
