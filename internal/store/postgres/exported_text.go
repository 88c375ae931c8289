package postgres

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/export"
)

// ExportedText returns a text, in the catalogue or in review, for package export: as printed or,
// if on is not nil, in its wording of that day, with the changes that acts have made to it.
// NotFound if there is no such text, if a day is given and the text is in review, or if no
// article of it is in force on that day.
func (db *DB) ExportedText(ctx context.Context, id uuid.UUID, on *time.Time) (export.Text, error) {
	whole, err := db.WholeText(ctx, id)
	if err != nil {
		return export.Text{}, err
	}
	t := export.Text{Document: whole.Document, Countries: whole.Countries, Articles: whole.Articles, Relations: whole.Relations,
		Evidence: whole.Evidence, Ended: whole.Ended, On: on}
	if on == nil {
		return t, nil
	}
	list, _, err := db.ReadArticlesOn(ctx, id, *on, 1, math.MaxInt32, true)
	if err != nil {
		return export.Text{}, err
	}
	if len(list) == 0 {
		return export.Text{}, errs.New(errs.NotFound, "Aucun article de ce texte n’est en vigueur le "+law.WriteDate(*on)+".")
	}
	t.Articles = make([]law.Article, len(list))
	for i, a := range list {
		t.Articles[i] = a.Article
	}
	t.Changes, err = db.changesUntil(ctx, whole.Document, *on)
	return t, err
}

// changesUntil returns what acts have changed in the articles of a text up to a day.
func (db *DB) changesUntil(ctx context.Context, d law.Document, on time.Time) (list []export.Change, err error) {
	versions, titles, err := db.VersionsOfText(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	var acts []uuid.UUID
	for _, v := range versions {
		if v.Act != nil {
			acts = append(acts, *v.Act)
		}
	}
	addressed, err := db.AddressedTexts(ctx, acts)
	if err != nil {
		return nil, err
	}
	paths := make(map[uuid.UUID]string, len(addressed))
	for _, t := range addressed {
		paths[t.ID] = t.Work().Full()
	}
	for _, v := range versions {
		if v.Act == nil || v.From != nil && v.From.After(on) {
			continue
		}
		c := export.Change{Article: v.Article, Number: v.Number, From: d.EntersInForce, To: v.To, Act: *v.Act, Title: titles[*v.Act], Address: paths[*v.Act],
			Gone: v.Gone, Inserted: v.Inserted && v.Ordinal == 0}
		if v.From != nil {
			c.From = *v.From
		}
		for _, e := range v.Evidence {
			c.Instructions = append(c.Instructions, export.Instruction{Article: e.Number, Page: e.Page, Words: e.Words})
		}
		list = append(list, c)
	}
	return list, nil
}
