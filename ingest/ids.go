package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/postgres"
)

const (
	// minTyped is the minimum number of digits that must be typed to select a row.
	minTyped = 4
	// minShown is the minimum number of digits that are shown, even if fewer are unique now,
	// because other rows will be added.
	minShown = 8
	// candidatesTold is the maximum number of rows that the message about an ambiguous id
	// lists.
	candidatesTold = 10
)

// thing is a kind of object that commands name: its words in French messages, and the command that lists such objects.
type thing struct {
	kind          string // the API's name of a kind that has ids
	what, none    string // « d’une ingestion », « Aucune ingestion »
	list, missing string
	// named finds an object that is named otherwise than by an id, and returns what its path has for it.
	named func(ctx context.Context, s *server, word string) (string, error)
}

var (
	ingestions    = thing{kind: "ingestions", what: "d’une ingestion", none: "Aucune ingestion", list: "ingest status"}
	texts         = thing{kind: "documents", what: "d’un texte", none: "Aucun texte", list: "ingest documents » et « ingest review list"}
	catalogued    = thing{kind: "documents", what: "d’un texte", none: "Aucun texte", missing: " au catalogue", list: "ingest documents » et « ingest review list"}
	superseded    = thing{kind: "documents", what: "d’un texte", none: "Aucune édition n’a remplacé de texte", list: "ingest review editions"}
	waiting       = thing{kind: "documents", what: "d’un texte", none: "Aucun texte", missing: " n’attend en revue", list: "ingest review list"}
	relations     = thing{kind: "relations", what: "d’une relation", none: "Aucune relation", list: "ingest review relations"}
	apiKeys       = thing{kind: "keys", what: "d’une clé", none: "Aucune clé", list: "ingest keys list"}
	follows       = thing{kind: "follows", what: "d’un sujet suivi", none: "Aucun sujet suivi", list: "ingest follow list COMPTE"}
	conversations = thing{kind: "shared", what: "d’une conversation", none: "Aucune conversation", missing: " n’est partagée", list: "ingest shared list"}
	edits         = thing{kind: "edits", what: "d’une correction", none: "Aucune correction", list: "ingest gazette edits ID"}
	amendments    = thing{kind: "waiting", what: "d’une modification", none: "Aucune modification", missing: " n’attend", list: "ingest versions waiting"}
	decisions     = thing{kind: "decisions", what: "d’une décision", none: "Aucune décision", list: "ingest versions decisions"}
	accounts      = thing{kind: "users", what: "d’un compte", none: "Aucun compte", list: "ingest user list"}
)

// things are the kinds of objects by the names that declarations give them.
var things = map[string]thing{"ingestions": ingestions, "documents": texts, "catalogued": catalogued, "superseded": superseded, "reviews": waiting, "relations": relations, "keys": apiKeys, "follows": follows,
	"shared": conversations, "edits": edits, "amendments": amendments, "decisions": decisions,
	"users": {named: accountNamed}, "names": {named: shortNamed}}

// check returns what is wrong with a typed word before anything is looked up.
func (t thing) check(word string) error {
	if t.named != nil {
		return nil
	}
	_, err := typedID(t, word)
	return err
}

// find returns what the path of a request has for the object that a word means.
func (t thing) find(ctx context.Context, s *server, word string) (string, error) {
	if t.named != nil {
		return t.named(ctx, s, word)
	}
	id, err := s.find(ctx, t, word)
	return id.String(), err
}

// orAbsent gives the NotFound error of a request about an id the sentence for its kind.
func (t thing) orAbsent(err error, id any) error {
	if errs.Is(err, errs.NotFound) && t.named == nil {
		return t.absent(id)
	}
	return err
}

// absent returns the error that no object has the id.
func (t thing) absent(id any) error {
	return errs.Newf(errs.NotFound, "%s %s%s. « %s » donne la liste.", t.none, id, t.missing, t.list)
}

// typed is an id in the form in which it was typed: complete, or a prefix.
type typed struct {
	thing
	word     string
	digits   string
	from, to uuid.UUID // smallest and largest id with the prefix
}

// typedID parses the id of a thing, or rejects it.
func typedID(t thing, word string) (typed, error) {
	id := typed{thing: t, word: terminal.Line(word)}
	figures := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(word)), "-", "")
	low, err := hex.DecodeString(fill(figures, "0"))
	if err != nil || len(figures) < minTyped || len(low) != len(id.from) {
		return id, usage("« %s » n’est pas l’identifiant %s (ni son début, en %d chiffres au moins).", id.word, t.what, minTyped)
	}
	high, _ := hex.DecodeString(fill(figures, "f")) // valid, because low is valid
	id.digits = figures
	copy(id.from[:], low)
	copy(id.to[:], high)
	return id, nil
}

// fill pads the digits to the length of an id.
func fill(figures, replacement string) string {
	return figures + strings.Repeat(replacement, max(2*len(uuid.UUID{})-len(figures), 0))
}

// checkIDs returns what is wrong with the first of several ids that is none.
func checkIDs(t thing, words []string) error {
	for _, word := range words {
		if _, err := typedID(t, word); err != nil {
			return err
		}
	}
	return nil
}

// one returns the id of the only object found, or an error with the objects that may be meant.
func (id typed) one(found []postgres.Label) (uuid.UUID, error) {
	switch len(found) {
	case 0:
		return uuid.Nil, id.absent(id.word)
	case 1:
		return found[0].ID, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "« %s » commence plusieurs identifiants :", id.word)
	for _, f := range found[:min(len(found), candidatesTold)] {
		fmt.Fprintf(&b, "\n  %s  %s", f.ID, terminal.Cut(terminal.Line(f.Label), 60))
	}
	if len(found) > candidatesTold {
		b.WriteString("\n  …")
	}
	return uuid.Nil, usage("%s", b.String())
}

// shortened returns the shortest unique prefix of each id of a table of which all are listed. If the output is not a
// terminal, it returns nil, and ids are printed in full.
func (a *app) shortened(ids []uuid.UUID) map[uuid.UUID]string {
	if terminal.Width(a.out) == 0 || a.json {
		return nil
	}
	sorted := slices.SortedFunc(slices.Values(ids), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	short := make(map[uuid.UUID]string, len(ids))
	for i, id := range sorted {
		near := sorted[max(i-1, 0):min(i+2, len(sorted))]
		short[id] = shortID(id, near...)
	}
	return short
}

// shortID returns the shortest prefix of an id that is not a prefix of the others.
func shortID(id uuid.UUID, others ...uuid.UUID) string {
	s, n := id.String(), minShown
	for _, other := range others {
		o, same := other.String(), 0
		for same < len(s) && s[same] == o[same] {
			same++
		}
		if other != uuid.Nil && other != id {
			n = max(n, same+1)
		}
	}
	return strings.TrimRight(s[:n], "-")
}

// shortOf returns the short form of an id, or the whole id if there is no short form.
func shortOf(short map[uuid.UUID]string, id uuid.UUID) string {
	if s := short[id]; s != "" {
		return s
	}
	return id.String()
}
