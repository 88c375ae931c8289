package weights

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

type model struct {
	Bias float64 `json:"bias"`
}

func TestHash(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "abc")
	if err := os.WriteFile(path, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	// FIPS 180-2, example B.1.
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got, err := Hash(path); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Hash(path + "d"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no error of a file that is not there: %v", err)
	}
}

func TestWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "model.json")
	refused := errors.New("refused")
	if err := Write(path, &model{1}, func([]byte) (*model, error) { return nil, refused }); !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a model that cannot be read was written: %v", err)
	}
	read := func(data []byte) (*model, error) { m := new(model); return m, json.Unmarshal(data, m) }
	if err := Write(path, &model{0.5}, read); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || string(data) != "{\n\t\"bias\": 0.5\n}\n" {
		t.Errorf("%q, %v", data, err)
	}
}
