package address

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func code() law.Document {
	return law.Document{ID: uuid.MustParse("018f0000-0000-7000-8000-000000000001"), Title: "Loi n° 28-2008/AN du 13 mai 2008 portant code du travail",
		Type: law.Loi, OfficialNumber: "28-2008/AN", Promulgated: day("2008-05-13")}
}

func TestAddressOfAText(t *testing.T) {
	w := Of(code(), []string{"bf"})
	for got, want := range map[string]string{
		w.Short(): "/akn/bf/act/2008-05-13/28-2008-an",
		w.Full():  "/akn/bf/act/loi/2008-05-13/28-2008-an",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	nameless := code()
	nameless.OfficialNumber, nameless.Title = "", "Code du travail de "+strings.Repeat("l’Étendue ", 20)
	if w := Of(nameless, nil); w.Country != Nowhere || !strings.HasPrefix(w.Name, "code-du-travail-de-l-etendue-") || len(w.Name) > nameLength || strings.HasSuffix(w.Name, "-") {
		t.Errorf("without a number: %+v", w)
	}
	nameless.Title = strings.Repeat("a", 300)
	if w := Of(nameless, nil); len(w.Name) != nameLength {
		t.Errorf("a title of one word: %q", w.Name)
	}
	nameless.Title = "قانون"
	if w := Of(nameless, []string{"x-Astrevalle"}); w.Name != nameless.ID.String() || w.Country != "x-astrevalle" {
		t.Errorf("a title without a Latin letter: %+v", w)
	}
}

// TestParse reads what the other functions make, and what people and programs write instead.
func TestParse(t *testing.T) {
	w, date := Of(code(), []string{"bf"}), day("2020-01-01")
	for path, want := range map[string]Address{
		w.Short():                    {},
		w.Full():                     {Work: Work{Type: law.Loi}},
		strings.ToUpper(w.Full()):    {Work: Work{Type: law.Loi}},
		w.Short() + "/":              {},
		w.Short() + "/fra":           {French: true},
		w.Short() + "/!main":         {},
		Expression(w.Short(), &date): {French: true, On: &date},
		Article(w.Short(), "art_66"): {Article: "art_66"},
		Article(Expression(w.Short(), &date), "art_1"): {French: true, On: &date, Article: "art_1"},
		w.Full() + "/~art_66":                          {Work: Work{Type: law.Loi}, Article: "art_66"},
	} {
		got, ok := Parse(path)
		if !ok || got.Work.Short() != w.Short() || got.Work.Type != want.Work.Type || got.French != want.French || got.Article != want.Article ||
			(got.On == nil) != (want.On == nil) || got.On != nil && !got.On.Equal(*want.On) {
			t.Errorf("%s: %+v, %v", path, got, ok)
		}
	}
	if got, ok := Parse("/akn/bf/act/2008-05-13/" + code().ID.String()); !ok || got.ID != code().ID {
		t.Errorf("an id for a name: %+v, %v", got, ok)
	}
	for _, path := range []string{"", "/", "/akn", "/akn/bf", "/akn/bf/act/2008-13-45/28", "/akn/bf/act/2008-05-13", "/akn/bf/act/2008-05-13/a b",
		"/akn/bf/act/2008-05-13/28/fra@2008-99-01", "/akn/bf/act/2008-05-13/28/eng", "/akn/bf/bill/2008-05-13/28", "/akn/../act/2008-05-13/28"} {
		if got, ok := Parse(path); ok {
			t.Errorf("%q: %+v", path, got)
		}
	}
}

func TestArticles(t *testing.T) {
	got := Articles([]string{"", "1er", "66", "66", "L. 1224-1", "Annexe I", "66-2", "66"})
	want := []string{"", "art_1er", "art_66", "art_66-2", "art_l-1224-1", "annexe-i", "art_66-2-2", "art_66-3"}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %q, want %q", i, got[i], want[i])
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("/akn/bf/act/2008-05-13/28-2008-an/fra@2020-01-01/!main~art_66")
	f.Fuzz(func(t *testing.T, path string) {
		a, ok := Parse(path)
		if !ok {
			return
		}
		again, ok := Parse(a.Work.Full())
		if !ok || again.Work != a.Work {
			t.Errorf("%q: %+v, again %+v", path, a.Work, again.Work)
		}
	})
}
