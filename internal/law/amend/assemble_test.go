package amend_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
)

func day(year, month, d int) time.Time {
	return time.Date(year, time.Month(month), d, 0, 0, 0, 0, time.UTC)
}

var registers = amend.Named("Code des registres")

// act returns an act of a day that enters into force on the next day.
func act(id string, signed time.Time, text string) amend.Act {
	return amend.Act{ID: id, Name: amend.Named("Loi n° " + id), Signed: signed, Force: signed.AddDate(0, 0, 1), Operations: amend.Read(text, amend.Options{})}
}

// code returns a text of articles 1 to n.
func code(n int) amend.Base {
	b := amend.Base{Text: registers}
	for i := range n {
		b.Articles = append(b.Articles, amend.Article{Number: fmt.Sprint(i + 1), Text: fmt.Sprintf("Le maire tient le registre %d.\nIl le signe.", i+1)})
	}
	return b
}

// textOn returns the text of an article on a day, "" if it has none.
func textOn(a *amend.Assembly, number string, day time.Time) string {
	for _, article := range a.On(day) {
		if article.Number == number {
			return article.Text
		}
	}
	return ""
}

// reasons returns why operations wait.
func reasons(a *amend.Assembly) (out []amend.Reason) {
	for _, w := range a.Waiting {
		out = append(out, w.Reason)
	}
	slices.Sort(out)
	return out
}

func TestVersionsOfACode(t *testing.T) {
	t.Parallel()
	first := act("2010-1", day(2010, 3, 1), "Article 1er\nÀ l'article 2 du code des registres, le mot : « maire » est remplacé par le mot : « préfet ».\nArticle 2\nAprès l'article 2 du même code, il est inséré un article 2-1 ainsi rédigé :\n« Art. 2-1. - Nul ne le voit. »")
	second := act("2012-4", day(2012, 5, 1), "À l'article 2 du code des registres, le mot : « préfet » est remplacé par le mot : « juge ».\nL'article 3 du même code est abrogé.\nÀ l'article 2-1 du même code, les mots : « Nul ne » sont remplacés par le mot : « Chacun ».")
	a := amend.Assemble(code(3), []amend.Act{second, first}) // the first one arrives late
	if len(a.Waiting) > 0 {
		t.Fatalf("waiting: %+v", a.Waiting)
	}
	for _, c := range []struct {
		number string
		on     time.Time
		text   string
	}{
		{"2", day(2010, 3, 1), "Le maire tient le registre 2.\nIl le signe."},
		{"2", day(2010, 3, 2), "Le préfet tient le registre 2.\nIl le signe."},
		{"2", day(2012, 5, 2), "Le juge tient le registre 2.\nIl le signe."},
		{"2-1", day(2010, 3, 1), ""},
		{"2-1", day(2011, 1, 1), "Nul ne le voit."},
		{"2-1", day(2013, 1, 1), "Chacun le voit."},
		{"3", day(2012, 5, 1), "Le maire tient le registre 3.\nIl le signe."},
		{"3", day(2012, 5, 2), ""},
	} {
		if got := textOn(a, c.number, c.on); got != c.text {
			t.Errorf("article %s on %s: got %q, want %q", c.number, c.on.Format(time.DateOnly), got, c.text)
		}
	}
	var order []string
	for _, h := range a.Articles {
		order = append(order, h.Number)
	}
	if want := []string{"1", "2", "2-1", "3"}; !slices.Equal(order, want) {
		t.Errorf("articles in the order %v, want %v", order, want)
	}
	v := a.Articles[1].Versions[1]
	if v.Act != "2010-1" || !slices.Equal(v.By, []string{"1er"}) || !v.To.Equal(day(2012, 5, 2)) || len(v.Evidence) != 1 {
		t.Errorf("the second version is %+v", v)
	}
	if len(v.Changes) != 1 || v.Text[v.Changes[0].Start:v.Changes[0].End] != "préfet" {
		t.Errorf("the changes of the second version are %v in %q", v.Changes, v.Text)
	}
}

func TestConsolidatedBaseTakesLaterActsOnly(t *testing.T) {
	t.Parallel()
	b := code(2)
	b.Day = day(2011, 1, 1)
	old := act("2010-1", day(2010, 3, 1), "À l'article 2 du code des registres, le mot : « maire » est remplacé par le mot : « préfet ».")
	later := act("2012-1", day(2012, 3, 1), "À l'article 2 du code des registres, le mot : « maire » est remplacé par le mot : « juge ».")
	a := amend.Assemble(b, []amend.Act{old, later})
	if got := textOn(a, "2", day(2013, 1, 1)); !strings.HasPrefix(got, "Le juge") {
		t.Errorf("got %q", got)
	}
	if got := reasons(a); !slices.Equal(got, []amend.Reason{amend.BeforeBase}) {
		t.Errorf("waiting: %v", got)
	}
}

func TestWaitingArticles(t *testing.T) {
	t.Parallel()
	unknown := act("2010-1", day(2010, 3, 1), "À l'article 2 du code des registres, le mot : « reine » est remplacé par le mot : « préfet ».")
	next := act("2011-1", day(2011, 3, 1), "À l'article 2 du code des registres, le mot : « maire » est remplacé par le mot : « juge ».")
	whole := act("2012-1", day(2012, 3, 1), "L'article 2 du code des registres est ainsi rédigé :\n« Art. 2. - Rien. »")
	a := amend.Assemble(code(2), []amend.Act{unknown, next, whole})
	if got := reasons(a); !slices.Equal(got, []amend.Reason{amend.EarlierWaits, amend.WordsNotFound}) {
		t.Errorf("waiting: %v", got)
	}
	if got := textOn(a, "2", day(2011, 6, 1)); !strings.HasPrefix(got, "Le maire") {
		t.Errorf("a waiting article was changed: %q", got)
	}
	if got := textOn(a, "2", day(2013, 1, 1)); got != "Rien." {
		t.Errorf("a whole new wording ends the waiting: got %q", got)
	}
	unknown.Settled = map[string]amend.Settlement{"2": {Text: "Le maire et le préfet."}}
	a = amend.Assemble(code(2), []amend.Act{unknown, next})
	if got := textOn(a, "2", day(2012, 1, 1)); got != "Le juge et le préfet." {
		t.Errorf("a person's wording: got %q, waiting %v", got, a.Waiting)
	}
	if v := a.Articles[1].Versions[1]; !v.Person {
		t.Errorf("the version that a person decided is %+v", v)
	}
}

func TestRenumberedArticles(t *testing.T) {
	t.Parallel()
	a := amend.Assemble(code(3), []amend.Act{act("2010-1", day(2010, 3, 1), "L'article 2 du code des registres devient l'article 2-1.")})
	if len(a.Waiting) > 0 {
		t.Fatalf("waiting: %+v", a.Waiting)
	}
	if old, moved := textOn(a, "2", day(2011, 1, 1)), textOn(a, "2-1", day(2011, 1, 1)); old != "" || moved != "Le maire tient le registre 2.\nIl le signe." {
		t.Errorf("got %q and %q", old, moved)
	}
}

func TestRenumberedAndModified(t *testing.T) {
	t.Parallel()
	b := code(3)
	b.Also = []amend.TargetText{amend.Named("Code des livres")}
	a := amend.Assemble(b, []amend.Act{act("2010-1", day(2010, 3, 1), "L'article 2 du code des livres devient l'article 2-1 et est ainsi modifié :\n1° Au premier alinéa, le mot : « maire » est remplacé par le mot : « juge » ;\n2° Le second alinéa est supprimé.")})
	if len(a.Waiting) > 0 {
		t.Fatalf("waiting: %+v", a.Waiting)
	}
	if old, moved := textOn(a, "2", day(2011, 1, 1)), textOn(a, "2-1", day(2011, 1, 1)); old != "" || moved != "Le juge tient le registre 2." {
		t.Errorf("got %q and %q", old, moved)
	}
}

func TestDivisionIsRepealed(t *testing.T) {
	t.Parallel()
	b := code(4)
	for i := range b.Articles {
		b.Articles[i].Path = []string{"TITRE Ier", []string{"Chapitre Ier. - Des maires", "Chapitre II"}[i/2]}
	}
	a := amend.Assemble(b, []amend.Act{act("2010-1", day(2010, 3, 1), "Le chapitre II du titre Ier du code des registres est abrogé.\nAu chapitre Ier du titre Ier du même code, les mots : « le signe » sont remplacés par les mots : « le scelle ».")})
	if len(a.Waiting) > 0 {
		t.Fatalf("waiting: %+v", a.Waiting)
	}
	on := a.On(day(2011, 1, 1))
	if len(on) != 2 || !strings.HasSuffix(on[1].Text, "le scelle.") {
		t.Errorf("got %+v", on)
	}
}

func TestOddActs(t *testing.T) {
	t.Parallel()
	const replace = "À l'article 2 du code des registres, le mot : « maire » est remplacé par le mot : « préfet »."
	signed := day(2010, 3, 1)
	for name, c := range map[string]struct {
		acts []amend.Act
		want []amend.Reason
		text string // of article 2 in the end
	}{
		"an act amends itself": {
			[]amend.Act{act("1", signed, "À l'article 2 de la présente loi, le mot : « maire » est remplacé par le mot : « préfet ».")},
			[]amend.Reason{amend.OwnText}, "Le maire tient le registre 2.\nIl le signe.",
		},
		"an article that does not exist is repealed": {
			[]amend.Act{act("1", signed, "L'article 99 du code des registres est abrogé.")},
			[]amend.Reason{amend.ArticleMissing}, "Le maire tient le registre 2.\nIl le signe.",
		},
		"two editions of an act": {
			[]amend.Act{act("1", signed, replace), {ID: "1 bis", Name: amend.Named("Loi n° 1"), Signed: signed, Force: signed, Operations: amend.Read(replace, amend.Options{})}},
			nil, "Le préfet tient le registre 2.\nIl le signe.",
		},
		"an article of the same day is amended": {
			[]amend.Act{
				act("1", signed, "Après l'article 2 du code des registres, il est inséré un article 2-1 ainsi rédigé :\n« Art. 2-1. - Le maire le lit. »"),
				act("2", signed, "À l'article 2-1 du code des registres, le mot : « maire » est remplacé par le mot : « préfet »."),
			},
			[]amend.Reason{amend.Conflict, amend.Conflict}, "Le maire tient le registre 2.\nIl le signe.",
		},
		"two acts of a day change different words": {
			[]amend.Act{act("1", signed, replace), act("2", signed, "À l'article 2 du code des registres, les mots : « le signe » sont remplacés par les mots : « le lit ».")},
			nil, "Le préfet tient le registre 2.\nIl le lit.",
		},
		"two acts of a day change the same words": {
			[]amend.Act{act("1", signed, replace), act("2", signed, strings.Replace(replace, "préfet", "juge", 1))},
			[]amend.Reason{amend.Conflict, amend.Conflict}, "Le maire tient le registre 2.\nIl le signe.",
		},
		"it enters into force before it is made": {
			[]amend.Act{{ID: "1", Signed: signed, Force: signed.AddDate(0, 0, -1), Operations: amend.Read(replace, amend.Options{})}},
			[]amend.Reason{amend.DatesDisordered}, "Le maire tient le registre 2.\nIl le signe.",
		},
		"nobody knows when it enters into force": {
			[]amend.Act{{ID: "1", Signed: signed, Operations: amend.Read(replace, amend.Options{})}},
			[]amend.Reason{amend.DayUnclear}, "Le maire tient le registre 2.\nIl le signe.",
		},
		"a decree fixes the day": {
			[]amend.Act{act("1", signed, "À compter de la date fixée par décret, à l'article 2 du code des registres, le mot : « maire » est remplacé par le mot : « préfet ».")},
			[]amend.Reason{amend.DayUnclear}, "Le maire tient le registre 2.\nIl le signe.",
		},
		"it does not say which text": {
			[]amend.Act{act("1", signed, "À l'article 2, le mot : « maire » est remplacé par le mot : « préfet ».")},
			[]amend.Reason{amend.TextMissing}, "Le maire tient le registre 2.\nIl le signe.",
		},
		"it amends another code": {
			[]amend.Act{act("1", signed, "À l'article 2 du code des registres maritimes, le mot : « maire » est remplacé par le mot : « préfet ».")},
			nil, "Le maire tient le registre 2.\nIl le signe.",
		},
		"the whole code is repealed": {
			[]amend.Act{act("1", signed, "Le code des registres est abrogé.")},
			[]amend.Reason{amend.TextRepealed}, "Le maire tient le registre 2.\nIl le signe.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := amend.Assemble(code(3), c.acts)
			if got := reasons(a); !slices.Equal(got, c.want) {
				t.Errorf("waiting: %v, want %v\n%+v", got, c.want, a.Waiting)
			}
			if got := textOn(a, "2", day(2020, 1, 1)); got != c.text {
				t.Errorf("got %q, want %q", got, c.text)
			}
		})
	}
}

func TestCircleOfActs(t *testing.T) {
	t.Parallel()
	one, other := amend.Named("Loi n° 2010-1 du 1er mars 2010"), amend.Named("Loi n° 2010-2 du 1er mars 2010")
	texts := map[string]string{
		"2010-1": "À l'article 1er de la loi n° 2010-2 du 1er mars 2010, le mot : « maire » est remplacé par le mot : « préfet ».",
		"2010-2": "À l'article 1er de la loi n° 2010-1 du 1er mars 2010, le mot : « préfet » est remplacé par le mot : « juge ».",
	}
	acts := []amend.Act{act("2010-1", day(2010, 3, 1), texts["2010-1"]), act("2010-2", day(2010, 3, 1), texts["2010-2"])}
	for number, c := range map[string]struct {
		text amend.TargetText
		want string
	}{
		"2010-1": {one, strings.Replace(texts["2010-1"], "préfet", "juge", 1)},
		"2010-2": {other, strings.Replace(texts["2010-2"], "maire", "préfet", 1)},
	} {
		base := amend.Base{Text: c.text, Articles: []amend.Article{{Number: "1er", Text: texts[number]}}}
		a := amend.Assemble(base, acts)
		got := textOn(a, "1er", day(2011, 1, 1))
		if number == "2010-2" { // « maire » is in it once, « préfet » is its own
			if len(a.Waiting) != 1 || a.Waiting[0].Reason != amend.WordsNotFound {
				t.Errorf("%s: waiting %+v", number, a.Waiting)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q; waiting %+v", number, got, c.want, a.Waiting)
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	t.Parallel()
	sorted := []string{"1er", "2", "2 bis", "2 ter", "2-1", "2-1-1", "2-2", "9", "10", "L. 9", "L. 10", "L. 10-1", "R. 1"}
	for i := range sorted {
		for j := range sorted {
			got := amend.CompareNumbers(sorted[i], sorted[j])
			if sorted[i][0] != sorted[j][0] && (sorted[i][0] > '9') != (sorted[j][0] > '9') {
				continue // letters against figures: any order will do
			}
			if (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("CompareNumbers(%q, %q) = %d", sorted[i], sorted[j], got)
			}
		}
	}
}

// largeCode returns a code of 3,000 articles and 200 acts that change 20 of them each.
func largeCode() (amend.Base, []amend.Act) {
	b := code(3000)
	for i := range b.Articles {
		b.Articles[i].Text = strings.Repeat("Nul ne peut ouvrir le registre sans l'accord du juge.\n", 12) + b.Articles[i].Text
	}
	words := []string{"maire", "préfet", "juge des registres", "greffier", "notaire"}
	var acts []amend.Act
	for i := range 200 {
		var text strings.Builder
		text.WriteString("Le code des registres est ainsi modifié :\n")
		for k := range 20 {
			fmt.Fprintf(&text, "%d° Au treizième alinéa de l'article %d, le mot : « %s » est remplacé par le mot : « %s » ;\n", k+1, (k*150+i/20)%3000+1, words[i%5], words[(i+1)%5])
		}
		acts = append(acts, act(fmt.Sprintf("%d-%d", 1990+i/10, i+1), day(1990+i/10, i%10+1, 1), text.String()))
	}
	return b, acts
}

func TestLargeCode(t *testing.T) {
	t.Parallel()
	b, acts := largeCode()
	a := amend.Assemble(b, acts)
	versions := 0
	for _, h := range a.Articles {
		versions += len(h.Versions)
	}
	if versions < 3200 {
		t.Errorf("%d versions, %d operations wait: %v", versions, len(a.Waiting), a.Waiting[0].Reason)
	}
}

func BenchmarkAssemble(b *testing.B) {
	base, acts := largeCode()
	for b.Loop() {
		amend.Assemble(base, acts)
	}
}

func TestSentencesForAllReasons(t *testing.T) {
	t.Parallel()
	for _, r := range amend.Reasons() {
		if s := r.Sentence(); s == "" || law.Fold(s) == "" {
			t.Errorf("%s has no sentence", r)
		}
	}
	if got := amend.Reason("").Sentence(); got != "" {
		t.Errorf("an applied operation has the sentence %q", got)
	}
}
