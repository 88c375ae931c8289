package learn

import (
	"slices"
	"testing"

	"vigueur/internal/search/encode"
)

// What questions on further texts say in other words is learned, from the words that the corpus has; what went before stays
// as it was.
func TestFurtherTextsAreLearnedFrom(t *testing.T) {
	t.Parallel()
	c := read(t)
	law, err := AfterLaw(c, options(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	before := table(t, law)
	articles := []Article{
		{ID: "g:0", Title: "Des conseils", Text: "Le gage hypothèque créancier. Le débiteur caution.", Code: "gazette"},
		{ID: "g:1", Title: "Des conseils", Text: "Le bailleur loyer congé.", Code: "gazette"},
		{ID: "g:2", Title: "Des conseils", Text: "Le salarié licenciement préavis.", Code: "autre"},
	}
	var questions []Sheet
	for range 30 {
		questions = append(questions, Sheet{ID: "q", Title: "couple boulot zinzolin ?", Right: []int{0}})
	}
	with := law.With(articles, questions)
	if len(with.Articles) != len(c.Articles)+3 || len(with.Sheets) != len(c.Sheets)+30 || len(with.words.words) != len(c.words.words) {
		t.Fatalf("%d articles, %d sheets, %d words", len(with.Articles), len(with.Sheets), len(with.words.words))
	}
	n, added := len(c.Articles), with.Sheets[len(with.Sheets)-1]
	if with.Articles[n].next != n+1 || with.Articles[n+1].next != -1 || with.Articles[n+2].next != -1 {
		t.Error("an article is followed by one of another text, or by none")
	}
	if !slices.Equal(added.Right, []int{n}) || !added.Beside || with.Sheets[0].Beside || questions[0].Right[0] != 0 {
		t.Errorf("the question rests on %v", added.Right)
	}
	likeness := func(l *Learner) float32 {
		e := encode.Of(l.Table(encode.Provenance{}))
		asked, _ := e.Encode("couple boulot")
		answer, _ := e.Encode("hypothèque du créancier, gage du débiteur")
		return dot(asked, answer)
	}
	without := law.Clone()
	without.Lay(all)
	with.Lay(all)
	if a, b := likeness(without), likeness(with); b < a+0.1 {
		t.Errorf("the question is as near to its answer as before: %.2f, %.2f", a, b)
	}
	if !slices.Equal(table(t, law), before) || len(law.Articles) != n {
		t.Error("the learner that the others went on from has changed")
	}
}
