package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/edition"
)

// MissingText is a text that acts change and that the catalogue lacks.
type MissingText struct {
	Named     string       // its longest name in the acts
	Countries []string     // codes of the countries of the acts
	Articles  int          // articles that are changed
	Changes   int          // operations that wait for the text
	Repealed  bool         // an act repeals it as a whole
	Act       law.Document // the newest act that names it
	key       string
	articles  map[string]bool
}

// mostMissing is the maximum number of operations that are read for the list of missing texts.
const mostMissing = 50_000

// MissingTexts returns the texts that acts change and that the catalogue lacks, those with the most articles first. A text is one
// by its number, else by its day, else by its name, within the countries of the acts.
func (db *DB) MissingTexts(ctx context.Context) (list []MissingText, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT o.operation, d.id, d.title, d.promulgated_on, d.countries
			FROM amendment_operations o JOIN documents d ON d.id = o.act_id AND NOT d.in_review
			WHERE o.target_id IS NULL AND o.reason = $1 ORDER BY d.promulgated_on DESC, d.id, o.ordinal LIMIT $2`, amend.TextMissing, mostMissing)
		if err != nil {
			return err
		}
		by := map[string]*MissingText{}
		var raw []byte
		var act law.Document
		var countries []string
		_, err = pgx.ForEachRow(rows, []any{&raw, &act.ID, &act.Title, &act.Promulgated, &countries}, func() error {
			var op amend.Operation
			if err := json.Unmarshal(raw, &op); err != nil {
				return err
			}
			if op.Text.Zero() || op.Text.Self {
				return nil
			}
			key := strings.Join(countries, " ") + missingKey(op.Text)
			m := by[key]
			if m == nil {
				m = &MissingText{key: key, Countries: slices.Clone(countries), Act: act, articles: map[string]bool{}}
				by[key] = m
			}
			if len(op.Text.Title) > len(m.Named) {
				m.Named = op.Text.Title
			}
			m.Changes++
			m.Repealed = m.Repealed || op.Kind == amend.RepealText
			if op.Article != "" {
				m.articles[law.ArticleKey(op.Article)] = true
			}
			return nil
		})
		for _, m := range by {
			m.Articles = len(m.articles)
			list = append(list, *m)
		}
		return err
	})
	slices.SortFunc(list, func(a, b MissingText) int {
		return cmp.Or(b.Articles-a.Articles, b.Changes-a.Changes, strings.Compare(a.key, b.key))
	})
	return list, classify("missing texts", err)
}

// missingKey returns the key of a name: names with the same key mean the same text.
func missingKey(t amend.TargetText) string {
	if t.Number != "" {
		return "|" + string(t.Type) + " " + edition.Key(t.Number)
	}
	noun, _, _ := strings.Cut(law.Fold(t.Title), " ")
	if day, _, _, ok := law.FindDate(t.Title); ok {
		return "|" + noun + " " + day.Format("2006-01-02")
	}
	return "|" + law.Fold(t.Title)
}
