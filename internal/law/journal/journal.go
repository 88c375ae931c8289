// Package journal says how the law has changed: from the states of texts before and after a transaction it makes the
// entries that are told to those who follow them.
package journal

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// The kinds of changes that the journal has.
const (
	Added     = "added"     // the text has entered the catalogue
	Withdrawn = "withdrawn" // the text has left the catalogue
	Replaced  = "replaced"  // another edition has taken the text's place: Act
	Modified  = "modified"  // an act changes articles of the text, or the whole
	Repealed  = "repealed"  // the text is repealed as a whole
	Restored  = "restored"  // the text is not repealed after all
	Wording   = "wording"   // an article has a new wording, or its printed one again
)

// Change is an entry of the journal.
type Change struct {
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
	Digest    string     // of a wording
}

// State is what the journal knows of a text.
type State struct {
	Change                // Document, Title, Type, Domain and Countries
	Successor  *uuid.UUID // edition that has replaced the text; nil: none
	RepealedOn *time.Time
	RepealedBy *uuid.UUID
	Amendments []Amendment
}

// Present reports whether the text is in the catalogue. A nil state is that of an unknown text.
func (s *State) Present() bool { return s != nil && s.Successor == nil }

// Amendment is a change that an act makes to a text.
type Amendment struct {
	Act      uuid.UUID        `json:"act"`
	Kind     law.RelationKind `json:"kind"`
	Articles []string         `json:"articles"`
	From     string           `json:"from"` // day, YYYY-MM-DD
}

// like reports whether two acts make the same change: those are two editions of one act.
func (a Amendment) like(b Amendment) bool {
	return a.Kind == b.Kind && a.From == b.From && slices.Equal(a.Articles, b.Articles)
}

// change returns an entry about a text.
func (s *State) change(kind string) Change {
	c := s.Change
	c.Kind = kind
	return c
}

// Between returns the changes that lead from the states before to those after, in the
// order of the texts. A text that is deleted, or not visible, has no state.
func Between(previous, following map[uuid.UUID]*State) (changes []Change) {
	ids := map[uuid.UUID]bool{}
	replaced := map[uuid.UUID]bool{} // texts whose arrival or departure an edition explains
	for id, s := range previous {
		ids[id] = true
		switch now := following[id]; {
		case s.Present() && now != nil && now.Successor != nil:
			replaced[*now.Successor] = true
		case s.Successor != nil && now.Present() && !following[*s.Successor].Present():
			replaced[*s.Successor], replaced[id] = true, true
		}
	}
	for id := range following {
		ids[id] = true
	}
	list := make([]uuid.UUID, 0, len(ids))
	for id := range ids {
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	for _, id := range list {
		changes = append(changes, stateChanges(previous[id], following[id], replaced)...)
	}
	return changes
}

func stateChanges(was, now *State, replaced map[uuid.UUID]bool) []Change {
	switch {
	case !was.Present() && !now.Present():
		return nil
	case was.Present() && now.Present():
		return append(repealsBetween(was, now), amendmentsBetween(was, now)...)
	case was.Present() && now != nil:
		c := was.change(Replaced)
		c.Act = now.Successor
		return []Change{c}
	case was.Present():
		if replaced[was.Document] {
			return nil
		}
		return []Change{was.change(Withdrawn)}
	case was != nil && replaced[now.Document]: // the edition that had replaced it is gone
		c := now.change(Replaced)
		c.Document, c.Act = *was.Successor, &now.Document
		return []Change{c}
	case replaced[now.Document]:
		return nil
	}
	return []Change{now.change(Added)}
}

func repealsBetween(was, now *State) []Change {
	same := func(a, b *time.Time) bool { return a == nil && b == nil || a != nil && b != nil && a.Equal(*b) }
	switch {
	case same(was.RepealedOn, now.RepealedOn):
		return nil
	case now.RepealedOn == nil:
		return []Change{now.change(Restored)}
	}
	c := now.change(Repealed)
	c.From, c.Act = now.RepealedOn, now.RepealedBy
	return []Change{c}
}

// amendmentsBetween returns the amendments that are new. One that another edition of its act
// made before is not.
func amendmentsBetween(was, now *State) (changes []Change) {
	old := slices.Clone(was.Amendments)
	var fresh []Amendment
	for _, a := range now.Amendments {
		i := slices.IndexFunc(old, func(b Amendment) bool { return b.Act == a.Act && b.like(a) })
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
		c := now.change(Modified)
		act := a.Act
		c.Act, c.Articles = &act, a.Articles
		if day, err := time.Parse(time.DateOnly, a.From); err == nil {
			c.From = &day
		}
		changes = append(changes, c)
	}
	return changes
}

// Sentence says in French what has changed, without the title of the text.
func (c Change) Sentence() string {
	var b strings.Builder
	articles := "L’article " + strings.Join(c.Articles, ", ")
	if len(c.Articles) > 1 {
		articles = "Les articles " + strings.Join(c.Articles[:len(c.Articles)-1], ", ") + " et " + c.Articles[len(c.Articles)-1]
	}
	switch {
	case c.Kind == Added:
		b.WriteString("Ce texte est entré au catalogue")
	case c.Kind == Withdrawn:
		b.WriteString("Ce texte a été retiré du catalogue")
	case c.Kind == Replaced:
		b.WriteString("Une autre édition de ce texte a pris sa place")
	case c.Kind == Repealed:
		b.WriteString("Ce texte est abrogé")
	case c.Kind == Restored:
		b.WriteString("Ce texte n’est finalement pas abrogé")
	case c.Kind == Wording && c.Act == nil:
		b.WriteString(articles + " retrouve sa rédaction imprimée")
	case c.Kind == Wording && c.Gone:
		b.WriteString(articles + " est abrogé")
	case c.Kind == Wording:
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
func (c Change) TextPath() string {
	if c.Kind == Replaced && c.Act != nil {
		return "/textes/" + c.Act.String()
	}
	return "/textes/" + c.Document.String()
}

// Path returns the address of what has changed on the page: the article, on the first day of a
// new wording, or else the text. What is repealed is not there on that day, and is shown as
// printed.
func (c Change) Path() string {
	if c.Article == nil {
		return c.TextPath()
	}
	path := c.TextPath() + "?article=" + c.Article.String()
	if c.Kind == Wording && c.Act != nil && c.From != nil && !c.Gone {
		path += "&date=" + c.From.Format(time.DateOnly)
	}
	return path
}
