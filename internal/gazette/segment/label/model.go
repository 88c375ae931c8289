package label

import (
	_ "embed"
	"sync"

	"vigueur/internal/gazette/chain"
)

// weights are those of the chain that labels lines, learned by scripts/train segment.
//
//go:embed weights.bin
var weights []byte

// StandardModel returns the chain with the weights that come with the program.
var StandardModel = sync.OnceValue(func() *chain.Model {
	m, err := chain.Read(weights)
	if err != nil {
		panic(err) // the data is embedded, so every test would fail
	}
	return m
})
