package postgres

import (
	"context"
	"crypto/md5" //nolint:gosec // distinguishes wordings; not used for security
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
	"vigueur/internal/law/address"
	"vigueur/internal/law/journal"
)

// AddressedText is a text with the parts of its public address.
type AddressedText struct {
	law.Document
	Countries []string
	Entered   time.Time  // when the service read it
	Repealed  *time.Time // first day on which it is no longer in force
}

// Work returns the text as its address names it.
func (t AddressedText) Work() address.Work { return address.Of(t.Document, t.Countries) }

const addressedColumns = `d.countries, d.created_at, d.repealed_on, ` + documentColumns

func scanAddressed(row pgx.CollectableRow) (t AddressedText, err error) {
	err = row.Scan(append([]any{&t.Countries, &t.Entered, &t.Repealed}, documentFields(&t.Document)...)...)
	return t, err
}

func (db *DB) listAddressed(ctx context.Context, what, query string, args ...any) ([]AddressedText, error) {
	list, err := collect(ctx, db.pool, scanAddressed, `SELECT `+addressedColumns+` FROM documents d `+query, args...)
	return list, classify(what, err)
}

// TextsOfDay returns the texts promulgated on a day, superseded editions among them.
func (db *DB) TextsOfDay(ctx context.Context, day time.Time) ([]AddressedText, error) {
	return db.listAddressed(ctx, "texts of a day", `WHERE d.promulgated_on = $1 AND `+readableByID+` ORDER BY d.id`, day)
}

// AddressedTexts returns the texts with the given ids, in no particular order. Ids of no text
// of the catalogue are skipped.
func (db *DB) AddressedTexts(ctx context.Context, ids []uuid.UUID) ([]AddressedText, error) {
	return db.listAddressed(ctx, "texts by id", `WHERE d.id = ANY($1) AND `+readableByID, ids)
}

// TextsOfYear returns a page of the texts of a country that were promulgated in a year, the newest first. country is
// the country in their addresses, "" for texts whose address has none; pages are counted from 1.
func (db *DB) TextsOfYear(ctx context.Context, country string, year, page, size int) ([]AddressedText, error) {
	return db.listAddressed(ctx, "texts of a year", `WHERE NOT d.in_review AND coalesce(d.countries[1], '') = $1
			AND d.promulgated_on >= make_date($2, 1, 1) AND d.promulgated_on < make_date($2 + 1, 1, 1)
		ORDER BY d.promulgated_on DESC, d.id LIMIT $3 OFFSET $4`, country, year, size, int64(page-1)*int64(size))
}

// NewestTexts returns the texts that the service read last, the last first.
func (db *DB) NewestTexts(ctx context.Context, limit int) ([]AddressedText, error) {
	return db.listAddressed(ctx, "newest texts", `WHERE NOT d.in_review ORDER BY d.created_at DESC, d.id LIMIT $1`, limit)
}

// CountryYear is how many texts of a country were promulgated in a year.
type CountryYear struct {
	Country string // "": of no country
	Year    int
	Texts   int
}

// CountryYears counts the texts of the catalogue by the country of their addresses and their
// year, in that order, the newest year first.
func (db *DB) CountryYears(ctx context.Context) ([]CountryYear, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[CountryYear], `SELECT coalesce(countries[1], ''), date_part('year', promulgated_on)::integer, count(*)::integer
		FROM documents WHERE NOT in_review GROUP BY 1, 2 ORDER BY 1, 2 DESC`)
	return list, classify("texts by country", err)
}

// recordWithdrawn records the address of a text that a person withdraws. It must be called
// before the text is deleted.
func recordWithdrawn(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	rows, err := tx.Query(ctx, `SELECT `+addressedColumns+` FROM documents d WHERE d.id = $1`, id)
	if err != nil {
		return err
	}
	t, err := pgx.CollectExactlyOneRow(rows, scanAddressed)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO withdrawn_texts (address, document_id) VALUES ($1, $2)
		ON CONFLICT (address) DO UPDATE SET document_id = EXCLUDED.document_id, withdrawn_at = now()`, t.Work().Full(), id)
	return err
}

// Withdrawn reports whether a person withdrew a text with the id or the address. If the address has no type, texts of
// every type match.
func (db *DB) Withdrawn(ctx context.Context, w address.Work, id uuid.UUID) (gone bool, err error) {
	addresses := []string{w.Full()}
	if w.Type == "" {
		for _, docType := range law.DocTypes() {
			w.Type = docType
			addresses = append(addresses, w.Full())
		}
	}
	err = db.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM withdrawn_texts WHERE address = ANY($1) OR document_id = $2)`, addresses, id).Scan(&gone)
	return gone, classify("withdrawn text", err)
}

const lawChangeColumns = `c.id, c.at, c.kind, c.document_id, c.title, c.doc_type, c.domaine, c.countries, c.articles, c.article_id, c.act_id, c.act_title, c.valid_from, c.valid_to, c.gone`

// changeFields returns the fields of an entry in the order of lawChangeColumns.
func changeFields(c *journal.Change) []any {
	return []any{&c.ID, &c.At, &c.Kind, &c.Document, &c.Title, &c.Type, &c.Domain, &c.Countries, &c.Articles, &c.Article, &c.Act, &c.ActTitle, &c.From, &c.To, &c.Gone}
}

// journalTexts compares the texts with their last states in the journal, and appends the changes. The caller holds the
// lock of the catalogue (announce).
func journalTexts(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) error {
	documents = union(documents)
	previous, err := journaledStates(ctx, tx, documents)
	if err != nil {
		return err
	}
	following, err := currentStates(ctx, tx, documents)
	if err != nil {
		return err
	}
	// An edition may have replaced a text that is not among these.
	var more []uuid.UUID
	for _, s := range previous {
		if s.Successor != nil && previous[*s.Successor] == nil && following[*s.Successor] == nil {
			more = append(more, *s.Successor)
		}
	}
	if len(more) > 0 {
		others, err := currentStates(ctx, tx, more)
		if err != nil {
			return err
		}
		known, err := journaledStates(ctx, tx, more)
		if err != nil {
			return err
		}
		for _, id := range more {
			if others[id] != nil {
				following[id] = others[id]
			}
			if known[id] != nil {
				previous[id] = known[id]
			}
		}
	}
	if err := saveStates(ctx, tx, previous, following); err != nil {
		return err
	}
	changes := journal.Between(previous, following)
	if err := findArticles(ctx, tx, changes); err != nil {
		return err
	}
	return appendChanges(ctx, tx, changes)
}

// findArticles sets the article of each change that names articles: the first of them that the
// text has, as printed.
func findArticles(ctx context.Context, tx pgx.Tx, changes []journal.Change) error {
	found := map[uuid.UUID]map[string]uuid.UUID{} // by text and key
	for _, c := range changes {
		if len(c.Articles) > 0 {
			found[c.Document] = map[string]uuid.UUID{}
		}
	}
	if len(found) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, `SELECT document_id, id, number FROM articles a WHERE document_id = ANY($1) AND number <> ''
		AND NOT EXISTS (SELECT FROM wordings w WHERE w.article_id = a.id) ORDER BY document_id, position`, slices.Collect(maps.Keys(found)))
	if err != nil {
		return err
	}
	var document, id uuid.UUID
	var number string
	_, err = pgx.ForEachRow(rows, []any{&document, &id, &number}, func() error {
		ids, key := found[document], law.ArticleKey(number)
		if _, has := ids[key]; !has {
			ids[key] = id
		}
		return nil
	})
	for i := range changes {
		c := &changes[i]
		for _, number := range c.Articles {
			if id, has := found[c.Document][law.ArticleKey(number)]; has {
				c.Article = &id
				break
			}
		}
	}
	return err
}

const stateColumns = `title, doc_type, domaine, countries, successor, repealed_on, repealed_by, amendments`

func scanStates(rows pgx.Rows) (map[uuid.UUID]*journal.State, error) {
	states := map[uuid.UUID]*journal.State{}
	list, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (*journal.State, error) {
		var s journal.State
		return &s, r.Scan(&s.Document, &s.Title, &s.Type, &s.Domain, &s.Countries, &s.Successor, &s.RepealedOn, &s.RepealedBy, &s.Amendments)
	})
	for _, s := range list {
		states[s.Document] = s
	}
	return states, err
}

func journaledStates(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) (map[uuid.UUID]*journal.State, error) {
	rows, err := tx.Query(ctx, `SELECT document_id, `+stateColumns+` FROM law_states WHERE document_id = ANY($1)`, documents)
	if err != nil {
		return nil, err
	}
	return scanStates(rows)
}

// currentStates reads the states of texts of the catalogue.
func currentStates(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) (map[uuid.UUID]*journal.State, error) {
	rows, err := tx.Query(ctx, `SELECT d.id, d.title, d.doc_type, d.domaine, d.countries, d.superseded_by, d.repealed_on, d.repealed_by,
			coalesce((SELECT jsonb_agg(jsonb_build_object('act', r.source_id, 'kind', r.kind, 'articles', r.target_articles, 'from', r.effective_on) ORDER BY r.id)
				FROM relation_targets t JOIN relations r ON r.id = t.relation_id
				WHERE t.document_id = d.id AND NOT (r.kind = 'abroge' AND r.target_articles = '{}')), '[]')
		FROM documents d WHERE d.id = ANY($1) AND `+readableByID, documents)
	if err != nil {
		return nil, err
	}
	return scanStates(rows)
}

// saveStates replaces the states of the texts in the journal.
func saveStates(ctx context.Context, tx pgx.Tx, previous, following map[uuid.UUID]*journal.State) error {
	batch := &pgx.Batch{}
	for id := range previous {
		if following[id] == nil {
			batch.Queue(`DELETE FROM law_states WHERE document_id = $1`, id)
		}
	}
	for id, s := range following {
		amends, err := listJSON(s.Amendments)
		if err != nil {
			return err
		}
		batch.Queue(`INSERT INTO law_states (document_id, `+stateColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			ON CONFLICT (document_id) DO UPDATE SET title = $2, doc_type = $3, domaine = $4, countries = $5, successor = $6, repealed_on = $7, repealed_by = $8, amendments = $9
			WHERE (law_states.title, law_states.doc_type, law_states.domaine, law_states.countries, law_states.Successor, law_states.repealed_on, law_states.repealed_by, law_states.amendments)
				IS DISTINCT FROM ($2, $3, $4, $5::text[], $6::uuid, $7::date, $8::uuid, $9::jsonb)`,
			id, s.Title, s.Type, s.Domain, texts(s.Countries), s.Successor, s.RepealedOn, s.RepealedBy, json.RawMessage(amends))
	}
	return tx.SendBatch(ctx, batch).Close()
}

// appendChanges appends entries to the journal.
func appendChanges(ctx context.Context, tx pgx.Tx, changes []journal.Change) error {
	batch := &pgx.Batch{}
	for _, c := range changes {
		keys := []string{}
		for _, number := range c.Articles {
			keys = append(keys, law.ArticleKey(number))
		}
		batch.Queue(`INSERT INTO law_changes (kind, document_id, title, doc_type, domaine, countries, articles, keys, article_id, act_id, act_title, valid_from, valid_to, gone, digest)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce((SELECT title FROM documents WHERE id = $10), ''), $11, $12, $13, $14)`,
			c.Kind, c.Document, c.Title, c.Type, c.Domain, texts(c.Countries), texts(c.Articles), keys, c.Article, c.Act, c.From, c.To, c.Gone, c.Digest)
	}
	return tx.SendBatch(ctx, batch).Close()
}

// toldWording identifies a wording that an act made.
type toldWording struct{ key, from, digest string }

func wordingOf(v ArticleVersion) toldWording {
	sum := md5.Sum(fmt.Appendf(nil, "%t %s", v.Gone, v.Body)) //nolint:gosec // as above
	w := toldWording{key: law.ArticleKey(v.Number), digest: hex.EncodeToString(sum[:])}
	if v.From != nil {
		w.from = v.From.Format(time.DateOnly)
	}
	return w
}

// wordingsBetween returns the changes between two lists of the versions of a text: wordings
// that acts made, and articles that have only their printed wording again. told are wordings
// that the journal has for other editions of the text.
func wordingsBetween(previous, following []ArticleVersion, told map[toldWording]bool) (changes []journal.Change) {
	had, has := map[toldWording]bool{}, map[string]bool{}
	for _, v := range previous {
		if v.Act != nil {
			had[wordingOf(v)] = true
		}
	}
	for _, v := range following {
		if v.Act == nil {
			continue
		}
		w := wordingOf(v)
		has[w.key] = true
		if had[w] || told[w] {
			continue
		}
		article := v.Article
		changes = append(changes, journal.Change{Kind: journal.Wording, Articles: []string{v.Number}, Article: &article, Act: v.Act, From: v.From, To: v.To, Gone: v.Gone, Digest: w.digest})
	}
	for _, v := range previous {
		if key := law.ArticleKey(v.Number); v.Act != nil && !has[key] {
			has[key] = true
			article := v.Article
			changes = append(changes, journal.Change{Kind: journal.Wording, Articles: []string{v.Number}, Article: &article})
		}
	}
	return changes
}

// journalWordings appends the wordings of a text that are new to the journal. For a text
// outside the catalogue it appends nothing. The caller holds the lock of the catalogue.
func journalWordings(ctx context.Context, tx pgx.Tx, target uuid.UUID, previous, following []ArticleVersion) error {
	states, err := journaledStates(ctx, tx, []uuid.UUID{target})
	if err != nil || !states[target].Present() {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT keys[1], coalesce(valid_from::text, ''), digest FROM law_changes
		WHERE kind = 'wording' AND document_id IN (SELECT id FROM documents WHERE superseded_by = $1)`, target)
	if err != nil {
		return err
	}
	told := map[toldWording]bool{}
	var w toldWording
	if _, err := pgx.ForEachRow(rows, []any{&w.key, &w.from, &w.digest}, func() error { told[w] = true; return nil }); err != nil {
		return err
	}
	changes := wordingsBetween(previous, following, told)
	for i := range changes {
		c, state := &changes[i], states[target]
		c.Document, c.Title, c.Type, c.Domain, c.Countries = state.Document, state.Title, state.Type, state.Domain, state.Countries
	}
	return appendChanges(ctx, tx, changes)
}

// recordRemoved records that a person has removed a text, so that segmenting its file again
// does not restore the text. It must be called before the text is deleted.
func recordRemoved(ctx context.Context, tx pgx.Tx, document uuid.UUID) error {
	_, err := tx.Exec(ctx, `INSERT INTO dropped_texts (ingestion_id, document_id, begins, first_page, printed)
		SELECT d.ingestion_id, d.id, d.begins, d.first_page, `+printedTitle+` FROM documents d WHERE d.id = $1
		ON CONFLICT (ingestion_id, document_id) DO UPDATE SET begins = EXCLUDED.begins, first_page = EXCLUDED.first_page, printed = EXCLUDED.printed`, document)
	return err
}

// removeAgain deletes the new texts of a file that people had removed before. It recognizes
// a text as reapplyManualEdits does, but never by its page alone.
func removeAgain(ctx context.Context, tx pgx.Tx, ingestion uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM documents d USING dropped_texts s WHERE d.ingestion_id = $1 AND s.ingestion_id = $1
		AND (s.begins <> '' OR s.printed <> '') AND `+sameText, ingestion)
	return err
}

// sameText is the SQL condition that a text d of the file $1 is the same as the removed
// text s: both begin with the same line. If no text of the file begins with that line, it
// is enough that both begin on the same page and have the same printed title.
const sameText = `(s.begins <> '' AND d.begins = s.begins
	OR d.first_page = s.first_page AND ` + printedTitle + ` = s.printed
		AND NOT EXISTS (SELECT FROM documents e WHERE e.ingestion_id = $1 AND e.begins <> '' AND e.begins = s.begins))`
