package memindex

import (
	"math"

	"github.com/google/uuid"

	"vigueur/internal/search/postings"
)

// snapshot is the whole index at one version of the catalogue. It is immutable; an update makes a new one that shares
// most segments.
type snapshot struct {
	version      int64
	views        []view
	passages     int     // number of live passages
	length       float64 // total length of the live passages
	longest      int     // length of the longest passage
	variantCache variantCache
	spill        *spill // where large segments of a register are stored; nil means in memory
	// whole is the snapshot that this one is a part of. It provides the words and their frequencies. nil if this is a
	// whole snapshot.
	whole *snapshot
}

// view is a live segment, with what searches cache for it.
type view struct {
	postings.View
	shareCache *shareCache
}

func newView(of postings.View) view { return view{View: of, shareCache: new(shareCache)} }

// liveOf returns the segments of views, for postings.Merge.
func liveOf(views []view) []postings.View {
	out := make([]postings.View, len(views))
	for i, v := range views {
		out[i] = v.View
	}
	return out
}

// Limits above which segments are merged: the number of segments in a snapshot, and the share of deleted passages in
// a segment.
const (
	mostSegments = 8
	mostLost     = 0.25
)

// replace returns a snapshot in which the given texts are replaced by those in fresh, and removed if fresh does not
// contain them.
func (s *snapshot) replace(version int64, documents []uuid.UUID, fresh ...*postings.Segment) *snapshot {
	next := &snapshot{version: version, spill: s.spill}
	for _, v := range s.views {
		if v.View = v.Without(documents); v.DeletedPassages < len(v.Segment.Passages) {
			next.views = append(next.views, v)
		}
	}
	for _, x := range fresh {
		if len(x.Passages) > 0 {
			next.views = append(next.views, newView(postings.View{Segment: x}))
		}
	}
	next.views = next.spill.compact(next.views)
	next.measure()
	return next
}

// measure counts the live passages. Lengths are integers, so that their sum does not depend on the history of the
// index.
func (s *snapshot) measure() {
	for _, v := range s.views {
		s.passages += len(v.Segment.Passages) - v.DeletedPassages
		s.longest = max(s.longest, v.Longest)
		s.length += v.Length()
	}
}

// holders returns the number of live passages that contain a term.
func (s *snapshot) holders(name string) int {
	if s.whole != nil {
		return s.whole.holders(name)
	}
	n := 0
	for _, v := range s.views {
		if t := v.NumberOf(name); t != postings.NoTerm {
			passages, _ := v.Frequency(t)
			n += int(passages - v.DeletedCounts[t])
		}
	}
	return n
}

func (s *snapshot) idf(n float64) float64 { return idf(float64(s.passages), n) }

// idf returns the weight of a term that n of all passages contain, by its rarity: ln(1 + (all - n + 0.5) / (n + 0.5))
// (Robertson and Spärck Jones, in the form that is always positive).
func idf(all, n float64) float64 { return math.Log(1 + (all-n+0.5)/(n+0.5)) }

// compact merges segments that are not full if there are too many, and rewrites a full one if it has too many
// deleted passages. Each step builds a single segment, which bounds the memory.
func (s *spill) compact(views []view) []view {
	if s == nil {
		return compact(views)
	}
	var large, small []view
	for _, v := range views {
		switch {
		case len(v.Segment.Passages) < s.most:
			small = append(small, v)
		case float64(v.DeletedPassages) > mostLost*float64(len(v.Segment.Passages)):
			if own := postings.Merge([]postings.View{v.View}); len(own.Passages) < s.most {
				small = append(small, newView(postings.View{Segment: own}))
			} else {
				large = append(large, newView(postings.View{Segment: s.write(own)}))
			}
		default:
			large = append(large, v)
		}
	}
	for _, v := range compact(small) {
		v.Segment = s.write(v.Segment)
		large = append(large, v)
	}
	return large
}

// compact merges segments if there are too many, or if one has too many deleted passages.
func compact(views []view) []view {
	largest, wasteful := -1, false
	for i, v := range views {
		if largest < 0 || len(v.Segment.Passages) > len(views[largest].Segment.Passages) {
			largest = i
		}
		wasteful = wasteful || float64(v.DeletedPassages) > mostLost*float64(len(v.Segment.Passages))
	}
	if len(views) <= mostSegments && !wasteful {
		return views
	}
	// The largest segment stays if most of it is live, because rewriting it takes longest.
	var kept, merged []view
	for i, v := range views {
		if i == largest && len(views) > 1 && float64(v.DeletedPassages) <= mostLost*float64(len(v.Segment.Passages)) {
			kept = append(kept, v)
		} else {
			merged = append(merged, v)
		}
	}
	return append(kept, newView(postings.View{Segment: postings.Merge(liveOf(merged))}))
}
