package postings

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// build makes a segment of rows.
func build(rows []postgres.IndexRow) *Segment {
	b := NewBuilder()
	for _, r := range rows {
		b.Add(r)
	}
	return b.Segment()
}

// held returns the counts of each term, by passage.
func held(s *Segment) map[uuid.UUID]map[string]Count {
	out := make(map[uuid.UUID]map[string]Count)
	for p := range uint32(len(s.Passages)) {
		out[*s.IDOf(p)] = make(map[string]Count)
	}
	for t := range s.TermCount() {
		for p, c := range s.Postings(t) {
			out[*s.IDOf(p)][s.Term(t).Name] = c
		}
	}
	return out
}

func sameHeld(t *testing.T, got, want *Segment) {
	t.Helper()
	a, b := held(got), held(want)
	if len(a) != len(b) {
		t.Fatalf("%d passages, want %d", len(a), len(b))
	}
	for id, terms := range b {
		if !maps.Equal(a[id], terms) {
			t.Errorf("passage %v holds %v, want %v", id, a[id], terms)
		}
	}
}

func TestCountsOfTextAndHeadings(t *testing.T) {
	t.Parallel()
	id := uuid.NewSHA1(uuid.Nil, []byte("passage"))
	s := build([]postgres.IndexRow{{
		Passage:       law.Passage{ID: id, DocumentID: uuid.NewSHA1(uuid.Nil, []byte("text")), Text: "Le préavis du cadre, préavis écrit."},
		ArticleNumber: "26", ArticleHeading: "Congé", Path: []string{"Rupture", "Préavis"}, Title: "Loi du travail", Type: law.Loi, From: time.Unix(0, 0),
	}})
	terms := held(s)[id]
	for name, want := range map[string]Count{
		"preavi": {Body: 2, Heads: parentWeight},
		"cadr":   {Body: 1},
		"conge":  {Heads: leafWeight},
		"ruptur": {Heads: ancestorWeight},
		"travai": {Heads: ancestorWeight},
		"art26":  {Heads: numberWeight},
	} {
		t.Run(name, func(t *testing.T) {
			found := false
			for term, got := range terms { // by prefix, because stemming is not tested here
				if len(term) >= 4 && len(name) >= 4 && term[:4] == name[:4] && got == want {
					found = true
				}
			}
			if !found {
				t.Errorf("%s is not held as %v in %v", name, want, terms)
			}
		})
	}
	if n := s.PassagesWith(NoTerm); n != 0 {
		t.Errorf("%d passages hold a term that there is not", n)
	}
}

// A merged segment equals one built of the remaining texts.
func TestMergeMatchesBuild(t *testing.T) {
	t.Parallel()
	rows := randomRows(rand.New(rand.NewPCG(1, 2)), 30)
	first, second := rows[:len(rows)/2], rows[len(rows)/2:]
	for first[len(first)-1].Passage.DocumentID == second[0].Passage.DocumentID {
		first, second = rows[:len(first)+1], rows[len(first)+1:]
	}
	gone := []uuid.UUID{first[0].Passage.DocumentID, second[0].Passage.DocumentID, uuid.Nil}
	views := []View{View{Segment: build(first)}.Without(gone[:1]).Without(gone), View{Segment: build(second)}.Without(gone)}
	left := slices.DeleteFunc(slices.Clone(rows), func(r postgres.IndexRow) bool { return slices.Contains(gone, r.Passage.DocumentID) })
	merged, want := Merge(views), build(left)
	if lost := views[0].DeletedPassages + views[1].DeletedPassages; lost != len(rows)-len(left) {
		t.Errorf("%d passages are deleted, want %d", lost, len(rows)-len(left))
	}
	sameHeld(t, merged, want)
	if merged.Longest != want.Longest || len(merged.docs) != len(want.docs) {
		t.Errorf("%d texts, the longest passage %d; want %d and %d", len(merged.docs), merged.Longest, len(want.docs), want.Longest)
	}
	for p := range uint32(len(want.Passages)) {
		if *merged.Identity(p) != *want.Identity(p) || merged.Passages[p] != want.Passages[p] || merged.Lengths[p] != want.Lengths[p] {
			t.Fatalf("passage %d: %v, want %v", p, merged.Identity(p), want.Identity(p))
		}
	}
}

// A view counts the deleted passages that contain each term.
func TestViewCountsDeleted(t *testing.T) {
	t.Parallel()
	rows := randomRows(rand.New(rand.NewPCG(5, 6)), 8)
	s := build(rows)
	v := View{Segment: s}.Without([]uuid.UUID{s.docs[2].ID})
	for n := range s.TermCount() {
		want := uint32(0)
		for p := range s.Postings(n) {
			if s.Passages[p].Doc == 2 {
				want++
			}
		}
		if got := v.DeletedCounts[n]; got != want {
			t.Errorf("%s: %d of the deleted passages, want %d", s.Term(n).Name, got, want)
		}
	}
	if same := v.Without([]uuid.UUID{s.docs[2].ID}); same.DeletedPassages != v.DeletedPassages {
		t.Error("a text that is deleted already is deleted again")
	}
}

func TestEncodeDecode(t *testing.T) {
	t.Parallel()
	s := build(randomRows(rand.New(rand.NewPCG(3, 4)), 12))
	raw := s.Encode()
	again, err := Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	sameHeld(t, again, s)
	if !bytes.Equal(again.Encode(), raw) {
		t.Error("what was read is encoded otherwise")
	}
	if again.Registered() || !again.Register().Registered() {
		t.Error("a segment has lost its postings, or a register has some")
	}
}

// Truncated or changed bytes give an error or another segment, and never a panic.
func TestDecodeOfBrokenBytes(t *testing.T) {
	t.Parallel()
	raw := build(randomRows(rand.New(rand.NewPCG(3, 4)), 3)).Encode()
	for n := range raw {
		if _, err := Decode(raw[:n:n]); err == nil {
			t.Errorf("the first %d of %d bytes are taken for a segment", n, len(raw))
		}
		broken := slices.Clone(raw)
		broken[n] ^= 0xff
		if s, err := Decode(broken); err == nil {
			held(s)
		}
	}
	if _, err := Decode(append(slices.Clone(raw), 0)); err == nil {
		t.Error("bytes behind the segment are passed over")
	}
}

func TestCarriedPassages(t *testing.T) {
	t.Parallel()
	s := build(randomRows(rand.New(rand.NewPCG(7, 8)), 6))
	b := NewBuilder()
	for p := range uint32(len(s.Passages)) {
		if p%2 == 1 {
			continue
		}
		of := s.docs[s.Passages[p].Doc].ID
		opened := !b.Continues(of)
		previous := len(b.segment.docs)
		pos := b.Carry(View{Segment: s}, p)
		if n := len(b.segment.docs) - previous; int(pos) != b.Size()-1 || n == 1 != opened || !b.Continues(of) {
			t.Fatalf("passage %d became %d of %d and opened %d texts", p, pos, b.Size(), n)
		}
		b.AddTerm("even", pos, Count{Body: 1})
		if p%4 == 0 {
			b.AddTerm("fourth", pos, Count{Heads: 2})
		}
	}
	out := b.Carried()
	if n, m := out.PassagesWith(out.NumberOf("even")), out.PassagesWith(out.NumberOf("fourth")); n != len(out.Passages) || m != (n+1)/2 {
		t.Errorf("%d and %d of %d passages hold the terms", n, m, len(out.Passages))
	}
	for p := range uint32(len(out.Passages)) {
		if *out.IDOf(p) != *s.IDOf(2 * p) || out.docs[out.Passages[p].Doc].ID != s.docs[s.Passages[2*p].Doc].ID {
			t.Errorf("passage %d is another one", p)
		}
	}
}

func TestDaysInForce(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2020, 1, n, 12, 0, 0, 0, time.UTC) }
	if a, b := Day(day(1)), Day(day(2)); b != a+1 {
		t.Errorf("the days %d and %d", a, b)
	}
	p := Passage{from: Day(day(5)), to: Day(day(10))}
	d := Document{latest: Day(day(5)), earliest: Day(day(10))}
	for n, want := range map[int]bool{4: false, 5: true, 9: true, 10: false} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			on := Days{Earliest: Day(day(n)), Latest: Day(day(n))}
			if p.InForce(on) != want || d.InForce(on) != want {
				t.Errorf("on day %d: %v and %v, want %v", n, p.InForce(on), d.InForce(on), want)
			}
		})
	}
	if !p.InForce(Days{Earliest: Day(day(1)), Latest: Day(day(6))}) {
		t.Error("a passage is not found in days of which some are its own")
	}
}
