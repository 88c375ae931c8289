package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/gazettes"
)

// idCommand is a command that takes an id: its words, in which ID and CORRECTION stand for
// the arguments.
type idCommand struct {
	path  string // without the name of the program
	rest  string // what follows the path, with ID for the id
	table postgres.Named
	of    string // id to use; "": each of the table
	in    string // standard input
}

// TestEveryID runs each command that takes an id with the ids of its table, shortened as the
// tables print them.
func TestEveryID(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.cuts(t)
	db := d.db(t)
	d.run(t, "add", d.file(t, "jo.pdf", pdf("deux décrets"))).want(t, exitDone, "terminé")
	jo := items[gazettes.IngestionBody](t, d.run(t, "status", "--json"))[0].ID.String()
	d.run(t, "gazette", "renumber", jo, "--page", "1", "--line", "5", "--number", "3").want(t, exitDone)
	d.seedTexts(t)
	failed := d.seedFiles(t, db)
	d.user(t, good, "create", "--email", "lise@vigueur.local", "--name", "Lise", "--password-stdin").want(t, exitDone)
	lise := items[accountBody](t, d.user(t, "", "list", "--json"))[0].ID.String()
	d.run(t, "follow", "add", "--owner", "lise@vigueur.local", "--domaine", "travail").want(t, exitDone, "suit : Travail")
	d.run(t, "keys", "create", "--owner", "lise@vigueur.local", "--name", "A", "--scope", "chat").want(t, exitDone)

	d.shares(t, uuid.MustParse(lise), "Quel préavis ?")

	files, documents := postgres.NamedIngestions, postgres.NamedDocuments
	commands := []idCommand{
		{"status", "ID", files, "", ""},
		{"gazette lines", "ID --page 1", files, jo, ""},
		{"gazette edits", "ID", files, "", ""},
		{"gazette undo", "ID CORRECTION", files, jo, ""},
		{"gazette retitle", "ID --page 1 --line 1 --title Décret", files, jo, ""},
		{"gazette correct", "ID --page 1 --line 2 --text Rien", files, jo, ""},
		{"gazette renumber", "ID --page 1 --line 5 --number 3", files, jo, ""},
		{"gazette split", "ID --page 1 --line 6 --type arrete --title Arrêté --date 2019-03-02", files, jo, ""},
		{"gazette merge", "ID --page 2 --line 1", files, jo, ""},
		{"gazette move", "ID --page 1 --line 4 --to loose", files, jo, ""},
		{"gazette recut", "ID", files, jo, ""},
		{"gazette say", "ID --kind law", files, jo, ""},
		{"export", "ID", documents, "", ""},
		{"documents show", "ID", documents, "", ""},
		{"documents set", "ID nature=Ordonnance", documents, "", ""},
		{"review show", "ID", documents, "", ""},
		{"review accept", "ID --set date=2020-01-01", documents, "", ""},
		{"review reopen", "ID", documents, "", ""},
		{"review reject", "ID", documents, "", ""},
		{"review restore", "ID", documents, "", ""},
		{"review relation", "ID --none", postgres.NamedRelations, "", ""},
		{"follow delete", "ID", postgres.NamedFollows, "", ""},
		{"keys revoke", "ID", postgres.NamedKeys, "", ""},
		{"shared withdraw", "ID", postgres.NamedShared, "", ""},
		{"versions list", "ID", documents, "", ""},
		{"versions show", "ID 1er", documents, "", ""},
		{"versions rebuild", "ID", documents, "", ""},
		{"versions settle", "ID --text-file -", postgres.NamedAmendments, "", "Deux virgule cinq."},
		{"versions undo", "ID", postgres.NamedDecisions, "", ""},
		{"cancel", "ID", files, "", ""},
		{"forget", "ID", files, failed[0], ""},
		{"retry", "ID --no-wait", files, failed[1], ""},
		{"gazette delete", "ID --yes", files, jo, ""},
		{"documents delete", "ID --yes", documents, "", ""},
		{"user password", "ID --password-stdin", postgres.NamedUsers, lise, good},
		{"user deactivate", "ID", postgres.NamedUsers, lise, ""},
		{"user activate", "ID", postgres.NamedUsers, lise, ""},
		{"user country", "ID bf", postgres.NamedUsers, lise, ""},
		{"user reset-factor", "ID", postgres.NamedUsers, lise, ""},
		{"user untie", "ID", postgres.NamedUsers, lise, ""},
	}
	for _, c := range commands {
		d.runOnIDs(t, db, c)
	}
	everyIDIsTried(t, commands)
}

// seedTexts saves texts in each state in which a command accepts them.
func (d *desk) seedTexts(t *testing.T) {
	t.Helper()
	const words = "Les présidents des conseils d’administration répondent de leur gestion devant l’assemblée générale des actionnaires."
	d.catalogue(t, "a1", said("Loi n° 2000-1 portant attributions", "2000-1", "2000-01-01", "Les prÉsid*nts des conseils d'adm!nistration répondent de leur gest!on devant l’assemblée générale des actionnaires."))
	d.catalogue(t, "a2", said("Loi n° 2000-1 portant attributions", "2000-1", "2000-01-01", words))
	d.catalogue(t, "a3", said("Code des impôts de 1990", "1990-1", "1990-01-01", "Un."), said("Code des impôts de 2000", "2000-7", "2000-01-01", "Deux."))
	d.catalogue(t, "a4", said("Loi de finances", "2024-1", "2024-01-01", "Est abrogé le code des impôts.",
		law.Relation{Kind: law.Repeals, TargetType: law.Code, TargetTitle: "Code des impôts"}))
	doubtful := said("Loi douteuse", "2024-9", "2024-01-01", "Trois.")
	doubtful.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "illisible"}}
	d.catalogue(t, "a5", doubtful)
	d.amended(t)
}

// seedFiles adds a file that waits and two that failed, and returns the ids of the latter.
func (d *desk) seedFiles(t *testing.T, db *postgres.DB) (failed []string) {
	t.Helper()
	for _, sha := range []string{"b", "c", "d"} {
		// The bytes are there, since a worker reads the file that is retried.
		sum := sha256.Sum256([]byte(pdf(sha)))
		hash := hex.EncodeToString(sum[:])
		folder := filepath.Join(strings.TrimPrefix(d.environ["VIGUEUR_BLOBS_URL"], "file://"), hash[:2], hash[2:4])
		if err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, hash), []byte(pdf(sha)), 0o600)); err != nil {
			t.Fatal(err)
		}
		row := postgres.Ingestion{ID: postgres.NewID(), SHA256: hash, Filename: sha + ".pdf", Size: int64(len(pdf(sha)))}
		if err := pgtest.AddFile(t.Context(), db, row); err != nil {
			t.Fatal(err)
		}
		if sha == "b" {
			continue
		}
		row, err := db.StartIngestion(t.Context(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.MarkIngestion(t.Context(), row.ID, row.Attempt, "failed", "illisible"); err != nil {
			t.Fatal(err)
		}
		failed = append(failed, row.ID.String())
	}
	return failed
}

// ids returns the ids of a table, the newest first.
func (d *desk) ids(t *testing.T, db *postgres.DB, table postgres.Named) (all []string) {
	t.Helper()
	rows, err := db.Between(t.Context(), table, uuid.Nil, uuid.Max, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		all = append(all, row.ID.String())
	}
	return all
}

// short returns an id as the tables print it.
func (d *desk) short(t *testing.T, db *postgres.DB, table postgres.Named, id string) string {
	t.Helper()
	parsed, err := uuid.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	all, err := db.Between(t.Context(), table, uuid.Nil, uuid.Max, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var others []uuid.UUID
	for _, l := range all {
		others = append(others, l.ID)
	}
	return shortID(parsed, others...)
}

// runOnIDs runs a command on its id, or on each id of its table, of which it must accept one.
func (d *desk) runOnIDs(t *testing.T, db *postgres.DB, c idCommand) {
	t.Helper()
	path := strings.Fields(c.path)
	ids := []string{c.of}
	if c.of == "" {
		ids = d.ids(t, db, c.table)
	}
	accepted := 0
	var refusals []string
	for _, id := range ids {
		args := slices.Clone(path)
		for word := range strings.FieldsSeq(c.rest) {
			switch word {
			case "ID":
				word = d.short(t, db, c.table, id)
			case "CORRECTION":
				word = d.short(t, db, postgres.NamedEdits, d.ids(t, db, postgres.NamedEdits)[0])
			}
			args = append(args, word)
		}
		r := d.runWith(t.Context(), c.in, nil, args...)
		if c.path == "user reset-factor" || c.path == "user untie" {
			r.want(t, exitFailed, "Ce compte n’") // it has neither
			return
		}
		if r.code == exitDone {
			accepted++
		} else {
			refusals = append(refusals, r.err)
		}
	}
	if accepted == 0 {
		t.Errorf("%s accepts none of %v: %v", c.path, ids, refusals)
	}
}

// everyIDIsTried fails the test if a command with an id is not in the list.
func everyIDIsTried(t *testing.T, commands []idCommand) {
	t.Helper()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		words := strings.FieldsFunc(c.Use, func(r rune) bool { return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", r) })
		if slices.Contains(words, "ID") && !slices.ContainsFunc(commands, func(tried idCommand) bool { return tried.path == path }) {
			t.Errorf("%s takes an id and is not tried", path)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk((&app{}).root())
}
