package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"vigueur/e2e/stage"
)

func TestStreamIsResumedOnAnotherAPIAndStoredAsItWasSent(t *testing.T) {
	t.Parallel()
	s := openSample(t)
	startWorker(t, s)
	first, second := startAPI(t, s), startAPI(t, s)
	client := signIn(t, s, first)
	a, err := client.Ask(t.Context(), aQuestion, nil)
	if err != nil || !a.Ended {
		t.Fatalf("%v, ended %v", err, a.Ended)
	}
	first.Kill()
	client.URL = second.URL
	for _, last := range []int64{0, 1, a.LastID - 1, a.LastID} {
		again := stage.Answer{MessageID: a.MessageID, LastID: last}
		if err := client.Resume(t.Context(), &again); err != nil {
			t.Fatal(err)
		}
		if got, want := len(again.Events), len(a.Events)-int(last); got != want {
			t.Errorf("after event %d: %d events, want %d", last, got, want)
		}
		for i, e := range again.Events {
			if was := a.Events[int(last)+i]; e.ID != was.ID || e.Name != was.Name || e.Data != was.Data {
				t.Errorf("after event %d: %+v, was %+v", last, e, was)
			}
		}
	}
	var detail struct {
		Messages []struct{ ID, Role, Content string }
	}
	if err := client.JSON(t.Context(), "GET", "/api/v1/conversations/"+a.Conversation, nil, &detail); err != nil {
		t.Fatal(err)
	}
	if len(detail.Messages) != 2 || detail.Messages[1].Content != a.Text || detail.Messages[1].ID != a.MessageID {
		t.Errorf("stored %+v", detail.Messages)
	}
	if err := client.JSON(t.Context(), "POST", "/api/v1/chat-rag/stream/"+a.MessageID+"/cancel", nil, nil); err != nil {
		t.Errorf("cancel of a finished answer: %v", err)
	}
	if err := s.AddUser(t.Context(), "autre@exemple.org", "user"); err != nil {
		t.Fatal(err)
	}
	stranger, err := s.ClientOf(t.Context(), second, "autre@exemple.org")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stranger.HTTP.CloseIdleConnections)
	again := stage.Answer{MessageID: a.MessageID}
	refused := wantRefused(t, stranger.Resume(t.Context(), &again), http.StatusNotFound)
	if !strings.Contains(refused.Body, "detail") {
		t.Errorf("refused with %s", refused.Body)
	}
}

func TestCitedPageOpensWithoutSigningIn(t *testing.T) {
	t.Parallel()
	s := openSample(t)
	startWorker(t, s)
	api := startAPI(t, s)
	a, err := signIn(t, s, api).Ask(t.Context(), aQuestion, nil)
	if err != nil || len(a.Citations) == 0 {
		t.Fatalf("%v, %d citations", err, len(a.Citations))
	}
	r, err := http.Get(api.URL + a.Citations[0].URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	magic := make([]byte, 5)
	if _, err := io.ReadFull(r.Body, magic); err != nil || string(magic) != "%PDF-" || r.Header.Get("Content-Type") != "application/pdf" {
		t.Errorf("%q, %v, %v", magic, r.Header, err)
	}
	http.DefaultClient.CloseIdleConnections()
}
