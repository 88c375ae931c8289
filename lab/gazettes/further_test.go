package gazettes

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFurther checks that what is noted of files of public repositories can be read, that it names where each file is from,
// and that no other file is taken for one of them.
func TestFurther(t *testing.T) {
	t.Parallel()
	all, err := noted(furtherFile)
	if err != nil || len(all) < 30 {
		t.Fatalf("%d files: %v", len(all), err)
	}
	for name, f := range all {
		if len(f.sum) != 64 || f.Name != name {
			t.Errorf("%s: %+v", name, f)
		}
	}
	dir := t.TempDir()
	if files, err := Load(dir); err != nil || len(files) != 0 {
		t.Errorf("an empty folder: %v, %v", files, err)
	}
	const name = "rwanda/rw-law-2000-2.pdf"
	if err := os.MkdirAll(filepath.Join(dir, "rwanda"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte("%PDF-1.4"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil {
		t.Error("another file is taken for the one that was noted")
	}
}
