// Command sizes measures the Go sources of the repository: how long files and functions are, how much test each
// package has, what lacks a doc comment, and what the module depends on.
//
// Counters of lines such as scc know files and not functions, tests or doc comments.
//
// Only lines that hold code count: neither blank lines nor comments. Generated files and test data are left out.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	most := flag.Int("most", 15, "how many of each list are printed")
	comments := flag.Int("comments", 0, "print this many comments drawn at random, and nothing else")
	seed := flag.Uint64("seed", 1, "of the comments that are drawn")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	var err error
	if *comments > 0 {
		err = printComments(out, *root, *comments, *seed)
	} else {
		err = run(out, *root, *most)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

// run measures the repository at root and prints tables, and a JSON object as its last line.
func run(out io.Writer, root string, most int) error {
	files, err := readSources(root)
	if err != nil {
		return err
	}
	direct, err := readDependencies(root)
	if err != nil {
		return err
	}
	m := measure(files, direct)
	m.print(out, most)
	line, err := json.Marshal(m.summary())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, string(line))
	return err
}
