// Package blobs stores the gazettes' PDF files, each under the SHA-256 of its bytes, so
// that equal files are stored once and a changed file gets another name.
//
// A Store never shows an incomplete file: Put writes to a temporary file, verifies the hash
// and only then renames it. Several processes may put the same bytes at once. A missing
// file is NotFound; a store that is unreachable or full is Unavailable. Names that are not
// a hash are rejected before they become part of a path.
//
// A URL selects the store: file:///absolute/path is a folder of this machine,
// s3://bucket/prefix?endpoint=https://host:port&region=… is a bucket of an S3 server.
package blobs

import (
	"context"
	"io"
	"net/url"
	"path/filepath"
	"time"

	"vigueur/internal/kit/errs"
)

// File is an open blob.
type File interface {
	io.ReadSeekCloser
	// Size returns the file's length in bytes.
	Size() int64
}

// Store stores files by their hash. Its methods are safe for use by many
// goroutines and processes.
type Store interface {
	// Put stores the bytes of r under sha, 64 lower-case hexadecimal digits. Conflict if
	// the bytes have another hash: then nothing is stored.
	Put(ctx context.Context, sha string, r io.Reader) error
	// Open opens a file for reading. The caller must close it.
	Open(ctx context.Context, sha string) (File, error)
	// Local returns a path on this machine, for programs that need one. The file can be read
	// there until release is called. A remote store makes a copy.
	Local(ctx context.Context, sha string) (path string, release func(), err error)
	// Delete removes a file. It is not an error if the file does not exist.
	Delete(ctx context.Context, sha string) error
}

// Lister is a store that can list its files.
type Lister interface {
	// List calls yield with every file's hash and time of writing, and stops at the first
	// error of yield.
	List(ctx context.Context, yield func(sha string, written time.Time) error) error
}

// Tidier is a store in which crashed processes leave incomplete files.
type Tidier interface {
	// Abandoned counts the incomplete files of crashed processes, and removes them if remove
	// is true.
	Abandoned(ctx context.Context, remove bool) (int, error)
}

// Settings holds the addresses of the store.
type Settings struct {
	URL string
	// Key is « id:secret » of an S3 server. If it is empty, the key comes from where Amazon's
	// own programs look for it.
	Key string
}

// supportedForms describes the supported addresses in French.
const supportedForms = "file:///chemin/absolu ou " + bucketForm

// Open opens the store. The error is Invalid, and lists the supported forms, if the address
// has another form.
func Open(s Settings) (Store, error) {
	u, err := url.Parse(s.URL)
	if err != nil {
		return nil, errs.Newf(errs.Invalid, "VIGUEUR_BLOBS_URL n’est pas une adresse : attendu %s", supportedForms)
	}
	switch u.Scheme {
	case "file":
		if (u.Host != "" && u.Host != "localhost") || !filepath.IsAbs(u.Path) {
			return nil, errs.Newf(errs.Invalid, "Adresse des fichiers PDF (VIGUEUR_BLOBS_URL) : le chemin doit être absolu (file:///chemin/absolu)")
		}
		return NewFolder(u.Path)
	case "s3":
		a, err := parseBucket(u, s.Key)
		if err != nil {
			return nil, err
		}
		return newBucket(a)
	}
	return nil, errs.Newf(errs.Invalid, "Adresse des fichiers PDF (VIGUEUR_BLOBS_URL) : « %.20s » n’est pas pris en charge ; attendu %s", u.Scheme, supportedForms)
}

// Copy copies a file from one store to another, unless the other store has it: then copied
// is false. The hash of the copy is verified.
func Copy(ctx context.Context, store, to Store, sha string) (copied bool, err error) {
	if err := There(ctx, to, sha); !errs.Is(err, errs.NotFound) {
		return false, err
	}
	file, err := store.Open(ctx, sha)
	if err != nil {
		return false, err
	}
	defer file.Close()
	return true, to.Put(ctx, sha, file)
}

// There returns nil if the store has the file, else NotFound.
func There(ctx context.Context, store Store, sha string) error {
	f, err := store.Open(ctx, sha)
	if err != nil {
		return err
	}
	return f.Close()
}

// checkName rejects a name that is not a hash.
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
