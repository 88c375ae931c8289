package postings

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
)

// frequencies returns the number of passages that contain each term, without those of deleted texts.
func frequencies(v View) map[string]uint32 {
	out := make(map[string]uint32)
	for n := range v.TermCount() {
		if passages, _ := v.Frequency(n); passages > v.DeletedCounts[n] {
			out[v.Term(n).Name] = passages - v.DeletedCounts[n]
		}
	}
	return out
}

// Merged registers know the same about each term as a register of the remaining texts, in memory and in a file.
func TestMergeRegisters(t *testing.T) {
	t.Parallel()
	for name, inFile := range map[string]bool{"in memory": false, "in a file": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := randomRows(rand.New(rand.NewPCG(31, 32)), 24)
			pos := slices.IndexFunc(rows, func(r postgres.IndexRow) bool { return r.Passage.DocumentID == uuid.NewSHA1(uuid.Nil, []byte("12")) })
			gone := []uuid.UUID{rows[0].Passage.DocumentID, rows[len(rows)-1].Passage.DocumentID}
			var views []View
			for _, part := range [][]postgres.IndexRow{rows[:pos], rows[pos:]} {
				s := build(part).Register()
				if inFile {
					if err := s.MoveToFile(t.TempDir()); err != nil {
						t.Fatal(err)
					}
				}
				views = append(views, View{Segment: s}.Without(gone))
			}
			merged := Merge(views)
			left := slices.DeleteFunc(slices.Clone(rows), func(r postgres.IndexRow) bool { return slices.Contains(gone, r.Passage.DocumentID) })
			want := build(left).Register()
			if a, b := frequencies(View{Segment: merged}), frequencies(View{Segment: want}); !maps.Equal(a, b) {
				t.Errorf("counts %v\nwant   %v", a, b)
			}
			if !merged.Registered() || (View{Segment: merged}).Length() != (View{Segment: want}).Length() || views[0].Length()+views[1].Length() != (View{Segment: want}).Length() {
				t.Errorf("length %v, want %v", View{Segment: merged}.Length(), View{Segment: want}.Length())
			}
			// A merged text can still be subtracted from the counts.
			next := []uuid.UUID{left[0].Passage.DocumentID}
			if a, b := frequencies(View{Segment: merged}.Without(next)), frequencies(View{Segment: want}.Without(next)); !maps.Equal(a, b) {
				t.Errorf("without one more: %v\nwant %v", a, b)
			}
			for _, g := range french.Grams(nil, french.Terms("licenciement")[0]) {
				if len(merged.TermsWith(g)) != len(want.TermsWith(g)) {
					t.Errorf("the piece %v is of %d terms, want %d", g, len(merged.TermsWith(g)), len(want.TermsWith(g)))
				}
			}
		})
	}
}

// Without does not change the view that it is called on, which a search may still use.
func TestWithoutDoesNotChangeTheView(t *testing.T) {
	t.Parallel()
	s := build(randomRows(rand.New(rand.NewPCG(33, 34)), 6))
	one := View{Segment: s}.Without([]uuid.UUID{s.DocID(1)})
	deleted, counts, passages, length := maps.Clone(one.Deleted), maps.Clone(one.DeletedCounts), one.DeletedPassages, one.DeletedLength
	two := one.Without([]uuid.UUID{s.DocID(2), s.DocID(2), s.DocID(1)})
	if !maps.Equal(one.Deleted, deleted) || !maps.Equal(one.DeletedCounts, counts) || one.DeletedPassages != passages || one.DeletedLength != length {
		t.Error("the view before has changed")
	}
	if want := (View{Segment: s}).Without([]uuid.UUID{s.DocID(2)}); two.DeletedPassages != passages+want.DeletedPassages || two.DeletedLength != length+want.DeletedLength {
		t.Errorf("%d passages of length %v, want %d of %v: a text that is named twice is deleted once", two.DeletedPassages, two.DeletedLength, passages+want.DeletedPassages, length+want.DeletedLength)
	}
	if all := (View{Segment: s}).Without([]uuid.UUID{s.DocID(0), s.DocID(1), s.DocID(2), s.DocID(3), s.DocID(4), s.DocID(5)}); all.Length() != 0 || all.DeletedPassages != len(s.Passages) || len(frequencies(all)) != 0 || Merge([]View{all}).DocCount() != 0 {
		t.Errorf("nothing is left, but the length is %v and the counts %v", all.Length(), frequencies(all))
	}
}

// The file of a register has no name, so that no process leaves one behind, however it ends.
func TestTheFileOfARegisterHasNoName(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "made", "when needed")
	s := build(randomRows(rand.New(rand.NewPCG(35, 36)), 3)).Register()
	if err := s.MoveToFile(dir); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

func TestASegmentThatCannotBeMovedStays(t *testing.T) {
	t.Parallel()
	occupied := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := build(randomRows(rand.New(rand.NewPCG(37, 38)), 5)).Register()
	before := s.Encode()
	if err := s.MoveToFile(filepath.Join(occupied, "below")); err == nil || s.InFile() {
		t.Fatalf("moved below a file: %v", err)
	}
	if !bytes.Equal(s.Encode(), before) {
		t.Error("the segment has changed")
	}
}

// A segment without texts can be moved, merged, encoded and read like any other.
func TestASegmentWithoutTexts(t *testing.T) {
	t.Parallel()
	s := build(nil)
	if err := s.MoveToFile(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	again, err := Decode(s.Encode())
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*Segment{"in a file": s, "decoded": again, "merged": Merge([]View{{Segment: s}, {Segment: again}})} {
		t.Run(name, func(t *testing.T) {
			if x.DocCount() != 0 || x.TermCount() != 0 || x.NumberOf("preavi") != NoTerm || x.OfArticle("art1") != nil || (View{Segment: x}).Length() != 0 {
				t.Errorf("%d texts, %d terms", x.DocCount(), x.TermCount())
			}
		})
	}
}

func TestMapFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{"empty": "", "short": "abc", "long": strings.Repeat("0123456789", 100_000)} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			bytes, done, err := MapFile(path)
			if err != nil || string(bytes) != content {
				t.Fatalf("%d bytes, want %d; %v", len(bytes), len(content), err)
			}
			done()
		})
	}
	if _, _, err := MapFile(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that there is not: %v", err)
	}
}
