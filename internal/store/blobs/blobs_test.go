package blobs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"vigueur/internal/kit/errs"
)

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// conform checks the contract of Store.
func conform(t *testing.T, store Store) {
	t.Helper()
	ctx := t.Context()
	data := bytes.Repeat([]byte("journal officiel "), 10_000)
	sha := hashOf(data)

	if _, err := store.Open(ctx, sha); !errs.Is(err, errs.NotFound) {
		t.Errorf("Open before Put: %v, want NotFound", err)
	}
	if _, _, err := store.Local(ctx, sha); !errs.Is(err, errs.NotFound) {
		t.Errorf("Local before Put: %v, want NotFound", err)
	}
	if err := store.Put(ctx, sha, bytes.NewReader(data[1:])); !errs.Is(err, errs.Conflict) {
		t.Errorf("Put of other bytes: %v, want Conflict", err)
	}
	if _, err := store.Open(ctx, sha); !errs.Is(err, errs.NotFound) {
		t.Errorf("Open after a refused Put: %v, want NotFound", err)
	}
	for range 2 {
		if err := store.Put(ctx, sha, bytes.NewReader(data)); err != nil {
			t.Fatalf("Put: %v", err)
		}
	}
	checkContent(t, store, sha, data)
	for range 2 {
		if err := store.Delete(ctx, sha); err != nil {
			t.Errorf("Delete: %v", err)
		}
	}
	if _, err := store.Open(ctx, sha); !errs.Is(err, errs.NotFound) {
		t.Errorf("Open after Delete: %v, want NotFound", err)
	}
}

func checkContent(t *testing.T, store Store, sha string, want []byte) {
	t.Helper()
	f, err := store.Open(t.Context(), sha)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	defer f.Close()
	if f.Size() != int64(len(want)) {
		t.Errorf("Size = %d, want %d", f.Size(), len(want))
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, want) {
		t.Errorf("read %d bytes, error %v, want the %d put", len(got), err, len(want))
	}
	if _, err := f.Seek(-4, io.SeekEnd); err != nil {
		t.Errorf("Seek: %v", err)
	}
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, want[len(want)-4:]) {
		t.Errorf("after Seek read %q, error %v", got, err)
	}
	path, release, err := store.Local(t.Context(), sha)
	if err != nil {
		t.Fatalf("Local: %v", err)
	}
	defer release()
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("Local gives %d bytes, error %v", len(got), err)
	}
}

func TestFolderConforms(t *testing.T) {
	t.Parallel()
	folder, err := NewFolder(filepath.Join(t.TempDir(), "deep", "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	conform(t, folder)
}

func TestOpenByURL(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct{ name, url, want string }{
		{"folder", "file://" + dir + "/a", ""},
		{"folder with a blank", "file://" + dir + "/a%20b", ""},
		{"localhost", "file://localhost" + dir + "/b", ""},
		{"key in the address", "s3://key:secret@bucket/prefix", "VIGUEUR_BLOBS_KEY"},
		{"no bucket", "s3:///prefix", "compartiment"},
		{"capital bucket", "s3://Bucket/prefix", "compartiment"},
		{"endpoint without scheme", "s3://bucket?endpoint=localhost:9000", "endpoint"},
		{"endpoint with a path", "s3://bucket?endpoint=http://localhost:9000/x", "endpoint"},
		{"endpoint with a key", "s3://bucket?endpoint=http://key:secret@localhost", "endpoint"},
		{"two endpoints", "s3://bucket?endpoint=http://a&endpoint=http://b", "une fois chacun"},
		{"unknown option", "s3://bucket?acl=public", "« endpoint » et « region »"},
		{"broken query", "s3://bucket?region=%zz", "« ? »"},
		{"another kind", "gs://bucket", "pris en charge"},
		{"no scheme", dir, "file:///chemin/absolu"},
		{"relative", "file://relative/path", "absolu"},
		{"opaque", "file:relative", "absolu"},
		{"empty", "", "file:///chemin/absolu"},
		{"no URL", "file://%zz", "file:///chemin/absolu"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			store, err := Open(Settings{URL: c.url})
			if c.want == "" {
				if err != nil {
					t.Fatalf("Open(%q): %v", c.url, err)
				}
				conform(t, store)
				return
			}
			if !errs.Is(err, errs.Invalid) || !strings.Contains(errs.Public(err), c.want) {
				t.Errorf("Open(%q) = %v, want Invalid with %q", c.url, err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the error tells the secret: %v", err)
			}
		})
	}
}

func TestNamesThatAreNoHash(t *testing.T) {
	t.Parallel()
	folder, err := NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "../../etc/passwd", strings.Repeat("../", 21) + "x", strings.Repeat("A", 64),
		strings.Repeat("0", 63) + "/", strings.Repeat("0", 63) + "\x00", strings.Repeat("0", 65)} {
		_, openErr := folder.Open(t.Context(), name)
		_, _, localErr := folder.Local(t.Context(), name)
		for _, err := range []error{folder.Put(t.Context(), name, strings.NewReader("")), openErr, localErr, folder.Delete(t.Context(), name)} {
			if !errs.Is(err, errs.Invalid) {
				t.Errorf("name %q: %v, want Invalid", name, err)
			}
		}
	}
}

func TestPutIsPrivateAndLeavesNothingAside(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "blobs")
	folder, err := NewFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	data := []byte("%PDF-1.7")
	if err := folder.Put(t.Context(), hashOf(data), bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the disk went away")
	if err := folder.Put(t.Context(), hashOf(data), iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("Put of a failing reader: %v", err)
	}
	checkContent(t, folder, hashOf(data), data)
	for path, mode := range map[string]os.FileMode{root: 0o700, filepath.Dir(folder.Path(hashOf(data))): 0o700, folder.Path(hashOf(data)): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: mode %v, error %v, want %v", path, info.Mode(), err, mode)
		}
	}
	if left, err := os.ReadDir(filepath.Join(root, incoming)); err != nil || len(left) != 0 {
		t.Errorf("left aside: %v, error %v", left, err)
	}
}

func TestCancelledPutStoresNothing(t *testing.T) {
	t.Parallel()
	folder, err := NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	data := bytes.Repeat([]byte("x"), 1<<20)
	half := io.MultiReader(bytes.NewReader(data[:1<<19]), call(cancel), bytes.NewReader(data[1<<19:]))
	if err := folder.Put(ctx, hashOf(data), half); !errs.Is(err, errs.Cancelled) {
		t.Errorf("Put: %v, want Cancelled", err)
	}
	if _, err := folder.Open(t.Context(), hashOf(data)); !errs.Is(err, errs.NotFound) {
		t.Errorf("Open: %v, want NotFound", err)
	}
}

// call is a reader that returns no bytes and calls f.
type call func()

func (f call) Read([]byte) (int, error) { f(); return 0, io.EOF }

func TestPutAtOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	data := bytes.Repeat([]byte("same bytes"), 1000)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			folder, err := NewFolder(root)
			if err != nil {
				t.Error(err)
				return
			}
			if err := folder.Put(t.Context(), hashOf(data), iotest.HalfReader(bytes.NewReader(data))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	folder, err := NewFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	checkContent(t, folder, hashOf(data), data)
}

func TestAbandonedFilesAreSwept(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if _, err := NewFolder(root); err != nil {
		t.Fatal(err)
	}
	old, fresh := filepath.Join(root, incoming, "old"), filepath.Join(root, incoming, "fresh")
	for _, path := range []string{old, fresh} {
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	yesterday := time.Now().Add(-2 * abandonedAge)
	if err := os.Chtimes(old, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	if _, err := NewFolder(root); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the abandoned file is still there: %v", err)
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Errorf("the fresh file is gone: %v", err)
	}
}

func TestRootThatCannotBe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewFolder(filepath.Join(file, "blobs")); !errs.Is(err, errs.Unavailable) {
		t.Errorf("NewFolder below a file: %v, want Unavailable", err)
	}
}
