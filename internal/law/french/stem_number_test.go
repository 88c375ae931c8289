package french

import "testing"

func TestSameText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2000-192", "2000-192/PRES/PM/MCIA/MEF", true},
		{"2000-0192", "2000-192/PRES/PM/MCIA/MEF", true},
		{"2000/192", "2000-192/PRES", true},
		{"028-2008/AN", "28-2008", true},
		{"2000-192/PRES", "2000-192/PRES", true},
		{"2000-192/PRES", "2000-192/PM", false},
		{"2000-19", "2000-192/PRES", false},
		{"2000-192", "2000-192-3", false},
		{"2000", "2000-192/PRES", false},
		{"192", "2000-192", false},
		{"1373", "1373", true},
		{"1373", "1373/MF", false},
		{"", "", false},
	} {
		t.Run(c.a, func(t *testing.T) {
			a, b := TextTerm(c.a), TextTerm(c.b)
			if got, back := SameText(a, b), SameText(b, a); got != c.want || back != c.want {
				t.Errorf("%q and %q: %v and %v, want %v", c.a, c.b, got, back, c.want)
			}
		})
	}
}

func FuzzTextStem(f *testing.F) {
	f.Add("2000-192-pres")
	f.Add("--")
	f.Fuzz(func(t *testing.T, term string) {
		stem := TextStem(term)
		if len(stem) > len(term) || TextStem(stem) != stem {
			t.Fatalf("%q gives %q", term, stem)
		}
	})
}
