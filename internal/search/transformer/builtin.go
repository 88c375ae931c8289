package transformer

import (
	"crypto/sha256"
	_ "embed" // the weights
	"encoding/hex"
	"sync"
)

//go:embed weights.bin
var weights []byte

// Builtin returns the model with the embedded weights, which it reads once and all callers
// share.
var Builtin = sync.OnceValues(func() (*Model, error) {
	m, h, err := Read(weights)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(weights)
	m.name = h.Model + "-" + hex.EncodeToString(sum[:4])
	return m, nil
})

// Name returns the name of the model; models with different weights have different names.
func (m *Model) Name() string { return m.name }
