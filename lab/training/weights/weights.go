// Package weights is what the training programs share that write a model as data: the
// sums of the files that were learned from, and the file that is written.
package weights

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
)

// Hash returns the SHA-256 of a file in hexadecimal. Errors are those of reading it.
func Hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Write writes a model to a file as indented JSON, if read, by which the program that
// carries it will read it, takes it. Otherwise nothing is written and its error returned.
func Write[M any](path string, m *M, read func([]byte) (*M, error)) error {
	data, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	if _, err := read(data); err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
