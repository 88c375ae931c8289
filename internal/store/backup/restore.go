package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"filippo.io/age"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

// Restoration is one run of a restore. Its fields must be set before Run.
type Restoration struct {
	DatabaseURL string      // address of an empty database, with the future owner of its tables
	Files       blobs.Store // store of the service's files
	Shelf       blobs.Shelf // store of the backup
	// Newest is the number of the last migration that this program knows.
	Newest int64
	// Identities are the secret keys that can decrypt the backup.
	Identities []age.Identity
	// Seal is the key of the manifests' seals; empty: none is asked for.
	Seal []byte
	// Progress is called after each file; may be nil.
	Progress func(done, all int)
}

// Choose returns the backup with the given id, or the newest one if id is "". NotFound if
// there is none.
func Choose(all []Manifest, id string) (Manifest, error) {
	if len(all) == 0 {
		return Manifest{}, errs.New(errs.NotFound, "Il n’y a pas de sauvegarde à cette adresse.")
	}
	if id == "" {
		return all[len(all)-1], nil
	}
	for _, m := range all {
		if m.ID == id {
			return m, nil
		}
	}
	return Manifest{}, errs.Newf(errs.NotFound, "Il n’y a pas de sauvegarde « %.40s » à cette adresse : « ingest backup list » les nomme.", id)
}

// Run restores the files, and then the database. Files that already exist stay; the
// database is restored completely or not at all. An interrupted Run can be repeated. Conflict
// if the backup is not sealed by Seal, or not encrypted although there are Identities.
func (r *Restoration) Run(ctx context.Context, m Manifest) error {
	if m.Schema > r.Newest {
		return errs.New(errs.Conflict, tooNew(m.Schema, r.Newest))
	}
	if err := m.checkSeal(r.Seal, len(r.Identities) > 0); err != nil {
		return err
	}
	if len(m.Recipients) > 0 && len(r.Identities) == 0 {
		return errs.New(errs.Invalid, "La sauvegarde est chiffrée : donnez la clé par --identity.")
	}
	// Fetch and verify the dump before copying gigabytes of files.
	dump, err := r.take(ctx, m, m.Database)
	if err != nil {
		return err
	}
	defer func() { _, _ = dump.Close(), os.Remove(dump.Name()) }()
	for n, f := range m.Files {
		if err := r.file(ctx, m, f); err != nil {
			return err
		}
		if r.Progress != nil {
			r.Progress(n+1, len(m.Files))
		}
	}
	return postgres.Restore(ctx, r.DatabaseURL, dump)
}

// tooNew says in French that this program is too old for a backup.
func tooNew(schema, newest int64) string {
	return fmt.Sprintf("La sauvegarde est d’une version plus récente (étape %d de la base, ce programme connaît %d) : mettez Vigueur à jour.", schema, newest)
}

// file restores one file unless the service has it.
func (r *Restoration) file(ctx context.Context, m Manifest, f Object) error {
	if err := blobs.There(ctx, r.Files, f.SHA256); !errs.Is(err, errs.NotFound) {
		return err
	}
	stored, err := r.Shelf.Open(ctx, f.Stored)
	if err != nil {
		return missing(f, err)
	}
	defer stored.Close()
	plain, err := r.decrypt(m, stored)
	if err != nil {
		return err
	}
	return r.Files.Put(ctx, f.SHA256, plain)
}

// take copies an object to a temporary file on this machine and verifies it. The caller
// must close and remove the file.
func (r *Restoration) take(ctx context.Context, m Manifest, o Object) (_ *os.File, err error) {
	if err := readBack(ctx, r.Shelf, o.Stored); err != nil {
		return nil, missing(o, err)
	}
	stored, err := r.Shelf.Open(ctx, o.Stored)
	if err != nil {
		return nil, missing(o, err)
	}
	defer stored.Close()
	plain, err := r.decrypt(m, stored)
	if err != nil {
		return nil, err
	}
	aside, err := os.CreateTemp("", "vigueur-restore-*")
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(aside, plain)
	if err == nil {
		_, err = aside.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, aside.Close(), os.Remove(aside.Name()))
	}
	return aside, nil
}

// decrypt returns a reader of the decrypted object.
func (r *Restoration) decrypt(m Manifest, stored io.Reader) (io.Reader, error) {
	if len(m.Recipients) == 0 {
		return stored, nil
	}
	plain, err := age.Decrypt(stored, r.Identities...)
	var wrong *age.NoIdentityMatchError
	if errors.As(err, &wrong) {
		return nil, errs.Wrap(errs.Invalid, "Aucune des clés données n’ouvre cette sauvegarde.", err)
	}
	if err != nil {
		return nil, errs.Wrap(errs.Conflict, notDecrypted, err)
	}
	return decrypting{plain}, nil
}

const notDecrypted = "La sauvegarde est abîmée : elle ne se déchiffre pas."

// decrypting is a reader that gives errors of decryption a kind.
type decrypting struct{ r io.Reader }

func (d decrypting) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = errs.Wrap(errs.Conflict, notDecrypted, err)
	}
	return n, err
}

// missing describes the error that an object of the backup does not exist.
func missing(o Object, err error) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "La sauvegarde n’est plus entière : "+o.Stored+" manque.", err)
	}
	return err
}
