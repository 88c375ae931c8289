package admission

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

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"

	"vigueur/internal/store/postgres/pgtest"
)

func TestRead(t *testing.T) {
	t.Parallel()
	content := "%PDF-1.7\n" + strings.Repeat("x", 5000)
	sum := sha256.Sum256([]byte(content))
	var copied bytes.Buffer
	sha, size, err := Read(strings.NewReader(content), &copied)
	if err != nil || sha != hex.EncodeToString(sum[:]) || size != int64(len(content)) || copied.String() != content {
		t.Errorf("%s, %d bytes, %v", sha, size, err)
	}
	for content, want := range map[string]string{
		"": "vide", "<!DOCTYPE html>": "page web", "version https://git-lfs.github.com/spec/v1": "Git LFS", strings.Repeat("x", 2000) + "%PDF-": "pas un PDF",
	} {
		if _, _, err := Read(strings.NewReader(content), io.Discard); !errs.Is(err, errs.Unsupported) || !strings.Contains(errs.Public(err), want) {
			t.Errorf("%.20q: %v, want « %s »", content, err, want)
		}
	}
	broken := errors.New("the line is dead")
	if _, _, err := Read(io.MultiReader(strings.NewReader(content), failing{broken}), io.Discard); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	if _, _, err := Read(strings.NewReader(content), failing{broken}); !errors.Is(err, broken) {
		t.Errorf("a writer that fails: %v", err)
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error)  { return 0, f.error }
func (f failing) Write([]byte) (int, error) { return 0, f.error }

func TestLook(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "jo.pdf")
	if err := os.WriteFile(path, []byte("%PDF-1.7"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Look(t.Context(), path)
	if err != nil || f.Name != "jo.pdf" || f.Size != 8 || len(f.SHA256) != 64 {
		t.Errorf("%+v, %v", f, err)
	}
	large := filepath.Join(dir, "large.pdf")
	if err := os.WriteFile(large, []byte("%PDF-1.7"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, MaxSize+1); err != nil { // the file is sparse and takes no room
		t.Fatal(err)
	}
	if _, err := Look(t.Context(), large); !errs.Is(err, errs.TooLarge) || errs.Public(err) != "Le fichier dépasse 256 Mio." {
		t.Errorf("a file over the limit: %v", err)
	}
	if _, err := Look(t.Context(), filepath.Join(dir, "absent.pdf")); !errs.Is(err, errs.NotFound) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Look(t.Context(), dir); !errs.Is(err, errs.Invalid) {
		t.Errorf("a folder: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Look(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"jo.pdf": "jo.pdf", "/a/b.pdf": "b.pdf", `C:\Docs\jo n° 1.pdf`: "jo n° 1.pdf", "../../etc/passwd": "passwd", "": "document.pdf", "/": "document.pdf",
		"a\x00\nb.pdf": "ab.pdf", "jo\u00a0n°\u202f1.pdf": "jo n° 1.pdf", "jo\u202efdp.pdf": "jofdp.pdf", "\xff.pdf": "_.pdf",
		strings.Repeat("é", 200): strings.Repeat("é", 127),
	} {
		if got := Name(given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func TestSpell(t *testing.T) {
	t.Parallel()
	if said, err := (Metadata{}).Spell(); said != nil || err != nil {
		t.Errorf("nothing is spelled %s, %v", said, err)
	}
	if said, err := (Metadata{Title: "Loi", Promulgated: "2024-05-02"}).Spell(); string(said) != `{"title":"Loi","date_promulgation":"2024-05-02"}` || err != nil {
		t.Errorf("spelled %s, %v", said, err)
	}
}

// fixture is an Admission with its own stores, and the hints it enqueued.
type fixture struct {
	Admission
	mu    sync.Mutex
	hints []uuid.UUID
	down  error // returned by Hint
}

func open(t *testing.T) *fixture {
	t.Helper()
	store, err := blobs.NewFolder(filepath.Join(t.TempDir(), "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	h := &fixture{}
	h.Admission = Admission{DB: pgtest.New(t), Blobs: store, Hint: func(_ context.Context, id uuid.UUID) error {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.hints = append(h.hints, id)
		return h.down
	}}
	return h
}

// file returns a File with the given content.
func file(t *testing.T, name, content string) File {
	t.Helper()
	f := File{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
	var err error
	if f.SHA256, f.Size, err = Read(strings.NewReader(content), io.Discard); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAdmit(t *testing.T) {
	t.Parallel()
	h := open(t)
	f := file(t, "jo.pdf", "%PDF-1.7 one")
	row, known, err := h.Admit(t.Context(), f, []byte(`{"title":"Loi"}`))
	if err != nil || known || row.State != "queued" || len(h.hints) != 1 || h.hints[0] != row.ID {
		t.Fatalf("row %+v, known %v, hints %v, %v", row, known, h.hints, err)
	}
	stored, err := h.DB.Ingestion(t.Context(), row.ID)
	if err != nil || stored.SHA256 != f.SHA256 || stored.Size != f.Size || stored.Filename != "jo.pdf" || !strings.Contains(string(stored.Metadata), "Loi") {
		t.Errorf("row %+v, %v", stored, err)
	}
	again, known, err := h.Admit(t.Context(), file(t, "autre.pdf", "%PDF-1.7 one"), nil)
	if err != nil || !known || again.ID != row.ID || again.Filename != "jo.pdf" || len(h.hints) != 1 {
		t.Errorf("again: row %+v, known %v, hints %v, %v", again, known, h.hints, err)
	}
	if err := h.Blobs.Delete(t.Context(), f.SHA256); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := h.Restore(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	if _, release, err := h.Blobs.Local(t.Context(), f.SHA256); err != nil {
		t.Error(err)
	} else {
		release()
	}
}

func TestAdmitAtOnceMakesOneRow(t *testing.T) {
	t.Parallel()
	h := open(t)
	f := file(t, "jo.pdf", "%PDF-1.7 one")
	var all sync.WaitGroup
	var mu sync.Mutex
	ids, fresh := map[uuid.UUID]bool{}, 0
	for range 8 {
		all.Go(func() {
			row, known, err := h.Admit(t.Context(), f, nil)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			ids[row.ID] = true
			if !known {
				fresh++
			}
		})
	}
	all.Wait()
	if len(ids) != 1 || fresh != 1 || len(h.hints) != 1 {
		t.Errorf("%d rows, %d of them new, %d hints", len(ids), fresh, len(h.hints))
	}
}

// TestAdmitKeepsTheOrder checks that no row exists without its file, and that a row stays
// although its hint could not be enqueued.
func TestAdmitKeepsTheOrder(t *testing.T) {
	t.Parallel()
	h := open(t)
	f := file(t, "jo.pdf", "%PDF-1.7 one")
	lost := errors.New("the disk is gone")
	torn := f
	torn.Open = func() (io.ReadCloser, error) { return io.NopCloser(failing{lost}), nil }
	if _, _, err := h.Admit(t.Context(), torn, nil); err == nil {
		t.Error("a file that cannot be read again is taken in")
	}
	if _, known, err := h.Known(t.Context(), f.SHA256); known || err != nil || len(h.hints) != 0 {
		t.Errorf("there is a row without its file: %v, %v, hints %v", known, err, h.hints)
	}
	h.down = errs.New(errs.Unavailable, "")
	row, known, err := h.Admit(t.Context(), f, nil)
	if !errs.Is(err, errs.Unavailable) || known {
		t.Errorf("without a queue: known %v, %v", known, err)
	}
	if there, known, err := h.Known(t.Context(), f.SHA256); !known || err != nil || there.ID != row.ID {
		t.Errorf("the row is gone: %v", err)
	}
}
