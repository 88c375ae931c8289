package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// comment is a group of comment lines.
type comment struct {
	where string // path:line
	text  string
}

// printComments prints n comments of the programs and their packages, drawn at random
// without repetition, so that a person can judge their language. The same seed draws the
// same comments from the same sources. Directives and the comments of tests are left out.
func printComments(out io.Writer, root string, n int, seed uint64) error {
	files, err := readSources(root)
	if err != nil {
		return err
	}
	var all []comment
	for _, f := range files {
		if top, _, _ := strings.Cut(f.path, "/"); f.test || top != "internal" && top != "api" && top != "worker" && top != "ingest" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(root, f.path))
		if err != nil {
			return err
		}
		found, err := commentsOf(f.path, content)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	drawn := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))
	for i, at := range drawn[:min(n, len(drawn))] {
		if _, err := fmt.Fprintf(out, "%d. %s\n%s\n", i+1, all[at].where, all[at].text); err != nil {
			return err
		}
	}
	return nil
}

// commentsOf returns the comments of a source file that say something: directives such as
// « go:embed » do not.
func commentsOf(path string, content []byte) (all []comment, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, group := range file.Comments {
		if text := strings.TrimSpace(group.Text()); text != "" { // Text leaves directives out
			all = append(all, comment{fmt.Sprintf("%s:%d", path, set.Position(group.Pos()).Line), text})
		}
	}
	return all, nil
}
