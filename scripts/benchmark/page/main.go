// Command page measures the web page in Chromium: what it loads at first, when it can be used, and whether it stays quick.
//
// It sets up a whole system of its own with the sample gazettes and a model that writes 2,000 tokens. js_kb and css_kb
// are what a signed-in reader's first screen loads, compressed, in kilobytes of 1,000 bytes, before any PDF;
// interactive_ms is from the navigation, with nothing cached and the processor slowed four times, to the question box
// that can be typed into; longest_task_ms the longest task of the page while the answer streams, slowed the same;
// highlight_share the share of the citations of the sample's questions whose marked words in the PDF are, letter by
// letter, the excerpt; memory_mb what the heap of the tab grew by over many answers.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// pace writes as fast as a quick model does.
var pace = stage.Pace{First: 200 * time.Millisecond, Each: 5 * time.Millisecond, Tokens: 2000}

func main() {
	questions := flag.Int("questions", 20, "sample questions whose citations are followed")
	answers := flag.Int("answers", 60, "answers over which the tab's memory is watched")
	flag.Parse()
	if err := run(context.Background(), *questions, *answers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, questions, answers int) (err error) {
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.IngestSample(ctx); err != nil {
		return err
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
	v := &visit{stage: s, chrome: chrome, url: api.URL}
	r := report.New("page", report.ThisMachine())
	for _, measure := range []func(*report.Report) error{v.load, v.stream, func(r *report.Report) error { return v.follow(r, questions) },
		func(r *report.Report) error { return v.endure(r, answers) }} {
		if err := measure(r); err != nil {
			return err
		}
	}
	return r.Print(os.Stdout)
}

// visit is a reader at the page.
type visit struct {
	stage  *stage.Stage
	chrome *browser.Browser
	url    string
}

// signedIn opens a tab in which the reader is signed in, at the question box.
func (v *visit) signedIn() (*browser.Tab, error) {
	tab, err := v.chrome.Tab(v.url)
	if err != nil {
		return nil, err
	}
	email, password := v.stage.Account()
	return tab, errors.Join(tab.Open("/connexion"), tab.Type("input[name=email]", email), tab.Type("input[name=password]", password),
		tab.Key("\r"), tab.Has("#question"))
}

// load measures the first load.
func (v *visit) load(r *report.Report) error {
	tab, err := v.signedIn()
	if err != nil {
		return err
	}
	defer tab.Close()
	if err := errors.Join(tab.Cold(), tab.Slow(4), tab.Open("/"), tab.Has("#question")); err != nil {
		return err
	}
	loaded, err := browser.Eval[struct{ JS, CSS, Ready float64 }](tab, `(() => {
		const all = performance.getEntriesByType("resource")
		const sum = (ending) => all.filter((e) => new URL(e.name).pathname.endsWith(ending)).reduce((n, e) => n + e.encodedBodySize, 0) / 1000
		return {JS: sum(".js"), CSS: sum(".css"), Ready: performance.getEntriesByName("vigueur.ready")[0].startTime}
	})()`)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name        string
		value, goal float64
		unit        string
	}{{"js_kb", loaded.JS, 60, "KB"}, {"css_kb", loaded.CSS, 15, "KB"}, {"interactive_ms", loaded.Ready, 1500, "ms"}} {
		r.Figure(f.name, f.value, f.unit)
		r.Goal(f.name, report.AtMost, f.goal)
	}
	return nil
}

const ended = `["done", "failed"].includes([...document.querySelectorAll(".answer")].at(-1)?.dataset.phase)`

// stream measures the longest task while a long answer comes.
func (v *visit) stream(r *report.Report) error {
	tab, err := v.signedIn()
	if err != nil {
		return err
	}
	defer tab.Close()
	_, err = browser.Eval[any](tab, `void (window.tasks = [], new PerformanceObserver((l) => window.tasks.push(...l.getEntries().map((e) => e.duration))).observe({type: "longtask"}))`)
	if err := errors.Join(err, tab.Slow(4), tab.Type("#question", "Quel est le préavis d’un cadre ?"), tab.Key("\r"), tab.Await(ended)); err != nil {
		return err
	}
	longest, err := browser.Eval[float64](tab, `Math.max(0, ...window.tasks)`)
	r.Figure("longest_task_ms", longest, "ms") // 0: none above 50
	r.Goal("longest_task_ms", report.AtMost, 50)
	return err
}

// question is one of the sample's.
type question struct {
	Question   string
	Date       string
	Answerable bool
}

func sampleQuestions() (list []question, err error) {
	file, err := os.Open(filepath.Join(stage.Root(), "scripts", "sample", "questions.jsonl"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was read only
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, err
		}
		if q.Answerable {
			list = append(list, q)
		}
	}
	return list, nil
}

// follow holds the marked words of each citation against its excerpt.
func (v *visit) follow(r *report.Report, most int) error {
	questions, err := sampleQuestions()
	if err != nil {
		return err
	}
	tab, err := v.signedIn()
	if err != nil {
		return err
	}
	defer tab.Close()
	same, all := 0, 0
	for _, q := range questions[:min(most, len(questions))] {
		filters, err := json.Marshal(map[string]string{"model": "extractif", "date": q.Date})
		if err != nil {
			return err
		}
		kept := `sessionStorage.setItem("vigueur.filters.new", JSON.stringify(Object.fromEntries(Object.entries(` + string(filters) + `).filter(([, v]) => v))))`
		_, err = browser.Eval[any](tab, kept)
		if err := errors.Join(err, tab.Open("/"), tab.Type("#question", q.Question), tab.Key("\r"), tab.Await(ended)); err != nil {
			return err
		}
		n, err := browser.Eval[int](tab, `document.querySelectorAll(".sources li > button").length`)
		if err != nil {
			return err
		}
		for i := range n {
			open := fmt.Sprintf(`document.querySelectorAll(".sources li > button")[%d].click()`, i)
			_, err := browser.Eval[any](tab, open)
			if err := errors.Join(err, tab.Await(`(`+browser.Drawn+`) || document.querySelector(".sheet[data-drawn]") && !document.querySelector(".region")`)); err != nil {
				return err
			}
			words, err := browser.Eval[browser.Words](tab, browser.Highlighted)
			if err != nil {
				return err
			}
			all++
			if words.Same {
				same++
			} else {
				fmt.Printf("%s\n  marked:  %s\n  excerpt: %s\n", q.Question, words.Marked, words.Excerpt)
			}
			if err := errors.Join(tab.Click(".source header button"), tab.Await(`!document.querySelector(".source")`)); err != nil {
				return err
			}
		}
	}
	r.Figure("citations", float64(all), "")
	r.Figure("highlight_share", float64(same)/float64(max(1, all)), "")
	r.Goal("highlight_share", report.AtLeast, 0.98)
	return nil
}

// endure watches the tab's heap while many questions are asked in one conversation.
func (v *visit) endure(r *report.Report, answers int) error {
	tab, err := v.signedIn()
	if err != nil {
		return err
	}
	defer tab.Close()
	_, err = browser.Eval[any](tab, `sessionStorage.setItem("vigueur.filters.new", JSON.stringify({model: "extractif"}))`)
	if err := errors.Join(err, tab.Open("/")); err != nil {
		return err
	}
	var first float64
	for i := range answers {
		err := errors.Join(tab.Press("Nouvelle question"), tab.Await(`location.pathname === "/" && !document.querySelector(".answer")`))
		if err := errors.Join(err, tab.Type("#question", "Quel est le préavis d’un cadre ?"), tab.Key("\r"), tab.Await(ended)); err != nil {
			return err
		}
		if i == answers/4 {
			if first, err = tab.Heap(); err != nil {
				return err
			}
		}
	}
	last, err := tab.Heap()
	r.Figure("answers", float64(answers), "")
	r.Figure("memory_mb", (last-first)/1e6, "MB")
	return err
}
