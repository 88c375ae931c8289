// Package recheck reads places of scanned pages again, in other ways, where the texts that were cut from the first
// reading contradict it:
//
//   - the count of a text's articles leaves numbers out: their heads are often printed, and were misread. The
//     lines between the two heads around the gap are read again;
//   - a text's day is doubted, and its title and its end tell different days, or one of them tells none. The line of
//     the title, or of the end, is read again.
//
// A new reading is taken only where something else that is printed confirms it: heads with just the numbers that are
// missing, in order, or the day that the other place tells; and only if the file, cut again with it, has the
// same texts and articles as before, the missing ones in addition, and no doubt more. What is printed without a contradiction,
// and what is not the picture of a scan, is never read again.
package recheck

import (
	"context"
	"slices"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// Bounds of what is read again in one file.
const (
	mostPlaces = 24
	mostParts  = 72  // recognized: each takes a second or two
	mostLines  = 240 // of a place, four full columns: what is lost over more was not lost by misreading a head
)

// settings are the ways in which a place is read again, in this order: that in which recognition is best,
// finer for small print, and coarser for print that is worn or noisy.
var settings = []ocr.Setting{{DPI: 300}, {DPI: 400}, {DPI: 200}}

// Reader reads places again.
type Reader struct {
	// Part recognizes a part of a page, as ocr.Reader.Part does.
	Part func(ctx context.Context, p layout.Page, part law.Rect, s ocr.Setting) ([][]layout.Word, error)
	// Split cuts arranged pages into texts.
	Split func(pages []layout.Page) segment.Issue
}

// Pages reads what is contradicted again. It returns the numbers of the pages whose words it
// changed, in place, also with an error; unless no page is Scanned, all are arranged then. Errors are Part's, apart from
// Unprocessable, which leaves the place as it was.
func (r Reader) Pages(ctx context.Context, pages []layout.Page) (changed []int, err error) {
	if !slices.ContainsFunc(pages, Scanned) {
		return nil, nil
	}
	c := check{Reader: r, pages: pages, tried: map[spot]bool{}}
	layout.Arrange(pages)
	c.issue = r.Split(pages)
	if err = c.articles(ctx); err == nil {
		err = c.days(ctx)
	}
	slices.Sort(c.changed)
	return slices.Compact(c.changed), err
}

// scanCover is how much of a page the picture of a scan covers, at least.
const scanCover = 0.5

// Scanned reports whether a page can be read again: it was recognized, or its words lie over the picture of a
// scan, and stand upright.
func Scanned(p layout.Page) bool {
	if p.Source != layout.OCR && p.Cover < scanCover || p.Fault != "" {
		return false
	}
	return !slices.ContainsFunc(p.Words, func(w layout.Word) bool { return w.Turn != layout.Upright })
}

// articles looks for articles that counts leave out.
func (c *check) articles(ctx context.Context) error {
	for range mostPlaces {
		place, ok := c.next()
		if !ok {
			break
		}
		if err := c.mend(ctx, place); err != nil {
			return err
		}
	}
	return nil
}

// check is what is known of a file while its places are read again.
type check struct {
	Reader
	pages   []layout.Page // arranged
	issue   segment.Issue // as cut from them
	tried   map[spot]bool
	parts   int // recognized so far
	changed []int
}

// spot names a place whatever changes around it.
type spot struct {
	text     segment.Place
	from, to int
}

// next is the first place that was not tried.
func (c *check) next() (segment.LeftOut, bool) {
	for _, place := range c.issue.LeftOut() {
		s := spot{c.issue.Texts[place.Text].First, place.From, place.To}
		if !c.tried[s] && place.Next-place.First <= mostLines {
			c.tried[s] = true
			return place, true
		}
	}
	return segment.LeftOut{}, false
}

// mend reads a place again in each way until a reading is confirmed.
func (c *check) mend(ctx context.Context, place segment.LeftOut) error {
	pieces := c.pieces(place.First, place.Next)
	for _, s := range settings {
		var read []reading
		next := place.From
		for _, p := range pieces {
			lines, err := c.part(ctx, p, s)
			if err != nil {
				return err
			}
			got := reading{piece: p, lines: lines}
			next = got.find(next, place.To)
			if len(got.heads) > 0 {
				read = append(read, got)
			}
		}
		closed := func(after segment.Issue) bool { return closes(c.issue, after, place) }
		if len(read) > 0 && (c.take(read, reading.whole, closed) || c.take(read, reading.headsOnly, closed)) {
			return nil
		}
	}
	return nil
}

// part reads a piece in one way: its lines, none where that fails or the file has had its share.
func (c *check) part(ctx context.Context, p piece, s ocr.Setting) ([][]layout.Word, error) {
	if c.parts++; c.parts > mostParts {
		return nil, nil
	}
	lines, err := c.Part(ctx, c.pages[p.page], p.margin(), s)
	if errs.Is(err, errs.Unprocessable) && ctx.Err() == nil {
		return nil, nil
	}
	return p.within(c.pages[p.page], lines), err
}

// take puts readings in the place of words, in one way, if the file cut with them is confirmed.
func (c *check) take(read []reading, put func(reading, layout.Page) ([]layout.Word, bool), confirmed func(after segment.Issue) bool) bool {
	trial := slices.Clone(c.pages)
	for _, r := range read {
		words, ok := put(r, trial[r.page])
		if !ok {
			return false
		}
		trial[r.page].Words = words
	}
	layout.Arrange(trial)
	issue := c.Split(trial)
	if !confirmed(issue) {
		return false
	}
	copy(c.pages, trial)
	c.issue = issue
	for _, r := range read {
		c.changed = append(c.changed, c.pages[r.page].Number)
	}
	return true
}
