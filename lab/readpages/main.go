package readpages

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
)

// Main is the main function of an evaluation of the files in a folder, by its name: it
// reads the flags that all of these have (-pages, -json) and the folder, and calls run with
// a reader that says on the standard error which file it reads. An error is printed, and the
// exit code is then 1.
func Main(name string, run func(ctx context.Context, r *Reader, dir string, asJSON bool) error) {
	pdftext.Main() // pages are read in a child that is this program again
	ocr.Main()     // and tesseract in another, which confines itself first
	log.SetFlags(0)
	cache := flag.String("pages", "", "folder where words once read are kept")
	asJSON := flag.Bool("json", false, "print JSON")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatalf("usage: scripts/eval %s [-pages FOLDER] [-json] FOLDER", name)
	}
	r := &Reader{Cache: *cache, Reading: Tell}
	err := run(context.Background(), r, flag.Arg(0), *asJSON)
	r.Close()
	if err != nil {
		log.Fatal(err)
	}
}

// Tell says on the standard error that a file is being read: scans take minutes.
func Tell(path string) { fmt.Fprintln(os.Stderr, "reading", path) }
