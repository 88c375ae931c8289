package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// fixture is one run of the generator, shared by the tests that read its output.
type fixture struct {
	engine *engine
	files  []output
	truth  truth
}

func sampleTexts(t *testing.T) fs.FS {
	t.Helper()
	texts, err := fs.Sub(sources, "texts")
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func generated(t *testing.T) *fixture {
	t.Helper()
	e, err := newEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	files, err := e.generate(sampleTexts(t))
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{engine: e, files: files}
	if err := json.Unmarshal(f.file(t, "truth.json"), &f.truth); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fixture) file(t *testing.T, path string) []byte {
	t.Helper()
	for _, o := range f.files {
		if o.Path == path {
			return o.Data
		}
	}
	t.Fatalf("no file %s was made", path)
	return nil
}

// One engine serves all these: compiling it is most of the time they take.
func TestGenerated(t *testing.T) {
	t.Parallel()
	f := generated(t)
	t.Run("twice the same", f.twiceTheSame)
	t.Run("as committed", f.asCommitted)
	t.Run("texts on their pages", f.textsOnTheirPages)
	t.Run("the scan is images only", f.scanIsImages)
	t.Run("small enough", f.smallEnough)
}

func (f *fixture) twiceTheSame(t *testing.T) {
	again, err := f.engine.generate(sampleTexts(t))
	if err != nil {
		t.Fatal(err)
	}
	one, two := t.TempDir(), t.TempDir()
	if err := write(one, f.files); err != nil {
		t.Fatal(err)
	}
	if err := write(two, again); err != nil {
		t.Fatal(err)
	}
	if err := compare(one, again); err != nil {
		t.Error(err)
	}
	if err := compare(two, f.files); err != nil {
		t.Error(err)
	}
}

func (f *fixture) asCommitted(t *testing.T) {
	if err := compare(".", f.files); err != nil {
		t.Error(err)
	}
}

// Each article is searched in the text layer of the pages the truth says, each
// after the one before, with the hyphens of the line ends mended.
func (f *fixture) textsOnTheirPages(t *testing.T) {
	for _, is := range f.truth.Issues {
		pages := f.pageTexts(t, f.file(t, "gazettes/"+is.File))
		if len(pages) != is.Pages {
			t.Errorf("%s: %d pages, the truth says %d", is.ID, len(pages), is.Pages)
		}
		for _, text := range f.truth.Texts {
			if text.Issue == is.ID {
				checkText(t, text, pages)
			}
		}
	}
}

func checkText(t *testing.T, text *textTruth, pages []string) {
	t.Helper()
	if !text.Abridged && !strings.Contains(pages[text.FirstPage-1], fold(text.Title)) {
		t.Errorf("%s: the title is not on page %d", text.Number, text.FirstPage)
	}
	body := strings.Join(pages[text.FirstPage-1:text.LastPage], "")
	at := 0
	for _, a := range text.Articles {
		if !opens(pages[a.Page-1], a) {
			t.Errorf("%s, article %s does not open on page %d", text.Number, a.Number, a.Page)
		}
		i := strings.Index(body[at:], fold(a.Text))
		if i < 0 {
			t.Errorf("%s, article %s: its text is not on pages %d to %d, in order", text.Number, a.Number, a.Page, a.LastPage)
			continue
		}
		at += i
	}
	for _, a := range text.Annexes {
		if !strings.Contains(strings.Join(pages[a.Page-1:a.LastPage], ""), fold(a.Title+a.Text)) {
			t.Errorf("%s: annex %q is not on pages %d to %d", text.Number, a.Title, a.Page, a.LastPage)
		}
	}
	for line := range strings.Lines(text.Preamble) {
		if !strings.Contains(body, fold(line)) {
			t.Errorf("%s: %q is not on its pages", text.Number, line)
		}
	}
}

// opens tells whether a page has the head of an article and its first words.
func opens(page string, a *articleTruth) bool {
	first := []rune(fold(a.Text))
	words := string(first[:min(len(first), 12)])
	return strings.Contains(page, fold(a.Number)+words) || a.Number == "1er" && strings.Contains(page, "premier"+words)
}

// runningHead matches what stands above the columns, folded.
var runningHead = regexp.MustCompile(`^(\d+)?(n\d+\d{1,2}(er)?\p{L}+\d{4})?journalofficieldelarépubliquedastrevalle(n\d+\d{1,2}(er)?\p{L}+20\d\d|\d+)`)

// pageTexts reads the text layer, folded to letters and digits, without the
// running heads, so that a text that goes over a page is one string.
func (f *fixture) pageTexts(t *testing.T, data []byte) []string {
	t.Helper()
	r, err := f.engine.open(data)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	var pages []string
	for i := range r.pages {
		text, err := r.text(i)
		if err != nil {
			t.Fatal(err)
		}
		folded := fold(text)
		cut := runningHead.ReplaceAllString(folded, "")
		if i > 0 && cut == folded {
			t.Errorf("page %d has no running head: %.80s", i+1, folded)
		}
		pages = append(pages, cut)
	}
	return pages
}

// fold keeps lower-case letters and digits: a hyphen at a line end, a line feed
// and a space are nothing.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

func (f *fixture) scanIsImages(t *testing.T) {
	seen := 0
	for _, is := range f.truth.Issues {
		if is.Scan == "" {
			continue
		}
		seen++
		data := f.file(t, "gazettes/"+is.Scan)
		if pages := f.scanTexts(t, data); len(pages) != is.Pages || strings.Join(pages, "") != "" {
			t.Errorf("%s: %d pages with text %q", is.Scan, len(pages), pages)
		}
		// 1654 by 2339 pixels is A4 at 200 dpi; each page is a pixel wider than the last.
		for i := range is.Pages {
			if want := fmt.Sprintf("/Width %d\n/Height 2339\n", 1654+i); bytes.Count(data, []byte(want)) != 1 {
				t.Errorf("%s: no single image with %q", is.Scan, want)
			}
		}
	}
	if seen != 1 {
		t.Errorf("%d issues are scanned", seen)
	}
}

func (f *fixture) scanTexts(t *testing.T, data []byte) []string {
	t.Helper()
	r, err := f.engine.open(data)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	var pages []string
	for i := range r.pages {
		text, err := r.text(i)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, text)
	}
	return pages
}

func (f *fixture) smallEnough(t *testing.T) {
	total := 0
	for _, o := range f.files {
		total += len(o.Data)
	}
	if total > 4<<20 {
		t.Errorf("the files are %d bytes together", total)
	}
}

func TestCompareNamesTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := []output{{"gazettes/a.pdf", []byte("a")}, {"gazettes/b.pdf", []byte("b")}, {"truth.json", []byte("{}")}}
	if err := write(dir, files); err != nil {
		t.Fatal(err)
	}
	if err := compare(dir, files); err != nil {
		t.Fatalf("nothing differs: %v", err)
	}
	a, b, c := filepath.Join(dir, "gazettes", "a.pdf"), filepath.Join(dir, "gazettes", "b.pdf"), filepath.Join(dir, "gazettes", "c.pdf")
	for _, name := range []string{a, c} {
		if err := os.WriteFile(name, []byte("other"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	err := compare(dir, files)
	for _, name := range []string{a + " differs", b, c + " is not made"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v does not say %q", err, name)
		}
	}
}

// committedTruth reads truth.json as other tests do.
func committedTruth(t *testing.T) truth {
	t.Helper()
	data, err := os.ReadFile("truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var all truth
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	all := committedTruth(t)
	count := map[string]int{}
	domains := []string{"travail", "impots", "douanes", "foncier", "civil", "penal", "autre"}
	for _, x := range all.Texts {
		kind := x.DocType
		if x.Abridged {
			kind = "appointment"
		}
		count[kind]++
		if !slices.Contains(domains, x.Domain) {
			t.Errorf("%s: domain %q", x.Number, x.Domain)
		}
		if x.Signed > x.InForce || x.InForce >= "2026-06-01" {
			t.Errorf("%s: signed %s, in force %s", x.Number, x.Signed, x.InForce)
		}
		for _, a := range x.Articles {
			if a.Page < x.FirstPage || a.LastPage > x.LastPage || a.Page > a.LastPage {
				t.Errorf("%s, article %s: pages %d to %d of %d to %d", x.Number, a.Number, a.Page, a.LastPage, x.FirstPage, x.LastPage)
			}
		}
		count["articles of "+x.DocType] += len(x.Articles)
		for _, r := range x.Relations {
			count[r.Kind]++
		}
	}
	for kind, least := range map[string]int{
		"code": 1, "articles of code": 85, "loi": 4, "decret": 3, "arrete": 3, "circulaire": 1, "appointment": 2,
		"abroge": 2, "modifie": 3, "insere": 2,
	} {
		if count[kind] < least {
			t.Errorf("%d of %s, want %d", count[kind], kind, least)
		}
	}
}

// What the law says is not the same on every day: this is what the sample is for.
func TestRelationsCarryTheNewWording(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, x := range committedTruth(t).Texts {
		for _, r := range x.Relations {
			if r.Kind == "abroge" {
				continue
			}
			for i, n := range r.NewTexts {
				seen++
				if n.Number != r.Articles[i] || n.Text == "" {
					t.Errorf("%s on %s, article %s: %+v", x.Number, r.Target, r.Articles[i], n)
				}
			}
			if len(r.NewTexts) != len(r.Articles) {
				t.Errorf("%s on %s: %d wordings for %v", x.Number, r.Target, len(r.NewTexts), r.Articles)
			}
		}
	}
	if seen < 5 {
		t.Errorf("%d articles get a new wording", seen)
	}
}
