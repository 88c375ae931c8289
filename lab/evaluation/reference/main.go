// Command reference holds answers to questions that name texts and articles against the catalogue itself.
//
// It makes cases from what the catalogue has (numbers, articles, what its texts change, whom they cite), by forms of
// asking that are drawn for each, and counts what became of them. The same catalogue and seed give the same cases. The
// answers are those of « scripts/eval answers », so that two builds can be asked the same:
//
//	scripts/eval reference make > cases.jsonl
//	scripts/eval answers --questions cases.jsonl --documents GAZETTES --json > answers.json
//	scripts/eval reference count cases.jsonl answers.json
//
// Files whose name has an even sum are « seen », the others « sealed »: whoever works on this looks at cases of the
// former alone. Both are printed, with their number.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"vigueur/internal/store/postgres"
)

// wanted is what an answer must be.
type wanted struct {
	All    []string `json:"all"`    // articles that must be cited, as « file, art. 5 »
	Only   []string `json:"only"`   // no others may be, where there are any here
	Some   bool     `json:"some"`   // one of All is enough
	None   bool     `json:"none"`   // nothing may be cited
	Says   []string `json:"says"`   // words that the answer must have
	Denies []string `json:"denies"` // words that it must not have
}

// testCase is a question as « scripts/eval answers » reads it, with what is wanted.
type testCase struct {
	ID       string     `json:"id"`
	Type     string     `json:"type"`
	Question string     `json:"question"`
	Gold     []struct{} `json:"gold"`
	Sealed   bool       `json:"sealed"`
	Wanted   wanted     `json:"wanted"`
}

func main() {
	seed := flag.Uint64("seed", 15, "of the draw")
	most := flag.Int("most", 60, "how many cases of a kind")
	forms := flag.Int("forms", 0, "of asking: 0, those that this was built with; 1, such as showed what was missing; 2, such as nothing was built with")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *seed, *most, *forms, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, seed uint64, most int, forms int, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "make":
		db, err := postgres.Open(ctx, os.Getenv("VIGUEUR_DATABASE_URL"))
		if err != nil {
			return err
		}
		defer db.Close()
		cases, err := newMaker(db, seed, most, forms).all(ctx)
		if err != nil {
			return err
		}
		w := json.NewEncoder(out)
		for _, c := range cases {
			if err := w.Encode(c); err != nil {
				return err
			}
		}
		return nil
	case len(args) == 3 && args[0] == "count":
		cases, err := readCases(args[1])
		if err != nil {
			return err
		}
		return count(cases, args[2], out)
	}
	return errors.New("usage: scripts/eval reference make | count CASES.jsonl ANSWERS.json")
}

func readCases(path string) (cases []testCase, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c testCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// sealed reports whether the cases of a file are not to be looked at.
func sealed(file string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(file)) // never fails
	return h.Sum32()%2 == 1
}
