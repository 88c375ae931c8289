package postgres

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// ChangedAlinea is an alinea of an article to which an act gave its words.
type ChangedAlinea struct {
	Start, End int // in code points of the article's words
	Act        uuid.UUID
	Ordinal    int        // among the alineas of the article, from 1
	Title      string     // of the act; "" if it has just left the catalogue
	Article    *uuid.UUID // of the act, the first that says so; nil if it is not known
	Pages      []int      // pages of the act that have its instructions on the article
	Printed    int        // page of the text that prints the article; 0 if the article was inserted
}

// ChangedAlineas returns, for each of the versions of one article in their order, the alineas that acts have changed. An
// alinea keeps its origin as long as its words stay.
func ChangedAlineas(versions []ArticleVersion, titles map[uuid.UUID]string) [][]ChangedAlinea {
	out := make([][]ChangedAlinea, len(versions))
	before := map[string][]int{} // versions that gave the alineas of the one before their words, by words
	for i, v := range versions {
		now := map[string][]int{}
		at, ordinal := 0, 0
		for line := range strings.SplitSeq(v.Body, "\n") {
			start, words := at, strings.TrimSpace(line)
			at += utf8.RuneCountInString(line) + 1
			if words == "" {
				continue
			}
			ordinal++
			from := i
			if known := before[words]; len(known) > 0 {
				from, before[words] = known[0], known[1:]
			}
			now[words] = append(now[words], from)
			by := versions[from]
			if by.Act == nil {
				continue
			}
			a := ChangedAlinea{Start: start, End: start + utf8.RuneCountInString(strings.TrimRight(line, " ")), Ordinal: ordinal, Act: *by.Act, Title: titles[*by.Act], Pages: []int{}, Printed: v.Page}
			for _, e := range by.Evidence {
				a.Article = cmp.Or(a.Article, e.Article)
				if e.Page > 0 && !slices.Contains(a.Pages, e.Page) {
					a.Pages = append(a.Pages, e.Page)
				}
			}
			out[i] = append(out[i], a)
		}
		before = now
	}
	return out
}

// withAlineas tells of assembled articles which act changed each of their alineas.
func withAlineas(ctx context.Context, tx pgx.Tx, document uuid.UUID, list []ReadArticle) error {
	var changed []uuid.UUID
	for _, a := range list {
		if a.Assembled != nil {
			changed = append(changed, a.ID)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	versions, err := versionsIn(ctx, tx, versionsRead, `v.document_id = $1 AND v.article_id = ANY($2)`, document, changed)
	if err != nil {
		return err
	}
	titles, err := actTitles(ctx, tx, versions)
	if err != nil {
		return err
	}
	of := map[uuid.UUID][]ArticleVersion{}
	for _, v := range versions {
		of[v.Article] = append(of[v.Article], v)
	}
	for i, a := range list {
		if a.Assembled == nil {
			continue
		}
		all := ChangedAlineas(of[a.ID], titles)
		for k, v := range of[a.ID] {
			if v.Act != nil && *v.Act == a.Assembled.Act && v.Body == a.Text {
				list[i].Assembled.Alineas = all[k]
			}
		}
	}
	return nil
}
