package edition

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"vigueur/internal/law"
)

// decree returns the text of a decree. Words that match spoil are misspelled as in a bad
// scan.
func decree(number, date, title string, spoil int) (law.Document, string) {
	day, _ := time.Parse(time.DateOnly, date)
	var b strings.Builder
	for i := range 60 {
		line := fmt.Sprintf("Le président du conseil numéro %d répond devant l’assemblée générale de la gestion de l’exercice %d écoulé. ", i, i*7)
		if spoil > 0 && i%spoil == 0 {
			line = strings.NewReplacer("président", "prÉsid*nt", "gestion", "g(stion", "écoulé", "éœu!é").Replace(line)
		}
		b.WriteString(line)
	}
	return law.Document{Title: title, Type: law.Decret, OfficialNumber: number, Promulgated: day}, b.String()
}

const title = "Décret n° 2000-190 portant attributions des présidents de conseil d’administration"

func TestCompare(t *testing.T) {
	t.Parallel()
	d, body := decree("2000-190/PRES/PM", "2000-05-17", title, 0)
	digital := New(d, body, 0)
	other := "Les communes peuvent lever une taxe sur les marchés couverts dans les conditions que fixe leur conseil. "
	for name, c := range map[string]struct {
		number, date, title string
		spoil               int
		body                string
		want                Likeness
	}{
		"a bad scan":                {"2000-190", "2000-05-17", "DECRET N° 2000-190 portant atributions des Présidents de Conseil d'Administration !", 4, "", Same},
		"zeros before the number":   {"02000-0190", "2000-05-17", title, 0, "", Same},
		"another authority":         {"2000-190/MEF", "2000-05-17", title, 0, "", Doubtful},
		"another number":            {"2000-191", "2000-05-17", title, 0, "", Different},
		"no number":                 {"", "2000-05-17", title, 0, "", Different},
		"another day":               {"2000-190", "2000-05-18", title, 4, "", Doubtful},
		"another country":           {"2000-190", "2000-05-17", "Décret n° 2000-190 relatif aux taxes communales", 0, strings.Repeat(other, 30), Different},
		"the title, not the words":  {"2000-190", "2000-05-17", title, 0, strings.Repeat(other, 30), Different},
		"the words, another title":  {"2000-190", "2000-05-17", "Texte sans titre", 0, "", Different},
		"a title that was half cut": {"2000-190", "2000-05-17", "Décret attributions conseil gestion exercice", 0, "", Same},
	} {
		t.Run(name, func(t *testing.T) {
			d, body := decree(c.number, c.date, c.title, c.spoil)
			if c.body != "" {
				body = c.body
			}
			e := New(d, body, 0)
			if got := Compare(digital, e); got != c.want || Compare(e, digital) != got {
				t.Errorf("%s: %d and %d, want %d", name, got, Compare(e, digital), c.want)
			}
		})
	}
	d.Type = law.Loi
	if Compare(digital, New(d, body, 0)) != Different {
		t.Error("a law is a decree")
	}
}

func TestBetter(t *testing.T) {
	t.Parallel()
	d, body := decree("2000-190", "2000-05-17", title, 0)
	_, spoiled := decree("2000-190", "2000-05-17", title, 3)
	digital := New(d, body, 0)
	for name, e := range map[string]Edition{
		"a bad layer":         New(d, spoiled, 0),
		"a recognized scan":   New(d, body, 1),
		"without its accents": New(d, law.Fold(body), 0),
		"half of it":          New(d, body[:len(body)/2], 0),
		"nothing":             New(d, "", 0),
	} {
		t.Run(name, func(t *testing.T) {
			if !Better(digital, e) || Better(e, digital) {
				t.Errorf("%s is not the worse edition: %.3f words %d against %.3f words %d", name, e.clean, e.words, digital.clean, digital.words)
			}
		})
	}
	if Better(digital, digital) {
		t.Error("an edition is better than itself")
	}
	if whole, torn := New(d, spoiled, 0), New(d, body[:len(body)/3], 0); !Better(whole, torn) {
		t.Errorf("a third is better than a spoiled whole: %.3f against %.3f", torn.clean, whole.clean)
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{"2000-190/PRES/PM/MCIA": "2000-190", "028-2008/AN": "28-2008", "12": "12", "": "", "AUA": "", "96/06": "96-6"} {
		t.Run(number, func(t *testing.T) {
			if got := Key(number); got != want {
				t.Errorf("%q gives %q, want %q", number, got, want)
			}
		})
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("2000-190", "un titre", "le corps du texte", "2000-190", "un titre", "le corps")
	f.Fuzz(func(t *testing.T, n1, t1, b1, n2, t2, b2 string) {
		a := New(law.Document{OfficialNumber: n1, Title: t1}, b1, 0)
		b := New(law.Document{OfficialNumber: n2, Title: t2}, b2, 1)
		if Compare(a, b) != Compare(b, a) {
			t.Error("not symmetric")
		}
		if Better(a, b) && Better(b, a) {
			t.Error("each is better than the other")
		}
	})
}
