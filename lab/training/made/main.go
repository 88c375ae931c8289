// Command made writes the made gazettes that tests of internal/gazette/segment read.
//
// Each file holds one issue, as JSON compressed by gzip: the pages as package house makes
// them, and the truth about their texts. The same program gives the same bytes.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/gazette/layout"
	"vigueur/lab/house"
)

// folder is where the files go, below the root of the repository.
var folder = filepath.Join("internal", "gazette", "segment", "testdata", "made")

// issue is what a file holds; the tests of segment declare the same fields.
type issue struct {
	Pages []layout.Page
	Owner [][]int // by page and word: index in Texts of the word's text, -1 for none
	Texts []text
}

// text is the truth about a text of an issue.
type text struct {
	Number string
	Date   time.Time
	Page   int // where it begins, from 1
}

// recipe says how an issue is made.
type recipe struct {
	style string // "": the style at the seed, modulo their number
	seed  uint64
	worn  bool // recognized with slips, so that there is much to be unsure of
}

// recipes are the issues that the tests name.
func recipes() []recipe {
	list := []recipe{
		{style: "justified", seed: 910_001}, {style: "hijriPairs", seed: 910_002}, {style: "titledOrders", seed: 910_003},
		{style: "justified", seed: 910_004}, {style: "justified", seed: 910_005}, {style: "budget", seed: 910_006},
		{style: "advertiser", seed: 910_010}, {style: "advertiser", seed: 910_011}, {style: "advertiser", seed: 910_012},
		{style: "advertiser", seed: 910_030}, {style: "bilingualArabic", seed: 910_020},
	}
	for _, seeds := range [][2]uint64{{91_000, 91_008}, {91_012, 91_014}, {91_020, 91_024}} {
		for seed := seeds[0]; seed < seeds[1]; seed++ {
			list = append(list, recipe{seed: seed, worn: true})
		}
	}
	return list
}

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "write nothing; fail if a file is not what would be written")
	flag.Parse()
	if flag.NArg() != 0 {
		log.Fatal("usage: scripts/train made [-check]")
	}
	if err := run(filepath.Join(stage.Root(), folder), *check); err != nil {
		log.Fatal(err)
	}
}

// run writes or checks the file of each recipe.
func run(folder string, check bool) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, r := range recipes() {
		name, content, err := r.file()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		path := filepath.Join(folder, name)
		if !check {
			if err := os.WriteFile(path, content, 0o644); err != nil {
				return err
			}
			continue
		}
		have, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(have, content) {
			return fmt.Errorf("%s is not what the generator makes: run scripts/train made", path)
		}
	}
	return nil
}

// file returns the name of a recipe's file, and its content.
func (r recipe) file() (name string, content []byte, err error) {
	styles, damage := house.Styles(), house.Damage{}
	name = r.style
	at := int(r.seed) % len(styles)
	if r.worn {
		name, damage = "worn", house.Damage{OCR: true, Skew: 0.2, Noise: 0.2, Confusion: 0.4}
	} else {
		at = slices.IndexFunc(styles, func(s house.Style) bool { return s.Name == r.style })
	}
	name = fmt.Sprintf("%s-%d.json.gz", name, r.seed)
	if at < 0 {
		return name, nil, fmt.Errorf("there is no style %q", r.style)
	}
	made := house.Make(styles[at], r.seed, damage)
	out := issue{Pages: made.Pages, Owner: made.Owner}
	for _, x := range made.Texts {
		out.Texts = append(out.Texts, text{Number: x.Number, Date: x.Date, Page: x.Page})
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return name, nil, err
	}
	if err := json.NewEncoder(z).Encode(out); err != nil {
		return name, nil, err
	}
	if err := z.Close(); err != nil {
		return name, nil, err
	}
	return name, b.Bytes(), nil
}
