// Package learn makes the vectors of words that internal/search/encode carries: it reads
// articles and citizens' sheets, starts from a latent semantic analysis, and moves
// the vectors so that texts that belong together lie near each other and those of
// a batch that do not lie apart.
//
// All is deterministic: the same files give the same bytes, on however many cores.
// Numbers are drawn from generators of fixed seeds, nothing goes by the order of a
// map, and each sum has one order of its terms.
package learn

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"vigueur/internal/law/french"
	"vigueur/internal/search/encode"
)

// The files below the folder that is learned from.
const (
	ArticlesFile = "allcodes/corpus.jsonl.gz"
	SheetsFile   = "allcodes/bodies.train.jsonl.gz"
	QueriesFile  = "allcodes/queries.train.jsonl"
	QrelsFile    = "allcodes/qrels.train.tsv"
)

// Article is an article of a code.
type Article struct {
	ID    string `json:"_id"`
	Title string `json:"title"` // the code and its headings, parted by « > »
	Text  string `json:"text"`
	Code  string `json:"code"`
	Num   string `json:"num"`

	path      []int32   // words of the title
	sentences [][]int32 // words of the text, a slice a sentence
	next      int       // the article that follows under the same headings; -1: none
	cites     []int     // articles of its code that it cites
}

// Sheet is what citizens are told in everyday words, and which articles it rests on.
type Sheet struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
	Group string `json:"split_group"` // sheets that are learned from together or not at all
	Code  string `json:"-"`           // of its articles; "" without any
	Field string `json:"-"`           // of life, as the sheets are filed (« Logement »); "" without articles
	Right []int  `json:"-"`           // its articles, by their place

	Beside bool `json:"-"` // it was not read with the corpus, but added

	title     []int32
	sentences [][]int32
}

// Corpus is all that is learned from.
type Corpus struct {
	Articles []Article
	Sheets   []Sheet
	words    *vocabulary
}

// Read reads the files of a folder.
func Read(dir string) (*Corpus, error) {
	c := &Corpus{}
	if err := Lines(filepath.Join(dir, ArticlesFile), func(line []byte) error {
		var a Article
		err := json.Unmarshal(line, &a)
		c.Articles = append(c.Articles, a)
		return err
	}); err != nil {
		return nil, err
	}
	if err := Lines(filepath.Join(dir, SheetsFile), func(line []byte) error {
		var s Sheet
		err := json.Unmarshal(line, &s)
		c.Sheets = append(c.Sheets, s)
		return err
	}); err != nil {
		return nil, err
	}
	if len(c.Articles) == 0 || len(c.Sheets) == 0 {
		return nil, errors.New("there are no articles or no sheets")
	}
	if err := c.judge(dir); err != nil {
		return nil, err
	}
	c.analyze()
	return c, nil
}

// judge ties the sheets to their articles.
func (c *Corpus) judge(dir string) error {
	place := make(map[string]int, len(c.Articles))
	for i, a := range c.Articles {
		place[a.ID] = i
	}
	sheet := make(map[string]*Sheet, len(c.Sheets))
	for i := range c.Sheets {
		sheet[c.Sheets[i].ID] = &c.Sheets[i]
	}
	if err := Lines(filepath.Join(dir, QrelsFile), func(line []byte) error {
		fields := strings.Split(string(line), "\t")
		if len(fields) < 3 {
			return errors.New("three columns are expected")
		}
		at, known := place[fields[1]]
		if s := sheet[fields[0]]; s != nil && known && fields[2] != "0" {
			s.Right = append(s.Right, at)
		}
		return nil
	}); err != nil {
		return err
	}
	return Lines(filepath.Join(dir, QueriesFile), func(line []byte) error {
		var q struct {
			ID    string `json:"_id"`
			Code  string `json:"code"`
			Theme string `json:"theme"`
		}
		err := json.Unmarshal(line, &q)
		if s := sheet[q.ID]; s != nil {
			s.Code, s.Field = q.Code, q.Theme
		}
		return err
	})
}

// Lines hands each line of a file to do, which may be packed by gzip.
func Lines(path string, do func(line []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	const longest = 32 << 20
	s := bufio.NewScanner(r)
	s.Buffer(nil, longest)
	for n := 1; s.Scan(); n++ {
		if len(strings.TrimSpace(s.Text())) == 0 {
			continue
		}
		if err := do(s.Bytes()); err != nil {
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// terms returns the words of a text that count, as the encoder reads them.
func terms(a *french.Analyzer, tokens []french.Token, text string) (words []string, room []french.Token) {
	tokens = a.Append(tokens[:0], text)
	for i := range tokens {
		if encode.Counts(&tokens[i]) {
			words = append(words, tokens[i].Term)
		}
	}
	return words, tokens
}
