package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"vigueur/internal/law"
)

// The ways in which the sample's code and its articles are called.
var (
	codeCalled = []string{"du code du travail", "de la loi n° 2023-07", "de la loi n° 2023-07 du 14 mars 2023 portant Code du travail", "loi 2023-07", "de la loi du 14 mars 2023", "code du travail", "de la loi numéro 2023-07",
		"du Code du travail s'il te plaît", "loi N° 2023 - 07", "C. trav.", "(code du travail)"}
	calledFirst = []string{"Code du travail, article %s", "loi n° 2023-07 art. %s", "C. trav., art. %s", "code du travail art %s exactement", "La loi 2023-07, en son article %s"}
	numbers     = []string{"36", "38", "1er", "premier", "Ier", "26 bis", "26-bis", "26bis", "26 (bis)", "52 ter", "52-ter", "12", "90", "40 bis", "2", "06"}
	askedOf     = 7 // one question of so many
)

// One sentence gives the same article to whoever asks a question, checks a document, searches or uses a program.
func TestOneSentenceGivesOneArticle(t *testing.T) {
	t.Parallel()
	s := open(t)
	startWorker(t, s)
	client, err := s.Client(t.Context(), startAPI(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.IngestSample(t.Context()); err != nil {
		t.Fatal(err)
	}
	var sentences, want []string
	for _, n := range numbers {
		for _, c := range codeCalled {
			sentences, want = append(sentences, "Que dit l’article "+n+" "+c), append(want, law.ArticleKey(n))
		}
		for _, f := range calledFirst {
			sentences, want = append(sentences, fmt.Sprintf(f, n)), append(want, law.ArticleKey(n))
		}
	}
	type checked struct {
		References []struct {
			Name  string
			Texts []struct {
				Number string `json:"numero_officiel"`
			}
			Articles []struct{ Number, State string }
		}
	}
	verify := func(text string) (report checked) {
		if err := client.JSON(t.Context(), "POST", "/api/v1/verify", map[string]any{"text": text}, &report); err != nil {
			t.Fatal(err)
		}
		return report
	}
	await(t, "the articles that acts insert", func() bool {
		r := verify("Vu l’article 26 bis et l’article 40 bis de la loi n° 2023-07.").References
		return len(r) == 2 && r[0].Articles[0].State != "absent" && r[1].Articles[0].State != "absent"
	})
	report := verify(strings.Join(sentences, ".\n\n") + ".")
	if len(report.References) != len(sentences) {
		t.Fatalf("%d references of %d sentences", len(report.References), len(sentences))
	}
	for i, r := range report.References {
		if len(r.Texts) != 1 || r.Texts[0].Number != "2023-07" || len(r.Articles) != 1 || law.ArticleKey(r.Articles[0].Number) != want[i] || r.Articles[0].State == "absent" {
			t.Errorf("checked, %q: %+v", sentences[i], r)
		}
	}
	for i, sentence := range sentences {
		call := map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": "resolve_reference", "arguments": map[string]any{"reference": sentence}}}
		response, err := client.Send(t.Context(), "POST", "/mcp", call, map[string][]string{"Accept": {"application/json, text/event-stream"}})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		var got struct {
			Result struct {
				Structured struct {
					Items []struct {
						Articles []string
						Texts    []struct{ Title string }
					}
				} `json:"structuredContent"`
			}
		}
		if _, data, event := strings.Cut(string(body), "data: "); event {
			body = []byte(data)
		}
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		if m := got.Result.Structured.Items; len(m) != 1 || len(m[0].Texts) != 1 || len(m[0].Articles) != 1 || law.ArticleKey(m[0].Articles[0]) != want[i] {
			t.Errorf("by a program, %q: %s", sentence, body)
		}
		if i%askedOf != 0 {
			continue
		}
		var found struct {
			Items []struct {
				Document struct {
					Number string `json:"numero_officiel"`
				}
				Article *struct{ Number string }
			}
		}
		if err := client.JSON(t.Context(), "GET", "/api/v1/search?q="+url.QueryEscape(sentence), nil, &found); err != nil {
			t.Fatal(err)
		}
		if inserted := want[i] == law.ArticleKey("26 bis") || want[i] == law.ArticleKey("40 bis"); len(found.Items) == 0 || found.Items[0].Article == nil || // by an act, whose article is found
			!inserted && (found.Items[0].Document.Number != "2023-07" || law.ArticleKey(found.Items[0].Article.Number) != want[i]) || inserted && found.Items[0].Document.Number == "2023-07" {
			t.Errorf("searched, %q: %+v", sentence, found.Items)
		}
		a := askOn(t, client, sentence, "2026-03-01")
		said := false
		for _, c := range a.Citations {
			said = said || c.Article != nil && law.ArticleKey(*c.Article) == want[i] || c.Replaces != nil && law.ArticleKey(c.Replaces.Article) == want[i]
		}
		if !said {
			t.Errorf("asked, %q: %s", sentence, a.Text)
		}
	}
}
