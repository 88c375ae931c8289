package memindex

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"vigueur/internal/search/postings"
)

// kept is a folder with the file of a catalogue.
type kept struct {
	*catalogue
	dir   string
	epoch time.Time // time of the catalogue's first version
	log   bytes.Buffer
}

func (k *kept) moment(_ context.Context, version int64) (time.Time, error) {
	if v, _ := k.CatalogueVersion(context.Background()); version > v {
		return time.Time{}, errors.New("no such version")
	}
	return k.epoch.Add(time.Duration(version) * time.Second), nil
}

func (k *kept) open(t *testing.T) *Index {
	t.Helper()
	k.log.Reset()
	x, err := Open(t.Context(), Options{Source: k.catalogue, File: File{Dir: k.dir, Moment: k.moment}, Log: slog.New(slog.NewTextHandler(&k.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func newKept(t *testing.T) *kept {
	t.Helper()
	k := &kept{catalogue: newCatalogue(), dir: filepath.Join(t.TempDir(), "index"), epoch: day1(2025)}
	k.set(id(1), text(1, "Le préavis est de trois mois au Cameroun.", "Le congé est payé à Yaoundé.", "Il est écrit à Douala.")...)
	k.set(id(2), text(2, "La durée du travail est de quarante heures.")...)
	return k
}

func (k *kept) path() string { return filepath.Join(k.dir, fileName) }

var keptQueries = []string{"préavis", "durée du travail", "loi 2020-1 article 2", "congés au Cameroun", "salair"}

func sameHits(t *testing.T, a, b *Index) {
	t.Helper()
	for _, text := range keptQueries {
		q := Query{Text: text, Limit: 10, Day: day1(2026)}
		if got, want := a.Search(q), b.Search(q); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
		if got, want := a.Articles(q, nil, []string{"2"}), b.Articles(q, nil, []string{"2"}); !reflect.DeepEqual(got, want) {
			t.Errorf("article 2: %+v, want %+v", got, want)
		}
	}
}

func TestFileAvoidsReadingAll(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	first := k.open(t)
	for n := 1; n <= 2; n++ {
		delete(k.texts, id(n)) // unchanged texts must come from the file
	}
	sameHits(t, k.open(t), first)
	if k.log.Len() > 0 {
		t.Errorf("logged %s", k.log.String())
	}
}

func TestFileIsUpdatedOnOpen(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	k.open(t)
	k.set(id(2))
	k.set(id(3), text(3, "Le préavis du cadre est plus long.")...)
	x := k.open(t)
	if n, version := x.Size(); n != 4 || version != 4 {
		t.Errorf("%d passages at version %d, want 4 at 4", n, version)
	}
	sameHits(t, x, open(t, k.catalogue))
}

func TestFileIsRewrittenAfterManyChanges(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	x := k.open(t)
	for n := range saveAfter {
		k.set(id(10+n), text(10+n, "Un texte de plus.")...)
	}
	if err := x.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(k.path())
	if err != nil {
		t.Fatal(err)
	}
	if h, _, whole, err := unseal(raw); err != nil || !whole() || h.version != int64(saveAfter)+2 {
		t.Errorf("file of version %d, %v", h.version, err)
	}
	sameHits(t, k.open(t), x)
}

func TestUnusableFileIsIgnored(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, k *kept){
		"cut":   func(t *testing.T, k *kept) { rewrite(t, k, func(raw []byte) []byte { return raw[:len(raw)/2] }) },
		"empty": func(t *testing.T, k *kept) { rewrite(t, k, func([]byte) []byte { return nil }) },
		"one bit": func(t *testing.T, k *kept) {
			rewrite(t, k, func(raw []byte) []byte { raw[len(raw)-9] ^= 4; return raw })
		},
		"old": func(t *testing.T, k *kept) {
			rewrite(t, k, func(raw []byte) []byte { raw[len("vigueur index ")] = '0'; return raw })
		},
		"program":   func(t *testing.T, k *kept) { reseal(t, k, func(h *header, _ *[]byte) { h.program[0] ^= 1 }) },
		"catalogue": func(_ *testing.T, k *kept) { k.epoch = k.epoch.Add(time.Hour) },
		"ahead":     func(t *testing.T, k *kept) { reseal(t, k, func(h *header, _ *[]byte) { h.version = 99 }) },
		"body":      func(t *testing.T, k *kept) { reseal(t, k, func(_ *header, body *[]byte) { *body = append(*body, 0) }) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKept(t)
			k.open(t)
			spoil(t, k)
			sameHits(t, k.open(t), open(t, k.catalogue))
			if !strings.Contains(k.log.String(), "index file ignored") {
				t.Errorf("logged %q", k.log.String())
			}
			if k.open(t); k.log.Len() > 0 {
				t.Errorf("the file was not written anew: %s", k.log.String())
			}
		})
	}
}

func rewrite(t *testing.T, k *kept, change func([]byte) []byte) {
	t.Helper()
	raw, err := os.ReadFile(k.path())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(k.path(), change(raw), 0o600); err != nil {
		t.Fatal(err)
	}
}

// reseal changes the contents of a file and recomputes the checksum.
func reseal(t *testing.T, k *kept, change func(h *header, body *[]byte)) {
	t.Helper()
	rewrite(t, k, func(raw []byte) []byte {
		h, body, whole, err := unseal(raw)
		if err != nil || !whole() {
			t.Fatal(err)
		}
		change(&h, &body)
		return seal(h, body)
	})
}

func TestUnwritableFolderIsLogged(t *testing.T) {
	t.Parallel()
	k := newKept(t)
	k.dir = filepath.Join(k.dir, "file", "below")
	if err := os.MkdirAll(filepath.Dir(filepath.Dir(k.dir)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(k.dir), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	sameHits(t, k.open(t), open(t, k.catalogue))
	if !strings.Contains(k.log.String(), "index file not written") {
		t.Errorf("logged %q", k.log.String())
	}
}

func FuzzDecode(f *testing.F) {
	c := newCatalogue()
	c.set(id(1), text(1, "Le préavis est de trois mois.", "Le congé est payé.")...)
	x, err := Open(context.Background(), Options{Source: c})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(x.now.Load().merge().Encode())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := postings.Decode(raw)
		if err != nil {
			return
		}
		// Whatever is decoded can be searched.
		shot := (*state)(nil).with((&snapshot{}).replace(1, nil, s), nil)
		q := Query{Text: "préavis congé", Limit: 5}
		if hits := shot.search(q, queryTerms(q, x.options.Lexicon, defaultTuning()), x.tuning()); len(hits) > 5 {
			t.Errorf("%d hits", len(hits))
		}
	})
}
