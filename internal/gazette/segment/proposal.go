package segment

import (
	"slices"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/segment/doubts"
	"vigueur/internal/gazette/segment/label"
)

// proposal is a change to a reading: the masks of the labels that it allows for the lines from index from on.
type proposal struct {
	kind  label.ChangeKind
	from  int
	masks []chain.Mask
	named bool // suggested by something that contradicts a text
}

// unsure is the minimum probability, by the chain, with which it is worth trying to begin a text at a line, or to
// remove a beginning. It only bounds the work: ten times more or less changes no result (lab/experiments.md).
const unsure = 0.005

// changes returns the changes to a reading that are worth trying: at beginnings that the chain is not quite
// sure of, and where something contradicts the texts.
func (r *rereader) changes(at reading) []proposal {
	var out []proposal
	tried := map[[2]int]bool{}
	named := true
	propose := func(kind label.ChangeKind, start int, masks ...chain.Mask) {
		key := [2]int{slices.Index(label.ChangeKinds(), kind), start}
		if !tried[key] {
			tried[key] = true
			out = append(out, proposal{kind, start, masks, named})
		}
	}
	for k, t := range at.texts {
		if w := at.draftOf(k); w != nil && contradicted(w) {
			propose(label.JoinText, t.From, label.NoBegin&^label.LooseLabels)
			propose(label.SetAside, t.From, label.NoBegin&label.LooseLabels)
		}
	}
	named = false
	for i, l := range at.Labels {
		switch p := at.BeginProb(i); {
		case l.BeginsText() && p < 1-unsure:
			propose(label.JoinText, i, label.NoBegin&^label.LooseLabels)
			propose(label.SetAside, i, label.NoBegin&label.LooseLabels)
		case !l.BeginsText() && p > unsure:
			propose(label.BeginText, i, label.Begins)
		}
	}
	return out
}

// draftOf returns the draft of text k. The first draft may be the end of an earlier text, which is not in
// at.texts.
func (at reading) draftOf(k int) *doubts.Weighed {
	k += len(at.drafts) - len(at.texts)
	if k < 0 || k >= len(at.drafts) {
		return nil
	}
	return &at.drafts[k]
}

// contradicted reports whether the text lacks something that every text should have, or is dated after the issue.
func contradicted(w *doubts.Weighed) bool {
	return w.Account[doubts.UndatedSign]+w.Account[doubts.NamelessSign]+w.Account[doubts.TooLateSign]+w.Account[doubts.SignalIndex[gazette.NoArticle]]+w.Account[doubts.SignalIndex[gazette.NoBody]]+w.Account[doubts.SignalIndex[gazette.GapIn]] > 0
}
