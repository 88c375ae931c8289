package notify

import (
	"errors"
	"fmt"
	"io/fs"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"time"
)

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
func Written(dir string, before time.Time, limit int) (paths []string, err error) {
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
		if info.ModTime().Before(before) {
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
