package main

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vigueur/internal/admission"
	"vigueur/internal/answer"
	"vigueur/internal/errs"
	"vigueur/internal/judge"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
	"vigueur/internal/postgres/pgtest"
)

// evalFiles writes a small corpus with judged questions and gives the flags that
// name them.
func evalFiles(t *testing.T, dir string) []string {
	t.Helper()
	return []string{"eval", "retrieval", "--corpus", written(t, dir, "corpus.jsonl", `
{"_id":"L1","title":"Livre I > Congés payés","text":"Le salarié a droit à deux jours de congé par mois."}
{"_id":"L2","title":"Livre I > Licenciement","text":"L'employeur qui licencie convoque le salarié.\n\nLe préavis dure un mois."}
`), "--queries", written(t, dir, "queries.jsonl", `
{"_id":"q1","text":"combien de congés par mois","intent":"leave"}
{"_id":"q2","text":"jours de congé","intent":"leave"}
{"_id":"q3","text":"convocation au licenciement","intent":"dismissal"}
{"_id":"q4","text":"sans jugement","intent":"none"}
`), "--qrels", written(t, dir, "qrels.tsv", "query-id\tcorpus-id\tscore\nq1\tL1\t1\nq2\tL1\t1\nq3\tL2\t1\n"), "--group-by", "intent"}
}

func written(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEvalRetrievalMeasuresAndCompares(t *testing.T) {
	t.Parallel()
	d := &desk{dir: t.TempDir()}
	args := evalFiles(t, d.dir)
	r := d.run(t, args...)
	if r.code != exitDone || !strings.Contains(r.out, "nDCG@10       100,0") || !strings.Contains(r.out, "3 questions, 2 groupes, 2 articles") {
		t.Fatalf("%+v", r)
	}
	saved := d.run(t, append(args, "--json")...)
	var run retrievalRun
	if err := json.Unmarshal([]byte(saved.out), &run); err != nil || len(run.Each) != 3 || run.Figures[1].Value != 1 {
		t.Fatalf("%v, %+v", err, run)
	}
	run.Each[0].MRR = 0
	before, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	again := d.run(t, append(args, "--against", written(t, d.dir, "saved.json", string(before)))...)
	if again.code != exitDone || !strings.Contains(again.out, "+25,0") {
		t.Errorf("%+v, want the reciprocal rank 25 points better", again)
	}
}

func TestEvalRefusesBadInput(t *testing.T) {
	t.Parallel()
	d := &desk{dir: t.TempDir()}
	args := evalFiles(t, d.dir)
	broken := written(t, d.dir, "broken.jsonl", "{\"_id\":\"a\",\"text\":\"b\",\"intent\":\"x\"}\n{")
	with := func(name, value string) []string {
		out := append([]string{}, args...)
		for i, a := range out {
			if a == name {
				out[i+1] = value
			}
		}
		return out
	}
	for want, args := range map[string][]string{
		"Il faut --corpus":      {"eval", "retrieval"},
		"ligne 2":               with("--queries", broken),
		"ne peut pas être lu":   with("--corpus", filepath.Join(d.dir, "none")),
		"« theme » manque":      with("--group-by", "theme"),
		"n’a de jugement":       with("--qrels", written(t, d.dir, "empty.tsv", "")),
		"eval retrieval --json": append(with("", ""), "--against", broken),
		"Il faut --questions":   {"eval", "answers"},
		"--limit":               {"eval", "checks", "--limit", "0"},
		"Aucune phrase":         {"eval", "checks", "--corpus", written(t, d.dir, "none.jsonl", "")},
	} {
		if r := d.run(t, args...); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%v: %+v, want « %s »", args, r, want)
		}
	}
}

func TestEvalChecksCountsWhatIsCaught(t *testing.T) {
	t.Parallel()
	d := &desk{dir: t.TempDir()}
	corpus := written(t, d.dir, "corpus.jsonl", `{"_id":"L1","title":"A","text":"Le préavis du cadre est de trois mois à compter de la notification du congé."}`)
	r := d.run(t, "eval", "checks", "--corpus", corpus, "--json")
	var got struct {
		Sentences int
		Kinds     []checkCount
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || got.Sentences != 1 {
		t.Fatalf("%v: %+v", err, r)
	}
	for _, c := range got.Kinds {
		if holds := strings.HasPrefix(c.Kind, "phrase vraie"); c.Shown != 1 || c.Warned != ones(!holds) {
			t.Errorf("%+v", c)
		}
	}
}

func TestEvalAnswersJudgesEachQuestion(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if _, err := postgres.Migrate(t.Context(), d.environ["VIGUEUR_DATABASE_URL"]); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(d.dir, "pays")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := written(t, folder, "loi.pdf", "%PDF-1.4 loi")
	catalogue(t, d, file, "Le préavis du cadre qui démissionne est de trois (3) mois.")
	questions := written(t, d.dir, "questions.jsonl", `
{"id":"a","type":"direct","question":"Combien de temps dure le préavis du cadre ?","gold":[{"document":"loi.pdf","article":"26"}],"key_facts":["3 mois"]}
{"id":"b","question":"Combien de temps dure le préavis du cadre ?","gold":[{"document":"loi.pdf","article":"27"}],"key_facts":["six mois"]}
{"id":"c","question":"Quelle est la recette du pain ?","gold":[],"key_facts":[]}
{"id":"d","question":"Quelle est la recette du pain ?","gold":[{"document":"autre.pdf","article":"1"}],"key_facts":["farine"]}
`)
	r := d.run(t, "eval", "answers", "--questions", questions, "--documents", folder)
	for _, want := range []string{"bon  a ", "FAUX b ", "bon  c ", "refus", "FAUX d ", "1 sur 3", "Pas au catalogue : autre.pdf"} {
		if r.code != exitDone || !strings.Contains(r.out, want) {
			t.Errorf("code %d, no « %s » in\n%s%s", r.code, want, r.out, r.err)
		}
	}
	r = d.run(t, "eval", "answers", "--questions", questions, "--documents", folder, "--json")
	var run answersRun
	if err := json.Unmarshal([]byte(r.out), &run); err != nil || run.Right != 1 || run.Facts != 1 || run.Refused != 1 || run.WrongRefusal != 1 || len(run.Each) != 4 {
		t.Errorf("%v: %s", err, r.out)
	}
}

// catalogue stores a text with one article 26 as that of a file.
func catalogue(t *testing.T, d *desk, file, words string) {
	t.Helper()
	db, err := postgres.Open(t.Context(), d.environ["VIGUEUR_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	f, err := admission.Look(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	id := postgres.NewID()
	if err := db.CreateIngestion(t.Context(), postgres.Ingestion{ID: id, SHA256: f.SHA256, Filename: "loi.pdf", Size: f.Size}); err != nil {
		t.Fatal(err)
	}
	started, err := db.StartIngestion(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	since := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	text := postgres.Text{Document: law.Document{ID: postgres.NewID(), Title: "Loi n° 2020-1 relative au travail", Type: law.Loi, Domain: "travail",
		OfficialNumber: "2020-1", Promulgated: since, EntersInForce: since, FirstPage: 1, LastPage: 1}}
	article := law.Article{ID: postgres.NewID(), Number: "26", Page: 1, Text: words}
	text.Articles = []law.Article{article}
	text.Passages = []law.Passage{{ID: postgres.NewID(), ArticleID: article.ID, Page: 1, Text: words}}
	if err := db.SaveTexts(t.Context(), id, started.Attempt, []postgres.Text{text}); err != nil {
		t.Fatal(err)
	}
}

// A worker that runs beside the measure may take its questions: the answers would
// not be this program's.
func TestEvalAnswersToldApartFromAWorkers(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	user, err := operatorOf(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	// The question is no row of the runner's database, as if another had it.
	e := answering{db: db, user: user.ID, runner: &answer.Runner{DB: pgtest.New(t), Log: slog.New(slog.DiscardHandler)}}
	if _, err := e.ask(t.Context(), judge.Asked{ID: "a", Question: "Combien de temps dure le préavis ?"}); !errs.Is(err, errs.Conflict) {
		t.Errorf("%v, want a conflict", err)
	}
	if kept, _, err := db.Conversations(t.Context(), user.ID, nil, 10); err != nil || len(kept) != 0 {
		t.Errorf("left behind: %v, %v", kept, err)
	}
}
