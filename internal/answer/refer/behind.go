package refer

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// behind are the texts whose keys are still to be made, or were made by another version of
// the program. There are few of them but while a new version takes over.
type behind struct {
	keys  []ofKeys        // of those that are compared one by one
	keyed postgres.KeysOf // of the others; KeysOfThis where there are none
}

// ofKeys is a text, and the keys that it is to have.
type ofKeys struct {
	id   uuid.UUID
	keys []string
}

// ofAll finds texts among those whose keys are up to date, and among those that are behind.
// The widest of the keys are those without which no text is meant, nil where none is; find
// looks texts up by keys.
//
// A text that is behind is compared with the widest keys by what it is called. Where so many
// are behind that this would take long, those that another version of the program made keys
// of are looked up by these: what both versions make alike of a name finds them, and the
// rest waits until the keys are made.
func (l *lookup) ofAll(ctx context.Context, widest []string, find func(of postgres.KeysOf) ([]text, error)) (found []text, err error) {
	if widest == nil {
		return nil, nil
	}
	// Before the others are looked up: keys that are made meanwhile are found twice, not never.
	late, err := l.readBehind(ctx)
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
	more, err := l.comparing(ctx, late.keys, widest)
	return inOrder(append(found, more...)), err
}

// comparing reads the texts that have all the keys.
func (l *lookup) comparing(ctx context.Context, texts []ofKeys, keys []string) (found []text, err error) {
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

// readBehind reads the texts that are behind, once for all references of a question.
func (l *lookup) readBehind(ctx context.Context) (behind, error) {
	if l.behind != nil {
		return *l.behind, nil
	}
	late, err := l.db.Behind(ctx, l.most)
	if err != nil {
		return behind{}, err
	}
	if late.Bare {
		return behind{}, errs.New(errs.Unavailable, "Le catalogue est en cours de préparation. Réessayez plus tard, ou préparez-le : ingest migrate up")
	}
	l.behind = &behind{keyed: late.Keyed}
	for _, t := range late.Texts {
		l.behind.keys = append(l.behind.keys, ofKeys{t.ID, t.Keys()})
	}
	return *l.behind, nil
}
