package doctor

import (
	"os"
	"strings"
	"testing"

	"vigueur/internal/gazette/ocr"
)

func TestMain(m *testing.M) {
	ocr.Main()
	os.Exit(m.Run())
}

func TestConfinementIsReported(t *testing.T) {
	t.Parallel()
	for version, want := range map[int]Finding{0: {State: Warn, Found: "n’offre pas Landlock"}, 1: {State: OK, Found: "version 1"}} {
		n := &notes{area: "machine"}
		judgeConfinement(n, version)
		if len(n.found) != 1 || n.found[0].State != want.State || !strings.Contains(n.found[0].Found, want.Found) || (n.found[0].Do == "") != (want.State == OK) {
			t.Errorf("Landlock %d: %+v", version, n.found)
		}
	}
}
