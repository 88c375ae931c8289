package terminal

import (
	"fmt"
	"io"
	"strings"
)

const (
	// barWidth is the width of the bar itself.
	barWidth = 20
	// barFrame is the width of the percentage and the frame around the bar.
	barFrame = 9
	// maxName is the maximum width of the file name after the bar.
	maxName = 40
)

// Bar shows how much of something is done on one line of the terminal. It uses no library: schollz/progressbar
// or mpb could replace only the twenty lines of Draw, clear and Say. The rest would stay: French numbers, names cut to
// the available width, and messages in between. Besides, progressbar writes each change three times.
type Bar struct {
	w     io.Writer
	drawn int  // width of the displayed line
	Full  bool // whether all is done; End leaves such a bar on the screen
}

// NewBar returns a bar that is drawn on w.
func NewBar(w io.Writer) *Bar { return &Bar{w: w} }

// Draw draws the bar at done of all pages. The name is shortened to fit the line.
func (b *Bar) Draw(before, name, behind string, done, all int) {
	room := maxName
	if width := Width(b.w); width > 0 {
		counts := fmt.Sprintf("(%d/%d)", all, all)
		room = min(room, width-1-barWidth-barFrame-Columns(counts+before+behind)-1)
	}
	if name != "" && room >= Narrowest {
		before += " " + Cut(Line(name), room)
	}
	percent := min(100, 100*done/max(all, 1))
	filled := barWidth * percent / 100
	line := fmt.Sprintf("%s%4d%% |%s%s| (%d/%d)", before+behind, percent, strings.Repeat("█", filled), strings.Repeat(" ", barWidth-filled), done, all)
	width := Columns(line)
	fmt.Fprint(b.w, "\r", line, strings.Repeat(" ", max(0, b.drawn-width)))
	b.drawn = width
}

// clear blanks the line.
func (b *Bar) clear() {
	fmt.Fprint(b.w, "\r", strings.Repeat(" ", b.drawn), "\r")
	b.drawn = 0
}

// Say prints a sentence without disturbing the bar.
func (b *Bar) Say(sentence string) {
	b.clear()
	fmt.Fprintln(b.w, Line(sentence))
}

// End leaves a full bar on the screen and clears any other bar.
func (b *Bar) End() {
	if b.Full {
		fmt.Fprintln(b.w)
		return
	}
	b.clear()
}
