package backup

import (
	"context"
	"errors"
	"io"
	"os"

	"filippo.io/age"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

// Restoration is one run of a restore. Its fields are set once, before Run.
type Restoration struct {
	DatabaseURL string      // of an empty database, as the owner of what comes into it
	Files       blobs.Store // the service's
	Shelf       blobs.Shelf // where the backup is
	// Newest is the last migration that this program knows.
	Newest int64
	// Identities open an encrypted backup.
	Identities []age.Identity
	// Progress is told of each file; may be nil.
	Progress func(done, all int)
}

// Choose returns the backup with that id, or the newest for "". NotFound if there is none.
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

// Run restores the files, then the database. Files that exist already are kept; the database
// is restored completely or not at all. Run may be repeated after it was interrupted.
func (r *Restoration) Run(ctx context.Context, m Manifest) error {
	if m.Schema > r.Newest {
		return errs.Newf(errs.Conflict, "La sauvegarde est d’une version plus récente (étape %d de la base, ce programme connaît %d) : mettez Vigueur à jour.", m.Schema, r.Newest)
	}
	if len(m.Recipients) > 0 && len(r.Identities) == 0 {
		return errs.New(errs.Invalid, "La sauvegarde est chiffrée : donnez la clé par --identity.")
	}
	// Fetch and verify the dump before gigabytes of files are copied.
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

// file puts one file back unless it is there.
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

// take copies an object to a temporary file of this machine and verifies it. The caller
// closes and removes the file.
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

// decrypt returns a reader of the plain object.
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

// decrypting gives the errors of decryption their kind.
type decrypting struct{ r io.Reader }

func (d decrypting) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = errs.Wrap(errs.Conflict, notDecrypted, err)
	}
	return n, err
}

// missing says that what a backup names is not there.
func missing(o Object, err error) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "La sauvegarde n’est plus entière : "+o.Stored+" manque.", err)
	}
	return err
}
