package transformer

import (
	"crypto/sha256"
	_ "embed" // the weights
	"encoding/hex"
	"sync"
)

//go:embed weights.bin
var weights []byte

// Builtin returns the model of the weights that the program carries, once for all of it.
var Builtin = sync.OnceValues(func() (*Model, error) {
	m, h, err := Read(weights)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(weights)
	m.name = h.Model + "-" + hex.EncodeToString(sum[:4])
	return m, nil
})

// Name tells the model from every other.
func (m *Model) Name() string { return m.name }
