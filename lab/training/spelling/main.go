// Command spelling learns which words people type without the apostrophe of an elision, « lusure », « dessai », « jai ».
//
// It reads the French words and names of the npm package @zxcvbn-ts/language-fr 4.1.2, each list with the most common first (MIT; the
// words were counted in OpenSubtitles 2024 by OPUS, Open Data Commons Attribution License), and the articles of French codes (LEGI data
// of DILA) that retrieval is judged with. It writes internal/search/question/elided.txt.gz: the words that an elided word
// may precede, and, of what could be read as an elided word and one of these, what is a word of its own. It prints how many words of
// questions, none of which it learns from, are restored when they are typed without apostrophes, and how many others are changed.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vigueur/e2e/stage"
	"vigueur/internal/law"
	"vigueur/internal/search/question"
)

const usage = `usage: scripts/train spelling [-o FILE] FRENCH-FOLDER RETRIEVAL-FOLDER

  npm pack @zxcvbn-ts/language-fr@4.1.2, and tar xzf it into a folder of its own;
  the second folder has allcodes/corpus.jsonl.gz, and questions in queries.train.jsonl and allcodes/queries.train.jsonl`

func main() {
	out := flag.String("o", filepath.Join(stage.Root(), "internal", "search", "question", "elided.txt.gz"), "where the words are written")
	flag.Parse()
	if err := run(flag.Args(), *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out string) error {
	if len(args) != 2 {
		return errors.New(usage)
	}
	words, err := ranks(args[0], "commonWords")
	if err != nil {
		return err
	}
	topics, err := ranks(args[0], "wikipedia")
	if err != nil {
		return err
	}
	printed, err := count(filepath.Join(args[1], "allcodes", "corpus.jsonl.gz"))
	if err != nil {
		return err
	}
	learned := learn(words, topics, printed)
	var questions []string
	for _, path := range []string{"queries.train.jsonl", filepath.Join("allcodes", "queries.train.jsonl")} {
		more, err := texts(filepath.Join(args[1], path))
		if err != nil {
			return err
		}
		questions = append(questions, more...)
	}
	tell(learned, questions)
	return write(out, learned)
}

// ranked are the words of a list, folded, with 1 for the most common one. An elided word keeps its apostrophe: « l' ».
type ranked map[string]int

// share is how much of a text a word makes, by Zipf's law; 0 for a word that is not listed.
func (r ranked) share(word string) float64 {
	if r[word] == 0 {
		return 0
	}
	return 1 / (float64(r[word]) * (math.Log(float64(len(r))) + 0.58))
}

// ranks reads a list of the package.
func ranks(folder, list string) (ranked, error) {
	data, err := os.ReadFile(filepath.Join(folder, "package", "src", list+".json"))
	if err != nil {
		return nil, err
	}
	var words []string
	if err := json.Unmarshal(data, &words); err != nil {
		return nil, fmt.Errorf("%s: %w", list, err)
	}
	out := make(ranked, len(words))
	for i, w := range words {
		if folded := law.Fold(w); out[folded] == 0 {
			out[folded] = i + 1
		}
	}
	return out, nil
}

// counts are how often words are printed: « usure » alone or behind another word, and « l'usure » as one.
type counts map[string]int

func count(path string) (counts, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	out := make(counts)
	read := bufio.NewReaderSize(zipped, 1<<20)
	for {
		line, err := read.ReadBytes('\n')
		if len(line) > 0 {
			var article struct{ Text string }
			if err := json.Unmarshal(line, &article); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			for _, w := range typedWords(article.Text) {
				out[w]++
			}
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// learn decides for each elided word and each word that it may precede whether the two in one are more likely these two
// than a word of their own. What may follow an elided word is what the codes print behind one, and the common words that begin with a
// vowel or an h. The codes say how often both are printed. Of words and topics, the most common words of speech and of an encyclopedia,
// only the rank is known: by Zipf's law the n-th of N words makes 1 in n·(ln N + 0.58) of a text, and two words in a row as much as
// both shares multiplied.
func learn(words, topics ranked, printed counts) question.Elided {
	out := question.Elided{Words: make(map[string]bool), Whole: make(map[string]bool)}
	for w := range words {
		if elidable(w) {
			out.Words[w] = true
		}
	}
	for w := range printed {
		if _, w, behind := strings.Cut(w, "'"); behind && elidable(w) {
			out.Words[w] = true
		}
	}
	for w := range out.Words {
		for _, e := range elisions(w) {
			whole, parts := e+w, e+"'"
			if printed[whole] > printed[parts+w] || max(words.share(whole), topics.share(whole)) > words.share(parts)*words.share(w) {
				out.Whole[whole] = true
			}
		}
	}
	return out
}

// texts reads the questions of a file in JSON Lines.
func texts(path string) (out []string, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(raw) {
		var q struct{ Text string }
		if err := json.Unmarshal(line, &q); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, q.Text)
	}
	return out, nil
}

// tell prints what becomes of questions as they are, and without apostrophes.
func tell(learned question.Elided, questions []string) {
	elided, restored, others, changed := 0, 0, 0, 0
	faults := make(map[string]int)
	for _, q := range questions {
		for _, w := range typedWords(q) {
			before, after, parted := strings.Cut(w, "'")
			if !parted {
				others++
				if got := part(learned, w); got != w {
					changed++
					faults[w+" as "+got]++
				}
				continue
			}
			elided++
			if got := part(learned, before+after); got == w {
				restored++
			} else {
				faults[w+" as "+got]++
			}
		}
	}
	fmt.Printf("%d words, %d words of their own\n%d of %d elisions of questions restored, %d of %d other words changed\n", len(learned.Words), len(learned.Whole), restored, elided, changed, others)
	common := slices.SortedFunc(maps.Keys(faults), func(a, b string) int {
		return 2*(faults[b]-faults[a]) + strings.Compare(a, b)
	})
	fmt.Printf("commonest faults: %s\n", strings.Join(common[:min(20, len(common))], ", "))
}

// write packs both lists, in order, an empty line between them.
func write(to string, learned question.Elided) error {
	var b bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	text := strings.Join(slices.Sorted(maps.Keys(learned.Words)), "\n") + "\n\n" + strings.Join(slices.Sorted(maps.Keys(learned.Whole)), "\n") + "\n"
	if _, err := io.WriteString(zipped, text); err != nil {
		return err
	}
	if err := zipped.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}
