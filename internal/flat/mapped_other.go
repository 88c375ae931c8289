//go:build !unix

package flat

import (
	"errors"
	"os"
)

func mapped(string, int) (*ground, error) {
	return nil, errors.New("flat: files are not mapped on this system")
}

func (g *ground) releaseWith(*segment) {}

func mappedFile(path string) (bytes []byte, done func(), err error) {
	bytes, err = os.ReadFile(path)
	return bytes, func() {}, err
}
