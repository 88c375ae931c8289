// Command passwords makes the list of words that passwords are held against, of the data
// of @zxcvbn-ts/language-common and @zxcvbn-ts/language-fr. It takes the folders into
// which « npm pack » of the two was unpacked; the same packages give the same bytes.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const usage = `Usage: scripts/train passwords COMMON-FOLDER FRENCH-FOLDER

  npm pack @zxcvbn-ts/language-common@4.1.3 @zxcvbn-ts/language-fr@4.1.2, and tar xzf each into a folder of its own`

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], filepath.Join("internal", "strength", "words.txt.gz")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes the passwords and the French words, of each list in turn the next most
// common: so a rank tells how common a word is, whichever list it is from.
func run(common, french, to string) error {
	var passwords, words []string
	for path, into := range map[string]*[]string{filepath.Join(common, "package/src/passwords.json"): &passwords, filepath.Join(french, "package/src/commonWords.json"): &words} {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, into); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range max(len(passwords), len(words)) {
		for _, list := range [][]string{passwords, words} {
			if i >= len(list) || seen[list[i]] || strings.ContainsAny(list[i], "\n\r") {
				continue
			}
			seen[list[i]] = true
			if _, err := fmt.Fprintln(packed, list[i]); err != nil {
				return err
			}
		}
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}
