package e2e

import (
	"os"
	"strings"
	"testing"

	"vigueur/e2e/stage"
)

// previous is the folder of the programs of the release before; its tests skip where
// they were not built (scripts/check --deep does).
func previous(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("VIGUEUR_TEST_PREVIOUS_BIN")
	if folder == "" {
		t.Skip("the programs of the release before are built by scripts/check --deep")
	}
	return folder
}

// answerable is a question of the sample that any version answers from the right article.
func answerable(t *testing.T) question {
	t.Helper()
	for _, q := range questions(t) {
		if q.Answerable && q.Date == "" {
			return q
		}
	}
	t.Fatal("no question has an answer")
	return question{}
}

// asked holds that a question is answered over a process, with the right article, and
// that what came as a stream is what is kept.
func asked(t *testing.T, s *stage.Stage, api *stage.Process, what string) {
	t.Helper()
	q, c := answerable(t), signIn(t, s, api)
	a, err := c.Ask(t.Context(), q.Question, nil)
	if err != nil || !a.Ended || a.Error != "" {
		t.Errorf("%s: %+v, %v", what, a, err)
		return
	}
	if !cites(a.Citations, q.Articles) {
		t.Errorf("%s: « %s » is answered from %+v", what, q.Question, a.Citations)
	}
	again := stage.Answer{MessageID: a.MessageID, Conversation: a.Conversation}
	if err := c.Resume(t.Context(), &again); err != nil || again.Text != a.Text {
		t.Errorf("%s: streamed %q, kept %q, %v", what, a.Text, again.Text, err)
	}
}

// TestPreviousProgramsOnThisSchema has the programs of the release before do what they do
// all day on the schema of this one, which was filled by this one; and those of both beside
// each other, as during an upgrade.
func TestPreviousProgramsOnThisSchema(t *testing.T) {
	t.Parallel()
	old := previous(t)
	s := openSample(t)
	now := s.Programs(old)
	oldWorker, oldAPI := startWorker(t, s), startAPI(t, s)
	asked(t, s, oldAPI, "worker and API of before")
	s.Programs(now)
	newAPI := startAPI(t, s)
	asked(t, s, newAPI, "worker of before, API of now")
	oldWorker.Stop()
	newWorker := startWorker(t, s)
	asked(t, s, oldAPI, "worker of now, API of before")
	asked(t, s, newAPI, "worker and API of now")
	newWorker.Stop()
	// Back again: what the newer ones wrote meanwhile is there too.
	s.Programs(old)
	startWorker(t, s)
	asked(t, s, oldAPI, "after going back")
	var ended int
	if err := s.Query(t.Context(), `SELECT count(*) FROM messages WHERE role = 'assistant' AND state = 'done'`, &ended); err != nil || ended != 5 {
		t.Errorf("%d answers are done, %v", ended, err)
	}
	for _, path := range []string{"/api/v1/documents", "/api/v1/conversations", "/api/v1/domaines"} {
		if err := signIn(t, s, oldAPI).JSON(t.Context(), "GET", path, nil, nil); err != nil {
			t.Errorf("API of before, %s: %v", path, err)
		}
	}
}

// TestPreviousProgramsFillThisSchema has the command and the worker of the release before
// make accounts and take gazettes in on this schema; the programs of this one then find all of it.
func TestPreviousProgramsFillThisSchema(t *testing.T) {
	t.Parallel()
	old := previous(t)
	s, err := stage.Open(t.Context())
	s = opened(t, s, err)
	now := s.Programs(old)
	if err := s.AddUser(t.Context(), "avant@exemple.org", "editor"); err != nil {
		t.Fatal(err)
	}
	if err := s.IngestSample(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Programs(now)
	if out, code := s.Ingest(t.Context(), "", "migrate", "up"); code != 0 {
		t.Fatalf("ingest migrate up: exit %d: %s", code, out)
	}
	if out, code := s.Ingest(t.Context(), "", "status"); code != 0 || strings.Count(out, "terminé")+strings.Count(out, "revue") < len(stage.Sample()) {
		t.Errorf("ingest status: exit %d: %s", code, out)
	}
	startWorker(t, s)
	api := startAPI(t, s)
	asked(t, s, api, "what the programs of before took in")
	c, err := s.ClientOf(t.Context(), api, "avant@exemple.org")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.HTTP.CloseIdleConnections)
	var found struct{ Items []any }
	if err := c.JSON(t.Context(), "GET", "/api/v1/search?q=article", nil, &found); err != nil || len(found.Items) == 0 {
		t.Errorf("a search in what was taken in: %d found, %v", len(found.Items), err)
	}
}
