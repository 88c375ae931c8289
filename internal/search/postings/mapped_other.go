//go:build !unix

package postings

import (
	"errors"
	"os"
)

func mapMemory(string, int) (*arena, error) {
	return nil, errors.New("postings: files are not mapped on this system")
}

func (g *arena) releaseWith(*Segment) {}

// MapFile returns the bytes of a file. The error is fs.ErrNotExist if there is no
// such file.
func MapFile(path string) (bytes []byte, done func(), err error) {
	bytes, err = os.ReadFile(path)
	return bytes, func() {}, err
}
