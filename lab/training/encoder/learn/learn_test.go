package learn

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/search/encode"
)

// small writes a corpus of invented articles and sheets about a few matters, and
// gives its folder. People say other words than the law.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "allcodes"), 0o755); err != nil {
		t.Fatal(err)
	}
	matters := []struct{ legal, lay []string }{
		{[]string{"bailleur", "preneur", "congé", "loyer", "résiliation"}, []string{"proprio", "logement", "appartement"}},
		{[]string{"employeur", "licenciement", "préavis", "salarié", "indemnité"}, []string{"patron", "virer", "boulot"}},
		{[]string{"époux", "divorce", "mariage", "prestation", "communauté"}, []string{"séparation", "couple", "conjoint"}},
		{[]string{"créancier", "débiteur", "caution", "hypothèque", "gage"}, []string{"dettes", "rembourser", "banque"}},
	}
	r := rand.New(rand.NewPCG(5, 6))
	some := func(words []string, n int) string {
		var out []string
		for range n {
			out = append(out, words[r.IntN(len(words))])
		}
		return "Le " + strings.Join(out, " ") + "."
	}
	var articles, sheets, queries, qrels []string
	for i := range 160 {
		m := i / 40
		articles = append(articles, line(t, map[string]string{"_id": fmt.Sprint("code:", i), "title": fmt.Sprint("Code > Livre ", m+1, " > ", matters[m].legal[0]),
			"text": some(matters[m].legal, 6) + " " + some(matters[m].legal, 5) + fmt.Sprintf(" Il en est de même à l'article %d.", i/40*40+1), "code": "code", "num": fmt.Sprint(i)}))
	}
	for i := range 40 {
		m, id := i%4, fmt.Sprint("s", i)
		sheets = append(sheets, line(t, map[string]string{"_id": id, "title": some(matters[m].lay, 3), "text": some(matters[m].lay, 5) + " " + some(matters[m].lay, 4), "split_group": id}))
		if i < 30 {
			queries = append(queries, line(t, map[string]string{"_id": id, "text": "x", "code": "code"}))
			qrels = append(qrels, fmt.Sprintf("%s\tcode:%d\t1", id, m*40+i))
		}
	}
	packed(t, filepath.Join(dir, ArticlesFile), articles)
	packed(t, filepath.Join(dir, SheetsFile), sheets)
	plain(t, filepath.Join(dir, QueriesFile), queries)
	plain(t, filepath.Join(dir, QrelsFile), append([]string{"query-id\tcorpus-id\tscore"}, qrels...))
	return dir
}

func line(t *testing.T, fields map[string]string) string {
	t.Helper()
	raw, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func plain(t *testing.T, path string, lines []string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func packed(t *testing.T, path string, lines []string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(f)
	_, err = w.Write([]byte(strings.Join(lines, "\n") + "\n"))
	for _, err := range []error{err, w.Close(), f.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func options() Options {
	return Options{Dimensions: 12, Batch: 32, LawSteps: 30, LaySteps: 60, LawRate: 0.02, LayRate: 0.02, Heat: 0.1}
}

func read(t *testing.T) *Corpus {
	t.Helper()
	c, err := Read(small(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func all(*Sheet) bool { return true }

func table(t *testing.T, l *Learner) []byte {
	t.Helper()
	data, err := l.Table(encode.Provenance{Model: "essai"}).Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The same files give the same bytes, on however many cores, and whether the first
// stage was kept or not.
func TestLearningIsDeterministic(t *testing.T) { // not parallel: it sets the number of cores
	learned := func(cores int, keep string) []byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		l, err := AfterLaw(read(t), options(), keep, nil)
		if err != nil {
			t.Fatal(err)
		}
		l.Lay(all)
		return table(t, l)
	}
	keep := filepath.Join(t.TempDir(), "law")
	want := learned(1, "")
	for name, got := range map[string][]byte{"two cores": learned(2, ""), "three": learned(3, keep), "kept": learned(2, keep)} {
		if !slices.Equal(got, want) {
			t.Errorf("%s: other bytes", name)
		}
	}
	o := options()
	o.LawSteps++
	c := read(t)
	if _, err := Recall(c, o, keep); !errors.Is(err, ErrOther) {
		t.Errorf("with other options: %v", err)
	}
}

// What people say comes to lie near the law that the sheets tie it to.
func TestLearningBringsWordsTogether(t *testing.T) {
	t.Parallel()
	l, err := AfterLaw(read(t), options(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	l.Lay(all)
	made, err := encode.Read(table(t, l))
	if err != nil {
		t.Fatal(err)
	}
	e := encode.Of(made)
	like := func(a, b string) (sum float32) {
		x, known := e.Encode(a)
		y, too := e.Encode(b)
		if !known || !too {
			t.Fatalf("%q or %q is not known", a, b)
		}
		for i := range x {
			sum += x[i] * y[i]
		}
		return sum
	}
	for _, c := range [][3]string{{"mon patron", "l’employeur", "le bailleur"}, {"mon appartement", "le preneur", "les époux"}, {"ma banque", "le créancier", "le licenciement"}} {
		if near, far := like(c[0], c[1]), like(c[0], c[2]); near < far+0.2 {
			t.Errorf("%q: %.2f to %q, %.2f to %q", c[0], near, c[1], far, c[2])
		}
	}
}

func TestCitationsAreFollowed(t *testing.T) {
	t.Parallel()
	c := read(t)
	if got := c.Articles[5].cites; len(got) != 1 || got[0] != 1 {
		t.Errorf("article 5 cites %v, want article 1", got)
	}
	if len(c.Articles[1].cites) != 0 || c.Articles[5].next != 6 || c.Articles[39].next != -1 {
		t.Errorf("%v, next %d and %d", c.Articles[1].cites, c.Articles[5].next, c.Articles[39].next)
	}
	for after, want := range map[string]bool{" du code civil": true, " du présent code": false, ". Le code": false, " de la loi n° 5": true, "": false} {
		if elsewhere(after) != want {
			t.Errorf("%q: %v", after, !want)
		}
	}
}

// The slope by which words are moved is that of the loss.
func TestSlopeIsTheLosss(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	const words, d, n = 9, 5, 6
	rows, idf := make([]float32, words*d), make([]float32, words)
	for i := range rows {
		rows[i] = float32(r.NormFloat64())
	}
	for i := range idf {
		idf[i] = 1 + r.Float32()
	}
	var pairs []pair
	for i := range n {
		p := pair{target: i % 5, group: -1}
		for range 3 {
			p.from, p.to = append(p.from, int32(r.IntN(words))), append(p.to, int32(r.IntN(words)))
		}
		pairs = append(pairs, p)
	}
	loss := func(rows, weights []float32) float64 {
		m := &model{d: d, rows: slices.Clone(rows), weights: slices.Clone(weights)}
		m.rest()
		return newDescent(m, 0.5).learn(pairs, 0)
	}
	m := newModel(slices.Clone(rows), idf, d)
	s := newDescent(m, 0.5)
	var texts [][]int32
	for _, p := range pairs {
		texts = append(texts, p.from)
	}
	for _, p := range pairs {
		texts = append(texts, p.to)
	}
	_, back := s.slopes(pairs, texts)
	s.scatter(texts, back)
	const step = 1e-3
	check := func(what string, at int, x []float32, slope float32) {
		was := x[at]
		x[at] = was + step
		up := loss(rows, m.weights)
		x[at] = was - step
		down := loss(rows, m.weights)
		x[at] = was
		if measured := (up - down) / (2 * step); math.Abs(measured-float64(slope)) > 5e-3 {
			t.Errorf("%s %d: slope %.4f, measured %.4f", what, at, slope, measured)
		}
	}
	for i := range rows {
		check("coordinate", i, rows, s.gradient.rows[i])
	}
	for i := range m.weights {
		check("weight", i, m.weights, s.gradient.weights[i])
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	t.Parallel()
	if _, err := Read(t.TempDir()); err == nil {
		t.Error("an empty folder is read")
	}
	dir := small(t)
	plain(t, filepath.Join(dir, QrelsFile), []string{"one column"})
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("%v", err)
	}
}
