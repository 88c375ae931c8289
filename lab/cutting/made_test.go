package cutting

import (
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
	"vigueur/lab/house"
)

// leastMade is the share of made texts that are cut right: the model has learned
// from issues of the same styles and other seeds.
const leastMade = 0.9

// TestMadeIssues cuts issues of every house style that the model has not learned
// from, as a text layer gives them and as scans do.
func TestMadeIssues(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]house.Damage{"as printed": {}, "scanned": {OCR: true, Skew: 0.2, Noise: 0.1, Confusion: 0.2}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			texts, right, invented := 0, 0, 0
			for i, style := range house.Styles() {
				made := house.Make(style, uint64(90_000+i), damage)
				layout.Arrange(made.Pages)
				issue := segment.Split(made.Pages, gazette.Hints{})
				n := found(made, issue)
				texts, right, invented = texts+len(made.Texts), right+n, invented+max(0, len(issue.Texts)-len(made.Texts))
			}
			t.Logf("%d of %d texts right, %d too many", right, texts, invented)
			if share := float64(right) / float64(texts); share < leastMade && damage == (house.Damage{}) {
				t.Errorf("%d of %d texts are cut right", right, texts)
			}
			if 2*right < texts {
				t.Errorf("only %d of %d texts", right, texts)
			}
		})
	}
}

// found counts the texts of a made issue of which one that was cut has number, day
// and page.
func found(made house.Issue, issue gazette.Issue) int {
	n := 0
	used := map[int]bool{}
	for _, want := range made.Texts {
		for i, x := range issue.Texts {
			d := x.Document
			if !used[i] && d.OfficialNumber == law.TextNumber(want.Number) && d.FirstPage == want.Page && (want.Date.IsZero() || d.Promulgated.Equal(want.Date)) {
				used[i] = true
				n++
				break
			}
		}
	}
	return n
}
