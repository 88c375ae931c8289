package main

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

func TestShortID(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("01a20194-ece9-7068-a845-1b212b234702")
	for other, want := range map[string]string{
		"00000000-0000-0000-0000-000000000000": "01a20194",
		"01a20194-ece9-7068-a845-1b212b234702": "01a20194",
		"f1a20194-ece9-7068-a845-1b212b234702": "01a20194",
		"01a20195-ece9-7068-a845-1b212b234702": "01a20194",
		"01a20194-fce9-7068-a845-1b212b234702": "01a20194-e",
		"01a20194-ecda-79df-af33-a9426454d6bc": "01a20194-ece",
		"01a20194-ece9-8068-a845-1b212b234702": "01a20194-ece9-7",
		"01a20194-ece9-7068-a845-1b212b234703": "01a20194-ece9-7068-a845-1b212b234702",
	} {
		t.Run(other, func(t *testing.T) {
			if got := shortID(id, uuid.MustParse(other)); got != want {
				t.Errorf("beside %s: %q, want %q", other, got, want)
			}
		})
	}
}

func TestTypedID(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"01A20194-ECE9-7068-A845-1B212B234702": "01a20194-ece9-7068-a845-1b212b234702",
		"01a20194ece97068a8451b212b234702":     "01a20194-ece9-7068-a845-1b212b234702",
		"01a2":                                 "01a20000-0000-0000-0000-000000000000",
		"01a20194-e":                           "01a20194-e000-0000-0000-000000000000",
	} {
		t.Run(word, func(t *testing.T) {
			if id, err := typedID(texts, word); err != nil || id.from.String() != want {
				t.Errorf("%q: %s, %v; want %s", word, id.from, err, want)
			}
		})
	}
	if id, err := typedID(texts, " 01a2\n"); err != nil || id.from.String() != "01a20000-0000-0000-0000-000000000000" {
		t.Errorf("with blanks: %s, %v", id.from, err)
	}
	for _, word := range []string{"", "01a", "---", "01ag", "été-", "01a20194-ece9-7068-a845-1b212b2347020", strings.Repeat("0", 1000)} {
		t.Run(word, func(t *testing.T) {
			if id, err := typedID(texts, word); err == nil {
				t.Errorf("%q is taken for %s", word, id.from)
			}
		})
	}
}

// TestIDsByTheirBeginning names rows by the shortest unique beginning of their ids.
func TestIDsByTheirBeginning(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	db := d.db(t)
	for sha, id := range map[string]string{"a": "01a20194-ece9-7068-a845-1b212b234702", "b": "01a20194-ecda-79df-af33-a9426454d6bc", "c": "02b20194-ecda-79df-af33-a9426454d6bc"} {
		t.Run(sha, func(t *testing.T) {
			row := postgres.Ingestion{ID: uuid.MustParse(id), SHA256: strings.Repeat(sha, 64), Filename: "jo-" + sha + ".pdf", Size: 1}
			if err := pgtest.AddFile(t.Context(), db, row); err != nil {
				t.Fatal(err)
			}
		})
	}
	d.run(t, "status", "01a20194-ece").want(t, exitDone, "jo-a.pdf", "01a20194-ece9-7068-a845-1b212b234702")
	d.run(t, "status", "02B2").want(t, exitDone, "jo-c.pdf")
	d.run(t, "status", "03b2").want(t, exitFailed, "Aucune ingestion 03b2. « ingest status » donne la liste.")
	d.run(t, "status", "02b").want(t, exitUsage, "« 02b » n’est pas l’identifiant d’une ingestion")
	d.run(t, "status", "01a2").want(t, exitUsage, "« 01a2 » commence plusieurs identifiants :",
		"01a20194-ece9-7068-a845-1b212b234702  jo-a.pdf", "01a20194-ecda-79df-af33-a9426454d6bc  jo-b.pdf")
	d.run(t, "cancel", "01a20194-ece", "02b2").want(t, exitDone, "jo-a.pdf : annulé.", "jo-c.pdf : annulé.")
	d.run(t, "retry", "--no-wait", "01a2").want(t, exitUsage, "commence plusieurs identifiants")
	d.run(t, "retry", "--no-wait", "02b2").want(t, exitDone, "jo-c.pdf", "en attente")
	d.width = 100
	r := d.run(t, "status")
	r.want(t, exitDone, " 01a20194-ece\n", " 01a20194-ecd\n", " 02b20194\n")
	d.width = 0
	d.run(t, "status").want(t, exitDone, " 01a20194-ece9-7068-a845-1b212b234702\n")
	for _, args := range [][]string{{"export", "3b93"}, {"review", "show", "3b93"}, {"review", "restore", "3b93"}, {"review", "relation", "3b93", "--none"}} {
		d.run(t, args...).want(t, exitFailed, " 3b93", "donne la liste.")
	}
}
