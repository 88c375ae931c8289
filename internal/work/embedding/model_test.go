package embedding_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/work/embedding"
)

// server starts an OpenAI-compatible server of vectors. It counts the texts that it embeds;
// the vector of a text has the counts of a few letters.
func server(t *testing.T, asked *int) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model  string
			Input  []string
			Format string `json:"encoding_format"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" ||
			q.Model != "lettres" || q.Format != "float" || r.Header.Get("Authorization") != "Bearer clef" {
			t.Errorf("%s %s %+v %v", r.Method, r.URL.Path, q, err)
		}
		*asked += len(q.Input)
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var data []item
		for i, text := range q.Input {
			v := []float32{1}
			for _, letter := range "aeiouslrnt" {
				v = append(v, float32(strings.Count(text, string(letter))))
			}
			data = append(data, item{i, v})
		}
		slices.Reverse(data) // the protocol does not promise an order
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// Every model returns one vector for each text, of length 1 and in their order; a text has
// the same vector alone and among others.
func TestModelsConform(t *testing.T) {
	t.Parallel()
	asked := 0
	url := server(t, &asked)
	for name, c := range map[string]embedding.Server{
		"the program's own": {},
		"a server":          {URL: url, Model: "lettres", Key: "clef"},
	} {
		m, err := embedding.NewModel(c, time.Minute)
		if err != nil {
			t.Fatal(name, err)
		}
		texts := m.Cut(embedding.Part{Path: []string{"Livre I", "Du bail"}, Heading: "Résiliation", Text: "Le bail est résilié de plein droit."})
		texts = append(texts, "Quel est le préavis du locataire ?", "Le mariage est dissous par le divorce.", "Le contrat de travail est écrit.")
		for i := range 40 {
			texts = append(texts, strings.Repeat("la caution ", i+1)+"du débiteur")
		}
		all, err := m.Embed(t.Context(), texts)
		if err != nil || len(all) != len(texts) {
			t.Fatalf("%s: %d vectors of %d texts, %v", name, len(all), len(texts), err)
		}
		for i, text := range texts {
			one, err := m.Embed(t.Context(), []string{text})
			if err != nil || len(one) != 1 || len(one[0]) != len(all[0]) {
				t.Fatalf("%s: %q: %v", name, text, err)
			}
			if length, like := dot(one[0], one[0]), dot(one[0], all[i]); math.Abs(length-1) > 1e-4 || math.Abs(like-1) > 1e-4 {
				t.Errorf("%s: %q has length %v and is like itself by %v", name, text, length, like)
			}
		}
		if dot(all[1], all[2]) > 0.999 {
			t.Errorf("%s: two texts have one vector", name)
		}
	}
	if asked == 0 {
		t.Error("the server was not asked")
	}
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// The vectors of a server replace those of the built-in encoder, and the other way round:
// each is a generation, which is computed beside the current one.
func TestAnotherModelIsAnotherGeneration(t *testing.T) {
	b := setup(t)
	b.save(t, "Le bail est écrit.", "Le locataire paie le loyer.")
	asked := 0
	made := func(c embedding.Server) (current bool, name, chunking string) {
		m, err := embedding.NewModel(c, time.Minute)
		ok(t, err)
		b.Model = m
		g := b.generation(t)
		b.due(t, g.ID)
		ok(t, b.Run(t.Context(), g.ID))
		after := b.generation(t)
		return after.Current, g.Model, g.Chunking
	}
	current, own, whole := made(embedding.Server{})
	if !current || !strings.HasPrefix(own, "vigueur-mots-1-") || len(b.vectors(t)) != 2 {
		t.Errorf("%v %q %q, %d vectors", current, own, whole, len(b.vectors(t)))
	}
	current, theirs, pieces := made(embedding.Server{URL: server(t, &asked), Model: "lettres", Key: "clef"})
	if !current || theirs != "lettres" || pieces == whole || asked < 2 || len(b.vectors(t)) != 2 {
		t.Errorf("%v %q %q, asked for %d, %d vectors", current, theirs, pieces, asked, len(b.vectors(t)))
	}
	if current, again, _ := made(embedding.Server{}); !current || again != own {
		t.Errorf("back to the program's own: %v %q", current, again)
	}
}

// A question or passage without a known word has no vector and does not delay others.
func TestTextsWithoutWordsHoldUpNobody(t *testing.T) {
	b := setup(t)
	m, err := embedding.Own()
	ok(t, err)
	b.Model = m
	b.save(t, "Le bail est écrit.", "xyzzy 12", "Le locataire paie le loyer.")
	g := b.generation(t)
	b.due(t, g.ID)
	ok(t, b.Run(t.Context(), g.ID))
	if rows := b.vectors(t); len(rows) != 3 {
		t.Errorf("%d rows", len(rows))
	}
	q := &embedding.Question{Embedder: m}
	if _, err := q.Embed(t.Context(), "42 ?"); !errs.Is(err, errs.Unprocessable) {
		t.Errorf("a question without words: %v", err)
	}
	if _, err := q.Embed(t.Context(), "le loyer"); err != nil {
		t.Errorf("the next question: %v", err)
	}
}
