package named

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// staleKeys holds the texts whose keys are missing, or were made by another version of the program. There are few of
// them, except while a new version replaces the old one.
type staleKeys struct {
	keys  []ofKeys        // texts that are compared one by one
	keyed postgres.KeysOf // keys by which the others are found; KeysOfThis if there are no others
}

// ofKeys is a text with the keys that it should have.
type ofKeys struct {
	id   uuid.UUID
	keys []string
}

// findAlsoStale finds texts that have current keys with find, and also finds texts without current keys. widest holds
// the keys that every matching text has; it is nil if no text can match. find looks up texts in one of the sets of texts
// by keys.
//
// For a text without current keys, the keys that its name would get now are compared with widest. If there are too
// many such texts to compare, the texts with keys of another version of the program are looked up by these old keys.
// This finds a text whose name gets the same keys in both versions. Any other such text is found only after its keys
// are updated.
func (l *Lookup) findAlsoStale(ctx context.Context, widest []string, find func(of postgres.KeysOf) ([]Text, error)) (found []Text, err error) {
	if widest == nil {
		return nil, nil
	}
	// Read these first, so that a text whose keys are updated in the meantime is found twice rather than never.
	late, err := l.readStale(ctx)
	if err != nil {
		return nil, err
	}
	if found, err = find(postgres.KeysOfThis); err != nil {
		return nil, err
	}
	if late.keyed != postgres.KeysOfThis {
		more, err := find(late.keyed)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	more, err := l.compareStale(ctx, late.keys, widest)
	return inOrder(append(found, more...)), err
}

// compareStale returns the texts that have all the given keys.
func (l *Lookup) compareStale(ctx context.Context, texts []ofKeys, keys []string) (found []Text, err error) {
	var ids []uuid.UUID
	for _, t := range texts {
		if holds(t.keys, keys) {
			ids = append(ids, t.id)
		}
	}
	if err := l.Know(ctx, ids...); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if t, ok := l.texts[id]; ok {
			found = append(found, t)
		}
	}
	return found, nil
}

// readStale reads the texts without current keys, once for all references of a question.
func (l *Lookup) readStale(ctx context.Context) (staleKeys, error) {
	if l.stale != nil {
		return *l.stale, nil
	}
	late, err := l.source.Behind(ctx, l.most)
	if err != nil {
		return staleKeys{}, err
	}
	if late.Bare {
		return staleKeys{}, errs.New(errs.Unavailable, "Le catalogue est en cours de préparation. Réessayez plus tard, ou préparez-le : ingest migrate up")
	}
	l.stale = &staleKeys{keyed: late.Keyed}
	for _, t := range late.Texts {
		l.stale.keys = append(l.stale.keys, ofKeys{t.ID, t.Keys()})
	}
	return *l.stale, nil
}
