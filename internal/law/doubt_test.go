package law_test

import (
	"testing"

	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
)

func TestLacking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		doubts []law.Doubt
		want   []string
	}{
		{"nothing in doubt", nil, nil},
		{"a date that was read badly", []law.Doubt{{Field: "date_promulgation", Words: "du 3 mai 2O10", Confidence: 0.4}}, nil},
		{"no number", []law.Doubt{{Field: "numero_officiel"}}, nil},
		{"no entry into force", []law.Doubt{{Field: "date_entree_vigueur"}}, nil},
		{"neither date nor type", []law.Doubt{{Field: "date_promulgation"}, {Field: "title"}, {Field: "doc_type", Words: "Avis"}}, []string{"doc_type", "date_promulgation"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := compare.Diff(c.want, law.Lacking(c.doubts)); d != "" {
				t.Errorf("%s: %s", c.name, d)
			}
		})
	}
}
