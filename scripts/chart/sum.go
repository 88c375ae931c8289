package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
)

// Sum names the state of a chart and a file of values, as the tests of deployments
// reckon it too: the hash of all files below dir by their paths, then of the values.
func Sum(dir, values string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		sum.Write([]byte(filepath.ToSlash(name) + "\x00"))
		sum.Write(text)
		return err
	})
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(values)
	sum.Write(text)
	return hex.EncodeToString(sum.Sum(nil)), err
}
