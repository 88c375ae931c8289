package notify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"time"

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

// messages lists the messages of a folder; a missing folder has none.
func messages(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("notify: %w", err)
	}
	var found []fs.DirEntry
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".eml") {
			found = append(found, e)
		}
	}
	return found, nil
}

// Written lists the paths of messages in a folder that were written before a time, at most
// limit of them.
func Written(dir string, previous time.Time, limit int) (paths []string, err error) {
	found, err := messages(dir)
	for _, e := range found {
		if len(paths) == limit {
			break
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) { // another process has removed it
			continue
		}
		if err != nil {
			return paths, fmt.Errorf("notify: %w", err)
		}
		if info.ModTime().Before(previous) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}

// Forget removes from a folder the messages to an address and those with the given names,
// and returns how many it removed.
func Forget(dir, address string, names ...string) (removed int, err error) {
	found, err := messages(dir)
	if err != nil {
		return 0, err
	}
	named := map[string]bool{}
	for _, n := range names {
		named[n+".eml"] = true
	}
	for _, e := range found {
		path := filepath.Join(dir, e.Name())
		if !named[e.Name()] && !isTo(path, address) {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return removed, fmt.Errorf("notify: %w", err)
		}
		removed++
	}
	return removed, nil
}

// isTo reports whether a message is addressed to an address.
func isTo(path, address string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	m, err := mail.ReadMessage(file)
	if err != nil {
		return false
	}
	list, err := m.Header.AddressList("To")
	if err != nil {
		return false
	}
	for _, to := range list {
		if strings.EqualFold(to.Address, address) {
			return true
		}
	}
	return false
}
