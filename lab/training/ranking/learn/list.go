// Package learn learns the weights of internal/search/rank: from lists of what searches
// found for questions, which of it answers, and whether anything does.
//
// All is deterministic: sums have one order of their terms whatever the number of
// cores, and nothing is drawn by chance.
package learn

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
)

// Item is one of a list: what is known of it, and whether it answers.
type Item struct {
	Name     string // of its article
	Text     string // that it is an article of
	Features rank.Features
	Right    bool
}

// List is what was found for one question.
type List struct {
	ID     string
	Set    string  // of questions
	Kind   Kind    // of the catalogue that was asked, where it is one of gazettes
	Group  string  // of questions that ask for the same thing
	Part   int     // learned from together or not at all
	Weight float64 // of the question: 1 over how many its group has
	Items  []Item
	Named  []string // articles that the question names: they come first, whatever the ranking
	Rest   []string // articles of what was found and not read, in order
	Right  int      // articles that answer, found or not

	PerText float64 // passages that a text of the catalogue has on average
}

// right is how many of the list answer.
func (l *List) right() (n int) {
	for i := range l.Items {
		if l.Items[i].Right {
			n++
		}
	}
	return n
}

// Found makes the list of the passages that the index found, in its order.
func Found(looked *retrieve.Examined, name func(article uuid.UUID) string, right map[string]bool) (items []Item) {
	for _, h := range looked.All {
		n := name(h.ArticleID)
		items = append(items, Item{Name: n, Features: h.Features, Right: right[n]})
	}
	return items
}

// Read fills in the articles that were read, in their order; those that the question
// names are no matter of ranking, and stand by themselves.
func (l *List) Read(looked *retrieve.Examined, name func(article uuid.UUID) string, right map[string]bool) {
	read := make(map[string]bool)
	for i := range looked.Hits {
		h := &looked.Hits[i]
		n := name(h.Article.ID)
		read[n] = true
		if h.Mode == retrieve.ByReference {
			l.Named = append(l.Named, n)
			continue
		}
		l.Items = append(l.Items, Item{n, h.Document.ID.String(), h.Features, right[n]})
	}
	for _, h := range looked.All {
		if n := name(h.ArticleID); !read[n] {
			read[n] = true
			l.Rest = append(l.Rest, n)
		}
	}
}

// Ranked returns the names of the articles in the order of some weights, with their
// scores as far as they were read.
func (l *List) Ranked(w *rank.Weights) (names []string, order []int) {
	scores := make([]float64, len(l.Items))
	for i := range l.Items {
		scores[i], order = w.Score(&l.Items[i].Features), append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	names = slices.Clone(l.Named)
	for _, i := range order {
		names = append(names, l.Items[i].Name)
	}
	return append(names, l.Rest...), order
}

// Evidence is what the gate goes by when the list is in the order of a model.
func (l *List) Evidence(m *rank.Model, by rank.Vectors) rank.Evidence {
	order, weigh := m.Ordering(by, l.PerText), m.Weigh.For(by)
	_, places := l.Ranked(&order)
	var features []*rank.Features
	var scores []float64
	var texts []string
	for _, i := range places {
		f := &l.Items[i].Features
		features, scores, texts = append(features, f), append(scores, weigh.Score(f)), append(texts, l.Items[i].Text)
	}
	return rank.EvidenceOf(features, scores, texts, m.Shape.Position(l.PerText))
}
