package main

import (
	"fmt"
	"time"

	"vigueur/e2e/browser"
	"vigueur/scripts/benchmark/report"
)

// device is what somebody comes with: a window, and how large its letters are in percent.
type device struct {
	name          string
	width, height int64
	letters       int
}

var devices = []device{{"360", 360, 740, 100}, {"360_letters_200", 360, 740, 200}, {"1280", 1280, 800, 100}}

// arrival notes when a guest can type a question, and what had been loaded by then.
const arrival = `addEventListener("DOMContentLoaded", () => {
	document.documentElement.style.fontSize = "%d%%"
	const look = () => {
		if (!document.querySelector("#guest-question")?.checkVisibility({ visibilityProperty: true })) return void setTimeout(look, 20)
		const all = performance.getEntriesByType("resource")
		const sum = (ending) => all.filter((e) => new URL(e.name).pathname.endsWith(ending)).reduce((n, e) => n + e.encodedBodySize, 0) / 1000
		window.arrived = { Ready: performance.now(), JS: sum(".js"), CSS: sum(".css") }
	}
	look()
})`

// until is an expression: the milliseconds from doing something until something is so.
func until(act, so string) string {
	return `new Promise((resolve, reject) => {
		const begun = performance.now()
		` + act + `
		const look = () => (` + so + `) ? resolve(performance.now() - begun) : performance.now() > begun + 30_000 ? reject(new Error("not so in time")) : setTimeout(look, 10)
		look()
	})`
}

// visits measures a guest's first minute on each device, over a line of 400 kbit/s and with a processor four times as slow,
// nothing kept from before: until a question can be typed, from asking to the first words of the answer, from the mark of a
// source to its cited words, and the longest task of all that.
func (v *visit) visits(r *report.Report) error {
	for _, d := range devices {
		if err := v.firstMinute(r, d); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}

func (v *visit) firstMinute(r *report.Report, d device) error {
	tab, err := v.chrome.Tab(v.url)
	if err != nil {
		return err
	}
	defer tab.Close()
	err = inOrder(func() error { return tab.Size(d.width, d.height) }, func() error { return tab.Before(fmt.Sprintf(arrival, d.letters)) },
		tab.Cold, tab.SlowNetwork, func() error { return tab.Slow(4) })
	if err != nil {
		return err
	}
	var first struct{ Ready, JS, CSS float64 }
	var words, source float64
	var wide int64
	tasks, err := tab.Tasks(func() (err error) {
		if err := inOrder(func() error { return tab.Open("/") }, func() error { return tab.Await(`window.arrived`) }); err != nil {
			return err
		}
		if first, err = browser.Eval[struct{ Ready, JS, CSS float64 }](tab, `window.arrived`); err != nil {
			return err
		}
		if err := tab.Type("#guest-question", asked); err != nil {
			return err
		}
		if words, err = browser.Eval[float64](tab, until(`document.querySelector("#guest-question").form.requestSubmit()`, `document.querySelector(".answer .prose")?.textContent.trim()`)); err != nil {
			return err
		}
		if err := tab.Await(ended); err != nil {
			return err
		}
		source, err = browser.Eval[float64](tab, until(`document.querySelector(".answer .cite").click()`, `document.querySelector(".source blockquote mark")?.checkVisibility({ visibilityProperty: true })`))
		return err
	})
	if err != nil {
		return err
	}
	if wide, err = browser.Eval[int64](tab, `document.documentElement.scrollWidth`); err != nil {
		return err
	}
	var longest, long time.Duration
	for _, t := range tasks {
		longest = max(longest, t.Worked)
		if t.Worked > 50*time.Millisecond {
			long += t.Worked
		}
	}
	for _, f := range []struct {
		name        string
		value, goal float64
		unit        string
	}{
		{"usable", first.Ready, 5000, "ms"}, {"first_words", words, 3000, "ms"}, {"source", source, 2000, "ms"},
		{"longest_task", float64(longest.Milliseconds()), 200, "ms of the processor"}, {"long_tasks", float64(long.Milliseconds()), 0, "ms of the processor in tasks of more than 50 ms"},
		{"wide", float64(wide), float64(d.width), "px"}, {"js", first.JS, 45, "KB"}, {"css", first.CSS, 15, "KB"},
	} {
		name := f.name + "_" + d.name
		r.Figure(name, f.value, f.unit)
		if f.goal > 0 {
			r.Goal(name, report.AtMost, f.goal)
		}
	}
	return nil
}
