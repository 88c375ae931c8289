// Command consolidation applies amending acts to articles and holds the result against the official consolidation:
//
//	consolidation [-half A|B] [-failures] [FILE]
//
// FILE has a case a line, as JSON, compressed or not: the instructions of an act about one article, the article before
// and after. Only cases that are marked as certain count. The last line of the output has the figures as JSON.
package main

import (
	"flag"
	"log"
	"os"
)

// cases is where the cases lie if no file is named.
const casesFile = "consolidation.dev.jsonl.gz"

// folder is where the cases lie, VIGUEUR_CONSOLIDATION if set.
func folder() string {
	if named := os.Getenv("VIGUEUR_CONSOLIDATION"); named != "" {
		return named
	}
	return "/work/shared/data/consolidation"
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.half, "half", "", "only cases of acts in half A or B; acts are halved by a hash of their names")
	flag.BoolVar(&o.failures, "failures", false, "print each case that is not exact")
	flag.StringVar(&o.acts, "acts", "", "file of whole acts, in which each case is looked for too")
	flag.Parse()
	file := flag.Arg(0)
	if flag.NArg() > 1 {
		log.Fatal("usage: scripts/eval consolidation [flags] [FILE]")
	}
	if err := run(file, o, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
