package postgres

import (
	"context"
	_ "embed" // the questions
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law/fulltext"
)

// Example is a question that a visitor may ask, and an article that it is about.
type Example struct {
	Question string // "": what the article says
	Domain   string
	Document uuid.UUID
	Title    string
	Article  uuid.UUID
	Number   string // number as printed
}

//go:embed examples.txt
var citizensText string

// citizens are questions that people ask of any country's law, in the order of their subjects.
var citizens = sync.OnceValue(func() (list struct{ subjects, words, any, questions []string }) {
	for line := range strings.Lines(citizensText) {
		parts := strings.SplitN(strings.TrimSpace(line), " | ", 3)
		if len(parts) != 3 || strings.HasPrefix(line, "#") {
			continue
		}
		q := fulltext.Parse(parts[1])
		list.subjects, list.words, list.any, list.questions = append(list.subjects, parts[0]), append(list.words, q.All()), append(list.any, q.Any()), append(list.questions, parts[2])
	}
	return list
})

// examplesMost is the maximum number of examples.
const examplesMost = 3

// Examples returns questions about articles in force today, at most examplesMost: one of each subject that citizens ask about, if an
// article of a code, a law or a constitution of the country has its words. owner is the country; "" is that of most texts. If there
// are none, they are about articles of the newest texts.
func (db *DB) Examples(ctx context.Context, owner string) ([]Example, error) {
	if owner == "" {
		if known, err := db.Countries(ctx); err != nil {
			return nil, err
		} else if len(known) > 0 {
			owner = known[0].Value
		}
	}
	stamp, err := stampOf(ctx, db.pool)
	if err != nil {
		return nil, classify("examples", err)
	}
	list, err := db.examples.get(stamp, owner, func() ([]Example, error) { return db.findExamples(ctx, owner) })
	return list, classify("examples", err)
}

func (db *DB) findExamples(ctx context.Context, owner string) ([]Example, error) {
	asked := citizens()
	// In the order of the subjects, so that no more of them are looked at than are shown.
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Example], `SELECT found.* FROM unnest($7::text[]) WITH ORDINALITY AS s(subject, place)
		CROSS JOIN LATERAL (SELECT c.question, one.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS c(subject, words, any_of, question, place)
			CROSS JOIN LATERAL (SELECT d.domaine, u.document_id, d.title, u.article_id, a.number
				FROM search_units u JOIN documents d ON d.id = u.document_id JOIN articles a ON a.id = u.article_id
				WHERE u.words @@ c.words::tsquery AND d.statut <> 'abroge' AND NOT d.in_review AND d.doc_type IN ('code', 'loi', 'constitution')
					AND a.number ~ '[0-9]' AND `+ownArticle+` AND ($5 = '' AND d.countries = '{}' OR $5 = ANY (d.countries))
				ORDER BY ts_rank(u.words, c.any_of::tsquery) DESC, a.id LIMIT 1) one
			WHERE c.subject = s.subject ORDER BY c.place LIMIT 1) found
		ORDER BY s.place LIMIT $6`, asked.subjects, asked.words, asked.any, asked.questions, owner, examplesMost, slices.Compact(slices.Clone(asked.subjects)))
	if err != nil || len(list) > 0 {
		return list, err
	}
	return db.newestExamples(ctx)
}

// newestTexts is how many of a domain's newest texts are searched for a numbered article:
// some texts have none.
const newestTexts = 4

// newestExamples returns one article in force today for each active domain, for at most examplesMost domains, largest domain first.
// It comes from the newest text that has numbered articles of its own, among the newestTexts newest ones. It is that
// text's second article if there is one, because the first often only names the subject.
func (db *DB) newestExamples(ctx context.Context) ([]Example, error) {
	return collect(ctx, db.pool, pgx.RowToStructByPos[Example], `WITH filled AS (
			SELECT m.code, count(*) AS texts FROM domaines m JOIN documents d ON d.domaine = m.code
			WHERE m.active AND d.statut = 'en_vigueur' AND NOT d.in_review GROUP BY m.code)
		SELECT '', f.code, one.id, one.title, one.article, one.number
		FROM filled f CROSS JOIN LATERAL (
			SELECT d.id, d.title, a.id AS article, a.number
			FROM (SELECT id, title, promulgated_on FROM documents WHERE domaine = f.code AND statut = 'en_vigueur' AND NOT in_review
				ORDER BY promulgated_on DESC, id LIMIT $2) d
			CROSS JOIN LATERAL (SELECT id, number, position FROM articles a
				WHERE document_id = d.id AND number ~ '^[0-9]' AND `+ownArticle+` ORDER BY position LIMIT 2) a
			ORDER BY d.promulgated_on DESC, d.id, a.position DESC LIMIT 1) one
		ORDER BY f.texts DESC, f.code LIMIT $1`, examplesMost, newestTexts)
}
