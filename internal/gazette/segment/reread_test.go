package segment_test

import (
	"fmt"
	"slices"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/gazette/segment/judgment"
)

// taking returns the cutter that comes with the program, with other weights of changes.
func taking(t *testing.T, rereading map[string]float64) segment.Cutter {
	t.Helper()
	c := segment.Standard()
	j := *c.Judgment
	j.Rereading = rereading
	c.Judgment = &j
	return c
}

// worn reads a generated issue with misread letters, so that many changes are worth trying.
func worn(t *testing.T, seed uint64) []layout.Page {
	t.Helper()
	return issueOf(t, fmt.Sprintf("worn-%d", seed)).Pages
}

// TestChangesFollowTheirWeights checks that there are more texts if all proposed beginnings are made,
// fewer if all are removed, and that without weights the chain's reading stays. In each case all texts are
// complete.
func TestChangesFollowTheirWeights(t *testing.T) {
	t.Parallel()
	plain, more, fewer := 0, 0, 0
	for seed := uint64(91_000); seed < 91_008; seed++ {
		pages := worn(t, seed)
		count := func(rereading map[string]float64) int {
			issue := taking(t, rereading).Split(pages, gazette.Hints{})
			for _, x := range issue.Texts {
				checkShape(t, x)
			}
			return len(issue.Texts)
		}
		plain += count(nil)
		more += count(map[string]float64{"begin": 50, "join": -50, "aside": -50, "in": -50, "article": -50})
		fewer += count(map[string]float64{"begin": -50, "join": 50, "aside": -50, "in": -50, "article": -50})
	}
	if more <= plain || fewer >= plain {
		t.Errorf("%d texts; %d with all beginnings, %d without those that are unsure", plain, more, fewer)
	}
}

// TestTrialsStartFromTheChainsReading checks that training sees the readings among which its weights will
// choose.
func TestTrialsStartFromTheChainsReading(t *testing.T) {
	t.Parallel()
	names := segment.RereadingNames()
	trials := 0
	for seed := uint64(91_012); seed < 91_014; seed++ { // their texts contradict nothing, so no other reading is more probable
		pages := worn(t, seed)
		plain, tried := taking(t, nil).Trials(pages, gazette.Hints{})
		want := taking(t, nil).Split(pages, gazette.Hints{})
		if len(plain.Texts) != len(want.Texts) {
			t.Errorf("seed %d: %d texts before any change, and the chain gives %d", seed, len(plain.Texts), len(want.Texts))
		}
		trials += len(tried)
		for _, x := range tried {
			if len(x.Issue.Texts) == 0 || x.Features["odds"] > 1e-6 {
				t.Errorf("seed %d: %d texts by a change of odds %v", seed, len(x.Issue.Texts), x.Features["odds"])
			}
			for name := range x.Features {
				if !slices.Contains(names, name) {
					t.Errorf("%q is not weighed", name)
				}
			}
		}
	}
	if trials == 0 {
		t.Error("nothing is tried")
	}
}

// TestEditsOverrideRereading checks that an edit of a line holds whatever changes are made.
func TestEditsOverrideRereading(t *testing.T) {
	t.Parallel()
	c := taking(t, map[string]float64{"begin": 50})
	var pages []layout.Page
	var issue gazette.Issue
	for seed := uint64(91_020); len(issue.Texts) < 3; seed++ {
		pages = worn(t, seed)
		issue = c.Split(pages, gazette.Hints{})
	}
	joined := c.Split(pages, gazette.Hints{Edits: []gazette.Edit{{Kind: gazette.MergeBefore, Lines: []gazette.Place{issue.Texts[2].First}}}})
	if len(joined.Unapplied) > 0 {
		t.Errorf("unapplied: %v", joined.Unapplied)
	}
	for _, x := range joined.Texts {
		if x.First == issue.Texts[2].First {
			t.Error("a text begins where a person said that none does")
		}
	}
}

func TestTheOddsOfChanges(t *testing.T) {
	t.Parallel()
	j := judgment.Judgment{Rereading: map[string]float64{"odds": 0.5, "begin": -1, "gap": -2}}
	sure := segment.Better(j, map[string]float64{"odds": -1, "begin": 1, "gap": -1})
	unsure := segment.Better(j, map[string]float64{"odds": -6, "begin": 1, "gap": -1})
	if sure <= 0.5 || unsure >= 0.5 || unsure <= 0 {
		t.Errorf("%v and %v", sure, unsure)
	}
	if p := segment.Better(j, nil); p != 0.5 {
		t.Errorf("of nothing: %v", p)
	}
}
