package main

import (
	"fmt"
	"io"
	"time"

	"vigueur/internal/kit/terminal"
)

// bar shows the pages of all files as one bar, on one line of the terminal.
type bar struct {
	*terminal.Bar
	since time.Time // time at which the first page was done
}

func newBar(w io.Writer) *bar { return &bar{Bar: terminal.NewBar(w)} }

func (b *bar) admit(n, of int, next string) {
	b.Draw(fmt.Sprintf("Ajout %d/%d :", n+1, of), next, "", n, of)
}

// show draws the bar. The bar is not full while a file is pending, because texts are segmented after the last page,
// and the number of pages of waiting files is unknown.
func (b *bar) show(files []*added) {
	ended, name, running := 0, "", false
	for _, f := range files {
		if !f.pending() {
			ended++
		} else if name == "" || f.State == "running" && !running {
			name, running = f.File, f.State == "running"
		}
	}
	done, ahead := pages(files)
	if name == "" {
		b.fill(len(files), done)
		return
	}
	speed := ""
	if b.since.IsZero() {
		b.since = time.Now()
	} else if took := time.Since(b.since); done > 0 {
		speed = ", " + rate(done, took) + ", " + left(ahead, done, took)
	}
	b.Draw(fmt.Sprintf("%d/%d", ended+1, len(files)), name, speed, done, max(done+ahead, done+1))
}

// fill draws a full bar once every file has ended. If no page was read, or nothing had to be waited for, it draws
// none.
func (b *bar) fill(files, done int) {
	if b.since.IsZero() || b.Full || done == 0 {
		return
	}
	b.Full = true
	b.Draw(count(files, "fichier"), "", ", "+rate(done, time.Since(b.since)), done, done)
}

func (b *bar) say(sentence string) { b.Say(sentence) }

func (b *bar) end() { b.End() }
