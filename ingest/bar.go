package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

const (
	// barWidth is how wide the bar itself is.
	barWidth = 20
	// barFrame is how many columns stand around it: the percentage and its frame.
	barFrame = 9
	// mostNamed is how much of a file's name is shown beside it.
	mostNamed = 40
)

// bar shows all files as one bar of pages, on one line of the terminal.
type bar struct {
	w     io.Writer
	bar   *progressbar.ProgressBar
	since time.Time // when the first page was seen to come
	full  bool      // every file has ended
}

func newBar(w io.Writer) *bar {
	return &bar{w: w, bar: progressbar.NewOptions(1,
		progressbar.OptionSetWriter(w), progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetWidth(barWidth))}
}

func (b *bar) admit(n, of int, next string) {
	b.draw(fmt.Sprintf("Ajout %d/%d :", n+1, of), next, "", n, of)
}

// show draws the bar. While a file is pending the bar is short of its end: texts
// are cut after the last page, and files still to come have no page count yet.
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

// fill draws the bar to its end, once every file has come to its own. Where there
// was nothing to wait for, or no page was read, there is no bar.
func (b *bar) fill(files, done int) {
	if b.since.IsZero() || b.full || done == 0 {
		return
	}
	b.full = true
	b.draw(count(files, "fichier"), "", ", "+rate(done, time.Since(b.since)), done, done)
}

// draw draws the bar at done of all; of the name as much is shown as the line has
// room for.
func (b *bar) draw(before, name, behind string, done, all int) {
	room := mostNamed
	if width := widthOf(b.w); width > 0 {
		counts := fmt.Sprintf("(%d/%d)", all, all)
		room = min(room, width-1-barWidth-barFrame-columns(counts+before+behind)-1)
	}
	if name != "" && room >= narrowest {
		before += " " + cut(cleanLine(name), room)
	}
	b.bar.Describe(before + behind)
	b.bar.ChangeMax(all)
	_ = b.bar.Set(done) // it can only fail to draw
}

func (b *bar) say(sentence string) {
	_ = b.bar.Clear() // it can only fail to draw
	fmt.Fprintln(b.w, cleanLine(sentence))
}

// end leaves a full bar where it stands and takes away any other.
func (b *bar) end() {
	if b.full {
		fmt.Fprintln(b.w)
		return
	}
	_ = b.bar.Clear() // it can only fail to draw
}
