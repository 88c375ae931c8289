// Command operations reads the acts of real gazettes for what they order, and holds it against what people have read:
//
//	operations [flags] FOLDER
//
// The folder has operations/operations.dev.jsonl, one order a line, and pdfs with the files that it names. A third of the
// acts, by a hash of their names, is sealed: only their totals are told. An order is right if an operation has its
// article, its kind, and the first and last words of its wording, partly right if one changes the same article otherwise
// or waits, noticed if the place waits for a person without being understood. The last line of the output is JSON.
package main

import (
	"context"
	"flag"
	"log"
	"os"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/lab/evaluation/operations/orders"
	"vigueur/lab/readpages"
)

func main() {
	pdftext.Main() // pages are read in a child that is this program again
	ocr.Main()     // and tesseract in another, which confines itself first
	log.SetFlags(0)
	var o options
	cache := flag.String("pages", ".state/pages", "folder where words once read are kept")
	flag.BoolVar(&o.details, "details", false, "print each order that is not right, and each operation that nobody ordered")
	flag.BoolVar(&o.all, "all", false, "tell also of each file of pdfs without orders what is noticed in it")
	flag.BoolVar(&o.acts, "acts", false, "print the acts that are not sealed, as they are read")
	flag.StringVar(&o.left, "left-out", "", "folder with the models of noticing without each country, by scripts/train noticing -left-out")
	flag.StringVar(&o.only, "only", "", "only files whose name begins so")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: scripts/eval operations [flags] FOLDER")
	}
	r := &readpages.Reader{Cache: *cache, Reading: readpages.Tell}
	files, err := orders.Load(flag.Arg(0))
	if err == nil {
		err = o.run(context.Background(), r, files, os.Stdout)
	}
	r.Close()
	if err != nil {
		log.Fatal(err)
	}
}
