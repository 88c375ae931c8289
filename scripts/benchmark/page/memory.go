package main

import (
	"context"

	"vigueur/e2e/browser"
	"vigueur/scripts/benchmark/report"
)

// flat is by how many megabytes the tab may grow: a page that kept its answers,
// some ten kilobytes each with what is drawn of them, would grow by more over 375.
const flat = 2

// endure watches the tab's heap while many questions are asked, each in a
// conversation of its own.
func (v *visit) endure(ctx context.Context, r *report.Report, answers int) error {
	tab, err := v.signedIn()
	if err != nil {
		return err
	}
	defer tab.Close()
	_, err = browser.Eval[any](tab, `sessionStorage.setItem("vigueur.filters.new", JSON.stringify({model: "extractif"}))`)
	if err != nil {
		return err
	}
	if err := tab.Open("/"); err != nil {
		return err
	}
	var first float64
	for i := range answers {
		err := inOrder(ctx.Err, func() error { return ask(tab, "Quel est le préavis d’un cadre ?") }, func() error { return tab.Press("Nouvelle question") },
			func() error { return tab.Await(`location.pathname === "/" && !document.querySelector(".answer")`) })
		if err != nil {
			return err
		}
		if i == answers/4 {
			if first, err = tab.Heap(); err != nil {
				return err
			}
		}
	}
	last, err := tab.Heap()
	if err != nil {
		return err
	}
	r.Figure("answers", float64(answers), "")
	r.Figure("heap_mb", last/1e6, "MB")
	r.Figure("memory_mb", (last-first)/1e6, "MB")
	r.Goal("memory_mb", report.AtMost, flat)
	return nil
}
