// Package backup stores copies of the service's database and PDF files in a folder or a
// bucket, and restores the service from such a copy.
//
// A backup is a manifest that lists the objects stored for it: a dump of the database, and
// each file that had a row in the dump. The dump is a snapshot, so that dump and files
// agree however much is written or deleted meanwhile. Files that an earlier backup stored
// are not stored again. The manifest is written last: an interrupted backup has no
// manifest, and the next backup reuses its objects.
//
// Pruning removes manifests first, and then the objects that no remaining manifest names.
// An interrupted pruning leaves unneeded objects, which the next one removes. Locks keep
// backups and prunings from running at the same time; they are notes (see lock.go).
//
// With recipients, everything except the manifest is encrypted for them (age, X25519); the
// manifest contains hashes, sizes and counts. With a seal, the manifest is authenticated.
package backup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"filippo.io/age"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

const (
	// format is the version of the manifest's format.
	format = 1
	prefix = "sauvegarde-"
	suffix = ".json"
)

// Object is a stored object: the hash and size of its content, and the hash under which it
// is stored. The two hashes differ if the object is encrypted.
type Object struct {
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	Stored string `json:"stored"`
}

// Manifest lists the contents of a backup.
type Manifest struct {
	Format     int       `json:"format"`
	ID         string    `json:"id"`
	Begun      time.Time `json:"begun"`
	Ended      time.Time `json:"ended"`
	Schema     int64     `json:"schema"` // number of the last migration of the database
	Texts      int       `json:"texts"`
	Recipients []string  `json:"recipients"` // public keys; empty: not encrypted
	Database   Object    `json:"database"`
	Files      []Object  `json:"files"`
	Seal       string    `json:"seal,omitempty"` // of the rest, under a key of those who make backups; "": none
}

// Size returns the size of the backup's contents in bytes. Backups share the files that they
// have in common, so a shelf needs less than the sum of its backups.
func (m Manifest) Size() int64 {
	size := m.Database.Size
	for _, f := range m.Files {
		size += f.Size
	}
	return size
}

// Backup is one run of a backup. Its fields must be set before Run.
type Backup struct {
	DB *postgres.DB
	// OwnerURL is the address of the schema's owner, for the case that the service's role
	// cannot read the whole database. It may be empty.
	OwnerURL string
	Files    blobs.Store // store of the service's files
	Shelf    blobs.Shelf // store of the backups
	// Recipients are the public keys (« age1… ») of those who can decrypt the backup; none: it
	// is not encrypted.
	Recipients []string
	// Seal is the key under which the manifest is sealed; empty: it is not.
	Seal []byte
	// All verifies every file by reading it back, not only the files that this run stored.
	All bool
	// Progress is called after each file; may be nil.
	Progress func(done, all int)
	// Waiting is called once if the backup has to wait until a pruning ends; may be nil.
	Waiting func(Holder)
	// Poll is the interval at which the backup checks whether a pruning has ended; 0: five
	// seconds.
	Poll time.Duration
}

// Stored is the result of a run.
type Stored struct {
	Manifest Manifest
	New      int // number of files that no earlier backup had stored
}

// dumpTries is the number of dumps that a run makes. A further dump is needed if a file was
// deleted between the snapshot and its copy. If that happens more often, the catalogue is
// probably being emptied.
const dumpTries = 5

// Run makes a backup. It reads back each object that it stores. NotFound if the bytes of a
// file are lost; the error names the file.
//
// The snapshot of the database ends with the dump, because a snapshot that stays open for
// hours, while files are copied, would keep dead rows from being removed. So a text and the
// bytes of its file may be deleted meanwhile. Then Run makes another dump, of a later
// moment, and does not copy again what it has copied already.
//
// Run waits while a pruning runs, which could remove objects that Run has found but not yet
// named in a manifest.
func (b *Backup) Run(ctx context.Context) (Stored, error) {
	encrypt, err := encrypterFor(b.Recipients)
	if err != nil {
		return Stored{}, err
	}
	held, ctx, err := acquire(ctx, b.Shelf, storing)
	if err != nil {
		return Stored{}, err
	}
	defer held.release()
	if err := held.await(ctx, pruning, b.Poll, b.Waiting); err != nil {
		return Stored{}, held.reason(err)
	}
	stored, err := b.run(ctx, encrypt, held)
	return stored, held.reason(err)
}

// run makes the backup while it holds the lock.
func (b *Backup) run(ctx context.Context, encrypt encrypter, held *lock) (Stored, error) {
	known, err := b.earlier(ctx)
	if err != nil {
		return Stored{}, err
	}
	var out Stored
	for try := 1; ; try++ {
		var files []string
		out.Manifest, files, err = b.dump(ctx, encrypt)
		if err != nil {
			return Stored{}, err
		}
		gone, err := b.copy(ctx, encrypt, files, known, &out)
		if err == nil {
			break
		}
		if !gone || try == dumpTries {
			return Stored{}, err
		}
	}
	out.Manifest.Ended = time.Now().UTC()
	if len(b.Seal) > 0 {
		out.Manifest.Seal = out.Manifest.mac(b.Seal)
	}
	text, err := json.MarshalIndent(out.Manifest, "", "\t")
	if err != nil {
		return Stored{}, fmt.Errorf("backup: %w", err)
	}
	if err := b.whole(ctx, out.Manifest); err != nil {
		return Stored{}, err
	}
	note := prefix + out.Manifest.ID + suffix
	if err := b.Shelf.PutNote(ctx, note, text); err != nil {
		return Stored{}, err
	}
	// If the lock was lost meanwhile, a pruning may have removed objects after whole found
	// them.
	if err := held.valid(); err != nil {
		return Stored{}, errors.Join(err, b.Shelf.DeleteNote(context.WithoutCancel(ctx), note))
	}
	return out, nil
}

// whole returns Conflict unless every object that the manifest names exists: a program that
// ignores the locks may have removed some.
func (b *Backup) whole(ctx context.Context, m Manifest) error {
	there, err := objects(ctx, b.Shelf)
	if err != nil {
		return err
	}
	if gone := m.missing(there); gone != "" {
		return errs.Newf(errs.Conflict, "%s a disparu du stockage des sauvegardes pendant la sauvegarde : recommencez-la.", gone)
	}
	return nil
}

// objects returns all objects on a shelf, without its notes, and the time at which each was
// written.
func objects(ctx context.Context, shelf blobs.Shelf) (map[string]time.Time, error) {
	there := map[string]time.Time{}
	err := shelf.List(ctx, func(sha string, written time.Time) error {
		there[sha] = written
		return nil
	})
	return there, err
}

// missing returns the name of the first object of the backup that the map there lacks, "" if
// it lacks none.
func (m Manifest) missing(there map[string]time.Time) string {
	for _, o := range append([]Object{m.Database}, m.Files...) {
		if _, ok := there[o.Stored]; !ok {
			return cmp.Or(o.Stored, "la base")
		}
	}
	return ""
}

// dump stores a dump of the database, and returns the hashes of the files that have a row
// in it.
func (b *Backup) dump(ctx context.Context, encrypt encrypter) (m Manifest, files []string, err error) {
	err = b.DB.Snapshot(ctx, b.OwnerURL, func(s postgres.Snapshot) (err error) {
		m = Manifest{Format: format, Begun: time.Now().UTC(), Schema: s.Schema, Texts: s.Texts, Recipients: texts(b.Recipients), Files: []Object{}}
		m.ID = m.Begun.Format("20060102T150405.000Z")
		files = s.Files
		m.Database, err = b.store(ctx, encrypt, func(w io.Writer) error { return s.Dump(ctx, w) })
		return err
	})
	return m, files, err
}

// copy stores the files that are not stored yet, and adds them to known. gone reports
// whether the error concerns a file that was deleted together with its row since the dump.
func (b *Backup) copy(ctx context.Context, encrypt encrypter, files []string, known map[string]Object, out *Stored) (gone bool, err error) {
	for n, sha := range files {
		object, fresh, err := b.file(ctx, encrypt, sha, known[sha])
		if errs.Is(err, errs.NotFound) {
			_, row := b.DB.IngestionBySHA(ctx, sha)
			return errs.Is(row, errs.NotFound), err
		}
		if err != nil {
			return false, err
		}
		if fresh {
			out.New++
		}
		known[sha] = object
		out.Manifest.Files = append(out.Manifest.Files, object)
		if b.Progress != nil {
			b.Progress(n+1, len(files))
		}
	}
	return false, nil
}

// earlier returns the objects that the last backup for the same recipients stored, by the
// hash of the file.
func (b *Backup) earlier(ctx context.Context) (map[string]Object, error) {
	all, err := List(ctx, b.Shelf)
	if err != nil {
		return nil, err
	}
	known := map[string]Object{}
	for _, m := range all {
		if !slices.Equal(m.Recipients, texts(b.Recipients)) {
			continue
		}
		for _, f := range m.Files {
			known[f.SHA256] = f
		}
	}
	return known, nil
}

// file stores one file unless the shelf has it. fresh reports whether it was stored now.
func (b *Backup) file(ctx context.Context, encrypt encrypter, sha string, known Object) (object Object, fresh bool, err error) {
	if known.Stored != "" && blobs.There(ctx, b.Shelf, known.Stored) == nil {
		if b.All {
			err = readBack(ctx, b.Shelf, known.Stored)
		}
		return known, false, err
	}
	file, err := b.Files.Open(ctx, sha)
	if err != nil {
		return object, false, fmt.Errorf("backup: file %s: %w", sha, err)
	}
	defer file.Close()
	object, err = b.store(ctx, encrypt, func(w io.Writer) error {
		_, err := io.Copy(w, file)
		return err
	})
	if err == nil && object.SHA256 != sha {
		err = errs.Newf(errs.Conflict, "Le fichier %s est abîmé dans le dépôt des fichiers : ajoutez-le de nouveau.", sha)
	}
	return object, true, err
}

// store stores the output of write and reads it back. It writes to a temporary file first,
// because the name of the object is its hash, which is known only at the end.
func (b *Backup) store(ctx context.Context, encrypt encrypter, write func(io.Writer) error) (object Object, err error) {
	aside, err := os.CreateTemp("", "vigueur-backup-*")
	if err != nil {
		return object, fmt.Errorf("backup: %w", err)
	}
	defer func() { _, _ = aside.Close(), os.Remove(aside.Name()) }()
	plain, stored := sha256.New(), sha256.New()
	counted := &counter{}
	sealed, err := encrypt(io.MultiWriter(aside, stored))
	if err != nil {
		return object, fmt.Errorf("backup: %w", err)
	}
	if err := write(io.MultiWriter(sealed, plain, counted)); err != nil {
		return object, err
	}
	if err := sealed.Close(); err != nil {
		return object, fmt.Errorf("backup: %w", err)
	}
	if _, err := aside.Seek(0, io.SeekStart); err != nil {
		return object, fmt.Errorf("backup: %w", err)
	}
	object = Object{SHA256: hex.EncodeToString(plain.Sum(nil)), Size: counted.n, Stored: hex.EncodeToString(stored.Sum(nil))}
	if err := b.Shelf.Put(ctx, object.Stored, aside); err != nil {
		return object, err
	}
	return object, readBack(ctx, b.Shelf, object.Stored)
}

// readBack reads a stored object and checks its hash.
func readBack(ctx context.Context, shelf blobs.Shelf, stored string) error {
	file, err := shelf.Open(ctx, stored)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != stored {
		return errs.Newf(errs.Conflict, "La sauvegarde est abîmée : %s n’a pas les octets qui ont été écrits.", stored)
	}
	return nil
}

// counter counts the bytes written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// encrypter wraps a writer in encryption. Closing the wrapper ends the encryption but does
// not close the writer.
type encrypter func(io.Writer) (io.WriteCloser, error)

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func encrypterFor(recipients []string) (encrypter, error) {
	if len(recipients) == 0 {
		return func(w io.Writer) (io.WriteCloser, error) { return nopCloser{w}, nil }, nil
	}
	var parsed []age.Recipient
	for _, r := range recipients {
		one, err := age.ParseX25519Recipient(r)
		switch {
		case err != nil && strings.Contains(strings.ToUpper(r), "SECRET"):
			return nil, errs.New(errs.Invalid, "Un destinataire est une clé secrète : donnez la clé publique « age1… » qui va avec (age-keygen -y la dit).")
		case err != nil:
			return nil, errs.Newf(errs.Invalid, "« %.80s » n’est pas un destinataire « age1… » (age-keygen en fait un).", r)
		}
		parsed = append(parsed, one)
	}
	return func(w io.Writer) (io.WriteCloser, error) { return age.Encrypt(w, parsed...) }, nil
}

// List returns the backups on a shelf, oldest first.
func List(ctx context.Context, shelf blobs.Shelf) ([]Manifest, error) {
	noted, err := manifests(ctx, shelf)
	if err != nil {
		return nil, err
	}
	all := []Manifest{}
	for _, n := range noted {
		all = append(all, n.Manifest)
	}
	return all, nil
}

// notedManifest is a manifest and the name of its note.
type notedManifest struct {
	Manifest
	note string
}

// manifests lists backups as List does, with the names of their notes. Unprocessable if a
// manifest cannot be read.
func manifests(ctx context.Context, shelf blobs.Shelf) (all []notedManifest, err error) {
	notes, err := shelf.Notes(ctx)
	if err != nil {
		return nil, err
	}
	for _, note := range notes {
		name := note.Name
		if !strings.HasPrefix(name, prefix) || !strings.HasSuffix(name, suffix) {
			continue
		}
		text, err := shelf.Note(ctx, name)
		if err != nil {
			return nil, err
		}
		var m Manifest
		if err := json.Unmarshal(text, &m); err != nil || m.ID == "" {
			return nil, errs.Newf(errs.Unprocessable, "La liste d’une sauvegarde est illisible : %s", name)
		}
		if m.Format != format {
			return nil, errs.Newf(errs.Unprocessable, "La sauvegarde %s est d’une version de Vigueur plus récente.", m.ID)
		}
		all = append(all, notedManifest{m, name})
	}
	slices.SortFunc(all, func(a, b notedManifest) int { return a.Begun.Compare(b.Begun) })
	return all, nil
}

// texts returns list, or an empty list for nil, so that it is never null in JSON.
func texts(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
