package refer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

// reference returns the reference of a question for a text.
func reference(name string) question.Reference {
	return question.Read("Que dit la "+name+" ?", question.Conversation{}).References[0]
}

// blank returns an empty page, for a day in March 2024.
func blank() *page {
	day := time.Date(2024, 3, 14, 0, 0, 0, 0, time.UTC)
	return &page{Resolver: &Resolver{}, day: day, today: day}
}

// written returns the text of a page.
func (p *page) written() string { return strings.Join(p.pieces, "") }

func TestMessagesThatAreNoQuestion(t *testing.T) {
	t.Parallel()
	for said, c := range map[string]struct{ answer, warning string }{
		"Bonjour":                             {welcome, quotesNothing},
		"Merci beaucoup !":                    {thanked, quotesNothing},
		"Au revoir":                           {goodbye, quotesNothing},
		"Qui es-tu ?":                         {itself, quotesNothing},
		"???":                                 {onlySigns, noQuestion},
		"42":                                  {onlyNumber, noQuestion},
		"What is the notice period of a job?": {inFrench + "\n\n" + inOwnWords[question.English], notReadable},
		"ما هي مدة الإشعار؟":                  {inFrench + "\n\n" + inOwnWords[question.Arabic], notReadable},
		"Quelle est la durée du préavis ?":    {"", ""},
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			p, read := blank(), question.Read(said, question.Conversation{})
			answered := p.answerCourtesy(read) || p.unreadable(read)
			if answered != (c.answer != "") || p.written() != c.answer {
				t.Errorf("%v, %q; want %q", answered, p.written(), c.answer)
			}
			if c.warning != "" && !slices.Equal(p.warnings, []string{c.warning}) {
				t.Errorf("warnings %q, want %q", p.warnings, c.warning)
			}
		})
	}
}

func TestAnswerWithoutASource(t *testing.T) {
	t.Parallel()
	p := blank()
	p.note("Rien.")
	if r := p.result(); r.Verdict.Certain() || !slices.Equal(r.Written.Warnings, []string{unfoundedWarning}) || !slices.Equal(r.Written.Notes, []string{"Rien."}) {
		t.Errorf("nothing cited: %v, %+v", r.Verdict.Grade, r.Written)
	}
	p = blank()
	p.warn(missingWarning)
	p.warn(missingWarning)
	if r := p.result(); !slices.Equal(r.Written.Warnings, []string{missingWarning}) {
		t.Errorf("a reason twice: %q", r.Written.Warnings)
	}
	p = blank()
	p.hits = make([]retrieve.Hit, 1)
	if r := p.result(); !r.Verdict.Certain() || r.Verdict.Probability != 1 || len(r.Written.Warnings) != 0 || !r.Day.Equal(p.day) {
		t.Errorf("a source: %v, %v, %+v", r.Verdict.Grade, r.Verdict.Probability, r.Written)
	}
}

func TestYesAndNo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asked       question.Aspect
		alive, over string
	}{
		"is it law":      {question.Force | question.Alive, "Oui : elle vaut", "Non : elle vaut"},
		"is it repealed": {question.Force | question.Ended, "Non : elle vaut", "Oui : elle vaut"},
		"since when":     {question.Since, "Elle vaut", "Elle vaut"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			alive, over := saidOf(c.asked)
			if alive("elle vaut") != c.alive || over("elle vaut") != c.over {
				t.Errorf("%q and %q, want %q and %q", alive("elle vaut"), over("elle vaut"), c.alive, c.over)
			}
		})
	}
}

func TestMissingText(t *testing.T) {
	t.Parallel()
	var texts []postgres.NamedText
	for i, x := range shelf {
		x.Document.ID = uuid.UUID{byte(i + 1)}
		texts = append(texts, x.NamedText)
	}
	source := named.InMemory(texts)
	for name, c := range map[string]struct {
		of            named.Mention
		says, warning string
	}{
		"a number":             {named.Mention{Reference: reference("loi n° 2031-05")}, "Le catalogue n’a pas la loi n° 2031-05 : 2031 est une année à venir.", missingWarning},
		"a number of the past": {named.Mention{Reference: reference("loi n° 2011-99")}, "Le catalogue n’a pas la loi n° 2011-99.", missingWarning},
		"one of another kind": {named.Mention{Reference: reference("arrêté n° 2024-15")},
			"Le catalogue n’a pas l’arrêté n° 2024-15. Il a, sous un numéro qui y ressemble : la loi n° 2024-15 du 23 mai 2024 portant répression de l'usure.", missingWarning},
		"one with other signs": {named.Mention{Reference: reference("loi n° 2000-190/MF")},
			"Le catalogue n’a pas la loi n° 2000-190/MF. Il a, sous un numéro qui y ressemble : le décret n° 2000-190/PRES/PM du 17 mai 2000.", missingWarning},
		"one that the filters bar": {named.Mention{Reference: reference("loi n° 2010-05"), Barred: shelf[:1]},
			"Les filtres de la question écartent la loi n° 2010-05 du 3 mai 2010 relative aux meuniers : retirez-les pour l’interroger.", filteredWarning},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := blank()
			p.texts, p.asked.Asked = named.NewLookup(source), &question.Question{}
			if err := p.sayAbsent(t.Context(), c.of, true); err != nil {
				t.Fatal(err)
			}
			if p.written() != c.says || !slices.Equal(p.warnings, []string{c.warning}) || len(p.notes) == 0 {
				t.Errorf("%q, warnings %q; want %q, %q", p.written(), p.warnings, c.says, c.warning)
			}
		})
	}
}

func TestReadingOf(t *testing.T) {
	t.Parallel()
	day := time.Date(2024, 3, 14, 0, 0, 0, 0, time.UTC)
	for asked, check := range map[string]func(Reading) bool{
		"Bonjour": func(r Reading) bool { return r.Courtesy == "salutation" },
		"La loi n° 2010-05 est-elle en vigueur ?": func(r Reading) bool {
			return slices.Contains(r.Status, "en vigueur") && len(r.References) == 1 && r.References[0].Name == "loi n° 2010-05" && r.References[0].Texts != nil
		},
		"Combien de temps dure le préavis ?":           func(r Reading) bool { return slices.Contains(r.Asks, "durée ou date") && len(r.References) == 0 },
		"Quel est le salaire minimum au Sénégal ?":     func(r Reading) bool { return slices.Contains(r.Countries, "sn") },
		"Quelle peine pour le vol de sel ?":            func(r Reading) bool { return slices.Contains(r.Asks, "peine") && r.Status != nil && r.Countries != nil },
		"Quels textes modifient la loi n° 2010-05 ?":   func(r Reading) bool { return slices.Contains(r.Status, "par quoi") },
		"Qu’est-ce qu’un contrat à durée déterminée ?": func(r Reading) bool { return slices.Contains(r.Asks, "définition") },
	} {
		t.Run(asked, func(t *testing.T) {
			t.Parallel()
			if r := ReadingOf(question.Read(asked, question.Conversation{}), day); !check(r) || r.Day != "2024-03-14" {
				t.Errorf("%+v", r)
			}
		})
	}
}

// days returns articles as stored in the catalogue: « number from to ».
func days(rows ...[3]string) (out []postgres.ArticleDays) {
	for i, row := range rows {
		a := postgres.ArticleDays{ID: uuid.UUID{byte(i + 1)}, Number: row[0]}
		a.From, _ = time.Parse(time.DateOnly, row[1])
		if to, err := time.Parse(time.DateOnly, row[2]); err == nil {
			a.To = &to
		}
		out = append(out, a)
	}
	return out
}

func TestWordingOfADay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		days  []postgres.ArticleDays
		ids   []byte // the first byte of the id of each article in the answer
		law   bool
		ahead bool
	}{
		"law":                  {days([3]string{"5", "2020-01-01"}), []byte{1}, true, false},
		"until that day":       {days([3]string{"5", "2020-01-01", "2024-03-14"}), []byte{1}, false, false},
		"from that day":        {days([3]string{"5", "2024-03-14"}), []byte{1}, true, false},
		"from the next":        {days([3]string{"5", "2024-03-15"}), nil, false, true},
		"replaced":             {days([3]string{"5", "2010-01-01", "2020-01-01"}, [3]string{"5", "2020-01-01"}), []byte{2}, true, false},
		"to be replaced":       {days([3]string{"5", "2010-01-01", "2030-01-01"}, [3]string{"5", "2030-01-01"}), []byte{1}, true, true},
		"the same number":      {days([3]string{"5", "2010-01-01"}, [3]string{"5", "2010-01-01"}), []byte{1}, true, false},
		"another article":      {days([3]string{"6", "2010-01-01"}), nil, false, false},
		"over, twice":          {days([3]string{"5", "2000-01-01", "2010-01-01"}, [3]string{"5", "2010-01-01", "2020-01-01"}), []byte{2}, false, false},
		"first, in two styles": {days([3]string{"1er", "2010-01-01"}), nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := blank().choose(foundArticle{number: "5", days: c.days})
			var ids []byte
			for _, id := range f.ids {
				ids = append(ids, id[0])
			}
			if !slices.Equal(ids, c.ids) || f.law != c.law || (f.next != nil) != c.ahead {
				t.Errorf("given %v, law %v, ahead %v; want %+v", ids, f.law, f.next != nil, c)
			}
		})
	}
}

func TestMissingArticle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		days []postgres.ArticleDays
		want string
	}{
		"nothing is numbered": {nil, "Le catalogue n’a pas l’article 5 de la loi n° 65-99 relative au Code du travail, dont aucun article n’est numéroté."},
		"there is one alone":  {days([3]string{"unique", "2010-01-01"}), "Le catalogue n’a pas l’article 5 de la loi n° 65-99 relative au Code du travail, qui n’a que l’article unique."},
		"they go from to":     {days([3]string{"1er", "2010-01-01"}, [3]string{"2", "2010-01-01"}, [3]string{"3", "2010-01-01"}), "Le catalogue n’a pas l’article 5 de la loi n° 65-99 relative au Code du travail, dont les articles vont de l’article 1er à l’article 3."},
		"it is not law yet":   {days([3]string{"5", "2025-01-01"}), "L’article 5 de la loi n° 65-99 relative au Code du travail n’entre en vigueur que le 1er janvier 2025."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := blank()
			p.sayNoArticle(p.choose(foundArticle{text: shelf[3], number: "5", days: c.days}))
			if p.written() != c.want || !slices.Equal(p.warnings, []string{missingWarning}) {
				t.Errorf("%q, warnings %q; want %q", p.written(), p.warnings, c.want)
			}
		})
	}
}

func TestArticleInOneOfSeveralTexts(t *testing.T) {
	t.Parallel()
	id := []uuid.UUID{{1}}
	all := []foundArticle{{number: "5"}, {number: "5", ids: id}, {number: "6"}}
	if got := withoutMissing(all); len(got) != 2 || got[0].ids == nil || got[1].number != "6" {
		t.Errorf("%+v", got)
	}
	if len(all) != 3 || all[0].ids != nil {
		t.Error("what was found is changed")
	}
}
