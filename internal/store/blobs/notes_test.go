package blobs

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
)

// conformNotes checks the contract of Shelf.
func conformNotes(t *testing.T, shelf Shelf) {
	t.Helper()
	ctx := t.Context()
	names := func() (all []string) {
		t.Helper()
		notes, err := shelf.Notes(ctx)
		if err != nil {
			t.Fatalf("Notes: %v", err)
		}
		for _, n := range notes {
			if age := time.Since(n.Written); age < -time.Minute || age > time.Minute {
				t.Errorf("%s was written at %v", n.Name, n.Written)
			}
			all = append(all, n.Name)
		}
		return all
	}
	if got := names(); len(got) > 0 {
		t.Fatalf("notes before the first: %v", got)
	}
	if _, err := shelf.Note(ctx, "b.json"); !errs.Is(err, errs.NotFound) {
		t.Errorf("Note before PutNote: %v, want NotFound", err)
	}
	for _, n := range [][2]string{{"b.json", "un"}, {"a.json", "deux"}, {"b.json", "trois"}} {
		if err := shelf.PutNote(ctx, n[0], []byte(n[1])); err != nil {
			t.Fatalf("PutNote: %v", err)
		}
	}
	if got := names(); !slices.Equal(got, []string{"a.json", "b.json"}) {
		t.Errorf("notes: %v", got)
	}
	if text, err := shelf.Note(ctx, "b.json"); err != nil || string(text) != "trois" {
		t.Errorf("Note: %q, %v", text, err)
	}
	data := []byte("un objet")
	if err := shelf.Put(ctx, hashOf(data), strings.NewReader(string(data))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := shelf.DeleteNote(ctx, "b.json"); err != nil {
			t.Errorf("DeleteNote: %v", err)
		}
	}
	if got := names(); !slices.Equal(got, []string{"a.json"}) {
		t.Errorf("notes after DeleteNote: %v", got)
	}
	if _, err := shelf.Note(ctx, "b.json"); !errs.Is(err, errs.NotFound) {
		t.Errorf("Note after DeleteNote: %v, want NotFound", err)
	}
	var listed []string
	err := shelf.List(ctx, func(sha string, _ time.Time) error { listed = append(listed, sha); return nil })
	if err != nil || !slices.Equal(listed, []string{hashOf(data)}) {
		t.Errorf("List holds %v, %v; want the object and no note", listed, err)
	}
	for _, name := range []string{"", "..", "../a.json", "a/b", ".a", "é"} {
		if err := shelf.DeleteNote(ctx, name); !errs.Is(err, errs.Invalid) {
			t.Errorf("DeleteNote(%q): %v, want Invalid", name, err)
		}
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := shelf.DeleteNote(ended, "a.json"); !errs.Is(err, errs.Cancelled) {
		t.Errorf("DeleteNote of an ended context: %v", err)
	}
	if got := names(); !slices.Equal(got, []string{"a.json"}) {
		t.Errorf("notes at the end: %v", got)
	}
	if err := errors.Join(shelf.DeleteNote(ctx, "a.json"), shelf.Delete(ctx, hashOf(data))); err != nil {
		t.Error(err)
	}
}

func TestFolderNotesConform(t *testing.T) {
	t.Parallel()
	folder, err := NewFolder(filepath.Join(t.TempDir(), "deep", "shelf"))
	if err != nil {
		t.Fatal(err)
	}
	conformNotes(t, folder)
}

func TestBucketNotesConform(t *testing.T) {
	t.Parallel()
	conformNotes(t, newS3(t).store(t))
}

// If a server refuses to delete a note or an object, the call returns an error.
func TestDeletionsRefused(t *testing.T) {
	t.Parallel()
	s := newS3(t)
	b := s.store(t)
	if err := b.PutNote(t.Context(), "a.json", nil); err != nil {
		t.Fatal(err)
	}
	s.meddles(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodDelete {
			return false
		}
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	for _, err := range []error{b.DeleteNote(t.Context(), "a.json"), b.Delete(t.Context(), hashOf(nil))} {
		if !errs.Is(err, errs.Unavailable) || !strings.Contains(errs.Public(err), "refuse") {
			t.Errorf("%v, want Unavailable with what is refused", err)
		}
	}
	if notes, err := b.Notes(t.Context()); err != nil || len(notes) != 1 {
		t.Errorf("%v, %v", notes, err)
	}
	// In a folder, a non-empty folder with the note's name cannot be removed.
	folder, err := NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(folder.root, notesName, "a.json", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := folder.DeleteNote(t.Context(), "a.json"); !errs.Is(err, errs.Unavailable) {
		t.Errorf("%v, want Unavailable", err)
	}
}
