package named

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// InTyped returns the texts whose short names (« moudawana », « AUSCGIE ») are in what a person has typed into a search, and
// the words that are left without these names.
func InTyped(ctx context.Context, db *postgres.DB, typed string) (texts []uuid.UUID, rest string, err error) {
	names, err := db.GivenNames(ctx)
	if err != nil {
		return nil, typed, err
	}
	called, rest := question.Names(typed, names)
	list, err := textsCalled(ctx, db, called)
	for _, t := range list {
		texts = append(texts, t.Document.ID)
	}
	if len(texts) == 0 {
		rest = typed
	}
	return texts, rest, err
}

// Suggest completes what a person is typing, as (*postgres.DB).SuggestTitles does, and, if no title begins so, by the
// short names that begin so.
func Suggest(ctx context.Context, db *postgres.DB, typed, of string, limit int) (items []law.Document, alike bool, err error) {
	items, alike, err = db.SuggestTitles(ctx, typed, of, limit)
	if err != nil || len(items) > 0 && !alike {
		return items, alike, err
	}
	names, err := db.GivenNames(ctx)
	if err != nil {
		return nil, false, err
	}
	var called []question.Reference
	for _, n := range question.Begun(typed, names) {
		found, _ := question.Names(n.Name, names)
		called = append(called, found...)
	}
	list, err := textsCalled(ctx, db, called)
	if err != nil || len(list) == 0 {
		return items, alike, err
	}
	items = items[:0]
	for _, t := range list[:min(len(list), limit)] {
		items = append(items, t.Document)
	}
	return items, false, nil
}

// textsCalled returns the texts that references mean, in their order.
func textsCalled(ctx context.Context, source Source, called []question.Reference) (found []Text, err error) {
	l, seen := NewLookup(source), map[uuid.UUID]bool{}
	for _, r := range called {
		texts, _, err := l.lookUp(ctx, r, nil)
		if err != nil {
			return nil, err
		}
		for _, t := range texts {
			if !seen[t.Document.ID] {
				seen[t.Document.ID] = true
				found = append(found, t)
			}
		}
	}
	return found, nil
}
