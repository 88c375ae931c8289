package transformer

import (
	"crypto/sha256"
	_ "embed" // the weights
	"encoding/hex"
	"sync"
)

//go:embed weights.bin
var weights []byte

// embedded is what Builtin has read. It is no sync.OnceValues, which would be made when a program begins: weights that a
// program does not ask for would be linked into it all the same, 30 MB of them into the operator's command.
var embedded struct {
	once  sync.Once
	model *Model
	err   error
}

// Builtin returns the model with the embedded weights, which it reads once and all callers
// share.
func Builtin() (*Model, error) {
	embedded.once.Do(func() {
		m, h, err := Read(weights)
		if err != nil {
			embedded.err = err
			return
		}
		sum := sha256.Sum256(weights)
		m.name = h.Model + "-" + hex.EncodeToString(sum[:4])
		embedded.model = m
	})
	return embedded.model, embedded.err
}

// Name returns the name of the model; models with different weights have different names.
func (m *Model) Name() string { return m.name }
