package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeShowsWhatIsRecorded puts recorded output into the blocks of a README, and checks READMEs that differ from it.
func TestReadmeShowsWhatIsRecorded(t *testing.T) {
	t.Parallel()
	const recorded = "-- one --\nfirst\n\n  second\n-- two --\nthird\n"
	const right = "# A\n<!-- printed: one -->\n```\nfirst\n\n  second\n```\n\n```\nown\n```\n<!-- printed: two -->\n```\nthird\n```\nend\n"
	block := func(name, text string) string { return "<!-- printed: " + name + " -->\n```\n" + text + "```\n" }
	for name, c := range map[string]struct{ readme, becomes, refused string }{
		"right":        {readme: right, becomes: right},
		"older output": {readme: strings.Replace(right, "  second", "before\nbefore", 1), becomes: right, refused: "differs"},
		"empty blocks": {readme: block("one", "") + block("two", ""), becomes: block("one", "first\n\n  second\n") + block("two", "third\n"), refused: "differs"},
		"unknown name": {readme: right + block("three", ""), refused: "« three » is not recorded"},
		"not shown":    {readme: block("one", "first\n\n  second\n"), refused: "does not show « two »"},
		"no block":     {readme: right + "<!-- printed: one -->\ntext\n", refused: "no block follows"},
		"open block":   {readme: strings.TrimSuffix(right, "```\nend\n"), refused: "does not end"},
		"too long":     {readme: right + strings.Repeat("x\n", 120), becomes: right + strings.Repeat("x\n", 120), refused: "more than 120"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for path, text := range map[string]string{"README.md": c.readme, "e2e/testdata/readme.txt": recorded} {
				path = filepath.Join(root, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			bash := func(function string) (string, error) {
				out, err := exec.Command("bash", "-euo", "pipefail", "-c", `root=$1; . "$0"; "$2"`, absolute(t, "../lib/readme.sh"), root, function).CombinedOutput()
				return string(out), err
			}
			if got, err := bash("printed_readme"); c.becomes != "" && (err != nil || got != c.becomes) {
				t.Errorf("it becomes %q (%v), want %q", got, err, c.becomes)
			}
			said, err := bash("check_readme")
			if (err != nil) != (c.refused != "") || !strings.Contains(said, c.refused) {
				t.Errorf("the check says %q (%v), want %q", said, err, c.refused)
			}
		})
	}
}
