// Command consolidation applies amending acts to articles and holds the result against the official consolidation:
//
//	consolidation [flags] [FILE]
//
// FILE has a case a line, as JSON, compressed or not: the instructions of an act about one article, the article before
// and after. Only cases that are marked as certain count. Without FILE, the cases and the whole acts of the folder
// VIGUEUR_CONSOLIDATION are read, or of shared/data/consolidation beside the repository. The last line of the output has
// the figures as JSON.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
)

// The files of the folder.
const (
	casesFile = "consolidation.dev.jsonl.gz"
	actsFile  = "acts.dev.jsonl.gz"
)

// folder returns the folder of the cases.
func folder() string {
	if named := os.Getenv("VIGUEUR_CONSOLIDATION"); named != "" {
		return named
	}
	at, err := os.Getwd()
	if err != nil {
		return ""
	}
	for ; ; at = filepath.Dir(at) {
		if beside := filepath.Join(at, "shared", "data", "consolidation"); exists(beside) || at == filepath.Dir(at) {
			return beside
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.half, "half", "", "only cases of acts in half A or B; acts are halved by a hash of their names")
	flag.BoolVar(&o.failures, "failures", false, "print each case that is not exact")
	flag.StringVar(&o.acts, "acts", "", "file of whole acts, in which each case is looked for too")
	flag.Parse()
	if flag.NArg() > 1 {
		log.Fatal("usage: scripts/eval consolidation [flags] [FILE]")
	}
	file := flag.Arg(0)
	if file == "" {
		file = filepath.Join(folder(), casesFile)
		if o.acts == "" {
			o.acts = filepath.Join(folder(), actsFile)
		}
	}
	if err := run(file, o, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
