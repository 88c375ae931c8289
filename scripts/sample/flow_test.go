package main

import (
	"math"
	"testing"
)

func lines(n int, height float64) []row {
	rows := make([]row, n)
	for i := range rows {
		rows[i].Height = height
	}
	return rows
}

func TestColumnsGoOnInOrder(t *testing.T) {
	t.Parallel()
	f := newFlow()
	rows := lines(3*60, 12)
	ends := &extent{}
	rows[0].Extents, rows[len(rows)-1].Extents = []*extent{ends}, []*extent{ends}
	f.columns(rows)
	if len(f.pages) != 2 || *ends != (extent{1, 2}) {
		t.Fatalf("%d pages, extent %+v", len(f.pages), *ends)
	}
	x, y := 0.0, 0.0
	for _, r := range f.pages[0].Rows {
		if r.X < x || r.X == x && r.Y <= y || r.Y+r.Height > pageFoot+0.01 {
			t.Fatalf("a row at %.1f, %.1f after %.1f, %.1f", r.X, r.Y, x, y)
		}
		x, y = r.X, r.Y
	}
}

// A heading never stands alone at the foot of a column.
func TestKeepMovesToTheNextColumn(t *testing.T) {
	t.Parallel()
	f := newFlow()
	rows := lines(80, 12)
	fit := int(math.Floor((pageFoot - marginTop) / 12))
	rows[fit-2].Keep, rows[fit-1].Keep = true, true
	f.columns(rows)
	placed := f.pages[0].Rows
	if placed[fit-3].X != marginLeft || placed[fit-2].X == marginLeft || placed[fit-2].Y != marginTop {
		t.Errorf("rows %d and %d are at %.1f and %.1f, %.1f", fit-3, fit-2, placed[fit-3].X, placed[fit-2].X, placed[fit-2].Y)
	}
}

func TestWideRowsTakeAFreshPageAndColumnsGoBelow(t *testing.T) {
	t.Parallel()
	f := newFlow()
	f.columns(lines(3, 12))
	f.wide(lines(2, 50))
	f.columns(lines(1, 12))
	if len(f.pages) != 2 {
		t.Fatalf("%d pages", len(f.pages))
	}
	below := f.pages[1].Rows[2]
	if want := marginTop + 100 + wideGap; below.Y != want || f.pages[1].ColumnTop != want {
		t.Errorf("columns begin at %.1f, want %.1f", below.Y, want)
	}
}

func TestSpaceAboveIsDroppedAtTheTop(t *testing.T) {
	t.Parallel()
	f := newFlow()
	rows := lines(2, 12)
	rows[0].Before, rows[1].Before = 20, 20
	f.columns(rows)
	if got := f.pages[0].Rows; got[0].Y != marginTop || got[1].Y != marginTop+32 {
		t.Errorf("rows at %.1f and %.1f", got[0].Y, got[1].Y)
	}
}
