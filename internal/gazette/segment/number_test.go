package segment_test

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

func evidence(x gazette.Text, field string) law.Evidence {
	for _, e := range x.Evidence {
		if e.Field == field {
			return e
		}
	}
	return law.Evidence{Confidence: -1}
}

func TestAnOddYearInTheNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		printed, file, want string
		doubtful            bool
	}{
		{"2019-12/PM", "", "2019-12/PM", false},
		{"219-12/PM", "decret-2019-12-PM.pdf", "2019-12/PM", false},
		{"219-12", "decret-2019-12-sel.pdf", "2019-12", false},
		{"219-12", "sel.pdf", "219-12", true},
		{"2012-12", "decret-2019-12-sel.pdf", "2019-12", false},
		{"2012-12", "decret-2012-12-sel.pdf", "2012-12", true},
		{"12-2019", "", "12-2019", false},
		{"19-12", "", "19-12", false},
		{"125-12", "", "125-12", false},
		{"2018-912", "", "2018-912", false}, // numbered in December, signed in March
	} {
		x := split(t, strings.Replace(decree, "2019-12/PM", c.printed, 1), gazette.Hints{Filename: c.file})
		if len(x.Doubts) > 0 != c.doubtful {
			t.Errorf("%s: doubts %v", c.printed, x.Doubts)
		}
		same(t, c.printed, x.Document.OfficialNumber, c.want)
		if e := evidence(x, "numero_officiel"); e.Words == "" || e.Page != 1 || e.Confidence < remarks.Sure != c.doubtful {
			t.Errorf("%s: %+v", c.printed, e)
		}
	}
}

func TestNumberThatAScanBrokeUp(t *testing.T) {
	t.Parallel()
	spoilt := strings.NewReplacer("DÉCRET N° 2019-12/PM DU 1ER MARS 2019", "= Decrer n° 2 01 9/ É 2 ou. D 4 MARS 2019", "le 1er mars 2019", "le 4 mars 2019").Replace(decree)
	x := split(t, spoilt, gazette.Hints{Filename: "decret-2019-012-sel-scan.pdf"})
	same(t, "type, number, date", string(x.Document.Type)+" "+x.Document.OfficialNumber+" "+day(x.Document.Promulgated), "decret 2019/012 2019-03-04")
	if len(x.Doubts) != 0 {
		t.Errorf("doubts %v", x.Doubts)
	}
	for _, file := range []string{"scan.pdf", "decret-2018-012.pdf", "loi-2019-012.pdf"} {
		if x := split(t, spoilt, gazette.Hints{Filename: file}); len(x.Doubts) == 0 {
			t.Errorf("%s: number %s without a doubt", file, x.Document.OfficialNumber)
		}
	}
}

func TestDoubtsCarryTheWordsTheyCameFrom(t *testing.T) {
	t.Parallel()
	x := split(t, strings.Replace(decree, "fixant le prix", "relatif au projet de loi sur le prix", 1), gazette.Hints{})
	if len(x.Doubts) != 1 || !strings.Contains(x.Doubts[0].Words, "projet de loi") || x.Doubts[0].Page != 1 {
		t.Errorf("%+v", x.Doubts)
	}
	e := evidence(split(t, decree, gazette.Hints{}), "date_promulgation")
	if e.Words != "1ER MARS 2019" || e.Page != 1 || e.Confidence < 0.9 {
		t.Errorf("%+v", e)
	}
}

func TestEachDatumKeepsTheWordsItCameFrom(t *testing.T) {
	t.Parallel()
	x := split(t, decree, gazette.Hints{})
	for field, want := range map[string]string{
		"title": "DÉCRET N° 2019-12/PM", "doc_type": "Décret", "numero_officiel": "2019-12/PM", "date_promulgation": "1ER MARS 2019",
		"date_entree_vigueur": "entre en vigueur le 1er juin 2019", "domaine": "",
		"signataires": "Le Premier ministre : Jean VILLEDIEU",
	} {
		e := evidence(x, field)
		if !strings.Contains(e.Words, want) || e.Confidence < 0.5 || e.Confidence > 1 || e.Page != 1 {
			t.Errorf("%s: %+v, want %q", field, e, want)
		}
	}
	if e := evidence(split(t, strings.Replace(decree, "le 1er juin 2019", "partout", 1), gazette.Hints{}), "date_entree_vigueur"); e.Words != "" || e.Confidence < 0 {
		t.Errorf("without a clause: %+v", e)
	}
	later := time.Date(2019, 6, 1, 0, 0, 0, 0, time.UTC)
	given := split(t, decree, gazette.Hints{Domain: "travail", EntersInForce: &later})
	for _, field := range []string{"domaine", "date_entree_vigueur"} {
		if e := evidence(given, field); e.Confidence != 1 || e.Words != "" {
			t.Errorf("%s was given: %+v", field, e)
		}
	}
}

func TestADateFromTheActThatPromulgated(t *testing.T) {
	t.Parallel()
	text := strings.Replace(strings.Replace(decree, "DÉCRET N° 2019-12/PM DU 1ER MARS 2019\n                 fixant le prix du sel.",
		"LOI N° 72-03 FIXANT LE PRIX DU SEL\n           PROMULGUÉE PAR LE DAHIR N° 1-04-23 DU 12 HIJA 1424 (3 FÉVRIER 2004)", 1), "Fait à Villebourg, le 1er mars 2019.", "", 1)
	x := split(t, text, gazette.Hints{})
	same(t, "number and date", x.Document.OfficialNumber+" "+day(x.Document.Promulgated), "72-03 2004-02-03")
}
