// Command materials writes what the product is made of as a CycloneDX document (SBOM): the three programs, the Go
// modules that are compiled into them with Go's own library, and the npm packages of the page that one of them embeds.
//
// cyclonedx-gomod writes a document for each program and knows no npm packages, so its documents would have to be merged
// with another tool's. The format and the licenses are read by libraries: CycloneDX's own, and licensecheck.
//
// It reads what the Go command says of the packages, the modules' own folders and api/web/package-lock.json, and builds
// nothing. The same sources and toolchain give the same bytes: everything is sorted, and the only time is that of
// SOURCE_DATE_EPOCH, when it is set.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/licensecheck"
)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	version := flag.String("version", "", "version of the product")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	err := run(out, *root, *version, os.Getenv("SOURCE_DATE_EPOCH"), licensecheck.Scan)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "materials:", err)
		os.Exit(1)
	}
}

// run writes the document of the repository at root. The epoch is in seconds since 1970, or "" for no time stamp.
func run(out io.Writer, root, version, epoch string, known scan) error {
	stamp, err := stampOf(epoch)
	if err != nil {
		return err
	}
	built, err := readGo(root, known)
	if err != nil {
		return err
	}
	page, err := readPage(root)
	if err != nil {
		return err
	}
	bom, err := document(version, stamp, built, page)
	if err != nil {
		return err
	}
	encoder := cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON)
	encoder.SetPretty(true).SetEscapeHTML(false)
	return encoder.EncodeVersion(bom, cdx.SpecVersion1_6)
}

// stampOf spells the time as the document has it: RFC 3339 in UTC.
func stampOf(epoch string) (string, error) {
	if epoch == "" {
		return "", nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return "", fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(seconds, 0).UTC().Format(time.RFC3339), nil
}
