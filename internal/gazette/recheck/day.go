package recheck

import (
	"context"
	"slices"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// findDates looks for the dates of texts that were not read or are in doubt, once for each text.
func (c *check) findDates(ctx context.Context) error {
	tried := map[int]bool{} // by text; the search adds and removes no texts
	for range mostPlaces {
		undated := c.issue.Undated() // again, because the lines of an arranged page are new
		i := slices.IndexFunc(undated, func(u gazette.Undated) bool { return !tried[u.Text] })
		if i < 0 {
			break
		}
		tried[undated[i].Text] = true
		if err := c.findDate(ctx, undated[i].Text, undated[i].Places); err != nil {
			return err
		}
	}
	return nil
}

// findDate reads the title of a text again if the end shows another date, and the end if the title does. A line that
// was read again is used if it shows the date of the other place and the text, cut again with this line, has that date.
// That two ways of reading the same place agree is not enough: then a person decides.
func (c *check) findDate(ctx context.Context, text int, places [][2]int) error {
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

// dateFrom looks for one of the wanted dates in a piece.
func (c *check) dateFrom(ctx context.Context, text int, p piece, wanted []time.Time) (done bool, err error) {
	for _, s := range settings {
		lines, err := c.recognize(ctx, p, s)
		if err != nil {
			return false, err
		}
		for i, words := range lines {
			day, _, _, ok := law.FindDate(layout.Line{Words: words}.Text())
			if !ok || !slices.ContainsFunc(wanted, day.Equal) {
				continue
			}
			line := reading{piece: p, lines: lines, heads: []int{i}}
			if c.applyReadings([]reading{line}, reading.headsOnly, func(after gazette.Issue) bool { return settlesDate(c.issue, after, text, day) }) {
				return true, nil
			}
		}
	}
	return false, nil
}
