package postings

import (
	"math"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
)

// Articles are numbered within their section, in order, and all passages of an article have its position.
func TestPositionsWithinSections(t *testing.T) {
	t.Parallel()
	under := func(article string, path ...string) postgres.IndexRow {
		r := row(article, "passage")
		r.Path = path
		return r
	}
	rows := []postgres.IndexRow{
		under("", "Titre I"), // the words under a heading, before its first article
		under("1", "Titre I"), under("1", "Titre I"), under("2", "Titre I"),
		under("3", "Titre II"), under("4", "Titre II", "Chapitre 1"), under("5", "Titre II"),
		under("6", "Titre I", "I"), under("7", "Titre II", ""),
	}
	var got []Position
	sections := newSections()
	for _, r := range rows {
		got = append(got, sections.positionOf(r))
	}
	for i, order := range []uint16{0, 1, 1, 2, 1, 1, 2, 1, 1} {
		if got[i].Order != order {
			t.Errorf("passage %d has the order %d, want %d", i, got[i].Order, order)
		}
	}
	for i, like := range []int{0, 0, 0, 0, 4, 5, 4, 7, 8} {
		if got[i].Section != got[like].Section {
			t.Errorf("passage %d is not in the section of passage %d", i, like)
		}
	}
	sections.clear()
	if again := sections.positionOf(under("9", "Titre I")); again.Order != 1 {
		t.Errorf("the first article of the next text has the order %d", again.Order)
	}
}

func TestHeadingsAreNotJoined(t *testing.T) {
	t.Parallel()
	s := newSections()
	different := make(map[uint32][]string)
	for _, path := range [][]string{nil, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"b", "a"}, {"ab", ""}, {"", "ab"}} {
		pos := s.positionOf(postgres.IndexRow{Path: path}).Section
		if other, taken := different[pos]; taken {
			t.Errorf("%q and %q are one section", other, path)
		}
		different[pos] = path
	}
}

// In a section with more articles than a position can number, the rest have the last number.
func TestAPositionDoesNotOverflow(t *testing.T) {
	t.Parallel()
	s, last := newSections(), Position{}
	for i := range math.MaxUint16 + 10 {
		r := postgres.IndexRow{ArticleNumber: "1"}
		r.Passage.ArticleID = uuid.UUID{0: 1, 13: byte(i >> 16), 14: byte(i >> 8), 15: byte(i)}
		last = s.positionOf(r)
	}
	if last.Order != math.MaxUint16 {
		t.Errorf("order %d", last.Order)
	}
}
