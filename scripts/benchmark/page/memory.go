package main

import (
	"context"
	"encoding/json"
	"fmt"

	"vigueur/e2e/browser"
	"vigueur/scripts/benchmark/report"
)

// flat is by how many megabytes the tab may grow: a page that kept its answers,
// some ten kilobytes each with what is drawn of them, would grow by more over 400.
const flat = 2

// Parts of the endurance: how many answers are watched at a time, and how many are asked for
// in one breath, so that none of the tab's steps takes longer than it may.
const (
	parts  = 5
	breath = 10
)

// byQuotations has the next conversation answered so; the page forgets it with its first question.
const byQuotations = `sessionStorage.setItem("vigueur.filters.new", JSON.stringify({model: "extractif"}))`

// endure watches what the tab holds while many questions are asked, each in a conversation of
// its own. The page itself is made to ask them, by quotations: keys pressed from outside and
// answers written by a model would take hours.
func (v *visit) endure(ctx context.Context, r *report.Report, answers int) error {
	tab, err := v.signedIn()
	if err != nil {
		return err
	}
	defer tab.Close()
	if _, err := browser.Eval[any](tab, byQuotations); err != nil {
		return err
	}
	if err := inOrder(func() error { return tab.Open("/") }, func() error { return tab.Has(".box .chip.on") }); err != nil {
		return err
	}
	var first, last browser.Held
	for done := 0; done < answers; {
		until := done + max(1, answers/parts)
		for done < min(until, answers) {
			n := min(breath, until-done, answers-done)
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, err := browser.Eval[any](tab, asking(n, "Quel est le préavis d’un cadre ?")); err != nil {
				return err
			}
			done += n
		}
		if last, err = tab.Held(); err != nil {
			return err
		}
		if first.Bytes == 0 {
			first = last
		}
		fmt.Printf("%d answers: %.2f MB, %d nodes, %d of them in no document, %d listeners\n", done, last.Bytes/1e6, last.Nodes, last.Detached, last.Listeners)
	}
	r.Figure("answers", float64(answers), "")
	r.Figure("heap_mb", last.Bytes/1e6, "MB")
	r.Figure("memory_mb", (last.Bytes-first.Bytes)/1e6, "MB")
	r.Goal("memory_mb", report.AtMost, flat)
	r.Figure("detached_nodes", float64(last.Detached), "")
	return nil
}

// asking is an expression that asks so many questions by the page's own form, each in a new
// conversation and to be answered by quotations, and is settled when the last one is drawn.
func asking(n int, question string) string {
	quoted, err := json.Marshal(question)
	if err != nil {
		panic(err) // a string has a spelling
	}
	return fmt.Sprintf(`(async () => {
		const until = (so) => new Promise((come, lost) => {
			const end = performance.now() + 50_000
			const look = () => so() ? come() : performance.now() > end ? lost(new Error(so + " of " + document.body.innerText)) : setTimeout(look, 5)
			look()
		})
		for (let i = 0; i < %d; i++) {
			const box = document.querySelector("#question")
			box.value = %s
			box.dispatchEvent(new Event("input", {bubbles: true}))
			await until(() => box.form.querySelector("[type=submit]:enabled"))
			box.form.requestSubmit()
			await until(() => %s)
			%s
			document.querySelector(".side-head a.button").click()
			await until(() => location.pathname === "/" && !document.querySelector(".answer") && document.querySelector(".box .chip.on"))
		}
	})()`, n, quoted, ended, byQuotations)
}
