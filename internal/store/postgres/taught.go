package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/naming"
)

// TextName is a short name that an operator has given to a text.
type TextName struct {
	ID        uuid.UUID `json:"id"`
	Name      string    `json:"name"`
	Means     string    `json:"means"` // number or title of the text
	Country   string    `json:"pays"`  // code, "" for any
	CreatedAt time.Time `json:"created_at"`
}

// TextNames lists the names that operators have given to texts, in alphabetical order.
func (db *DB) TextNames(ctx context.Context) ([]TextName, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[TextName], `SELECT id, name, means, pays, created_at FROM text_aliases ORDER BY fold(name)`)
	return list, classify("names of texts", err)
}

// GivenNames returns the names of TextNames as questions and searches read them.
func (db *DB) GivenNames(ctx context.Context) (names []naming.Given, err error) {
	list, err := db.TextNames(ctx)
	for _, n := range list {
		names = append(names, naming.Given{Name: n.Name, Means: n.Means, Country: country.Code(n.Country)})
	}
	return names, err
}

// NameText gives a text a short name. Conflict if the name has been given already.
func (db *DB) NameText(ctx context.Context, n TextName) (TextName, error) {
	err := db.inTx(ctx, "name a text", func(tx pgx.Tx) error {
		n.ID = NewID()
		if err := tx.QueryRow(ctx, `INSERT INTO text_aliases (id, name, means, pays) VALUES ($1, $2, $3, $4) RETURNING created_at`,
			n.ID, n.Name, n.Means, n.Country).Scan(&n.CreatedAt); err != nil {
			return err
		}
		return audit(ctx, tx, TextNamed, n.ID.String(), details{"name": n.Name, "means": n.Means})
	})
	return n, err
}

// UnnameText takes a name back. NotFound if there is none with the id.
func (db *DB) UnnameText(ctx context.Context, id uuid.UUID) error {
	return db.removeTaught(ctx, TextUnnamed, id, `DELETE FROM text_aliases WHERE id = $1`)
}

func (db *DB) removeTaught(ctx context.Context, as Action, id uuid.UUID, statement string) error {
	return db.inTx(ctx, string(as), func(tx pgx.Tx) error {
		if err := execOne(ctx, tx, errs.New(errs.NotFound, ""), statement, id); err != nil {
			return err
		}
		return audit(ctx, tx, as, id.String(), nil)
	})
}

// Pin is a question and the article that answers it, as a person has decided.
type Pin struct {
	ID       uuid.UUID
	Question string
	Country  string // code, "" for any
	Document uuid.UUID
	Article  string // number
	Since    time.Time
	Title    string // of the text; "" if it is gone
	Type     law.DocType
	Number   string     // of the text
	Law      bool       // the article is in the catalogue and in force: only then it answers
	Ended    *time.Time // day from which the article is not in force any more
}

// pinned joins pins with the law on a day, $1.
const pinned = ` FROM pinned_answers p LEFT JOIN documents d ON d.id = p.document_id AND NOT d.in_review
	LEFT JOIN LATERAL (SELECT * FROM articles a WHERE a.document_id = d.id AND a.number = p.article ORDER BY a.position LIMIT 1) a ON true
	CROSS JOIN LATERAL (SELECT a.id IS NOT NULL AND $1 >= greatest(d.in_force_on, a.valid_from) AND coalesce($1 < least(` + citableTo + `), true) AS law,
		CASE WHEN a.id IS NOT NULL THEN least(` + citableTo + `) END AS ended) l `

// Pins lists the pinned answers as of a day: those that answer no more first, then the newest.
func (db *DB) Pins(ctx context.Context, day time.Time) ([]Pin, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Pin], `SELECT p.id, p.question, p.pays, p.document_id, p.article, p.created_at,
		coalesce(d.title, ''), coalesce(d.doc_type, ''), coalesce(d.numero_officiel, ''), l.law, l.ended`+pinned+`ORDER BY l.law, p.created_at DESC`, day)
	return list, classify("pinned answers", err)
}

// PinFor returns the article that answers a question of these terms (sorted, each once) in one of the countries, by its
// text and number. ok is false if no pinned article in force on day answers it.
func (db *DB) PinFor(ctx context.Context, terms, countries []string, day time.Time) (document uuid.UUID, article string, ok bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT p.document_id, p.article`+pinned+`WHERE l.law AND p.terms = $2 AND (p.pays = '' OR p.pays = ANY ($3))
		ORDER BY p.pays = '', p.created_at DESC LIMIT 1`, day, terms, countries).Scan(&document, &article)
	if err = classify("pinned answer", err); errs.Is(err, errs.NotFound) {
		return document, article, false, nil
	}
	return document, article, err == nil, err
}

// PinAnswer pins an article as the answer to a question. It replaces the pin of a question with the same terms and
// country. NotFound if the catalogue has no such article.
func (db *DB) PinAnswer(ctx context.Context, p Pin, terms []string) (uuid.UUID, error) {
	id := NewID()
	err := db.inTx(ctx, "pin an answer", func(tx pgx.Tx) error {
		if err := execOne(ctx, tx, errs.New(errs.NotFound, ""), `INSERT INTO pinned_answers (id, question, terms, pays, document_id, article)
			SELECT $1, $2, $3, $4, d.id, $6 FROM documents d WHERE d.id = $5 AND NOT d.in_review AND EXISTS (SELECT FROM articles a WHERE a.document_id = d.id AND a.number = $6)
			ON CONFLICT (terms, pays) DO UPDATE SET id = excluded.id, question = excluded.question, document_id = excluded.document_id, article = excluded.article, created_at = now()`,
			id, p.Question, terms, p.Country, p.Document, p.Article); err != nil {
			return err
		}
		return audit(ctx, tx, AnswerPinned, id.String(), details{"document_id": p.Document, "article": p.Article})
	})
	return id, err
}

// UnpinAnswer takes a pinned answer back. NotFound if there is none with the id.
func (db *DB) UnpinAnswer(ctx context.Context, id uuid.UUID) error {
	return db.removeTaught(ctx, AnswerUnpinned, id, `DELETE FROM pinned_answers WHERE id = $1`)
}

// Meant is an article that readers meant with a question, instead of the answer that they got.
type Meant struct {
	Question string    `json:"question"`
	Country  string    `json:"pays"`
	Document uuid.UUID `json:"document_id"`
	Title    string    `json:"title"`
	Article  string    `json:"article"`
	Readers  int       `json:"readers"`
}

// mostMeant is the maximum number of articles in the list of MeantArticles.
const mostMeant = 200

// MeantArticles lists the articles that readers said they had meant and that nobody has pinned since, the most frequent
// first.
func (db *DB) MeantArticles(ctx context.Context) ([]Meant, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Meant], `SELECT q.content, coalesce(m.filters ->> 'pays', '') AS of, d.id, d.title, f.meant_article, count(DISTINCT c.user_id)::int
		FROM feedback f JOIN messages m ON m.id = f.message_id JOIN conversations c ON c.id = m.conversation_id
			JOIN messages q ON q.conversation_id = m.conversation_id AND q.position = m.position - 1
			JOIN documents d ON d.id = f.meant_document AND NOT d.in_review
		WHERE f.rating = 'down' AND NOT EXISTS (SELECT FROM pinned_answers p WHERE p.document_id = f.meant_document AND p.article = f.meant_article AND fold(p.question) = fold(q.content))
		GROUP BY 1, 2, 3, 4, 5 ORDER BY 6 DESC, max(f.updated_at) DESC LIMIT $1`, mostMeant)
	return list, classify("articles that readers meant", err)
}
