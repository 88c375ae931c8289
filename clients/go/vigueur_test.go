package vigueur_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	vigueur "vigueur/clients/go"
)

const stream = ": keep-alive\n\nid: 1\nevent: chunk\ndata: {\"text\":\"Trois \"}\n\nid: 2\nevent: reset\ndata: {}\n\n" +
	"id: 3\nevent: later\ndata: {}\n\nid: 4\nevent: chunk\ndata: {\"text\":\"mois.\"}\n\n"

const final = "id: 5\nevent: final\ndata: {\"conversation_id\":\"019a1fca-3d00-7c11-8a52-6f0e1b9d7a10\",\"message_id\":\"019a1fca-3d00-7c11-8a52-6f0e1b9d7a11\",\"citations\":[]}\n\n"

// read puts the chunks of a stream together.
func read(body string) (text, last string, err error) {
	for e, failed := range vigueur.Events(strings.NewReader(body)) {
		if failed != nil {
			return text, last, failed
		}
		last = e.ID
		switch {
		case e.Chunk != nil:
			text += e.Chunk.Text
		case e.Reset != nil:
			text = ""
		}
	}
	return text, last, nil
}

func TestEvents(t *testing.T) {
	t.Parallel()
	if text, last, err := read(stream + final + "event: chunk\ndata: {\"text\":\"trop\"}\n\n"); err != nil || text != "mois." || last != "5" {
		t.Errorf("%q up to %s, %v", text, last, err)
	}
	if _, last, err := read(stream); !errors.Is(err, vigueur.ErrUnfinished) || last != "4" {
		t.Errorf("cut off: up to %s, %v", last, err)
	}
	var refused *vigueur.Refused
	if _, _, err := read(stream + "event: error\ndata: {\"detail\":\"Panne.\"}\n\n"); !errors.As(err, &refused) || refused.Detail != "Panne." {
		t.Errorf("a failed answer: %v", err)
	}
	if _, _, err := read("event: chunk\ndata: {\n\n"); err == nil {
		t.Error("an event that is no JSON is taken")
	}
	if _, _, err := read("data: " + strings.Repeat("x", 5<<20)); err == nil {
		t.Error("an event without end is taken")
	}
}

func TestRequestsAndRefusals(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer clé":
			http.Error(w, `{"detail":"Jeton faux."}`, http.StatusUnauthorized)
		case r.Method+" "+r.URL.Path != "POST /api/v1/chat-rag/stream":
			http.Error(w, "rien ici", http.StatusNotFound)
		default:
			_, _ = w.Write([]byte(stream + final)) // the client's reading tells
		}
	}))
	t.Cleanup(server.Close)
	ask := func(address, token string) (n int, err error) {
		c, err := vigueur.Open(address, token)
		if err != nil {
			return 0, err
		}
		for _, err := range c.Stream(t.Context(), vigueur.Question{Question: "Combien ?"}) {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
	if n, err := ask(server.URL, "clé"); err != nil || n != 5 {
		t.Errorf("%d events, %v", n, err)
	}
	for address, want := range map[string]vigueur.Refused{server.URL: {Status: 401, Detail: "Jeton faux."}, server.URL + "/ailleurs": {Status: 404, Detail: "rien ici"}} {
		token := "clé"
		if want.Status == 401 {
			token = "autre"
		}
		var refused *vigueur.Refused
		if _, err := ask(address, token); !errors.As(err, &refused) || *refused != want {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
}
