package notify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vigueur/internal/kit/errs"
)

// Folder is the Transport without a mail server: each message is a file,
// <inquiry's id>.eml, that only its owner may read.
type Folder struct {
	dir string
}

// NewFolder makes the folder if it does not exist.
func NewFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, errs.Wrap(errs.Invalid, fmt.Sprintf("VIGUEUR_MAIL_DIR : le dossier %s ne peut pas être fait", dir), err)
	}
	return &Folder{dir: dir}, nil
}

// Send writes the message atomically: to a temporary file, which is synced and renamed.
func (f *Folder) Send(_ context.Context, n *Notification) error {
	if err := f.write(n); err != nil {
		return errs.Wrap(errs.Unavailable, "Le message n’a pas pu être écrit dans le dossier des messages (VIGUEUR_MAIL_DIR).", err)
	}
	return nil
}

func (f *Folder) write(n *Notification) (err error) {
	content, err := n.bytes()
	if err != nil {
		return fmt.Errorf("notify: compose %s: %w", n.Name, err)
	}
	file, err := os.CreateTemp(f.dir, ".unfinished-*") // 0600
	if err != nil {
		return fmt.Errorf("notify: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name()) // a leftover is harmless
		}
	}()
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("notify: %w", err)
	}
	if err = os.Rename(file.Name(), filepath.Join(f.dir, n.Name+".eml")); err != nil {
		return fmt.Errorf("notify: %w", err)
	}
	return syncDir(f.dir)
}

// syncDir syncs the folder's directory entries to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("notify: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}
