// Command examples chooses the questions of internal/work/examples/questions.txt.
//
// The folder has retrieval/: the titles of sheets for citizens that are questions. Beside them stand our own questions on
// gazettes that follow no other, have an answer and are spelled out, without the words that say where (« en Algérie »). A question is chosen if anybody in any
// country may ask it: it names no country, nothing that has a number, and nothing that has a name (a word with a capital after
// the first), and is short. The same files give the same bytes.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/e2e/stage"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

// shortest and longest are the bounds of a question in code points: two lines of a phone hold the longest.
const shortest, longest = 20, 90

func main() {
	out := flag.String("o", filepath.Join(stage.Root(), "internal", "work", "examples", "questions.txt"), "where the questions are written")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "Usage: scripts/train examples [-o FILE] FOLDER")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder, out string) error {
	var chosen []string
	for _, path := range []string{
		filepath.Join(folder, "retrieval", "allcodes", "queries.train.jsonl"),
		filepath.Join(stage.Root(), "lab", "judged", "questions", "gazettes.jsonl"),
	} {
		all, err := questions(path)
		if err != nil {
			return err
		}
		some := slices.DeleteFunc(slices.Clone(all), func(q string) bool { return !anybody(q) })
		fmt.Printf("%s: %d of %d\n", filepath.Base(path), len(some), len(all))
		chosen = append(chosen, some...)
	}
	slices.Sort(chosen)
	chosen = slices.Compact(chosen)
	fmt.Printf("%d questions\n", len(chosen))
	return os.WriteFile(out, []byte(strings.Join(chosen, "\n")+"\n"), 0o644)
}

// questions reads the questions of a file that follow no other, without where.
func questions(path string) (list []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines, where := bufio.NewScanner(f), somewhere()
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			Text, Question string
			Style          string
			Before, Gold   json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if row.Style == "sms" { // typed as on a telephone, which the service understands and does not teach
			continue
		}
		if row.Before != nil || row.Question != "" && string(row.Gold) == "[]" { // nothing that we know answers it
			continue
		}
		q := where.ReplaceAllString(cmp.Or(row.Text, row.Question), " ")
		q = strings.Join(strings.Fields(q), " ")
		first, size := utf8.DecodeRuneInString(q)
		list = append(list, string(unicode.ToUpper(first))+q[size:])
	}
	return list, lines.Err()
}

// somewhere matches the words that say in which country: « au Maroc », with the commas around them.
func somewhere() *regexp.Regexp {
	var names []string
	for _, c := range country.List() {
		names = append(names, regexp.QuoteMeta(country.Name(c)))
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return regexp.MustCompile(`(?:^|,? )(?:[Ee]n|[Aa]ux?|[Àà]) (?:` + strings.Join(names, "|") + `)(?:, |[ ]|$)`)
}

// anybody reports whether a question is one that anybody in any country may ask.
func anybody(q string) bool {
	words, ends := strings.CutSuffix(q, " ?")
	n := utf8.RuneCountInString(q)
	if !ends || n < shortest || n > longest || strings.ContainsAny(words, `?!.:;()[]/«»"–`) || strings.Contains(words, " - ") {
		return false
	}
	first, size := utf8.DecodeRuneInString(q)
	named := strings.IndexFunc(words[size:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) >= 0
	return unicode.IsUpper(first) && !named && len(country.Mentions(french.Terms(q))) == 0
}
