// Command branches learns the words that make the name of a code another code's: « maritime » behind « code du travail ».
//
// It reads the names of the codes in a folder (-data: that of scripts/train encoder, of 75 codes of France, and the titles of
// texts of 19 other jurisdictions) and writes internal/search/named/branches.txt: the words of these names, without those that
// tell editions apart.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"vigueur/e2e/stage"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// editions are words by which editions of one code are told apart.
var editions = []string{"code", "nouveau", "ancien", "applicable", "annexe", "version"}

// names matches the name of a code in a title.
var names = regexp.MustCompile(`\bcode (?:(?:de la|de l'|du|des|de|d') ?)?[^(,;:.\d]*`)

func main() {
	log.SetFlags(0)
	out := flag.String("o", filepath.Join(stage.Root(), "internal", "search", "named", "branches.txt"), "where the words are written")
	data := flag.String("data", "", "folder with retrieval/allcodes/ and qa/breadth/")
	flag.Parse()
	titles := map[string]bool{}
	err := each(filepath.Join(*data, "retrieval/allcodes/corpus.jsonl.gz"), func(a article) {
		id, _, _ := strings.Cut(a.ID, ":")
		titles[strings.ReplaceAll(id, "-", " ")] = true
	})
	files, _ := filepath.Glob(filepath.Join(*data, "qa/breadth/*.articles.jsonl"))
	for _, f := range files {
		if err == nil {
			err = each(f, func(a article) { titles[law.Fold(a.TextTitle)] = true })
		}
	}
	if err != nil {
		log.Fatal(err)
	}
	words := map[string]bool{}
	for title := range titles {
		for _, w := range strings.FieldsFunc(names.FindString(title), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if len(french.Terms(w)) > 0 && !slices.Contains(editions, w) {
				words[w] = true
			}
		}
	}
	if err := os.WriteFile(*out, []byte(strings.Join(slices.Sorted(maps.Keys(words)), "\n")+"\n"), 0o644); err != nil {
		log.Fatal(err)
	}
}

// article is what is read of an article.
type article struct {
	ID        string `json:"_id"`
	TextTitle string `json:"text_title"`
}

// each calls use for each article of a file.
func each(path string, use func(article)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var source io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if source, err = gzip.NewReader(f); err != nil {
			return err
		}
	}
	lines := bufio.NewScanner(source)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var a article
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return err
		}
		use(a)
	}
	return lines.Err()
}
