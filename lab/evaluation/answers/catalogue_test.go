package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"vigueur/scripts/corpora"

	"vigueur/internal/law"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work/admission"
	"vigueur/internal/work/answering"
	"vigueur/lab/evaluation/output"
)

func written(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnswersOfACatalogueAreJudged(t *testing.T) {
	t.Parallel()
	db, folder := pgtest.New(t), t.TempDir()
	catalogue(t, db, written(t, folder, "loi.pdf", "%PDF-1.4 loi"), "Le préavis du cadre qui démissionne est de trois (3) mois.")
	asked, err := corpora.Questions(written(t, t.TempDir(), "questions.jsonl", `
{"id":"a","type":"direct","question":"Combien de temps dure le préavis du cadre ?","gold":[{"document":"loi.pdf","article":"26"}],"key_facts":["3 mois"]}
{"id":"b","question":"Combien de temps dure le préavis du cadre ?","gold":[{"document":"loi.pdf","article":"27"}],"key_facts":["six mois"]}
{"id":"c","question":"Quelle est la recette du pain ?","gold":[],"key_facts":[]}
{"id":"d","question":"Quelle est la recette du pain ?","gold":[{"document":"autre.pdf","article":"1"}],"key_facts":["farine"]}
`))
	if err != nil {
		t.Fatal(err)
	}
	e := &measurement{catalogueOptions: catalogueOptions{documents: folder}, db: db}
	if err := e.prepare(t.Context(), config.Embedder{}); err != nil {
		t.Fatal(err)
	}
	var out, machine strings.Builder
	run, err := e.run(t.Context(), asked, &out)
	if err := errors.Join(err, run.tell(&out), output.JSON(&machine, run)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"good  a ", "WRONG b ", "good  c ", "refused", "WRONG d ", "1 of 3", "Not in the catalogue: autre.pdf"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no « %s » in\n%s", want, out.String())
		}
	}
	var told answersRun
	if err := json.Unmarshal([]byte(machine.String()), &told); err != nil || told.Right != 1 || told.Facts != 1 || told.Refused != 1 || told.WrongRefusal != 1 || len(told.Each) != 4 {
		t.Errorf("%v: %s", err, machine.String())
	}
}

// Cases that are made from the catalogue name files as they were ingested: a text from
// outside the folder of documents, like a sample gazette's, must not be cited without one.
func TestFilesOutsideTheFolderAreNamed(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	catalogue(t, db, written(t, t.TempDir(), "loi.pdf", "%PDF-1.4 loi"), "Le préavis du cadre qui démissionne est de trois (3) mois.")
	e := &measurement{catalogueOptions: catalogueOptions{documents: t.TempDir()}, db: db}
	if err := e.prepare(t.Context(), config.Embedder{}); err != nil {
		t.Fatal(err)
	}
	r, err := e.ask(t.Context(), corpora.Asked{ID: "a", Question: "Que dit l’article 26 de la loi n° 2020-1 ?"})
	if err != nil || !slices.Equal(r.Cited, []string{"loi.pdf, art. 26"}) {
		t.Errorf("%v, %q: want the name under which the file was ingested", err, r.Cited)
	}
}

// A question is asked after the earlier ones of its conversation, which is gone afterwards.
func TestFollowUpsAreAsked(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	catalogue(t, db, written(t, t.TempDir(), "loi.pdf", "%PDF-1.4 loi"), "Le préavis du cadre qui démissionne est de trois (3) mois.")
	e := &measurement{catalogueOptions: catalogueOptions{documents: t.TempDir()}, db: db}
	if err := e.prepare(t.Context(), config.Embedder{}); err != nil {
		t.Fatal(err)
	}
	followUp := corpora.Asked{ID: "a", Question: "Et que dit son article 26 ?"}
	if r, err := e.ask(t.Context(), followUp); err != nil || !r.Refused {
		t.Errorf("%v, %q: no text is named", err, r.Cited)
	}
	followUp.Before = []string{"De quand date la loi n° 2020-1 ?"}
	if r, err := e.ask(t.Context(), followUp); err != nil || !slices.Equal(r.Cited, []string{"loi.pdf, art. 26"}) {
		t.Errorf("%v, %q: want the article of the text that was named before", err, r.Cited)
	}
	if kept, _, err := db.Conversations(t.Context(), e.user, nil, 10); err != nil || len(kept) != 0 {
		t.Errorf("left behind: %v, %v", kept, err)
	}
}

// catalogue stores a text with one article 26 as that of a file.
func catalogue(t *testing.T, db *postgres.DB, file, words string) {
	t.Helper()
	f, err := admission.Look(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	id := postgres.NewID()
	if err := pgtest.AddFile(t.Context(), db, postgres.Ingestion{ID: id, SHA256: f.SHA256, Filename: "loi.pdf", Size: f.Size}); err != nil {
		t.Fatal(err)
	}
	started, err := db.StartIngestion(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	since := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	text := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: "Loi n° 2020-1 relative au travail", Type: law.Loi, Domain: "travail",
		OfficialNumber: "2020-1", Promulgated: since, EntersInForce: since, FirstPage: 1, LastPage: 1}}
	article := law.Article{ID: postgres.NewID(), Number: "26", Page: 1, Text: words}
	text.Articles = []law.Article{article}
	text.Passages = []law.Passage{{ID: postgres.NewID(), ArticleID: article.ID, Page: 1, Text: words}}
	if err := db.SaveSegmentation(t.Context(), id, started.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{text}}); err != nil {
		t.Fatal(err)
	}
}

// A worker that runs beside the measurement may take its questions: the answers would
// not be this program's.
func TestAnswersOfAWorkerAreToldApart(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	user, err := userOf(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	// The question is no row of the runner's database, as if another had it.
	e := measurement{db: db, user: user, runner: &answering.AnswerWriter{DB: pgtest.New(t), Log: slog.New(slog.DiscardHandler)}}
	if _, err := e.ask(t.Context(), corpora.Asked{ID: "a", Question: "Combien de temps dure le préavis ?"}); !errors.Is(err, errTaken) {
		t.Errorf("%v, want that it was taken", err)
	}
	if kept, _, err := db.Conversations(t.Context(), user, nil, 10); err != nil || len(kept) != 0 {
		t.Errorf("left behind: %v, %v", kept, err)
	}
	if again, err := userOf(t.Context(), db); err != nil || again != user {
		t.Errorf("%v, %v: another account asks the second time", again, err)
	}
}
