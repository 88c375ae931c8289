package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"vigueur/e2e/stage"
)

// TestTheCommandHasNoModels holds that the models with which a worker reads are in no other program:
// people fetch the operator's command, over bad lines too.
func TestTheCommandHasNoModels(t *testing.T) {
	t.Parallel()
	programs := filepath.Dir(open(t).Command(t.Context()).Path)
	for _, model := range []string{"weights.bin", "reader.bin"} {
		weights, err := os.ReadFile(filepath.Join(stage.Root(), "internal", "search", "transformer", model))
		if err != nil {
			t.Fatal(err)
		}
		part := weights[len(weights)/2:][:1<<10]
		for _, program := range []string{"worker", "api", "ingest"} {
			linked, err := os.ReadFile(filepath.Join(programs, program))
			if err != nil {
				t.Fatal(err)
			}
			want := program == "worker" && (model != "reader.bin" || runtime.GOARCH == "amd64") // others are too slow to read
			if got := bytes.Contains(linked, part); got != want {
				t.Errorf("%s is in %s: %v, want %v", model, program, got, want)
			}
		}
	}
}
