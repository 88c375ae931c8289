package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

const (
	// leastTyped is the minimum number of digits of an id that must be typed.
	leastTyped = 4
	// leastShown is the minimum number of digits that are shown, even if fewer are unique,
	// because other rows will be added.
	leastShown = 8
	// candidatesTold is how many rows the message about an ambiguous id lists.
	candidatesTold = 10
)

// thing is a kind of object with an id: its name in messages, and the command that lists
// it.
type thing struct {
	table         postgres.Named
	what, none    string // « d’une ingestion », « Aucune ingestion »
	list, missing string
}

var (
	ingestions = thing{table: postgres.NamedIngestions, what: "d’une ingestion", none: "Aucune ingestion", list: "ingest status"}
	texts      = thing{table: postgres.NamedDocuments, what: "d’un texte", none: "Aucun texte", list: "ingest documents » et « ingest review list"}
	waiting    = thing{table: postgres.NamedDocuments, what: "d’un texte", none: "Aucun texte", missing: " n’attend en revue", list: "ingest review list"}
	relations  = thing{table: postgres.NamedRelations, what: "d’une relation", none: "Aucune relation", list: "ingest review relations"}
	apiKeys    = thing{table: postgres.NamedKeys, what: "d’une clé", none: "Aucune clé", list: "ingest keys list"}
	accounts   = thing{table: postgres.NamedUsers, what: "d’un compte", none: "Aucun compte", list: "ingest user list"}
)

// absent is the error that no object has an id, as typed.
func (t thing) absent(id any) error {
	return errs.Newf(errs.NotFound, "%s %s%s. « %s » donne la liste.", t.none, id, t.missing, t.list)
}

// typed is an id as typed: complete, or a prefix.
type typed struct {
	thing
	word     string
	from, to uuid.UUID // range of the ids with the prefix
}

// typedID parses an id of a thing, or rejects it.
func typedID(t thing, word string) (typed, error) {
	id := typed{thing: t, word: cleanLine(word)}
	figures := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(word)), "-", "")
	low, err := hex.DecodeString(filled(figures, "0"))
	if err != nil || len(figures) < leastTyped || len(low) != len(id.from) {
		return id, usage("« %s » n’est pas l’identifiant %s (ni son début, en %d chiffres au moins).", id.word, t.what, leastTyped)
	}
	high, _ := hex.DecodeString(filled(figures, "f")) // valid, like low
	copy(id.from[:], low)
	copy(id.to[:], high)
	return id, nil
}

// filled pads digits to the length of an id.
func filled(figures, with string) string {
	return figures + strings.Repeat(with, max(2*len(uuid.UUID{})-len(figures), 0))
}

// typedIDs parses several ids.
func typedIDs(t thing, words []string) ([]typed, error) {
	ids := make([]typed, len(words))
	for i, word := range words {
		var err error
		if ids[i], err = typedID(t, word); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// find returns the only id with the typed prefix. A complete id is returned unchanged,
// whether or not the row exists.
func (id typed) find(ctx context.Context, db *postgres.DB) (uuid.UUID, error) {
	if id.from == id.to {
		return id.from, nil
	}
	found, err := db.Between(ctx, id.table, id.from, id.to, candidatesTold+1)
	switch {
	case err != nil:
		return uuid.Nil, err
	case len(found) == 0:
		return uuid.Nil, id.absent(id.word)
	case len(found) == 1:
		return found[0].ID, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "« %s » commence plusieurs identifiants :", id.word)
	for _, f := range found[:min(len(found), candidatesTold)] {
		fmt.Fprintf(&b, "\n  %s  %s", f.ID, cut(cleanLine(f.Label), 60))
	}
	if len(found) > candidatesTold {
		b.WriteString("\n  …")
	}
	return uuid.Nil, usage("%s", b.String())
}

// findAll is find for several ids.
func findAll(ctx context.Context, db *postgres.DB, ids []typed) ([]uuid.UUID, error) {
	found := make([]uuid.UUID, len(ids))
	for i, id := range ids {
		var err error
		if found[i], err = id.find(ctx, db); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// shortIDs returns for each id its shortest unique prefix, if the output is a terminal;
// else ids are printed in full, and it returns none.
func (a *app) shortIDs(ctx context.Context, db *postgres.DB, t thing, ids ...uuid.UUID) (map[uuid.UUID]string, error) {
	if widthOf(a.out) == 0 || a.json || len(ids) == 0 {
		return nil, nil
	}
	neighbors, err := db.Neighbors(ctx, t.table, ids)
	if err != nil {
		return nil, err
	}
	short := make(map[uuid.UUID]string, len(ids))
	for id, next := range neighbors {
		short[id] = shortID(id, next[0], next[1])
	}
	return short, nil
}

// shortID is the shortest prefix of an id that the others do not have.
func shortID(id uuid.UUID, others ...uuid.UUID) string {
	s, n := id.String(), leastShown
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

// shortOf is the short form of an id if there is one.
func shortOf(short map[uuid.UUID]string, id uuid.UUID) string {
	if s := short[id]; s != "" {
		return s
	}
	return id.String()
}
