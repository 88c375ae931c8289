package orders

import (
	"os"
	"path/filepath"
	"testing"
)

func TestBadOrders(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{"empty": "", "no JSON": "nothing"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := read(path); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
