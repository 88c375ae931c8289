// Command passwords makes the lists of words that passwords are held against, of the data of
// @zxcvbn-ts/language-common and @zxcvbn-ts/language-fr, and of the Go module
// github.com/ccojocar/zxcvbn-go. It takes the folders into which « npm pack » of the two was
// unpacked, and that of the module; the same packages give the same bytes.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const usage = `Usage: scripts/train passwords COMMON-FOLDER FRENCH-FOLDER ENGLISH-FOLDER

  npm pack @zxcvbn-ts/language-common@4.1.3 @zxcvbn-ts/language-fr@4.1.2, and tar xzf each into a folder of its own;
  the third folder is what go mod download -json github.com/ccojocar/zxcvbn-go@v1.0.4 says as Dir`

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	to := filepath.Join("internal", "web", "strength")
	err := errors.Join(run(os.Args[1], os.Args[2], filepath.Join(to, "words.txt.gz")), runEnglish(os.Args[3], filepath.Join(to, "english.txt.gz")))
	if err != nil {
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
	var all []string
	seen := map[string]bool{}
	for i := range max(len(passwords), len(words)) {
		for _, list := range [][]string{passwords, words} {
			if i >= len(list) || seen[list[i]] || strings.ContainsAny(list[i], "\n\r") {
				continue
			}
			seen[list[i]] = true
			all = append(all, list[i])
		}
	}
	return write(to, all)
}

// runEnglish writes the lists of English words and names one after another, the most common
// first, an empty line between two.
func runEnglish(folder, to string) error {
	var all []string
	for _, name := range []string{"Passwords", "English", "MaleNames", "FemaleNames", "Surnames"} {
		data, err := os.ReadFile(filepath.Join(folder, "data", "data", name+".json"))
		if err != nil {
			return err
		}
		var file struct{ List []string }
		if err := json.Unmarshal(data, &file); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if len(all) > 0 {
			all = append(all, "")
		}
		all = append(all, file.List...)
	}
	return write(to, all)
}

// write packs lines into a file.
func write(to string, lines []string) error {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(packed, line); err != nil {
			return err
		}
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}
