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
	// barFrame is the width of the percentage and the frame around the bar.
	barFrame = 9
	// maxName is the maximum width of the file name after the bar.
	maxName = 40
)

// bar shows the pages of all files as one bar, on one line of the terminal. It uses no library: schollz/progressbar
// or mpb could replace only the twenty lines of draw, clear and say. The rest would stay: the estimate for files that
// were not opened yet, French numbers, names cut to the available width, messages in between, and lines where there
// is no terminal. Besides, progressbar writes each change three times.
type bar struct {
	w     io.Writer
	drawn int       // width of the displayed line
	since time.Time // time at which the first page was done
	full  bool      // whether every file has ended
}

func newBar(w io.Writer) *bar { return &bar{w: w} }

func (b *bar) admit(n, of int, next string) {
	b.draw(fmt.Sprintf("Ajout %d/%d :", n+1, of), next, "", n, of)
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
	b.draw(fmt.Sprintf("%d/%d", ended+1, len(files)), name, speed, done, max(done+ahead, done+1))
}

// fill draws a full bar once every file has ended. If no page was read, or nothing had to be waited for, it draws
// none.
func (b *bar) fill(files, done int) {
	if b.since.IsZero() || b.full || done == 0 {
		return
	}
	b.full = true
	b.draw(count(files, "fichier"), "", ", "+rate(done, time.Since(b.since)), done, done)
}

// draw draws the bar at done of all pages. The name is shortened to fit the line.
func (b *bar) draw(before, name, behind string, done, all int) {
	room := maxName
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

// end leaves a full bar on the screen and clears any other bar.
func (b *bar) end() {
	if b.full {
		fmt.Fprintln(b.w)
		return
	}
	b.clear()
}
