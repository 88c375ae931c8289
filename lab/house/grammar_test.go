package house

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestGrammar makes a phrase of every alternative: each slot must name a section or
// something that the pen makes, and every range of numbers must be one.
func TestGrammar(t *testing.T) {
	t.Parallel()
	p := newPen(Styles()[0], 1)
	for name, alternatives := range grammar() {
		for _, ph := range alternatives {
			for _, x := range ph {
				if low, high, ok := strings.Cut(x.arg, "-"); x.name == "n" {
					a, errA := strconv.Atoi(low)
					b, errB := strconv.Atoi(high)
					if !ok || errA != nil || errB != nil || a > b {
						t.Errorf("[%s]: the numbers %q", name, x.arg)
					}
				}
			}
			if s := p.expand(ph); s == "" || strings.ContainsAny(s, "{}[]|") || strings.Contains(s, "  ") || strings.Contains(" "+s+" ", " de le ") || strings.Contains(" "+s+" ", " à le ") {
				t.Errorf("[%s]: %q", name, s)
			}
		}
	}
}

func TestContract(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"de", "le conseil", "du conseil"}, {"de", "les ports", "des ports"}, {"de", "la pêche", "de la pêche"}, {"de", "l'état civil", "de l'état civil"},
		{"a", "le conseil", "au conseil"}, {"a", "les ports", "aux ports"}, {"a", "la pêche", "à la pêche"}, {"De", "le conseil", "Du conseil"},
		{"de", "Onaté", "d'Onaté"}, {"de", "un conseil", "d'un conseil"}, {"", "le conseil", "le conseil"},
	} {
		if got := contract(c[0], c[1]); got != c[2] {
			t.Errorf("%q with %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestHijri holds dates against the tabular calendar, from which gazettes, which go by
// the moon, differ by a day at times.
func TestHijri(t *testing.T) {
	t.Parallel()
	s := Styles()[0]
	p := newPen(s, 1)
	p.style.bigMonths = false
	for when, want := range map[time.Time]string{
		time.Date(2014, 6, 25, 0, 0, 0, 0, time.UTC): "26 Chaâbane 1435 correspondant au 25 juin 2014",
		time.Date(2016, 1, 22, 0, 0, 0, 0, time.UTC): "11 Rabie Ethani 1437 correspondant au 22 janvier 2016",
		time.Date(1969, 12, 1, 0, 0, 0, 0, time.UTC): "21 Ramadhan 1389 correspondant au 1er décembre 1969",
	} {
		p.style.dates = matching
		if got := p.date(when); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	p.style.dates = brackets
	if got := p.date(time.Date(2004, 2, 3, 0, 0, 0, 0, time.UTC)); got != "11 hija 1424 (3 février 2004)" {
		t.Errorf("%q", got)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	p := newPen(Styles()[0], 1)
	when := time.Date(1999, 3, 1, 0, 0, 0, 0, time.UTC)
	for pattern, want := range map[string]string{"{yyyy}-{n2}": "1999-07", "{yy}/{n}": "99/7", "{n3}/{yy}/AN": "007/99/AN", "1-{yy}-{n2}": "1-99-07", "D/{yyyy}/{n4}/PRG/SGG": "D/1999/0007/PRG/SGG"} {
		if got := p.number(pattern, when, 7); got != want {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
}
