package openai

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
	"vigueur/internal/search/decide"
)

func TestAnswerIsStreamed(t *testing.T) {
	t.Parallel()
	m := serve(t, says(pieces(sentence+" L’apprenti, d’un mois [2].", 3)...))
	var got []string
	if err := m.generator().Generate(t.Context(), prompt(), func(s string) error { got = append(got, s); return nil }); err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(got, ""); text != sentence+" L’apprenti, d’un mois [2]." || len(got) < 5 {
		t.Errorf("%d pieces: %q", len(got), text)
	}
	q := m.requests[0]
	if q.Model != "essai" || !q.Stream || q.Temperature == nil || *q.Temperature != 0 || q.MaxTokens != 500 || m.keys[0] != "Bearer "+secret {
		t.Errorf("asked by %+v", q)
	}
	if len(q.Messages) != 2 || q.Messages[0].Role != "system" || !strings.Contains(q.Messages[1].Content, "préavis de trois mois") {
		t.Errorf("messages %+v", q.Messages)
	}
}

// For each response that a server may send, checks what a reader sees of it.
func TestWhatServersSend(t *testing.T) {
	t.Parallel()
	const after = " Fin de la phrase [2]."
	half := "{\"choices\":[{\"delta\":{\"content\":\"%s\"}}]}"
	for name, c := range map[string]struct {
		script http.HandlerFunc
		want   string
		err    error
	}{
		"unknown numbers":      {says(sentence, " Voir aussi [99]", " et [0], [7, 2].", after), sentence + " Voir aussi et, [2]." + after, nil},
		"a mark in pieces":     {says(sentence[:len(sentence)-4], "[", "1", "]", "."), sentence, nil},
		"a mark never closed":  {says(sentence, " Et [1"), sentence + " Et", nil},
		"other forms of marks": {says(sentence, " A 【2†source】 b [^1] c [Passage 2] d [1-2] e [art. 3]."), sentence + " A [2] b [1] c [2] d [1] [2] e [art. 3].", nil},
		"reasoning":            {says("<think>The user", " asks [1]</th", "ink>\n\n", sentence), sentence, nil},
		"reasoning in between": {says(sentence, "<Thinking>hm</thinking>", after), sentence + after, nil},
		"reasoning of its own": {streams(append([]string{`{"choices":[{"delta":{"reasoning_content":"hm","content":null}}]}`}, append(deltas(sentence), stop)...)...), sentence, nil},
		"half a rune":          {streams(fmt.Sprintf(half, sentence+" pay\xc3"), fmt.Sprintf(half, "\xa9"), stop), sentence + " payé", nil},
		"half a pair":          {streams(fmt.Sprintf(half, sentence+` \ud83d`), fmt.Sprintf(half, `\ude00 \u00e9`), stop), sentence + " 😀 é", nil},
		"invalid bytes":        {streams(fmt.Sprintf(half, sentence+" a\xffb\\u0000c\\ud800d"), stop), sentence + " a\ufffdbc\ufffdd", nil},
		"no last event":        {streams(append(deltas(sentence), stop)...), sentence, nil},
		"counts and pings":     {streams(append([]string{`{"choices":[],"usage":{"total_tokens":3}}`}, append(deltas(sentence), done)...)...), sentence, nil},
		"a whole completion":   {status(200, `{"choices":[{"message":{"content":"`+sentence+`"},"finish_reason":"stop"}]}`, "Content-Type", "application/json"), sentence, nil},
		"out of tokens":        {streams(append(deltas(sentence, " Et la suite"), length, done)...), sentence + " Et la suite", llm.ErrCut},
		"filtered":             {streams(append(deltas(sentence), `{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`)...), sentence, llm.ErrCut},
		"found nothing":        {says("AUCUNE RÉ", "PONSE."), "Rien trouvé (true).", llm.ErrAbstained},
		"found nothing, long":  {says("**Aucune réponse** : les passages parlent d’autre chose que de ce qui est demandé ici."), "Rien trouvé (true).", llm.ErrAbstained},
		"taken back":           {says(sentence, "\n\nAUCUNE RÉ", "PONSE", after), sentence + "\n\n", llm.ErrCut},
		"nearly taken back":    {says(sentence, " AUCUNE RÉ", "SERVE [1]. AUCUN"), sentence + " AUCUNE RÉSERVE [1]. AUCUN", nil},
		"short":                {says("Trois mois [1]."), "Trois mois [1].", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := write(t, serve(t, c.script).generator(), prompt())
			if text != c.want || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v\nwant %q, %v", text, err, c.want, c.err)
			}
			if !utf8.ValidString(text) {
				t.Error("no valid text")
			}
		})
	}
}

// For each failure of a server, checks the kind of error and the number of tries, and that
// neither the key nor the server's text becomes public.
func TestServersThatFail(t *testing.T) {
	t.Parallel()
	english := says("The notice period that the law provides for is three months, and it must be given in writing [1].")
	echo := status(401, `{"error":{"message":"bad key `+secret+`"}}`)
	now := []string{"Retry-After", "0"}
	for name, c := range map[string]struct {
		scripts []http.HandlerFunc
		want    errs.Kind
		asked   int
	}{
		"refused key":         {[]http.HandlerFunc{echo}, errs.Unprocessable, 1},
		"unknown model":       {[]http.HandlerFunc{status(404, "")}, errs.Unprocessable, 1},
		"elsewhere":           {[]http.HandlerFunc{status(302, "", "Location", "http://127.0.0.1:1/")}, errs.Unprocessable, 1},
		"busy":                {[]http.HandlerFunc{status(429, "", now...)}, errs.Unavailable, 3},
		"busy for long":       {[]http.HandlerFunc{status(429, "", "Retry-After", "3600")}, errs.Unavailable, 1},
		"down":                {[]http.HandlerFunc{status(503, "secret du serveur", now...)}, errs.Unavailable, 3},
		"another page":        {[]http.HandlerFunc{status(200, "<html>", "Content-Type", "text/html")}, errs.Unavailable, 1},
		"an error in between": {[]http.HandlerFunc{streams(append(deltas(sentence), `{"error":{"message":"`+secret+`"}}`)...)}, errs.Unavailable, 1},
		"no JSON":             {[]http.HandlerFunc{streams(append(deltas(sentence), `{"choices":`)...)}, errs.Unavailable, 1},
		"cut":                 {[]http.HandlerFunc{streams(deltas(sentence)...)}, errs.Unavailable, 1},
		"a line without end":  {[]http.HandlerFunc{streams(strings.Repeat("x", eventLimit+1))}, errs.Unavailable, 1},
		"nothing written":     {[]http.HandlerFunc{says("")}, errs.Unprocessable, 1},
		"only reasoning":      {[]http.HandlerFunc{says("<think>", strings.Repeat("hm ", 100))}, errs.Unprocessable, 1},
		"reasoning let out":   {[]http.HandlerFunc{says("hm", "</think>", sentence)}, errs.Unprocessable, 1},
		"English twice":       {[]http.HandlerFunc{english}, errs.Unprocessable, 2},
		"Chinese":             {[]http.HandlerFunc{says(strings.Repeat("根据法律规定", 20))}, errs.Unprocessable, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := serve(t, c.scripts...)
			_, err := write(t, m.generator(), prompt())
			if errs.KindOf(err) != c.want || err == nil || len(m.requests) != c.asked {
				t.Errorf("%v after %d requests, want %v after %d", err, len(m.requests), c.want, c.asked)
			}
			if errors.Is(err, llm.ErrBusy) != strings.HasPrefix(name, "busy") {
				t.Errorf("busy: %v", err)
			}
			if strings.Contains(fmt.Sprint(err), secret) || strings.Contains(errs.Public(err), "serveur") || !strings.Contains(errs.Public(err), "« essai »") {
				t.Errorf("public %q, log %q", errs.Public(err), err)
			}
		})
	}
}

func TestServerThatRecoversIsAskedAgain(t *testing.T) {
	t.Parallel()
	english := says("The notice period that the law provides for is three months, and it must be given in writing [1].")
	for name, first := range map[string]http.HandlerFunc{
		"busy": status(429, "", "Retry-After", "0.01"), "overloaded": status(529, "", "Retry-After", "0"), "English": english,
		"another name of the limit": status(400, `{"error":{"param":"max_tokens","message":"use max_completion_tokens"}}`),
		"no temperature":            status(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0"}}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := serve(t, first, says(sentence))
			if text, err := write(t, m.generator(), prompt()); text != sentence || err != nil {
				t.Errorf("%q, %v", text, err)
			}
			last := m.requests[1]
			if name == "another name of the limit" && (last.MaxTokens != 0 || last.MaxOutput != 500) || name == "no temperature" && last.Temperature != nil ||
				name == "English" && len(last.Messages) != 3 {
				t.Errorf("asked again by %+v", last)
			}
		})
	}
}

func TestAnswerWithoutEndIsBounded(t *testing.T) {
	t.Parallel()
	var numbered []string
	for i := range 5000 {
		numbered = append(numbered, fmt.Sprintf("La règle %d tient au nombre %d [1]. ", i, i*i))
	}
	for name, text := range map[string][]string{"the same again": append([]string{sentence}, strings.Split(strings.Repeat("Le préavis est écrit [1]. |", 5000), "|")...), "ever on": numbered} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := write(t, serve(t, says(text...)).generator(), prompt())
			if !errors.Is(err, llm.ErrCut) || len(got) > 16*500 || len(got) < 100 {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
}

func TestReaderWhoStops(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	m := serve(t, says(pieces(strings.Repeat(sentence+" ", 3), 4)...))
	if err := m.generator().Generate(t.Context(), prompt(), func(string) error { return gone }); !errors.Is(err, gone) {
		t.Error(err)
	}
}

func TestNothingFoundAsksNobody(t *testing.T) {
	t.Parallel()
	m := serve(t, says(sentence))
	p := prompt()
	p.Verdict = decide.WithoutArticle(decide.NothingFound)
	if text, err := write(t, m.generator(), p); text != "Rien trouvé (true)." || err != nil || len(m.requests) != 0 {
		t.Errorf("%q, %v, %d requests", text, err, len(m.requests))
	}
}
