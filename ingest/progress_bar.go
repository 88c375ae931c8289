package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	// barWidth is the width of the bar itself.
	barWidth = 20
	// barFrame is the width of what surrounds it: the percentage and its frame.
	barFrame = 9
	// mostNamed is the maximum width of a file name beside it.
	mostNamed = 40
)

// bar shows all files as one bar of pages, on one line of the terminal. It is drawn by hand: schollz/progressbar and mpb
// would do the twenty lines of draw, clear and say. What else is here stays with them: the estimate over files that were
// not opened yet, French figures, names cut to the room that is left, sentences in between and lines where there is no
// terminal. And progressbar writes each change three times.
type bar struct {
	w     io.Writer
	drawn int       // width of the line that is on the screen
	since time.Time // when the first page was done
	full  bool      // every file has ended
}

func newBar(w io.Writer) *bar { return &bar{w: w} }

func (b *bar) admit(n, of int, next string) {
	b.draw(fmt.Sprintf("Ajout %d/%d :", n+1, of), next, "", n, of)
}

// show draws the bar. While a file is pending it is not full: texts are segmented after the
// last page, and the page count of waiting files is unknown.
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
	b.draw(fmt.Sprintf("%d/%d", ended+1, len(files)), name, speed, done, max(done+ahead, done+1))
}

// fill draws a full bar, once every file has ended. If nothing was waited for, or no page
// was read, there is no bar.
func (b *bar) fill(files, done int) {
	if b.since.IsZero() || b.full || done == 0 {
		return
	}
	b.full = true
	b.draw(count(files, "fichier"), "", ", "+rate(done, time.Since(b.since)), done, done)
}

// draw draws the bar at done of all; the name is shortened to fit the line.
func (b *bar) draw(before, name, behind string, done, all int) {
	room := mostNamed
	if width := widthOf(b.w); width > 0 {
		counts := fmt.Sprintf("(%d/%d)", all, all)
		room = min(room, width-1-barWidth-barFrame-columns(counts+before+behind)-1)
	}
	if name != "" && room >= narrowest {
		before += " " + cut(cleanLine(name), room)
	}
	percent := min(100, 100*done/max(all, 1))
	filled := barWidth * percent / 100
	line := fmt.Sprintf("%s%4d%% |%s%s| (%d/%d)", before+behind, percent, strings.Repeat("█", filled), strings.Repeat(" ", barWidth-filled), done, all)
	width := columns(line)
	fmt.Fprint(b.w, "\r", line, strings.Repeat(" ", max(0, b.drawn-width)))
	b.drawn = width
}

// clear blanks the line.
func (b *bar) clear() {
	fmt.Fprint(b.w, "\r", strings.Repeat(" ", b.drawn), "\r")
	b.drawn = 0
}

func (b *bar) say(sentence string) {
	b.clear()
	fmt.Fprintln(b.w, cleanLine(sentence))
}

// end leaves a full bar on the screen and clears any other.
func (b *bar) end() {
	if b.full {
		fmt.Fprintln(b.w)
		return
	}
	b.clear()
}
