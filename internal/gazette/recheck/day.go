package recheck

import (
	"context"
	"slices"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

// days looks for the days of texts that were not read or are doubted, each once.
func (c *check) days(ctx context.Context) error {
	tried := map[int]bool{} // no text comes or goes while days are looked for
	for range mostPlaces {
		undated := c.issue.Undated() // lines are others when a page was arranged anew
		i := slices.IndexFunc(undated, func(u segment.Undated) bool { return !tried[u.Text] })
		if i < 0 {
			break
		}
		tried[undated[i].Text] = true
		if err := c.date(ctx, undated[i].Text, undated[i].Places); err != nil {
			return err
		}
	}
	return nil
}

// date reads the title of a text or its end again, where the other of them tells another day. A line is taken where it tells
// that day, and the text cut with it is of that day. (That two ways of reading give the same day is not enough:
// where nothing else tells it, a person looks.)
func (c *check) date(ctx context.Context, text int, places [][2]int) error {
	known := make([][]time.Time, len(places))
	for i, place := range places {
		for _, l := range c.issue.Lines[place[0]:place[1]] {
			if day, _, _, ok := law.FindDate(l.Text); ok {
				known[i] = append(known[i], day)
			}
		}
	}
	for i, place := range places {
		wanted := slices.Concat(slices.Delete(slices.Clone(known), i, i+1)...)
		wanted = slices.DeleteFunc(wanted, func(day time.Time) bool { return slices.ContainsFunc(known[i], day.Equal) })
		if len(wanted) == 0 {
			continue
		}
		for _, p := range c.pieces(place[0], place[1]) {
			if done, err := c.dateFrom(ctx, text, p, wanted); done || err != nil {
				return err
			}
		}
	}
	return nil
}

// dateFrom looks for one of the wanted days in a piece.
func (c *check) dateFrom(ctx context.Context, text int, p piece, wanted []time.Time) (done bool, err error) {
	for _, s := range settings {
		lines, err := c.part(ctx, p, s)
		if err != nil {
			return false, err
		}
		for i, words := range lines {
			day, _, _, ok := law.FindDate(layout.Line{Words: words}.Text())
			if !ok || !slices.ContainsFunc(wanted, day.Equal) {
				continue
			}
			line := reading{piece: p, lines: lines, heads: []int{i}}
			if c.take([]reading{line}, reading.headsOnly, func(after segment.Issue) bool { return dates(c.issue, after, text, day) }) {
				return true, nil
			}
		}
	}
	return false, nil
}
