package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"filippo.io/age"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

// Check verifies that a backup could be restored by this program. Its fields must be set
// before Run.
type Check struct {
	Shelf blobs.Shelf // store of the backup
	// Newest is the number of the last migration that this program knows.
	Newest int64
	// Identities are the secret keys that can decrypt the backup. Without them, only what is
	// stored of an encrypted backup is verified, not its contents.
	Identities []age.Identity
	// Seal is the key of the manifests' seals; empty: none is asked for.
	Seal []byte
	// Progress is called after each object; may be nil.
	Progress func(done, all int)
}

// Checked is the result of a check.
type Checked struct {
	Objects int      // the dump and the files
	Opened  bool     // whether the contents were verified, not only the stored bytes
	Faults  []string // French; empty if the backup can be restored
}

// Run reads every object of the backup and compares its hash and, if it can be decrypted,
// the hash and the size of its content. It also reads the list of contents of the dump. A
// damaged or missing object is a fault, and the check continues; an error is returned if the
// store is down or no identity opens the backup.
func (c *Check) Run(ctx context.Context, m Manifest) (Checked, error) {
	done := Checked{Objects: 1 + len(m.Files), Opened: len(m.Recipients) == 0 || len(c.Identities) > 0, Faults: []string{}}
	if m.Schema > c.Newest {
		done.Faults = append(done.Faults, tooNew(m.Schema, c.Newest))
	}
	if err := m.checkSeal(c.Seal, len(c.Identities) > 0); err != nil {
		done.Faults = append(done.Faults, errs.Public(err))
	}
	for n, o := range append([]Object{m.Database}, m.Files...) {
		err := c.object(ctx, m, o, done.Opened, n == 0)
		switch {
		case errs.Is(err, errs.NotFound), errs.Is(err, errs.Conflict):
			done.Faults = append(done.Faults, errs.Public(err))
		case err != nil:
			return done, err
		}
		if c.Progress != nil {
			c.Progress(n+1, done.Objects)
		}
	}
	return done, nil
}

// object verifies one object.
func (c *Check) object(ctx context.Context, m Manifest, o Object, opened, dump bool) error {
	if err := readBack(ctx, c.Shelf, o.Stored); err != nil || !opened {
		return missing(o, err)
	}
	stored, err := c.Shelf.Open(ctx, o.Stored)
	if err != nil {
		return missing(o, err)
	}
	defer stored.Close()
	plain, err := (&Restoration{Identities: c.Identities}).decrypt(m, stored)
	if err != nil {
		return err
	}
	sum, size := sha256.New(), &counter{}
	content := io.TeeReader(plain, io.MultiWriter(sum, size))
	if dump {
		if err := postgres.ReadableDump(ctx, content); err != nil {
			return err
		}
	}
	if _, err := io.Copy(io.Discard, content); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != o.SHA256 || size.n != o.Size {
		return errs.Newf(errs.Conflict, "La sauvegarde est abîmée : le contenu de %s n’est pas celui qui a été sauvegardé.", o.Stored)
	}
	return nil
}
