package openai

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
)

// vectors is a fake server of embeddings: a text of n bytes gets (n, 1), in reverse order.
func vectors(t *testing.T, sizes *[]int) *Embedder {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q embedRequest
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/embeddings" || q.Model != "vecteurs" {
			t.Errorf("%s %+v %v", r.URL.Path, q, err)
		}
		*sizes = append(*sizes, len(q.Input))
		var data []string
		for i := len(q.Input) - 1; i >= 0; i-- {
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,1]}`, i, len(q.Input[i])))
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(s.Close)
	return &Embedder{Client: &Client{URL: s.URL + "/v1", HTTP: s.Client().Transport}, Model: "vecteurs"}
}

func TestTextsAreEmbeddedInOrder(t *testing.T) {
	t.Parallel()
	var sizes []int
	e := vectors(t, &sizes)
	var texts []string
	for i := range 2*perRequest + 3 {
		texts = append(texts, strings.Repeat("x", i+1))
	}
	got, err := e.Embed(t.Context(), texts)
	sum := 0
	for _, n := range sizes { // the number of texts in later requests depends on how long the first one took
		sum += n
	}
	if err != nil || len(got) != len(texts) || sum != len(texts) || slices.Max(sizes) > perRequest || sizes[0] != perRequest {
		t.Fatalf("%d vectors in requests of %v, %v", len(got), sizes, err)
	}
	for i, v := range got {
		n := float64(i + 1)
		if want := n / math.Sqrt(n*n+1); math.Abs(float64(v[0])-want) > 1e-6 || math.Abs(math.Hypot(float64(v[0]), float64(v[1]))-1) > 1e-6 {
			t.Errorf("vector %d is %v", i, v)
		}
	}
	if got, err := e.Embed(t.Context(), nil); len(got) != 0 || err != nil {
		t.Errorf("of nothing: %v, %v", got, err)
	}
	e.Dimensions = 3
	if _, err := e.Embed(t.Context(), texts[:1]); !errs.Is(err, errs.Unprocessable) {
		t.Errorf("another dimension: %v", err)
	}
}

// A slow server gets fewer texts per request, down to one, and more again when it is fast.
func TestASlowServerGetsFewerTextsAtOnce(t *testing.T) {
	t.Parallel()
	var e Embedder
	for _, step := range []struct {
		texts int
		took  time.Duration
		want  int
	}{
		{16, 300 * time.Millisecond, 16}, {1, time.Minute, 16}, {16, time.Second, 8}, {16, time.Second, 8}, {8, 2 * time.Minute, 4},
		{4, time.Second, 2}, {2, time.Second, 1}, {1, time.Minute, 1}, {1, 100 * time.Millisecond, 2}, {1, time.Millisecond, 2},
		{2, 300 * time.Millisecond, 2}, {2, 100 * time.Millisecond, 4}, {3, 10 * time.Millisecond, 4}, {4, 10 * time.Millisecond, 8}, {8, 10 * time.Millisecond, 16}, {16, time.Millisecond, 16},
	} {
		e.took(step.texts, step.took)
		if got := e.atOnce(); got != step.want {
			t.Errorf("after %v for %d texts the next request has %d, want %d", step.took, step.texts, got, step.want)
		}
	}
}

func TestWhatIsNoVectorIsRefused(t *testing.T) {
	t.Parallel()
	const good = `{"index":0,"embedding":[1,2]}`
	for name, c := range map[string]struct {
		body string
		want errs.Kind
	}{
		"too few":          {`{"data":[` + good + `]}`, errs.Unprocessable},
		"too many":         {`{"data":[` + good + `,` + good + `,` + good + `]}`, errs.Unprocessable},
		"twice":            {`{"data":[` + good + `,` + good + `]}`, errs.Unprocessable},
		"another number":   {`{"data":[` + good + `,{"index":-1,"embedding":[1,2]}]}`, errs.Unprocessable},
		"other dimensions": {`{"data":[` + good + `,{"index":1,"embedding":[1]}]}`, errs.Unprocessable},
		"zero":             {`{"data":[` + good + `,{"index":1,"embedding":[0,0]}]}`, errs.Unprocessable},
		"empty":            {`{"data":[` + good + `,{"index":1,"embedding":[]}]}`, errs.Unprocessable},
		"no numbers":       {`{"data":[` + good + `,{"index":1,"embedding":[NaN,1]}]}`, errs.Unprocessable},
		"beyond all":       {`{"data":[` + good + `,{"index":1,"embedding":[1e999,1]}]}`, errs.Unprocessable},
		"null":             {`{"data":[` + good + `,{"index":1,"embedding":null}]}`, errs.Unprocessable},
		"a page":           {`<html>`, errs.Unprocessable},
		"too long":         {strings.Repeat(" ", responseLimit+1), errs.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(status(200, c.body))
			defer s.Close()
			e := &Embedder{Client: &Client{URL: s.URL, HTTP: s.Client().Transport}, Model: "vecteurs"}
			if got, err := e.Embed(t.Context(), []string{"a", "b"}); !errs.Is(err, c.want) || got != nil {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

func FuzzVectors(f *testing.F) {
	f.Add([]byte(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[3e38,3e38]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := readVectors(data, 2)
		for _, v := range got {
			if err == nil && normalize(v) == nil {
				sum := 0.0
				for _, x := range v {
					sum += float64(x) * float64(x)
				}
				if math.Abs(sum-1) > 1e-3 {
					t.Errorf("length %v", sum)
				}
			}
		}
	})
}
