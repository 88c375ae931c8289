package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"vigueur/lab/gazettes"
	"vigueur/lab/judge"
)

// counts is what came of one file, for comparisons: of sealed files only the hash of
// the name is kept.
type counts struct {
	Name    string         `json:"file"`
	Figures map[string]int `json:"figures"`
}

// kept is what came of each file, by how it was cut.
type kept map[string][]counts

// The ways in which files are cut.
const (
	inSample   = "in sample"
	neverSeen  = "never seen" // by the carried weights
	leftOut    = "left out"
	madeIssues = "made"
)

func (k kept) note(how string, f gazettes.File, s score) {
	name := f.Name
	if f.Sealed() {
		sum := sha256.Sum256([]byte(name))
		name = hex.EncodeToString(sum[:8])
	}
	k[how] = append(k[how], counts{name, s.figures()})
}

// shares are the figures that intervals are told of, and what they are shares of.
var shares = []struct{ name, count, of string }{
	{"texts right", "right", "texts"},
	{"invented", "invented", "texts"},
	{"articles exact", "articles_exact", "articles_counted"},
	{"data wrong without a doubt", "data_wrong", "data"},
	{"files in review", "in_review", "files"},
}

// parts are one share in each file.
func parts(files []counts, count, of string) []judge.Part {
	out := make([]judge.Part, 0, len(files))
	for _, f := range files {
		out = append(out, judge.Part{Name: f.Name, Count: float64(f.Figures[count]), Of: float64(f.Figures[of])})
	}
	return out
}

// tellIntervals prints each share with the interval that resampling the files gives.
func (k kept) tellIntervals(how string) {
	for _, s := range shares {
		f := judge.Pooled(parts(k[how], s.count, s.of))
		fmt.Printf("%-18s %-27s %5.1f %% [%.1f, %.1f]\n", how, s.name, 100*f.Value, 100*f.Low, 100*f.High)
	}
}

// tellDifferences prints how each share differs from what came of the same files before, with paired intervals.
func tellDifferences(how string, before, now []counts) {
	if len(before) == 0 || len(now) == 0 {
		return
	}
	for _, s := range shares {
		d, common := judge.PooledDifference(parts(before, s.count, s.of), parts(now, s.count, s.of))
		verdict := ""
		if d.Low <= 0 && d.High >= 0 {
			verdict = ", within noise"
		}
		fmt.Printf("%-18s %-27s %+5.1f points [%+.1f, %+.1f] over %d files%s\n", how, s.name, 100*d.Value, 100*d.Low, 100*d.High, common, verdict)
	}
}

// tell prints intervals, compares with the run that a file keeps, and keeps this one,
// where files are named.
func (k kept) tell(against, out string) error {
	for _, how := range []string{inSample, neverSeen, leftOut, madeIssues} {
		if len(k[how]) > 0 {
			k.tellIntervals(how)
		}
	}
	tellDifferences("left out, carried", slices.Concat(k[inSample], k[neverSeen]), k[leftOut])
	if against != "" {
		raw, err := os.ReadFile(against)
		if err != nil {
			return err
		}
		var before kept
		if err := json.Unmarshal(raw, &before); err != nil {
			return fmt.Errorf("%s: %w", against, err)
		}
		for _, how := range []string{inSample, neverSeen, leftOut, madeIssues} {
			tellDifferences(how, before[how], k[how])
		}
	}
	if out == "" {
		return nil
	}
	raw, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(raw, '\n'), 0o644)
}
