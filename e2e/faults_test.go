package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/store/postgres"
)

// aQuestion is one that the sample answers.
const aQuestion = "Je suis cadre et je démissionne : combien de temps dure mon préavis ?"

func TestKilledWorkerInMidIngestionIsReplaced(t *testing.T) {
	t.Parallel()
	s := open(t)
	moments := rand.New(rand.NewPCG(3, 4))
	if out, code := s.Ingest(t.Context(), "", append([]string{"add", "--no-wait"}, stage.Sample()...)...); code != 0 {
		t.Fatalf("ingest add --no-wait: exit %d: %s", code, out)
	}
	for range postgres.MaxAttempts - 1 { // a file that is lost once more is given up
		worker := startWorker(t, s)
		pause := time.NewTimer(time.Duration(200+moments.IntN(1500)) * time.Millisecond)
		<-pause.C
		worker.Kill()
	}
	startWorker(t, s)
	// The command finds each file on its way, follows it, and ends with 0.
	out, code := s.Ingest(t.Context(), "", append([]string{"add"}, stage.Sample()...)...)
	if code != 0 {
		t.Fatalf("after the kills: exit %d: %s", code, out)
	}
	if got, expected := documents(t, s), sampleDocuments(t); got != expected {
		t.Errorf("the catalogue after kills is\n%s\nwithout kills it is\n%s", got, expected)
	}
}

// documents is the catalogue as the command lists it.
func documents(t *testing.T, s *stage.Stage) string {
	t.Helper()
	out, code := s.Ingest(t.Context(), "", "documents", "--json")
	if code != 0 {
		t.Fatalf("ingest documents: exit %d: %s", code, out)
	}
	return out
}

func TestBadFilesAreToldAndTheOthersGoIn(t *testing.T) {
	t.Parallel()
	s := open(t)
	startWorker(t, s)
	dir := t.TempDir()
	sample := stage.Sample()
	whole, err := os.ReadFile(sample[len(sample)-1])
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"page-web.pdf": []byte("<!DOCTYPE html><html><body>Erreur 404</body></html>"),
		"vide.pdf":     {},
		"coupe.pdf":    whole[:600],
		"bon.pdf":      whole,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, code := s.Ingest(t.Context(), "", "add", dir)
	if code != 1 {
		t.Errorf("exit %d, want 1", code)
	}
	for _, name := range []string{"page-web.pdf", "vide.pdf", "coupe.pdf", "bon.pdf"} {
		if !strings.Contains(out, name) {
			t.Errorf("nothing is said of %s", name)
		}
	}
	if list := documents(t, s); !strings.Contains(list, "2025-03") {
		t.Errorf("the good file did not go in: %s", list)
	}
	again, code := s.Ingest(t.Context(), "", "add", filepath.Join(dir, "bon.pdf"))
	if code != 0 || !strings.Contains(again, "Déjà connu") {
		t.Errorf("the same file twice: exit %d: %s", code, again)
	}
	t.Logf("%s", out)
}

func TestRedisDownIsSaidAndPasses(t *testing.T) {
	t.Parallel()
	s := openSample(t)
	worker := startWorker(t, s)
	api := startAPI(t, s)
	client := signIn(t, s, api)
	s.Redis.Stop()
	_, err := client.Ask(t.Context(), aQuestion, nil)
	refused := wantRefused(t, err, http.StatusServiceUnavailable)
	if refused.Header.Get("Retry-After") == "" || !strings.Contains(refused.Body, "detail") {
		t.Errorf("503 without Retry-After or detail: %v %s", refused.Header, refused.Body)
	}
	// What the stores said is shared for a second.
	await(t, "/readyz says that Redis is down", func() bool { return client.JSON(t.Context(), "GET", "/readyz", nil, nil) != nil })
	if err := client.JSON(t.Context(), "GET", "/healthz", nil, nil); err != nil {
		t.Errorf("/healthz: %v", err)
	}
	out, code := s.Ingest(t.Context(), "", "ask", aQuestion)
	if code != 3 || !strings.Contains(out, "Redis") || !strings.Contains(out, "scripts/services start") {
		t.Errorf("ingest ask: exit %d: %s", code, out)
	}
	if err := s.Redis.Start(); err != nil {
		t.Fatal(err)
	}
	if a := askUntilUp(t, client); a.Error != "" || len(a.Citations) == 0 {
		t.Errorf("after the restart: error %q, %d citations", a.Error, len(a.Citations))
	}
	if took := worker.Stop(); took > 30*time.Second {
		t.Errorf("the worker took %v to stop", took)
	}
	if took := api.Stop(); took > 30*time.Second {
		t.Errorf("the API took %v to stop", took)
	}
}

// askUntilUp asks until the stores are found again.
func askUntilUp(t *testing.T, client *stage.Client) (a stage.Answer) {
	t.Helper()
	await(t, "an answer after the restart", func() (up bool) {
		var err error
		a, err = client.Ask(t.Context(), aQuestion, nil)
		return err == nil
	})
	return a
}

func TestPostgresDownIsSaid(t *testing.T) {
	t.Parallel()
	s := open(t)
	cmd := s.Command(t.Context(), "documents")
	cmd.Env = append(cmd.Env, "VIGUEUR_DATABASE_URL=postgres://vigueur:tresor@127.0.0.1:1/vigueur?sslmode=disable")
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("exit %d, want 3", cmd.ProcessState.ExitCode())
	}
	if text := string(out); !strings.Contains(text, "PostgreSQL") || !strings.Contains(text, "127.0.0.1:1") || strings.Contains(text, "tresor") {
		t.Errorf("said %s", text)
	}
}

func TestWrongConfigurationIsToldWhole(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, program := range []string{"api", "worker"} {
		out, code := s.RunProgram(t.Context(), program, "VIGUEUR_LOG_LEVEL=fort", "VIGUEUR_REDIS_URL=ailleurs", "VIGUEUR_BLOBS_URL=")
		if code == 0 {
			t.Errorf("%s starts with a wrong configuration", program)
		}
		for _, name := range []string{"VIGUEUR_LOG_LEVEL", "VIGUEUR_REDIS_URL", "VIGUEUR_BLOBS_URL"} {
			if !strings.Contains(out, name) {
				t.Errorf("%s does not name %s: %s", program, name, out)
			}
		}
	}
}

// A worker that knows a step which the schema lacks takes no work: it would fail it.
func TestAWorkerWaitsForItsSchema(t *testing.T) {
	t.Parallel()
	s := open(t)
	var last int
	if err := s.Query(t.Context(), `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version) RETURNING version_id`, &last); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	out, code := s.RunProgram(ctx, "worker")
	if code != 1 || !strings.Contains(out, fmt.Sprintf("le programme connaît l’étape %d. Mettez-le à jour : ingest migrate up", last)) {
		t.Errorf("exit %d: %s", code, out)
	}
}
