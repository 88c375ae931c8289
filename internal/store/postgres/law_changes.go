package postgres

import (
	"context"
	"crypto/md5" //nolint:gosec // tells wordings apart, and protects nothing
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/law"
)

// The kinds of changes that the journal has.
const (
	TextAdded     = "added"     // the text has entered the catalogue
	TextWithdrawn = "withdrawn" // the text has left the catalogue
	TextReplaced  = "replaced"  // another edition has taken the text's place: Act
	TextModified  = "modified"  // an act changes articles of the text, or the whole
	TextRepealed  = "repealed"  // the text is repealed as a whole
	TextUnended   = "restored"  // the text is not repealed after all
	NewWording    = "wording"   // an article has a new wording, or its printed one again
)

// LawChange is an entry of the journal of changes of the law.
type LawChange struct {
	ID        int64
	At        time.Time
	Kind      string
	Document  uuid.UUID
	Title     string
	Type      law.DocType
	Domain    string
	Countries []string
	Articles  []string   // numbers of the changed articles; empty: the whole text
	Article   *uuid.UUID // the article of a new wording, or the first of Articles that the text has; nil: none
	Act       *uuid.UUID // act that makes the change, or edition that replaces this one; nil: none is known
	ActTitle  string
	From, To  *time.Time // first day of the change, first day on which a wording is no longer law
	Gone      bool       // the article is repealed
	digest    string     // of a wording
}

const lawChangeColumns = `c.id, c.at, c.kind, c.document_id, c.title, c.doc_type, c.domaine, c.countries, c.articles, c.article_id, c.act_id, c.act_title, c.valid_from, c.valid_to, c.gone`

func (c *LawChange) fields() []any {
	return []any{&c.ID, &c.At, &c.Kind, &c.Document, &c.Title, &c.Type, &c.Domain, &c.Countries, &c.Articles, &c.Article, &c.Act, &c.ActTitle, &c.From, &c.To, &c.Gone}
}

// lawState is what the journal says of a text.
type lawState struct {
	LawChange // Document, Title, Type, Domain and Countries
	successor *uuid.UUID
	repealed  *time.Time
	by        *uuid.UUID
	amends    []amendedBy
}

// present reports whether the text is in the catalogue. A nil state is that of an unknown text.
func (s *lawState) present() bool { return s != nil && s.successor == nil }

// amendedBy is a change that an act makes to a text.
type amendedBy struct {
	Act      uuid.UUID        `json:"act"`
	Kind     law.RelationKind `json:"kind"`
	Articles []string         `json:"articles"`
	From     string           `json:"from"` // day, YYYY-MM-DD
}

// like reports whether two acts make the same change: those are two editions of one act.
func (a amendedBy) like(b amendedBy) bool {
	return a.Kind == b.Kind && a.From == b.From && slices.Equal(a.Articles, b.Articles)
}

// change returns an entry about a text.
func (s *lawState) change(kind string) LawChange {
	c := s.LawChange
	c.Kind = kind
	return c
}

// changesBetween returns the changes that lead from the states before to those after, in the
// order of the texts. A text that is deleted, or not visible, has no state.
func changesBetween(before, after map[uuid.UUID]*lawState) (changes []LawChange) {
	ids := map[uuid.UUID]bool{}
	replaced := map[uuid.UUID]bool{} // texts whose arrival or departure an edition explains
	for id, s := range before {
		ids[id] = true
		switch now := after[id]; {
		case s.present() && now != nil && now.successor != nil:
			replaced[*now.successor] = true
		case s.successor != nil && now.present() && !after[*s.successor].present():
			replaced[*s.successor], replaced[id] = true, true
		}
	}
	for id := range after {
		ids[id] = true
	}
	list := make([]uuid.UUID, 0, len(ids))
	for id := range ids {
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	for _, id := range list {
		changes = append(changes, stateChanges(before[id], after[id], replaced)...)
	}
	return changes
}

func stateChanges(was, now *lawState, replaced map[uuid.UUID]bool) []LawChange {
	switch {
	case !was.present() && !now.present():
		return nil
	case was.present() && now.present():
		return append(repealsBetween(was, now), amendmentsBetween(was, now)...)
	case was.present() && now != nil:
		c := was.change(TextReplaced)
		c.Act = now.successor
		return []LawChange{c}
	case was.present():
		if replaced[was.Document] {
			return nil
		}
		return []LawChange{was.change(TextWithdrawn)}
	case was != nil && replaced[now.Document]: // the edition that had replaced it is gone
		c := now.change(TextReplaced)
		c.Document, c.Act = *was.successor, &now.Document
		return []LawChange{c}
	case replaced[now.Document]:
		return nil
	}
	return []LawChange{now.change(TextAdded)}
}

func repealsBetween(was, now *lawState) []LawChange {
	same := func(a, b *time.Time) bool { return a == nil && b == nil || a != nil && b != nil && a.Equal(*b) }
	switch {
	case same(was.repealed, now.repealed):
		return nil
	case now.repealed == nil:
		return []LawChange{now.change(TextUnended)}
	}
	c := now.change(TextRepealed)
	c.From, c.Act = now.repealed, now.by
	return []LawChange{c}
}

// amendmentsBetween returns the amendments that are new. One that another edition of its act
// made before is not.
func amendmentsBetween(was, now *lawState) (changes []LawChange) {
	old := slices.Clone(was.amends)
	var fresh []amendedBy
	for _, a := range now.amends {
		i := slices.IndexFunc(old, func(b amendedBy) bool { return b.Act == a.Act && b.like(a) })
		if i < 0 {
			fresh = append(fresh, a)
			continue
		}
		old = slices.Delete(old, i, i+1)
	}
	for _, a := range fresh {
		if i := slices.IndexFunc(old, a.like); i >= 0 {
			old = slices.Delete(old, i, i+1)
			continue
		}
		c := now.change(TextModified)
		act := a.Act
		c.Act, c.Articles = &act, a.Articles
		if day, err := time.Parse(time.DateOnly, a.From); err == nil {
			c.From = &day
		}
		changes = append(changes, c)
	}
	return changes
}

// journalTexts compares the texts with what the journal says of them, and appends what has
// changed. The caller holds the lock of the catalogue (announce).
func journalTexts(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) error {
	documents = union(documents)
	before, err := journaledStates(ctx, tx, documents)
	if err != nil {
		return err
	}
	after, err := currentStates(ctx, tx, documents)
	if err != nil {
		return err
	}
	// An edition may have replaced a text that is not among these.
	var more []uuid.UUID
	for _, s := range before {
		if s.successor != nil && before[*s.successor] == nil && after[*s.successor] == nil {
			more = append(more, *s.successor)
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
				after[id] = others[id]
			}
			if known[id] != nil {
				before[id] = known[id]
			}
		}
	}
	if err := saveStates(ctx, tx, before, after); err != nil {
		return err
	}
	changes := changesBetween(before, after)
	if err := findArticles(ctx, tx, changes); err != nil {
		return err
	}
	return appendChanges(ctx, tx, changes)
}

// findArticles sets the article of each change that names articles: the first of them that the
// text has, as printed.
func findArticles(ctx context.Context, tx pgx.Tx, changes []LawChange) error {
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
		of, key := found[document], law.ArticleKey(number)
		if _, has := of[key]; !has {
			of[key] = id
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

func scanStates(rows pgx.Rows) (map[uuid.UUID]*lawState, error) {
	states := map[uuid.UUID]*lawState{}
	list, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (*lawState, error) {
		var s lawState
		return &s, r.Scan(&s.Document, &s.Title, &s.Type, &s.Domain, &s.Countries, &s.successor, &s.repealed, &s.by, &s.amends)
	})
	for _, s := range list {
		states[s.Document] = s
	}
	return states, err
}

func journaledStates(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) (map[uuid.UUID]*lawState, error) {
	rows, err := tx.Query(ctx, `SELECT document_id, `+stateColumns+` FROM law_states WHERE document_id = ANY($1)`, documents)
	if err != nil {
		return nil, err
	}
	return scanStates(rows)
}

// currentStates reads the states of texts as migration 00224 does.
func currentStates(ctx context.Context, tx pgx.Tx, documents []uuid.UUID) (map[uuid.UUID]*lawState, error) {
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

// saveStates replaces what the journal says of the texts.
func saveStates(ctx context.Context, tx pgx.Tx, before, after map[uuid.UUID]*lawState) error {
	batch := &pgx.Batch{}
	for id := range before {
		if after[id] == nil {
			batch.Queue(`DELETE FROM law_states WHERE document_id = $1`, id)
		}
	}
	for id, s := range after {
		amends, err := listJSON(s.amends)
		if err != nil {
			return err
		}
		batch.Queue(`INSERT INTO law_states (document_id, `+stateColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			ON CONFLICT (document_id) DO UPDATE SET title = $2, doc_type = $3, domaine = $4, countries = $5, successor = $6, repealed_on = $7, repealed_by = $8, amendments = $9
			WHERE (law_states.title, law_states.doc_type, law_states.domaine, law_states.countries, law_states.successor, law_states.repealed_on, law_states.repealed_by, law_states.amendments)
				IS DISTINCT FROM ($2, $3, $4, $5::text[], $6::uuid, $7::date, $8::uuid, $9::jsonb)`,
			id, s.Title, s.Type, s.Domain, texts(s.Countries), s.successor, s.repealed, s.by, json.RawMessage(amends))
	}
	return tx.SendBatch(ctx, batch).Close()
}

// appendChanges appends entries to the journal.
func appendChanges(ctx context.Context, tx pgx.Tx, changes []LawChange) error {
	batch := &pgx.Batch{}
	for _, c := range changes {
		keys := []string{}
		for _, number := range c.Articles {
			keys = append(keys, law.ArticleKey(number))
		}
		batch.Queue(`INSERT INTO law_changes (kind, document_id, title, doc_type, domaine, countries, articles, keys, article_id, act_id, act_title, valid_from, valid_to, gone, digest)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce((SELECT title FROM documents WHERE id = $10), ''), $11, $12, $13, $14)`,
			c.Kind, c.Document, c.Title, c.Type, c.Domain, texts(c.Countries), texts(c.Articles), keys, c.Article, c.Act, c.From, c.To, c.Gone, c.digest)
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
func wordingsBetween(before, after []ArticleVersion, told map[toldWording]bool) (changes []LawChange) {
	had, has := map[toldWording]bool{}, map[string]bool{}
	for _, v := range before {
		if v.Act != nil {
			had[wordingOf(v)] = true
		}
	}
	for _, v := range after {
		if v.Act == nil {
			continue
		}
		w := wordingOf(v)
		has[w.key] = true
		if had[w] || told[w] {
			continue
		}
		article := v.Article
		changes = append(changes, LawChange{Kind: NewWording, Articles: []string{v.Number}, Article: &article, Act: v.Act, From: v.From, To: v.To, Gone: v.Gone, digest: w.digest})
	}
	for _, v := range before {
		if key := law.ArticleKey(v.Number); v.Act != nil && !has[key] {
			has[key] = true
			article := v.Article
			changes = append(changes, LawChange{Kind: NewWording, Articles: []string{v.Number}, Article: &article})
		}
	}
	return changes
}

// journalWordings appends the wordings of a text that are new to the journal. For a text
// outside the catalogue it appends nothing. The caller holds the lock of the catalogue.
func journalWordings(ctx context.Context, tx pgx.Tx, target uuid.UUID, before, after []ArticleVersion) error {
	states, err := journaledStates(ctx, tx, []uuid.UUID{target})
	if err != nil || !states[target].present() {
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
	changes := wordingsBetween(before, after, told)
	for i := range changes {
		c, of := &changes[i], states[target]
		c.Document, c.Title, c.Type, c.Domain, c.Countries = of.Document, of.Title, of.Type, of.Domain, of.Countries
	}
	return appendChanges(ctx, tx, changes)
}

// Sentence says in French what has changed, without the title of the text.
func (c LawChange) Sentence() string {
	var b strings.Builder
	articles := "L’article " + strings.Join(c.Articles, ", ")
	if len(c.Articles) > 1 {
		articles = "Les articles " + strings.Join(c.Articles[:len(c.Articles)-1], ", ") + " et " + c.Articles[len(c.Articles)-1]
	}
	switch {
	case c.Kind == TextAdded:
		b.WriteString("Ce texte est entré au catalogue")
	case c.Kind == TextWithdrawn:
		b.WriteString("Ce texte a été retiré du catalogue")
	case c.Kind == TextReplaced:
		b.WriteString("Une autre édition de ce texte a pris sa place")
	case c.Kind == TextRepealed:
		b.WriteString("Ce texte est abrogé")
	case c.Kind == TextUnended:
		b.WriteString("Ce texte n’est finalement pas abrogé")
	case c.Kind == NewWording && c.Act == nil:
		b.WriteString(articles + " retrouve sa rédaction imprimée")
	case c.Kind == NewWording && c.Gone:
		b.WriteString(articles + " est abrogé")
	case c.Kind == NewWording:
		b.WriteString(articles + " a une nouvelle rédaction")
	case len(c.Articles) == 0:
		b.WriteString("Ce texte est modifié")
	case len(c.Articles) == 1:
		b.WriteString(articles + " est modifié ou abrogé")
	default:
		b.WriteString(articles + " sont modifiés ou abrogés")
	}
	if c.ActTitle != "" {
		b.WriteString(" par « " + law.Clip(c.ActTitle, 200) + " »")
	}
	if c.From != nil {
		b.WriteString(", à partir du " + law.WriteDate(*c.From))
	}
	if c.To != nil {
		b.WriteString(" et jusqu’au " + law.WriteDate(c.To.AddDate(0, 0, -1)))
	}
	return b.String() + "."
}

// TextPath returns the address of the text on the page.
func (c LawChange) TextPath() string {
	if c.Kind == TextReplaced && c.Act != nil {
		return "/textes/" + c.Act.String()
	}
	return "/textes/" + c.Document.String()
}

// Path returns the address of what has changed on the page: the article, on the first day of a
// new wording, or else the text. What is repealed is not there on that day, and is shown as
// printed.
func (c LawChange) Path() string {
	if c.Article == nil {
		return c.TextPath()
	}
	path := c.TextPath() + "?article=" + c.Article.String()
	if c.Kind == NewWording && c.Act != nil && c.From != nil && !c.Gone {
		path += "&date=" + c.From.Format(time.DateOnly)
	}
	return path
}
