// Package blobs keeps the gazettes' PDF files, each under the SHA-256 of its
// bytes, so that the same file is kept once and a changed file is another.
//
// A Store never shows a file half written: Put writes aside, verifies the hash
// and only then gives the file its name. Putting the same bytes again, from
// several processes at once, is harmless. A file that is not there is NotFound; a
// store that cannot be reached or has no room left is Unavailable. Names that
// are no hash are refused before they touch a path.
//
// The store is chosen by URL: file:///absolute/path is a folder of this machine,
// s3://bucket/prefix?endpoint=https://host:port&region=… a bucket of an S3 server.
package blobs

import (
	"context"
	"io"
	"net/url"
	"path/filepath"
	"time"

	"vigueur/internal/errs"
)

// File is an open blob.
type File interface {
	io.ReadSeekCloser
	// Size is the file's length in bytes.
	Size() int64
}

// Store keeps files by their hash. Its methods are safe for use by many
// goroutines and processes.
type Store interface {
	// Put stores what r gives under sha, 64 lower-case hexadecimal digits. Conflict
	// when the bytes have another hash: then nothing is stored.
	Put(ctx context.Context, sha string, r io.Reader) error
	// Open opens a file for reading; the caller closes it.
	Open(ctx context.Context, sha string) (File, error)
	// Local gives a path on this machine where the whole file can be read until
	// release is called, for programs that want a path. A remote store copies it.
	Local(ctx context.Context, sha string) (path string, release func(), err error)
	// Delete removes a file; one that is not there is no error.
	Delete(ctx context.Context, sha string) error
}

// Lister is a store that can tell what it holds.
type Lister interface {
	// List hands over every file, by its hash, and when it was written; it stops at
	// the first error of yield.
	List(ctx context.Context, yield func(sha string, written time.Time) error) error
}

// Tidier is a store in which processes that die leave something behind.
type Tidier interface {
	// Abandoned counts what is left of files that were never stored whole, and
	// removes it if told to.
	Abandoned(ctx context.Context, remove bool) (int, error)
}

// Settings say where the files are.
type Settings struct {
	URL string
	// Key is « id:secret » of an S3 server; without it, what Amazon's own programs
	// would use.
	Key string
	// OlderURL is where files are read that are not at URL yet; may be empty.
	OlderURL string
}

// Open gives the store that the settings name. Invalid, naming what is supported,
// when an address is of another kind.
func Open(s Settings) (Store, error) {
	store, err := open(s.URL, s.Key)
	if err != nil || s.OlderURL == "" {
		return store, err
	}
	older, err := open(s.OlderURL, s.Key)
	if err != nil {
		return nil, err
	}
	return moving{Store: store, older: older}, nil
}

// forms are the addresses that are supported.
const forms = "file:///chemin/absolu ou " + bucketForm

func open(address, key string) (Store, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errs.Newf(errs.Invalid, "VIGUEUR_BLOBS_URL n’est pas une adresse : attendu %s", forms)
	}
	switch u.Scheme {
	case "file":
		if (u.Host != "" && u.Host != "localhost") || !filepath.IsAbs(u.Path) {
			return nil, errs.Newf(errs.Invalid, "Adresse des fichiers PDF (VIGUEUR_BLOBS_URL) : le chemin doit être absolu (file:///chemin/absolu)")
		}
		return NewFolder(u.Path)
	case "s3":
		a, err := parseBucket(u, key)
		if err != nil {
			return nil, err
		}
		return newBucket(a)
	}
	return nil, errs.Newf(errs.Invalid, "Adresse des fichiers PDF (VIGUEUR_BLOBS_URL) : « %.20s » n’est pas pris en charge ; attendu %s", u.Scheme, forms)
}

// Copy stores a file of one store in another, unless it is there: then copied is
// false. What arrives is held against its hash.
func Copy(ctx context.Context, from, to Store, sha string) (copied bool, err error) {
	if err := There(ctx, to, sha); !errs.Is(err, errs.NotFound) {
		return false, err
	}
	file, err := from.Open(ctx, sha)
	if err != nil {
		return false, err
	}
	defer file.Close()
	return true, to.Put(ctx, sha, file)
}

// There tells whether a file is kept: nil, or NotFound.
func There(ctx context.Context, store Store, sha string) error {
	f, err := store.Open(ctx, sha)
	if err != nil {
		return err
	}
	return f.Close()
}

// checkName refuses what is no hash.
func checkName(sha string) error {
	if len(sha) != 64 {
		return errs.Newf(errs.Invalid, "« %.80s » n’est pas une empreinte SHA-256", sha)
	}
	for _, c := range []byte(sha) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return errs.Newf(errs.Invalid, "« %s » n’est pas une empreinte SHA-256", sha)
		}
	}
	return nil
}
