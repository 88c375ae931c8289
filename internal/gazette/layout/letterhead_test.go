package layout

import (
	"slices"
	"testing"
)

// officeHead returns a first page with the state on the left and, as wide as a line of text allows, the title
// of a decree on the right.
func officeHead(number int) Page {
	p := Page{Number: number, Width: 595, Height: 842}
	p.put(60, 60, "ÉTAT DU SEL")
	p.put(300, 60, "DÉCRET N° 99-452 portant")
	p.put(60, 74, "-------")
	p.put(300, 74, "organisation des salines de")
	p.put(60, 88, "Sel et poivre")
	p.put(300, 88, "la région du Sud.")
	p.put(180, 124, "LE CHEF DE L’ÉTAT DU SEL ET DU POIVRE,")
	for i := range 12 {
		p.put(50, 150+14*float64(i), "Vu la loi du sel, qui est gris, et qui se vend au poids, partout ;")
	}
	return p
}

func TestLetterhead(t *testing.T) {
	t.Parallel()
	pages := []Page{officeHead(1)}
	Arrange(pages)
	want := []string{"ÉTAT DU SEL", "-------", "Sel et poivre", "DÉCRET N° 99-452 portant", "organisation des salines de", "la région du Sud.", "LE CHEF DE L’ÉTAT DU SEL ET DU POIVRE,"}
	if got := texts(pages[0].Lines); !slices.Equal(got[:len(want)], want) {
		t.Errorf("got %q", got[:len(want)])
	}
	if a, b := pages[0].Lines[0].Column, pages[0].Lines[3].Column; a == b {
		t.Errorf("columns %d and %d", a, b)
	}
}

// TestLetterheadBehindAnotherAct checks that an act with a letterhead may follow the short last page of another, and that a
// table may be at the top of a page that follows a full one.
func TestLetterheadBehindAnotherAct(t *testing.T) {
	t.Parallel()
	full := sheetOf(1, "Une première page, dont cette ligne est la première.")
	full.put(60, 760, "Et celle-ci la dernière.")
	for want, last := range map[string]Page{"ÉTAT DU SEL DÉCRET N° 99-452 portant": full, "ÉTAT DU SEL": sheetOf(1, "Une dernière page, et rien que cette ligne.")} {
		pages := []Page{last, officeHead(2)}
		Arrange(pages)
		if got := texts(pages[1].Lines); got[0] != want {
			t.Errorf("got %q, want %q", got[:4], want)
		}
	}
}

// TestNoLetterhead checks a title page of one block, and text under a date on the right.
func TestNoLetterhead(t *testing.T) {
	t.Parallel()
	plain := Page{Number: 1, Width: 595, Height: 842}
	plain.put(400, 60, "Villebourg, le 6 mai 1986")
	plain.put(60, 90, "CIRCULAIRE AUX SAUNIERS")
	plain.put(60, 104, "Objet : le sel gris")
	for i := range 12 {
		plain.put(50, 140+14*float64(i), "La récolte du sel gris est déclarée au ministère avant le mois de mai")
	}
	pages := []Page{plain}
	Arrange(pages)
	want := []string{"Villebourg, le 6 mai 1986", "CIRCULAIRE AUX SAUNIERS", "Objet : le sel gris"}
	if got := texts(pages[0].Lines); !slices.Equal(got[:3], want) {
		t.Errorf("got %q", got[:3])
	}
	if left, right, rest := letterhead(nil); left != nil || right != nil || rest != nil {
		t.Error("the letterhead of an empty page")
	}
}
