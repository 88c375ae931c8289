// Command metadata holds kind, number and date of the texts of files against a manifest.
//
// The folder has manifest.csv (columns file, doc_type, number, promulgation_date). Each datum is right, in review (the
// text waits for a person) or wrong. Of an issue of a gazette they are the issue's number and date; of a file in which
// several texts are found, those of the nearest text.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/lab/evaluation/output"
	"vigueur/lab/gazettes"
	"vigueur/lab/readpages"
)

func main() {
	readpages.Main("metadata", func(ctx context.Context, r *readpages.Reader, dir string, asJSON bool) error {
		scores, err := evaluate(ctx, r, dir)
		if err != nil {
			return err
		}
		return tell(os.Stdout, scores, asJSON)
	})
}

// gazetteType is what a manifest calls an issue of a gazette.
const gazetteType = "journal_officiel"

// fileTruth is a line of the manifest.
type fileTruth struct{ file, kind, number, date string }

// What came of a datum.
const (
	right    = "right"
	inReview = "review"
	wrong    = "wrong"
	unknown  = "–" // the manifest does not tell it
)

// metadataScore is what came of one file.
type metadataScore struct {
	File    string   `json:"file"`
	Texts   int      `json:"texts"`
	Type    string   `json:"type"`
	Number  string   `json:"number"`
	Date    string   `json:"date"`
	Review  bool     `json:"in_review"`
	Doubts  []string `json:"doubts"`
	Remarks []string `json:"remarks"` // what is printed otherwise than the manifest has it
}

// evaluate cuts the files of a manifest and judges each.
func evaluate(ctx context.Context, r *readpages.Reader, dir string) (scores []metadataScore, err error) {
	truths, err := fileTruths(filepath.Join(dir, "manifest.csv"))
	if err != nil {
		return nil, err
	}
	for _, t := range truths {
		issue, _, err := r.Issue(ctx, filepath.Join(dir, t.file))
		if err != nil {
			return nil, err
		}
		scores = append(scores, t.score(issue))
	}
	return scores, nil
}

// fileTruths reads the lines of a manifest.
func fileTruths(path string) ([]fileTruth, error) {
	rows, err := gazettes.Columns(path, "file", "doc_type", "number", "promulgation_date")
	if err != nil {
		return nil, err
	}
	out, files := make([]fileTruth, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		out[i], files[i] = fileTruth{r[0], r[1], r[2], r[3]}, r[0]
	}
	return out, gazettes.There(filepath.Dir(path), files)
}

// score judges what was read of a file.
func (t fileTruth) score(issue gazette.Issue) metadataScore {
	out := metadataScore{File: t.file, Texts: len(issue.Texts), Doubts: []string{}, Remarks: []string{}}
	if t.kind == gazetteType {
		t.gazette(&out, issue)
		return out
	}
	best := metadataScore{}
	for i, x := range issue.Texts {
		if s := t.text(out, x); i == 0 || s.rank() > best.rank() {
			best = s
		}
	}
	return best
}

// rank orders the texts of a file by how near they are to the one meant.
func (s metadataScore) rank() int {
	n := 0
	for _, what := range []string{s.Type, s.Number, s.Date} {
		if what == right {
			n++
		}
	}
	return n
}

func (t fileTruth) gazette(out *metadataScore, issue gazette.Issue) {
	out.Type, out.Number, out.Date = wrong, wrong, wrong
	if issue.Number != "" {
		out.Type = right
	}
	if slices.Contains(strings.FieldsFunc(t.number, notFigure), issue.Number) {
		out.Number = right
	}
	if issue.Date != nil && issue.Date.Format(time.DateOnly) == t.date {
		out.Date = right
	}
	for _, x := range issue.Texts {
		out.Review = out.Review || len(x.Doubts) > 0
	}
}

func notFigure(r rune) bool { return r < '0' || r > '9' }

func (t fileTruth) text(out metadataScore, x gazette.Text) metadataScore {
	out.Review = len(x.Doubts) > 0
	for _, d := range x.Doubts {
		out.Doubts = append(out.Doubts, d.Field)
	}
	judge := func(field, want, got string, same bool) string {
		switch {
		case want == "" && !out.Review:
			return wrong // known to no one, and yet told without a doubt
		case want == "":
			return unknown
		case same:
			return right
		}
		out.Remarks = append(out.Remarks, fmt.Sprintf("%s « %s », and not « %s »", field, got, want))
		if out.Review {
			return inReview
		}
		return wrong
	}
	d := x.Document
	promulgated := d.Promulgated.Format(time.DateOnly)
	out.Type = judge("kind", t.kind, string(d.Type), t.kind == string(d.Type))
	out.Number = judge("number", t.number, d.OfficialNumber, sameNumber(t.number, d.OfficialNumber))
	out.Date = judge("date", t.date, promulgated, t.date == promulgated)
	return out
}

// sameNumber compares official numbers without regard to how their parts are
// joined: « 90/054 » is « 90-54 ».
func sameNumber(a, b string) bool {
	parts := func(s string) []string {
		fields := strings.FieldsFunc(law.TextNumber(s), func(r rune) bool { return strings.ContainsRune("-/._", r) })
		for i, f := range fields {
			fields[i] = strings.TrimLeft(f, "0")
		}
		return fields
	}
	return slices.Equal(parts(a), parts(b))
}

// tell prints the scores.
func tell(out io.Writer, scores []metadataScore, asJSON bool) error {
	review, wrongs, rights, data := 0, 0, 0, 0
	for _, s := range scores {
		if s.Review {
			review++
		}
		for _, what := range []string{s.Type, s.Number, s.Date} {
			switch what {
			case right:
				rights++
			case wrong:
				wrongs++
			}
			if what != unknown {
				data++
			}
		}
	}
	share := float64(review) / float64(max(1, len(scores)))
	if asJSON {
		return output.JSON(out, map[string]any{"files": scores, "data": data, "right": rights, "wrong_unreviewed": wrongs, "in_review": review, "review_share": share})
	}
	t := output.NewTable("FILE", "TEXTS", "KIND", "NUMBER", "DATE", "DOUBTS")
	for _, s := range scores {
		t.Add(s.File, s.Texts, s.Type, s.Number, s.Date, strings.Join(s.Doubts, ", "))
	}
	errs := []error{t.Write(out)}
	for _, s := range scores {
		errs = append(errs, output.Remarks(out, s.File, "read", s.Remarks))
	}
	_, err := fmt.Fprintf(out, "In all: %d of %d data right, %d wrong without review, %d of %d files in review (%.0f %%).\n",
		rights, data, wrongs, review, len(scores), 100*share)
	return errors.Join(append(errs, err)...)
}
