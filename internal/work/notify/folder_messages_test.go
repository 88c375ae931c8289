package notify

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestMessagesAreFoundByTheirAgeAndTheirAddress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := time.Now()
	put := func(name, target string, age time.Duration) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("From: a@b.example\r\nTo: "+target+"\r\nSubject: x\r\n\r\nzoe@zylberman.example\r\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	put("letter.eml", "=?utf-8?q?Zo=C3=A9?= <Zoe@Zylberman.example>", time.Hour)
	put("inquiry.eml", "bureau@cabinet.example", 3*time.Hour)
	put("other.eml", "noe@example.org", 3*time.Hour)
	put("broken.eml", "<<<", 5*time.Hour)
	put("notes.txt", "zoe@zylberman.example", 5*time.Hour)
	names := func(paths []string) (list []string) {
		for _, p := range paths {
			list = append(list, filepath.Base(p))
		}
		return list
	}
	old, err := Written(dir, now.Add(-2*time.Hour), 10)
	if err != nil || !slices.Equal(names(old), []string{"broken.eml", "inquiry.eml", "other.eml"}) {
		t.Errorf("old %v, %v", old, err)
	}
	if few, err := Written(dir, now, 2); err != nil || len(few) != 2 {
		t.Errorf("at most two: %v, %v", few, err)
	}
	if none, err := Written(filepath.Join(dir, "none"), now, 2); err != nil || len(none) > 0 {
		t.Errorf("no folder: %v, %v", none, err)
	}
	n, err := Forget(dir, "zoe@zylberman.example", "inquiry", "never")
	if err != nil || n != 2 {
		t.Errorf("%d removed, %v", n, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if !slices.Equal(left, []string{"broken.eml", "notes.txt", "other.eml"}) {
		t.Errorf("left %v", left)
	}
}
