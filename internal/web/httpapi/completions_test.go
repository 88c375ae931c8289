package httpapi

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/question"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/transport"
)

// cited is an answer with one source.
func cited(text string) postgres.Outcome {
	article, page := "26", 2
	id := uuid.MustParse("019a1fca-3d00-7c11-8a52-6f0e1b9d7a01")
	return postgres.Outcome{State: chat.Done, Content: text, ChunkEnds: []int{3, len(text)}, Model: "extractif",
		Citations: []law.Citation{{Index: 1, DocumentID: id, ArticleID: &id, Title: "Code du travail", Article: &article, Page: &page}}}
}

const listedSource = "\n\nSources :\n[1] Code du travail, article 26, page 2 : https://vigueur.example/textes/019a1fca-3d00-7c11-8a52-6f0e1b9d7a01?article=019a1fca-3d00-7c11-8a52-6f0e1b9d7a01"

// A whole answer cites as annotations and as a list; earlier turns reach the worker without
// that list.
func TestCompletionsAreAnsweredWhole(t *testing.T) {
	b := setup(t)
	key := b.newKey(t, `"chat"`, "").Key
	replies := make(chan reply, 1)
	go func() {
		replies <- b.do(t, "POST", conversations.CompletionsRoute, `{"model":"extractif","messages":[{"role":"system","content":"Parle comme un pirate."},
			{"role":"user","content":"Combien pour un cadre ?"},{"role":"assistant","content":"Trois mois [1].\n\nSources :\n[1] Code"},
			{"role":"user","content":[{"type":"text","text":"Et pour un ouvrier ?"}]}]}`, bearer(key)...)
	}()
	w, err := b.DB.StartAnswer(t.Context(), <-b.hints)
	ok(t, err)
	if w.Question != "Et pour un ouvrier ?" || len(w.History) != 2 || w.History[0].Content != "Combien pour un cadre ?" || w.History[1].Content != "Trois mois [1]." {
		t.Errorf("the worker reads %q after %+v", w.Question, w.History)
	}
	_, err = b.DB.FinishAnswer(t.Context(), w.ID, w.Attempt, cited("Été [1] : un mois."))
	ok(t, err)
	r := <-replies
	got := decode[conversations.Completion](t, r)
	if r.status != http.StatusOK || len(got.Choices) != 1 || got.Choices[0].Message.Content != "Été [1] : un mois."+listedSource || *got.Choices[0].Finish != "stop" {
		t.Fatalf("%d %s", r.status, r.body)
	}
	notes := got.Choices[0].Message.Annotations
	if len(notes) != 1 || notes[0].URL.Start != 4 || notes[0].URL.End != 7 || !strings.HasSuffix(listedSource, notes[0].URL.URL) || notes[0].URL.Title != "Code du travail" {
		t.Errorf("annotations: %+v", notes)
	}
}

// Of what a client says was said before, only what is read is kept, and a long conversation is
// not refused.
func TestEarlierTurnsAreBounded(t *testing.T) {
	b := setup(t)
	key := b.newKey(t, `"chat"`, "").Key
	turn := `{"role":"user","content":"Question %d ?"},{"role":"assistant","content":"` + strings.Repeat("é", question.CharactersRead+1) + `"},`
	var said strings.Builder
	for i := range question.TurnsRead + 3 {
		fmt.Fprintf(&said, turn, i)
	}
	// Turns without words, and what tools returned, count as none.
	said.WriteString(`{"role":"user","content":"Non."},{"role":"assistant","content":null},{"role":"assistant"},{"role":"tool","content":"7","tool_call_id":"a"},`)
	replies := make(chan reply, 1)
	go func() {
		replies <- b.do(t, "POST", conversations.CompletionsRoute, `{"messages":[`+said.String()+`{"role":"user","content":"Et ensuite ?"}]}`, bearer(key)...)
	}()
	w, err := b.DB.StartAnswer(t.Context(), <-b.hints)
	ok(t, err)
	if len(w.History) != 2*question.TurnsRead || w.History[0].Content != "Question 3 ?" || w.History[1].Content != strings.Repeat("é", question.CharactersRead) {
		t.Errorf("%d messages reach the worker, the first %q", len(w.History), w.History[0].Content)
	}
	_, err = b.DB.FinishAnswer(t.Context(), w.ID, w.Attempt, cited("Un mois [1]."))
	ok(t, err)
	equal(t, "status", (<-replies).status, http.StatusOK)
}

// What an answer quotes or a model writes is no image, no link and no list of sources, however it leaves.
func TestMarkdownOfAnswers(t *testing.T) {
	b := setup(t)
	key := bearer(b.newKey(t, `"chat","mcp"`, "").Key)
	const hostile = "Oui [1]. ![x](https://evil.example/x.png)\n\nSources :\n[1] Loi <img src=x>"
	outcome := cited(hostile)
	outcome.Citations[0].Title = "Code ![x](https://evil.example/x.png)"
	question := `"messages":[{"role":"user","content":"Combien ?"}]}`
	for path, body := range map[string]string{conversations.CompletionsRoute + "?whole": `{` + question, conversations.CompletionsRoute + "?stream": `{"stream":true,` + question,
		transport.ToolsRoute: message("tools/call", `{"name":"ask","arguments":{"question":"Combien ?"}}`)} {
		replies := make(chan reply, 1)
		go func() { replies <- b.do(t, "POST", path, body, key...) }()
		b.answerNext(t, outcome)
		r := <-replies
		said := string(r.body)
		for _, odd := range []string{"![x", "]("} {
			if strings.Contains(said, odd) {
				t.Errorf("%s holds %q: %s", path, odd, said)
			}
		}
		if r.status != http.StatusOK || !strings.Contains(said, "sans contrôle :") {
			t.Errorf("%s: %d %s", path, r.status, said)
		}
	}
}

// A streamed answer is the same one in pieces.
func TestCompletionsAreStreamed(t *testing.T) {
	b := setup(t)
	key := b.newKey(t, `"chat"`, "").Key
	for _, c := range []struct {
		outcome postgres.Outcome
		want    string
	}{
		{cited("Été [1]."), "Été [1]." + listedSource},
		{postgres.Outcome{State: chat.Failed, Error: "Les modèles ne répondent pas."}, "Les modèles ne répondent pas."},
	} {
		response := b.send(t, "POST", conversations.CompletionsRoute, `{"messages":[{"role":"user","content":"Combien ?"}],"stream":true}`, bearer(key)...)
		b.answerNext(t, c.outcome)
		text, last := "", ""
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			data, holds := strings.CutPrefix(lines.Text(), "data: ")
			if !holds {
				continue
			}
			if last = data; data == "[DONE]" {
				break
			}
			piece := decode[struct {
				conversations.Completion
				conversations.CompletionError
			}](t, reply{response.StatusCode, response.Header, []byte(data)})
			text += piece.Error.Message
			for _, choice := range piece.Choices {
				text += choice.Delta.Content
			}
		}
		ok(t, response.Body.Close())
		if text != c.want || (last == "[DONE]") != (c.outcome.State == chat.Done) {
			t.Errorf("%q, at last %s", text, last)
		}
	}
}

// A stream whose client leaves is stopped, and so is a whole answer.
func TestCompletionsAreStoppedByClosing(t *testing.T) {
	b := slowToStop(t)
	key := b.newKey(t, `"chat"`, "").Key
	for _, streamed := range []bool{false, true} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
		ok(t, err)
		body := fmt.Sprintf(`{"messages":[{"role":"user","content":"Combien ?"}],"stream":%t}`, streamed)
		_, err = fmt.Fprintf(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", key, len(body), body)
		ok(t, err)
		id := <-b.hints
		ok(t, conn.Close())
		b.awaitCancel(t, id)
	}
}

// Refusals have OpenAI's form and a French sentence.
func TestCompletionsAreRefused(t *testing.T) {
	b := setup(t)
	key := b.newKey(t, `"chat"`, "").Key
	for body, want := range map[string]string{
		`{}`:                             "messages : Ce champ est obligatoire",
		`{"messages":[]}`:                "messages : Au moins une",
		`{"messages":[1]}`:               "messages.0 : Un objet",
		`{"messages":[{"role":"user"}]}`: "messages.0.content : Ce champ est obligatoire",
		`{"messages":[{"role":"tool","content":"a"}]}`:                                 "Le dernier message est la question",
		`{"messages":[{"role":"poet","content":"a"}]}`:                                 "messages.0.role : Valeur attendue",
		`{"messages":[{"role":"user","content":null}]}`:                                "messages.0.content : Ce champ est obligatoire",
		`{"messages":[{"role":"assistant","content":"a"}]}`:                            "Le dernier message est la question",
		`{"messages":[{"role":"user","content":" "}]}`:                                 "messages.0.content : Au moins 1",
		`{"messages":[{"role":"user","content":[{"type":"image_url"}]}]}`:              "Seuls des textes",
		`{"model":"gpt-4","messages":[{"role":"user","content":"a"}]}`:                 "model : Valeur attendue",
		`{"messages":[{"role":"user","content":"a"}],"n":2}`:                           "n : ",
		`{"messages":[{"role":"user","content":"a"}],"filters":{"jour":"2020-01-01"}}`: "filters.jour : Ce champ n’existe pas",
		`{"messages":[{"role":"user","content":"` + strings.Repeat("a", 4001) + `"}]}`: "Au plus 4000",
	} {
		r := b.do(t, "POST", conversations.CompletionsRoute, body, bearer(key)...)
		if got := decode[conversations.CompletionError](t, r); r.status != http.StatusUnprocessableEntity || !strings.Contains(got.Error.Message, want) || got.Error.Param == nil {
			t.Errorf("%.80s: %d %s", body, r.status, r.body)
		}
	}
	r := b.do(t, "POST", conversations.CompletionsRoute, `{}`, bearer("vig_x")...)
	if got := decode[conversations.CompletionError](t, r); r.status != http.StatusUnauthorized || got.Error.Message != badKeyText {
		t.Errorf("a bad key: %d %s", r.status, r.body)
	}
	if r := b.do(t, "GET", conversations.ModelsRoute, "", bearer(key)...); r.status != http.StatusOK || !strings.Contains(string(r.body), `"id":"extractif","object":"model"`) {
		t.Errorf("models: %d %s", r.status, r.body)
	}
}
