package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"vigueur/internal/kit/terminal"
)

// lines shows progress as plain lines: each change of state, and every few seconds the
// number of pages of a file that is being read.
type lines struct {
	w         io.Writer
	seen      map[*added]*seen
	admitted  time.Time // time of the last line about added files
	admission string    // that line
}

// seen is the last printed state of a file.
type seen struct {
	state string
	since time.Time // time at which the state began
	last  time.Time // time of the last line about the file
}

// lineEvery is the interval of lines about a file that is being read.
const lineEvery = 5 * time.Second

func newLines(w io.Writer) *lines {
	return &lines{w: w, seen: map[*added]*seen{}, admitted: time.Now()}
}

func (l *lines) admit(n, index int, next string) {
	if line := admitting(n, index, next); time.Since(l.admitted) >= lineEvery && line != l.admission {
		l.admitted, l.admission = time.Now(), line
		l.say(line)
	}
}

// admitting returns a line such as « Ajout 12/3000 : jo-12.pdf ».
func admitting(n, index int, next string) string {
	return fmt.Sprintf("Ajout %d/%d : %s", n+1, index, terminal.Cut(terminal.Line(next), 60))
}

func (l *lines) show(files []*added) {
	now := time.Now()
	for _, f := range files {
		s := l.seen[f]
		if s == nil {
			s = &seen{state: f.State, since: now, last: now}
			l.seen[f] = s
			if f.pending() {
				l.say(f.File + " : " + stateName(f.State))
			}
			continue
		}
		if f.State != s.state {
			if s.state == "queued" {
				s.since = now
			}
			s.state, s.last = f.State, now
			l.say(fmt.Sprintf("%s : %s, %d/%d pages", f.File, stateName(f.State), f.PagesDone, f.PagesTotal))
			continue
		}
		if f.State == "running" && now.Sub(s.last) >= lineEvery {
			s.last = now
			l.say(fmt.Sprintf("%s : %d/%d pages, %s", f.File, f.PagesDone, f.PagesTotal, rate(f.PagesDone-f.base, now.Sub(s.since))))
		}
	}
}

func (l *lines) say(sentence string) { fmt.Fprintln(l.w, terminal.Line(sentence)) }

func (l *lines) end() {}

// rate formats a speed: « 35,2 pages/s ».
func rate(pages int, took time.Duration) string {
	return strings.Replace(fmt.Sprintf("%.1f pages/s", float64(pages)/max(took.Seconds(), 0.001)), ".", ",", 1)
}

// pages returns the number of pages that were read since following began, and an estimate
// of the remaining ones: files that were not opened yet are assumed to have the average
// length of the others.
func pages(files []*added) (done, ahead int) {
	opened, length, unopened := 0, 0, 0
	for _, f := range files {
		done += f.PagesDone - f.base
		if f.PagesTotal > 0 {
			opened++
			length += f.PagesTotal
		}
		switch {
		case f.pending() && f.PagesTotal == 0:
			unopened++
		case f.pending():
			ahead += f.PagesTotal - f.PagesDone
		}
	}
	if opened > 0 {
		ahead += unopened * length / opened
	}
	return done, ahead
}

// left estimates the remaining time, « reste 4 min », from the pages done in a time and the
// remaining pages.
func left(ahead, done int, took time.Duration) string {
	d := time.Duration(float64(took) / float64(done) * float64(ahead))
	switch {
	case d < time.Minute:
		return fmt.Sprintf("reste %d s", int(d.Seconds())+1)
	case d < time.Hour:
		return fmt.Sprintf("reste %d min", int(d.Minutes())+1)
	}
	return fmt.Sprintf("reste %d h %02d", int(d.Hours()), int(d.Minutes())%60)
}

// bar shows the pages of all files on one line of the terminal, which is written again and again.
type bar struct {
	lines
	terminal.Status
	since time.Time // time at which the first page was done
}

func newBar(w io.Writer) *bar {
	return &bar{Status: terminal.Status{Writer: unchanged(w)}, lines: lines{w: w}}
}

func (b *bar) admit(n, index int, next string) { b.Show(admitting(n, index, next)) }

// show writes « 2/3, 40 % (80/200 pages, 35,2 pages/s, reste 4 s) jo.pdf ».
func (b *bar) show(files []*added) {
	ended, name, running := 0, "", false
	for _, f := range files {
		if !f.pending() {
			ended++
		} else if name == "" || f.State == "running" && !running {
			name, running = f.File, f.State == "running"
		}
	}
	if name == "" {
		return
	}
	done, ahead := pages(files)
	speed := ""
	if b.since.IsZero() {
		b.since = time.Now()
	} else if took := time.Since(b.since); done > 0 {
		speed = ", " + rate(done, took) + ", " + left(ahead, done, took)
	}
	all := max(done+ahead, done+1) // texts are cut after the last page
	b.Show(fmt.Sprintf("%d/%d, %d %% (%d/%d pages%s) %s", ended+1, len(files), 100*done/all, done, all, speed, terminal.Line(name)))
}

func (b *bar) say(sentence string) {
	b.end()
	b.lines.say(sentence)
}

func (b *bar) end() { b.Show("") }
