package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Saying is a place of the catalogue that has certain words.
type Saying struct{ Title, Article, Text string }

// Sayings returns at most limit titles and articles of the catalogue, except those of some texts, that a query of package
// fulltext matches.
func (db *DB) Sayings(ctx context.Context, query string, except []uuid.UUID, limit int) ([]Saying, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Saying], `SELECT d.title, coalesce(a.number, ''), coalesce(a.body, d.title)
		FROM search_units u JOIN documents d ON d.id = u.document_id LEFT JOIN articles a ON a.id = u.article_id
		WHERE u.words @@ $1::tsquery AND NOT d.in_review AND d.id <> ALL ($2) LIMIT $3`, query, except, limit)
	return list, classify("sayings", err)
}

// AnsweredByOthers returns the questions with certain words, regardless of case and accents, among the last limit
// answers, that texts other than some answered.
func (db *DB) AnsweredByOthers(ctx context.Context, words string, texts []uuid.UUID, limit int) ([]string, error) {
	list, err := collect(ctx, db.pool, pgx.RowTo[string], `SELECT q.content FROM (SELECT id, conversation_id, position FROM messages
			WHERE role = 'assistant' AND certainty IN ('sure', 'likely') ORDER BY created_at DESC LIMIT $3) a
		JOIN messages q ON q.conversation_id = a.conversation_id AND q.position = a.position - 1
		WHERE strpos(fold(q.content), fold($1)) > 0 AND NOT EXISTS (SELECT FROM citations c
			WHERE c.message_id = a.id AND (c.citation ->> 'document_id')::uuid = ANY ($2))`, words, texts, limit)
	return list, classify("questions answered by others", err)
}

// UnnameText takes a name back. NotFound if there is none with the id.
func (db *DB) UnnameText(ctx context.Context, id uuid.UUID) error {
	return db.inTx(ctx, "unname a text", func(tx pgx.Tx) error {
		if err := execOne(ctx, tx, errs.New(errs.NotFound, ""), `DELETE FROM text_aliases WHERE id = $1`, id); err != nil {
			return err
		}
		return audit(ctx, tx, TextUnnamed, id.String(), nil)
	})
}

// NamedText is a text of the catalogue with all names that a question may use for it, and
// whether it is in force.
type NamedText struct {
	Document   law.Document
	Countries  []string   // codes of the countries whose law the text is; empty if unknown
	RepealedOn *time.Time // first day no longer in force; nil if unknown
	// ForceWords is the text's clause about its entry into force, "" if none was read.
	ForceWords string
}

// ArticleDays is an article of a text, or a new wording that another text gives to an
// article, and the days on which it is in force.
type ArticleDays struct {
	ID         uuid.UUID
	Number     string // number of the article; for a new wording, of the amended article
	NewWording bool   // whether another text gives this wording
	Part       string // part of the article that a new wording replaces; "" for the whole article
	From       time.Time
	To         *time.Time // first day no longer in force; nil if unknown
}

// ArticleDays lists the numbered articles of a text in order, followed by the new wordings
// of its articles that texts of the catalogue give, oldest first.
func (db *DB) ArticleDays(ctx context.Context, document uuid.UUID) ([]ArticleDays, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[ArticleDays], `SELECT id, number, anew, part, since, until FROM (
			SELECT a.id, a.number, false AS anew, '' AS part, greatest(d.in_force_on, a.valid_from) AS since, least(`+citableTo+`) AS until, a.position
			FROM articles a JOIN documents d ON d.id = a.document_id WHERE a.document_id = $1 AND a.number <> '' AND `+ownArticle+`
			UNION ALL
			SELECT a.id, w.number, true, w.part, greatest(d.in_force_on, a.valid_from), least(`+citableTo+`), a.position
			FROM relation_targets t JOIN wordings w ON w.relation_id = t.relation_id JOIN articles a ON a.id = w.article_id
				JOIN documents d ON d.id = a.document_id WHERE t.document_id = $1 AND NOT d.in_review) x
		ORDER BY anew, CASE WHEN anew THEN since END, position`, document)
	return list, classify("days of articles of "+document.String(), err)
}

// WordedAnew lists the new wordings that texts of the catalogue give to articles of a text
// outside the catalogue, oldest first. The number or the beginning of the title identifies
// that text. source maps the id of each wording to the id of the text that gives it.
func (db *DB) WordedAnew(ctx context.Context, number, title string) (list []ArticleDays, source map[uuid.UUID]uuid.UUID, err error) {
	rows, err := db.pool.Query(ctx, `SELECT a.id, w.number, w.part, greatest(d.in_force_on, a.valid_from) AS since, least(a.valid_to, d.repealed_on), d.id
		FROM relations r JOIN wordings w ON w.relation_id = r.id JOIN articles a ON a.id = w.article_id JOIN documents d ON d.id = a.document_id
		WHERE NOT d.in_review AND NOT EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = r.id)
			AND CASE WHEN $1 <> '' THEN r.target_number <> '' AND number_stem(r.target_number) = number_stem($1)
				ELSE r.target_number = '' AND r.target_title <> '' AND strpos(fold($2), fold(r.target_title)) = 1 END
		ORDER BY since, a.position`, number, title)
	if err != nil {
		return nil, nil, classify("new wordings", err)
	}
	source = make(map[uuid.UUID]uuid.UUID)
	list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (ArticleDays, error) {
		a := ArticleDays{NewWording: true}
		var start uuid.UUID
		err := row.Scan(&a.ID, &a.Number, &a.Part, &a.From, &a.To, &start)
		source[a.ID] = start
		return a, err
	})
	return list, source, classify("new wordings", err)
}

// FoundArticles reads articles by id, each as its passages in order, without spans. An
// article that has left the catalogue is absent from the map.
func (db *DB) FoundArticles(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]Found, error) {
	ids, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `SELECT p.id FROM passages p WHERE p.article_id = ANY($1) ORDER BY p.article_id, p.position`, articles)
	if err != nil {
		return nil, classify("passages of articles", err)
	}
	found, err := db.Found(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID][]Found)
	for _, id := range ids {
		if f, ok := found[id]; ok {
			out[f.Article.ID] = append(out[f.Article.ID], f)
		}
	}
	return out, nil
}

// FirstArticle returns the id of the first numbered article of a text, or of its first
// article if none is numbered. NotFound if the catalogue has no such text.
func (db *DB) FirstArticle(ctx context.Context, document uuid.UUID) (id uuid.UUID, err error) {
	err = db.pool.QueryRow(ctx, `SELECT a.id FROM articles a JOIN documents d ON d.id = a.document_id
		WHERE a.document_id = $1 AND NOT d.in_review AND EXISTS (SELECT FROM passages p WHERE p.article_id = a.id)
		ORDER BY a.number = '', a.position LIMIT 1`, document).Scan(&id)
	return id, classify("first article of "+document.String(), err)
}

// ArticleSaying returns the id of the article of a text that contains the given words,
// regardless of white space. ok is false if no article does.
func (db *DB) ArticleSaying(ctx context.Context, document uuid.UUID, words string) (id uuid.UUID, ok bool, err error) {
	ids, err := collect(ctx, db.pool, pgx.RowTo[uuid.UUID], `SELECT a.id FROM articles a WHERE a.document_id = $1
		AND strpos(regexp_replace(a.body, '\s+', ' ', 'g'), regexp_replace($2, '\s+', ' ', 'g')) > 0 AND EXISTS (SELECT FROM passages p WHERE p.article_id = a.id)
		ORDER BY a.position DESC LIMIT 1`, document, words)
	if err != nil || len(ids) == 0 {
		return id, false, classify("article that says", err)
	}
	return ids[0], true, nil
}

// Change is a change that an article of one text makes to another text.
type Change struct {
	law.Relation
	Target *uuid.UUID // changed text; a change of a text that several files contain is one Change per file
}

const changeColumns = `SELECT r.id, r.source_id, r.source_article, r.kind, r.target_type, r.target_number, r.target_title, r.target_on,
	r.target_articles, r.effective_on, r.adds, t.document_id`

func collectChanges(rows pgx.Rows, err error) ([]Change, error) {
	if err != nil {
		return nil, classify("changes between texts", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c Change, err error) {
		err = row.Scan(&c.ID, &c.SourceID, &c.SourceArticle, &c.Kind, &c.TargetType, &c.TargetNumber, &c.TargetTitle, &c.TargetDate,
			&c.TargetArticles, &c.Effective, &c.Adds, &c.Target)
		return c, err
	})
	return list, classify("changes between texts", err)
}

// ChangesTo lists the changes that texts of the catalogue make to a text, oldest first, from relations and from the
// versions of its articles.
func (db *DB) ChangesTo(ctx context.Context, document uuid.UUID) ([]Change, error) {
	told, err := collectChanges(db.pool.Query(ctx, changeColumns+` FROM relation_targets t JOIN relations r ON r.id = t.relation_id
		JOIN documents s ON s.id = r.source_id JOIN articles a ON a.id = r.source_article
		WHERE t.document_id = $1 AND NOT s.in_review ORDER BY r.effective_on, s.promulgated_on, r.source_id, a.position, r.id`, document))
	if err != nil {
		return nil, err
	}
	made, err := collectChanges(db.pool.Query(ctx, `SELECT x.source_article, v.act_id, x.source_article, CASE WHEN v.gone THEN 'abroge' ELSE 'modifie' END, '', '', '', NULL::date,
			array_agg(v.number ORDER BY v.place), v.valid_from, false, v.document_id
		FROM article_versions v CROSS JOIN LATERAL (SELECT (v.evidence->0->>'article_id')::uuid AS source_article) x
			JOIN documents s ON s.id = v.act_id AND NOT s.in_review JOIN articles a ON a.id = x.source_article
		WHERE v.document_id = $1 AND v.valid_from IS NOT NULL
		GROUP BY v.document_id, v.act_id, x.source_article, v.gone, v.valid_from, s.promulgated_on, a.position
		ORDER BY v.valid_from, s.promulgated_on, v.act_id, a.position, v.gone`, document))
	if err != nil {
		return nil, err
	}
	for _, c := range made {
		c.TargetArticles = slices.DeleteFunc(c.TargetArticles, func(number string) bool {
			return slices.ContainsFunc(told, func(r Change) bool {
				return r.SourceID == c.SourceID && (len(r.TargetArticles) == 0 || names(r.TargetArticles, number))
			})
		})
		if len(c.TargetArticles) > 0 {
			told = append(told, c)
		}
	}
	slices.SortStableFunc(told, func(a, b Change) int { return a.Effective.Compare(b.Effective) })
	return told, nil
}

// ChangesBy lists the changes that a text makes to other texts, in the order of its
// articles. Target is nil if the catalogue lacks the changed text.
func (db *DB) ChangesBy(ctx context.Context, document uuid.UUID) ([]Change, error) {
	return collectChanges(db.pool.Query(ctx, changeColumns+` FROM relations r JOIN articles a ON a.id = r.source_article
		LEFT JOIN LATERAL (SELECT min(x.document_id::text)::uuid AS document_id FROM relation_targets x JOIN documents d ON d.id = x.document_id
			WHERE x.relation_id = r.id AND NOT d.in_review) t ON true
		WHERE r.source_id = $1 ORDER BY a.position, r.id`, document))
}

// ChangesToNumber lists the changes that texts of the catalogue make to texts with a
// number, oldest first, whether or not the catalogue has the changed texts.
func (db *DB) ChangesToNumber(ctx context.Context, number string) ([]Change, error) {
	return collectChanges(db.pool.Query(ctx, changeColumns+` FROM relations r JOIN documents s ON s.id = r.source_id
		JOIN articles a ON a.id = r.source_article LEFT JOIN LATERAL (SELECT NULL::uuid AS document_id) t ON true
		WHERE r.target_number <> '' AND number_stem(r.target_number) = number_stem($1) AND NOT s.in_review
		ORDER BY r.effective_on, r.source_id, a.position, r.id`, number))
}

// sharesLast is how long the statistics of keys are used before they are read again.
// PostgreSQL renews them whenever a tenth of the rows has changed.
const sharesLast = 10 * time.Minute

type keptShares = kept[naming.Shares]

// keyShares returns the statistics of keys, at most sharesLast old.
func (s NameSource) keyShares(ctx context.Context) (naming.Shares, error) {
	return s.shares.get(time.Now().UnixNano()/int64(sharesLast), "", func() (naming.Shares, error) { return readKeyShares(ctx, s.names) })
}

// readKeyShares reads which keys are common. In pg_stats the frequencies of the keys are
// followed by their minimum, their maximum and the share of nulls.
func readKeyShares(ctx context.Context, q querier) (naming.Shares, error) {
	var keys []string
	var shares []float64
	err := q.QueryRow(ctx, `SELECT most_common_elems::text::text[], most_common_elem_freqs::float8[] FROM pg_stats
		WHERE schemaname = current_schema() AND tablename = 'text_names' AND attname = 'keys' AND most_common_elems IS NOT NULL`).Scan(&keys, &shares)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && len(shares) <= len(keys) {
		return naming.Shares{}, nil // the table was not analyzed yet
	}
	if err != nil {
		return naming.Shares{}, classify("shares of names", err)
	}
	s := naming.Shares{Of: make(map[string]float64, len(keys)), Rest: shares[len(keys)]}
	for i, k := range keys {
		s.Of[k] = shares[i]
	}
	return s, nil
}

// namesAtOnce is the number of texts whose keys one transaction makes.
const namesAtOnce = 500

// NameQuery selects texts by the keys of package naming.
type NameQuery struct {
	All     []string // keys that a text must have
	Any     []string // keys of which a text must have at least one, unless empty
	Most    int      // maximum number of texts
	Ordered bool     // if more texts match, return those with the smallest ids; otherwise any of them
	Keys    KeysOf   // set of texts to search
}

// KeysOf is a set of texts, chosen by the version of the analysis that made their keys. The
// zero value is the set of this program's version.
type KeysOf int

// The sets of texts.
const (
	KeysOfThis         KeysOf = iota // keys made by this program's version
	KeysOfOthers                     // keys made by other versions, and the text was not renamed since
	KeysOfWhatTheyWere               // keys made by other versions, or from names that were changed since
)

// version returns the SQL condition of the set on the rows n; $1 is naming.Analysis.
func (k KeysOf) version() string {
	return [...]string{"n.analysis = $1", "n.analysis <> $1 AND n.analysis <> 0", "n.analysis <> $1"}[k]
}

// NameSource finds texts of the catalogue by name. That of a DB sees committed rows, that of a transaction also the
// transaction's own.
type NameSource struct {
	names  batcher
	shares *keptShares
}

// batcher is a pool of connections, or a transaction.
type batcher interface {
	querier
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// NamedBy lists the texts of the catalogue that match each query, in the order of their
// ids, in one round trip. It does not find texts whose keys were not made yet; see Behind.
func (s NameSource) NamedBy(ctx context.Context, queries ...NameQuery) (found [][]NamedText, err error) {
	shares, err := s.keyShares(ctx)
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	found = make([][]NamedText, len(queries))
	for i, q := range queries {
		sql, args := q.statement(shares.Plan(q.All, q.Any))
		batch.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
			found[i], err = collectNamed(rows)
			return err
		})
	}
	return found, classify("texts by name", s.names.SendBatch(ctx, batch).Close())
}

// statement returns the SQL of the query. It looks up the keys in a materialized WITH item
// before it reads any text, whatever the planner estimates. The planner assumes that keys
// are independent; if no text matches, a plan that reads texts until enough are found would
// read all of them.
func (q NameQuery) statement(p naming.Plan) (sql string, args []any) {
	args = []any{naming.Analysis, q.Most}
	order := ""
	if q.Ordered {
		order = " ORDER BY document_id"
	}
	return condition(p, &args) + `
		SELECT d.* FROM (SELECT d.* FROM (SELECT document_id FROM n WHERE ` + q.Keys.version() + order + `) n
			CROSS JOIN LATERAL (SELECT ` + namedColumns + ` FROM documents d WHERE d.id = n.document_id AND NOT d.in_review OFFSET 0) d
			LIMIT $2) d ORDER BY d.id`, args
}

// condition returns a WITH item n with the rows of names that the plan selects, and appends its
// arguments to args.
func condition(p naming.Plan, args *[]any) string {
	where := []string{"true"}
	// Concatenating an empty array keeps PostgreSQL from using the index for keys that are
	// only to be compared.
	for _, c := range []struct {
		condition string
		keys      []string
	}{
		{"keys @>", p.Looked}, {"keys || '{}' @>", p.Compared}, {"keys &&", p.AnyLooked}, {"keys || '{}' &&", p.AnyCompared},
	} {
		if len(c.keys) > 0 {
			*args = append(*args, c.keys)
			where = append(where, fmt.Sprintf("%s $%d::text[]", c.condition, len(*args)))
		}
	}
	return `WITH n AS MATERIALIZED (SELECT document_id, analysis FROM text_names WHERE ` + strings.Join(where, " AND ") + `)`
}

// FirstNamed returns the index of the first query for which NamedBy finds a text, -1 if
// there is none. It takes one round trip, and does not run the queries after that one. It
// ignores Most and Ordered of the queries.
func (s NameSource) FirstNamed(ctx context.Context, queries ...NameQuery) (first int, err error) {
	if len(queries) == 0 {
		return -1, nil
	}
	shares, err := s.keyShares(ctx)
	if err != nil {
		return -1, err
	}
	args := []any{naming.Analysis}
	var found []string
	for i, q := range queries {
		found = append(found, fmt.Sprintf(`(%s SELECT %d FROM n JOIN documents d ON d.id = n.document_id WHERE %s AND NOT d.in_review LIMIT 1)`,
			condition(shares.Plan(q.All, q.Any), &args), i, q.Keys.version()))
	}
	// COALESCE evaluates its arguments in order, up to the first one that is not null. The SQL
	// differs for almost every list of queries, so it is not worth caching as a prepared
	// statement.
	err = s.names.QueryRow(ctx, `SELECT coalesce(`+strings.Join(found, ", ")+`, -1)`, append([]any{pgx.QueryExecModeExec}, args...)...).Scan(&first)
	return first, classify("first text by name", err)
}

// TextsNamed reads texts of the catalogue by id. Texts that are not in the catalogue are
// absent from the result.
func (s NameSource) TextsNamed(ctx context.Context, ids []uuid.UUID) ([]NamedText, error) {
	rows, err := s.names.Query(ctx, `SELECT `+namedColumns+` FROM documents d WHERE d.id = ANY($1) AND NOT d.in_review ORDER BY d.id`, ids)
	if err != nil {
		return nil, classify("named texts", err)
	}
	texts, err := collectNamed(rows)
	return texts, classify("named texts", err)
}

const namedColumns = documentColumns + `, d.countries, d.repealed_on,
	coalesce((SELECT e.value->>'words' FROM jsonb_array_elements(d.evidence) e WHERE e.value->>'field' = 'date_entree_vigueur' LIMIT 1), '') AS force_words`

func collectNamed(rows pgx.Rows) ([]NamedText, error) {
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t NamedText, err error) {
		err = row.Scan(append(documentFields(&t.Document), &t.Countries, &t.RepealedOn, &t.ForceWords)...)
		return t, err
	})
}

// MakeNames makes the keys of up to namesAtOnce texts whose keys were not made yet or were
// made by an older version of the analysis. It returns the number of these texts: 0 if none
// are left, or if other processes have locked the rest.
func (db *DB) MakeNames(ctx context.Context) (made int, err error) {
	err = db.inTx(ctx, "make names", func(tx pgx.Tx) error {
		ids, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT document_id FROM text_names WHERE analysis < $1 ORDER BY analysis, document_id
			LIMIT $2 FOR UPDATE SKIP LOCKED`, naming.Analysis, namesAtOnce)
		if err != nil {
			return err
		}
		made = len(ids)
		// A separate statement reads the current names: the first one may have read names from
		// before it locked the row.
		return makeNames(ctx, tx, ids)
	})
	return made, err
}

// makeNames makes the keys of those given texts that need it. The caller has locked the
// texts or their rows in text_names.
func makeNames(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) error {
	rows, err := tx.Query(ctx, `SELECT d.id, d.title, d.nature, d.numero_officiel, d.doc_type, d.promulgated_on, d.countries
		FROM text_names n JOIN documents d ON d.id = n.document_id WHERE n.document_id = ANY($1) AND n.analysis <> $2`, documents, naming.Analysis)
	if err != nil {
		return err
	}
	var ids []uuid.UUID
	var keys []string
	var id uuid.UUID
	var t naming.Name
	_, err = pgx.ForEachRow(rows, []any{&id, &t.Title, &t.Nature, &t.Number, &t.Type, &t.Promulgated, &t.Countries}, func() error {
		ids, keys = append(ids, id), append(keys, strings.Join(t.Keys(), keysApart))
		t = naming.Name{}
		return nil
	})
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE text_names n SET keys = string_to_array(m.keys, $3), analysis = $4
		FROM unnest($1::uuid[], $2::text[]) m(id, keys) WHERE n.document_id = m.id`, ids, keys, keysApart, naming.Analysis)
	return err
}

// keysApart separates the keys of a text where they are sent as one string. No key contains
// it.
const keysApart = "\n"

// prepareNames makes the keys of all texts that need it. It then runs ANALYZE, because
// keyShares needs current statistics and PostgreSQL would collect them only some time
// later, or not at all without autovacuum.
func prepareNames(ctx context.Context, url string, tell func(Migrating)) error {
	db, err := Open(ctx, url)
	if err != nil {
		return err
	}
	defer db.Close()
	var lag int
	if err := db.pool.QueryRow(ctx, `SELECT count(*) FROM text_names WHERE analysis < $1`, naming.Analysis).Scan(&lag); err != nil {
		return classify("prepare names", err)
	}
	for all := 0; ; {
		if lag > 0 {
			tell(Migrating{PreparesNames, all, max(all, lag)}) // texts may have been added since they were counted
		}
		made, err := db.MakeNames(ctx)
		if err != nil {
			return err
		}
		if all += made; made > 0 {
			continue
		}
		if all > 0 {
			_, err = db.pool.Exec(ctx, `ANALYZE text_names`)
		}
		return err
	}
}

// Called is a text of the catalogue with the names that a question may use for it.
type Called struct {
	ID uuid.UUID
	naming.Name
}

// Behind describes how to find the texts whose keys do not exist yet, or were made by
// another version of the analysis.
type Behind struct {
	// Texts must be compared with a question one by one. They are in the order of their ids.
	Texts []Called
	// Keyed: all other texts have keys that contain most of their names, and NamedBy finds
	// them by these keys (NameQuery.Keys). It is KeysOfThis if there are no other texts.
	Keyed KeysOf
	// Bare: more texts than the limit have no keys at all. Then Texts is nil.
	Bare bool
}

// behindClasses are the conditions of three sets of rows, each a part of the one before:
// rows of another version of the analysis, rows whose text was renamed since, and rows
// without keys. A row of another version that is outside the set with index i belongs to
// KeysOf(i). The first condition is written as two ranges, because an index serves them.
var behindClasses = []string{`(analysis < $1 OR analysis > $1)`, `analysis = 0`, `keys = '{}'`}

// Behind lists the texts of the catalogue whose keys are not of this program's version: all
// of them if they are at most limit, else those of the largest class in behindClasses that
// has at most limit rows.
func (s NameSource) Behind(ctx context.Context, limit int) (b Behind, err error) {
	classes, err := s.countBehind(ctx, limit)
	if err != nil {
		return b, err
	}
	for i, count := range classes {
		if count > limit {
			continue
		}
		if count > 0 {
			b.Texts, err = s.called(ctx, behindClasses[i], limit)
		}
		b.Keyed = KeysOf(i)
		return b, err
	}
	return Behind{Bare: true}, nil
}

// countBehind counts the rows of each class in behindClasses, and stops at limit+1.
func (s NameSource) countBehind(ctx context.Context, limit int) (counts [3]int, err error) {
	var late bool
	// The minimum and maximum come from the ends of an index. To look for a row of another
	// version, the planner would read all rows.
	err = s.names.QueryRow(ctx, `SELECT coalesce(min(analysis) < $1 OR max(analysis) > $1, false) FROM text_names`, naming.Analysis).Scan(&late)
	if err != nil || !late {
		return counts, classify("names behind", err)
	}
	err = s.names.QueryRow(ctx, `SELECT
		(SELECT count(*) FROM ((SELECT FROM text_names WHERE analysis < $1 LIMIT $2) UNION ALL (SELECT FROM text_names WHERE analysis > $1 LIMIT $2)) n),
		(SELECT count(*) FROM (SELECT FROM text_names WHERE analysis = 0 LIMIT $2) n),
		(SELECT count(*) FROM (SELECT FROM text_names WHERE keys = '{}' LIMIT $2) n)`, naming.Analysis, limit+1).Scan(&counts[0], &counts[1], &counts[2])
	return counts, classify("names behind", err)
}

// called reads the names of the texts of a class.
func (s NameSource) called(ctx context.Context, class string, limit int) ([]Called, error) {
	texts, err := collect(ctx, s.names, pgx.RowToStructByPos[Called], `SELECT d.id, d.title, d.nature, d.numero_officiel, d.doc_type, d.promulgated_on, d.countries
		FROM (SELECT document_id FROM text_names WHERE `+class+` AND analysis <> $1 LIMIT $2) n
		JOIN documents d ON d.id = n.document_id WHERE NOT d.in_review ORDER BY d.id`, naming.Analysis, limit)
	return texts, classify("texts without names", err)
}
