package segment

import (
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/judgment"
)

// TestEverySignalHasAWeight checks that the judgment that comes with the program has a weight for every kind.
func TestEverySignalHasAWeight(t *testing.T) {
	t.Parallel()
	j := judgment.Standard()
	if j.Threshold <= 0 || j.Threshold >= 1 || j.Trust <= 0 || j.Provenance == "" {
		t.Errorf("%+v", j)
	}
	for _, kind := range gazette.SignalKinds() {
		if w, ok := j.Weights[kind]; !ok || w < 0 && kind != gazette.Scanned {
			t.Errorf("%s: %v, %v", kind, w, ok)
		}
	}
	for _, name := range articles.Followings() {
		if _, ok := j.Numbering[name]; !ok {
			t.Errorf("%s is not weighed", name)
		}
	}
}
