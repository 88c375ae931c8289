// Command noticing learns which passages of acts order a change, and writes internal/law/amend/notice.json.
//
// It learns from the acts of real gazettes, where people have read what is ordered (operations/operations.dev.jsonl) or
// the grammar understands it without a doubt, or the list of orders beside this file has it; from passages that official
// consolidations have applied; and from articles of codes, which order nothing. Sealed acts are left out. With -left-out
// it also writes the models without each country.
package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	_ "embed" // the list of orders
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/work/versions"
	"vigueur/lab/evaluation/operations/orders"
	"vigueur/lab/readpages"
)

// example is a passage.
type example struct {
	features []string
	order    bool
	country  string
	weight   float64
	gazette  bool
	passage  string
}

func main() {
	pdftext.Main() // pages are read in a child that is this program again
	ocr.Main()     // and tesseract in another, which confines itself first
	log.SetFlags(0)
	cache := flag.String("pages", ".state/pages", "folder where words once read are kept")
	out := flag.String("o", "internal/law/amend/notice.json", "file to write the model to")
	left := flag.String("left-out", "", "folder to write the models without each country to")
	told := flag.String("told", "", "file with passages that persons have judged, as GET /admin/versions/truth exports them")
	show := flag.Bool("show", false, "print the passages of gazettes that are taken for no orders though they may be, with their names")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: scripts/train noticing [flags] FOLDER")
	}
	r := &readpages.Reader{Cache: *cache, Reading: readpages.Tell}
	err := learn(context.Background(), r, flag.Arg(0), *out, *left, *told, *show)
	r.Close()
	if err != nil {
		log.Fatal(err)
	}
}

func learn(ctx context.Context, r *readpages.Reader, dir, out, left, judgedFile string, show bool) error {
	all, err := fromGazettes(ctx, r, dir, show)
	if err != nil {
		return err
	}
	for _, from := range []func(string) ([]example, error){fromPassages, fromCodes, fromNotes} {
		more, err := from(dir)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	if judgedFile != "" {
		more, err := fromDesk(judgedFile)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	balance(all)
	var told []judged
	for _, country := range countriesOf(all) {
		rest := slices.DeleteFunc(slices.Clone(all), func(e example) bool { return e.country == country })
		m := fit(rest)
		for _, e := range all {
			if e.country == country {
				told = append(told, judged{e, m.Sum(e.features)})
			}
		}
		if left != "" {
			if err := write(filepath.Join(left, country+".json"), m, math.NaN()); err != nil {
				return err
			}
		}
	}
	least := threshold(told)
	for _, j := range told {
		if j.passage != "" {
			fmt.Printf("%7.3f %t %s\n", j.sum, j.order, j.passage)
		}
	}
	report(told, least)
	if left != "" {
		for _, country := range countriesOf(all) {
			others := slices.DeleteFunc(slices.Clone(told), func(j judged) bool { return j.country == country })
			if err := write(filepath.Join(left, country+".json"), nil, threshold(others)); err != nil {
				return err
			}
		}
	}
	return write(out, fit(all), least)
}

// fromDesk reads the passages of which persons have said whether they order a change.
func fromDesk(path string) (out []example, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var t versions.Told
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, len(out)+1, err)
		}
		out = append(out, example{features: t.Features, order: t.Order, country: t.Country, weight: 1, gazette: true, passage: t.Passage})
	}
	return out, lines.Err()
}

// judged is an example with the sum of a model that has not seen its country.
type judged struct {
	example
	sum float64
}

// goal is the share of the orders of gazettes that models without their country have to notice. An order that is not
// noticed is a wrong law quoted in good faith; another passage that is noticed is a line at the desk.
const goal = 0.98

// threshold returns the greatest sum that notices the goal of all orders left out by country, each country counting alike.
func threshold(told []judged) float64 {
	orders := slices.DeleteFunc(slices.Clone(told), func(j judged) bool { return !j.order || !j.gazette })
	slices.SortFunc(orders, func(a, b judged) int { return cmp.Compare(a.sum, b.sum) })
	total := 0.0
	for _, j := range orders {
		total += j.weight
	}
	missed := 0.0
	for _, j := range orders {
		if missed += j.weight; missed > (1-goal)*total {
			return math.Floor(j.sum*1000) / 1000
		}
	}
	return 0
}

func report(told []judged, least float64) {
	type count struct{ orders, noticed, others, falsely int }
	by := map[string]*count{}
	for _, j := range told {
		for _, key := range []string{j.country, "all"} {
			c := by[key]
			if c == nil {
				c = &count{}
				by[key] = c
			}
			hit := j.sum >= least
			switch {
			case j.order && hit:
				c.orders, c.noticed = c.orders+1, c.noticed+1
			case j.order:
				c.orders++
			case hit:
				c.others, c.falsely = c.others+1, c.falsely+1
			default:
				c.others++
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(by)) {
		c := by[key]
		fmt.Printf("%-16s orders %d, noticed %d; others %d, falsely noticed %d\n", key, c.orders, c.noticed, c.others, c.falsely)
	}
}

// balance gives the orders and the others of each country the weight of at most as many passages.
func balance(all []example) {
	const most = 150
	n := map[string]float64{}
	key := func(e example) string { return fmt.Sprint(e.country, e.order) }
	for _, e := range all {
		n[key(e)]++
	}
	for i, e := range all {
		all[i].weight = min(1, most/n[key(e)])
	}
}

func countriesOf(all []example) []string {
	seen := map[string]bool{}
	for _, e := range all {
		seen[e.country] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// fit learns a logistic model whose weights are few: coordinate by coordinate, by proximal steps with an L1 penalty.
func fit(all []example) *amend.Noticing {
	const penalty, rounds, rate = 0.15, 400, 0.5
	index := map[string]int{}
	var columns [][]int
	for i, e := range all {
		for _, f := range e.features {
			k, ok := index[f]
			if !ok {
				k = len(columns)
				index[f], columns = k, append(columns, nil)
			}
			columns[k] = append(columns[k], i)
		}
	}
	sums := make([]float64, len(all))
	weights := make([]float64, len(columns))
	order := slices.Sorted(maps.Keys(index))
	for range rounds {
		largest := 0.0
		for _, f := range order {
			k := index[f]
			var slope, curve float64
			for _, i := range columns[k] {
				p := 1 / (1 + math.Exp(-sums[i]))
				y := 0.0
				if all[i].order {
					y = 1
				}
				slope += all[i].weight * (p - y)
				curve += all[i].weight * p * (1 - p)
			}
			curve += 0.05
			to := weights[k] - rate*slope/curve
			to = math.Copysign(max(0, math.Abs(to)-rate*penalty/curve), to)
			to = max(-4, min(4, to))
			if step := to - weights[k]; step != 0 {
				for _, i := range columns[k] {
					sums[i] += step
				}
				largest = max(largest, math.Abs(step))
				weights[k] = to
			}
		}
		if largest < 1e-3 {
			break
		}
	}
	m := &amend.Noticing{Weights: map[string]float64{}}
	for _, f := range order {
		if w := math.Round(weights[index[f]]*1000) / 1000; w != 0 {
			m.Weights[f] = w
		}
	}
	return m
}

// write writes a model, or only its threshold where m is nil, or only its weights where least is no number.
func write(path string, m *amend.Noticing, least float64) error {
	if m == nil {
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if !math.IsNaN(least) {
		m.Least = least
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	raw, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(raw, '\n'), 0o600)
}

//go:embed orders.txt
var listed string

// nameOf names a passage by what its letters hash to, because no words of gazettes are kept here.
func nameOf(passage string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(law.Fold(passage)), " ")))
	return hex.EncodeToString(sum[:6])
}

func fromGazettes(ctx context.Context, r *readpages.Reader, dir string, show bool) (out []example, err error) {
	known := map[string]bool{}
	for name := range strings.FieldsSeq(listed) {
		known[name] = true
	}
	files, err := orders.Load(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		texts, err := f.Read(ctx, r, nil)
		if err != nil {
			continue // a file with a password, or no file at all
		}
		for _, t := range texts {
			if f.Sealed(t) {
				continue
			}
			sure := map[amend.Span]bool{}
			for _, op := range t.Operations {
				sure[op.Evidence] = sure[op.Evidence] || op.Kind != amend.Unread && !op.Text.Self
			}
			for _, d := range amend.Decisions(t.Act, t.Options) {
				passage := t.Act[d.Start:d.End]
				e := example{features: d.Features, gazette: true, country: f.Country, order: sure[d.Span] || known[nameOf(passage)] || f.Orders(t, passage)}
				if show {
					e.passage = fmt.Sprintf("%s %s: %.300s", nameOf(passage), f.Name, passage)
				}
				out = append(out, e)
			}
		}
	}
	return out, nil
}

// fromPassages reads the passages that official consolidations have applied.
func fromPassages(dir string) (out []example, err error) {
	err = lines(filepath.Join(dir, "consolidation", "consolidation.dev.jsonl.gz"), func(raw []byte) error {
		var c struct {
			Country string `json:"country"`
			Passage string `json:"amending_passage"`
			Certain bool   `json:"certain"`
		}
		if err := json.Unmarshal(raw, &c); err != nil || !c.Certain {
			return err
		}
		for _, d := range amend.Decisions(c.Passage, amend.Options{Excerpt: true}) {
			if !d.Understood && !slices.Contains(d.Features, "quotes") {
				continue // it may be of a wording
			}
			out = append(out, example{features: d.Features, country: c.Country, order: true})
		}
		return nil
	})
	return out, err
}

// fromCodes reads articles of codes; of the many French ones, each thirtieth.
func fromCodes(dir string) (out []example, err error) {
	add := func(country, text string) {
		act, parts := amend.Written([]law.Article{{Number: "1", Text: text}})
		for _, d := range amend.Decisions(act, amend.Options{Parts: parts}) {
			out = append(out, example{features: d.Features, country: country})
		}
	}
	n := 0
	err = lines(filepath.Join(dir, "retrieval", "allcodes", "corpus.jsonl.gz"), func(raw []byte) error {
		var a struct {
			Text string `json:"text"`
		}
		if n++; n%30 != 0 {
			return nil
		}
		err := json.Unmarshal(raw, &a)
		add("france", a.Text)
		return err
	})
	if err != nil {
		return nil, err
	}
	for file, country := range map[string]string{"code-enfant-benin.jsonl": "benin", "code-douane.jsonl": "benin", "acte-uniforme-arbitrage-ohada.jsonl": "ohada"} {
		err = lines(filepath.Join(dir, "codes", file), func(raw []byte) error {
			var a struct {
				Text string `json:"text"`
			}
			err := json.Unmarshal(raw, &a)
			add(country, a.Text)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fromNotes makes the notes by which consolidated texts say what has changed them, in all their parts.
func fromNotes(string) (out []example, err error) {
	for _, note := range []string{"(%s par %s)", "(%s par %s).- La peine est de vingt ans.", "%s par %s.", "Ainsi %s par %s", "(Alinéa 2 %s par %s)", "3 Article %s par %s.", "(%s en vertu de %s) Le maire tient le registre.", "(Les paragraphes 1 et 2 sont %s par %s).- Est puni quiconque ment."} {
		for _, verb := range []string{"Modifié", "Ajouté", "Abrogé", "Remplacé", "Complété", "Inséré", "Modifié et complété"} {
			for _, text := range []string{"la loi n° 2005-45 du 6 juin 2005", "le décret du 10 janvier 1957", "l'art 5 de la loi n° 96-59 du 6 juillet 1996", "l'article 2 de la loi constitutionnelle n° 2002-51 du 1er juin 2002", "l'ordonnance n° 03-06"} {
				act, parts := amend.Written([]law.Article{{Number: "1", Text: fmt.Sprintf(note, verb, text)}})
				for _, d := range amend.Decisions(act, amend.Options{Parts: parts}) {
					out = append(out, example{features: d.Features, country: "notes"})
				}
			}
		}
	}
	return out, nil
}

// lines calls do with each line of a file, which may be compressed.
func lines(path string, do func([]byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		s = bufio.NewScanner(z)
	}
	s.Buffer(nil, 8<<20)
	for s.Scan() {
		if err := do(s.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return s.Err()
}
