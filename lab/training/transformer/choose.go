package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"vigueur/internal/search/transformer"
)

// counts counts the pieces of texts: files of lines, plain or gzip.
func counts(s *source, files []string) (map[int32]int, error) {
	p := transformer.Index(s.pieces)
	used := make(map[int32]int)
	seen := make(map[string]bool)
	for _, name := range files {
		if err := eachLine(name, func(line []byte) {
			for _, word := range strings.Fields(text(line)) {
				if !seen[word] {
					seen[word] = true
					for _, id := range p.Of(word) {
						used[id]++
					}
				}
			}
		}); err != nil {
			return nil, err
		}
	}
	return used, nil
}

// eachLine reads a file of lines, which may be compressed by gzip.
func eachLine(name string, take func(line []byte)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return err
		}
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		take(lines.Bytes())
	}
	return lines.Err()
}

// text is what a line says: all strings of a JSON value, or the line.
func text(line []byte) string {
	var v any
	if json.Unmarshal(line, &v) != nil {
		return string(line)
	}
	var b strings.Builder
	var say func(v any)
	say = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + " ")
		case []any:
			for _, e := range v {
				say(e)
			}
		case map[string]any:
			for _, e := range v {
				say(e)
			}
		}
	}
	say(v)
	return b.String()
}

// choose returns the pieces that are kept: those that the texts need, the characters of
// Latin writing, and the likeliest others in it.
func (s *source) choose(used map[int32]int, most int) []int {
	must, rest := []int{s.pieces.Begin, s.pieces.End, s.pieces.Lost}, []int(nil)
	for i, name := range s.pieces.Names {
		if i == s.pieces.Begin || i == s.pieces.End || i == s.pieces.Lost || i == s.pad {
			continue
		}
		switch {
		case used[int32(i)] > 0, latin(name) && len([]rune(name)) < 3:
			must = append(must, i)
		case latin(name):
			rest = append(rest, i)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int { return cmp.Compare(s.pieces.Scores[b], s.pieces.Scores[a]) })
	fmt.Printf("%d pieces are needed\n", len(must))
	kept := slices.Concat(must, rest[:max(0, min(len(rest), most-len(must)))])
	slices.Sort(kept)
	return kept
}

func latin(name string) bool {
	for _, r := range name {
		if r > 0x17f && r != 0x2581 && r != '’' && r != '«' && r != '»' && r != 'œ' || unicode.IsControl(r) {
			return false
		}
	}
	return true
}
