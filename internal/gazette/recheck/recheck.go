// Package recheck reads places of scanned pages again, in other ways, if the texts that were cut from the first reading
// contradict it:
//
//   - Numbers are missing from the numbering of a text's articles. Their heads are often printed, but were misread. The
//     lines between the two heads around the gap are read again. Package heads says what a gap is, reads the heads, and
//     confirms them.
//   - A text's date is in doubt, and its title and its end show different dates, or only one of these places shows a
//     date. The line of the title, or of the end, is read again.
//
// A new reading is used only if something else that is printed confirms it: heads with exactly the missing numbers, in
// order, or the date that the other place shows. The file, cut again with the new reading, must have the same texts and
// articles as before, plus missing articles only, and not more doubts than before. Places without a contradiction, and
// pages that are no scans, are never read again.
package recheck

import (
	"context"
	"slices"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

// Limits for one file.
const (
	mostPlaces = 24
	mostParts  = 72  // recognized parts; each takes a second or two
	mostLines  = 240 // maximum length of a place, four full columns; a gap over more lines is not a misread head
)

// settings are the ways in which a place is read again, in this order: the one in which recognition is best, a finer
// one for small print, and a coarser one for worn or noisy print.
var settings = []ocr.Setting{{DPI: 300}, {DPI: 400}, {DPI: 200}}

// Reader reads places again.
type Reader struct {
	// Part recognizes a part of a page, as ocr.Reader.Part does.
	Part func(ctx context.Context, p layout.Page, part law.Rect, s ocr.Setting) ([][]layout.Word, error)
	// Split cuts arranged pages into texts.
	Split func(pages []layout.Page) gazette.Issue
}

// Pages reads the places again at which the texts contradict the first reading. It returns the numbers of the pages
// whose words it changed, in place, even if there is an error. If no page is Rereadable, it does nothing;
// otherwise all pages are arranged afterwards. Errors are those of Part, except errs.Unprocessable, after which the place stays as it was.
func (r Reader) Pages(ctx context.Context, pages []layout.Page) (changed []int, err error) {
	if !slices.ContainsFunc(pages, layout.Page.Rereadable) {
		return nil, nil
	}
	c := check{Reader: r, pages: pages, tried: map[spot]bool{}}
	layout.Arrange(pages)
	c.issue = r.Split(pages)
	if err = c.findArticles(ctx); err == nil {
		err = c.findDates(ctx)
	}
	slices.Sort(c.changed)
	return slices.Compact(c.changed), err
}

// findArticles looks for the articles that are missing from numberings.
func (c *check) findArticles(ctx context.Context) error {
	for range mostPlaces {
		gap, ok := c.nextGap()
		if !ok {
			break
		}
		if err := c.rereadGap(ctx, gap); err != nil {
			return err
		}
	}
	return nil
}

// check is the state of the work on a file while places of the file are read again.
type check struct {
	Reader
	pages   []layout.Page // arranged
	issue   gazette.Issue // the issue as cut from the pages
	tried   map[spot]bool
	parts   int // number of parts recognized so far
	changed []int
}

// spot identifies a gap by its text and its numbers, which stay the same when lines around it change.
type spot struct {
	text     gazette.Place
	from, to int
}

// nextGap returns the first gap that has not been tried.
func (c *check) nextGap() (gazette.GapLines, bool) {
	for _, gap := range c.issue.Gaps() {
		s := spot{c.issue.Texts[gap.Text].First, gap.From, gap.To}
		if !c.tried[s] && gap.UntilLine-gap.FromLine <= mostLines {
			c.tried[s] = true
			return gap, true
		}
	}
	return gazette.GapLines{}, false
}

// rereadGap reads the lines of a gap again in each way until a reading is confirmed.
func (c *check) rereadGap(ctx context.Context, gap gazette.GapLines) error {
	pieces := c.pieces(gap.FromLine, gap.UntilLine)
	for _, s := range settings {
		var read []reading
		rest := gap.Gap
		for _, p := range pieces {
			lines, err := c.recognize(ctx, p, s)
			if err != nil {
				return err
			}
			got := reading{piece: p, lines: lines}
			rest = got.findHeads(rest)
			if len(got.heads) > 0 {
				read = append(read, got)
			}
		}
		closed := func(after gazette.Issue) bool { return closesGap(c.issue, after, gap) }
		if len(read) > 0 && (c.applyReadings(read, reading.replaceWhole, closed) || c.applyReadings(read, reading.headsOnly, closed)) {
			return nil
		}
	}
	return nil
}

// recognize reads a piece in one way and returns its lines. It returns no lines if recognition fails or the limit for
// the file is reached.
func (c *check) recognize(ctx context.Context, p piece, s ocr.Setting) ([][]layout.Word, error) {
	if c.parts++; c.parts > mostParts {
		return nil, nil
	}
	lines, err := c.Part(ctx, c.pages[p.page], p.margin(), s)
	if errs.Is(err, errs.Unprocessable) && ctx.Err() == nil {
		return nil, nil
	}
	return p.linesIn(c.pages[p.page], lines), err
}

// applyReadings applies readings to the pages, by the given method, if the file cut with them is confirmed.
func (c *check) applyReadings(read []reading, put func(reading, layout.Page) ([]layout.Word, bool), confirmed func(after gazette.Issue) bool) bool {
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
