package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// command builds the generator as its users run it: without the race detector,
// under which PDFium's sandbox takes half a minute to compile.
func command(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "sample")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// Two processes make the same bytes, and they are the committed ones. The second
// only checks, and finds the one file that was changed after the first.
func TestGeneratedTwiceAndAsCommitted(t *testing.T) {
	t.Parallel()
	bin, dir := command(t), t.TempDir()
	if out, err := exec.CommandContext(t.Context(), bin, "-dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := compare(".", readOutputs(t, dir)); err != nil {
		t.Errorf("committed files: %v", err)
	}
	changed := filepath.Join(dir, "truth.json")
	if err := os.WriteFile(changed, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), bin, "-check", "-dir", dir).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("-check ended with %v, want exit code 1", err)
	}
	if want := "sample: " + changed + " differs from what go run ./scripts/sample makes\n"; string(out) != want {
		t.Errorf("-check said\n%swant\n%s", out, want)
	}
}

func readOutputs(t *testing.T, dir string) []output {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "gazettes", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var files []output
	for _, name := range append(names, filepath.Join(dir, "truth.json")) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Rel(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, output{filepath.ToSlash(path), data})
	}
	return files
}

// Each article is searched in the text layer of the pages the truth says, each
// after the one before, with the hyphens of the line ends mended.
func TestTextsAreOnTheirPages(t *testing.T) {
	t.Parallel()
	all := committedTruth(t)
	for _, is := range all.Issues {
		pages := bodyTexts(t, is.File)
		if len(pages) != is.Pages {
			t.Errorf("%s: %d pages, the truth says %d", is.ID, len(pages), is.Pages)
		}
		for _, text := range all.Texts {
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

// opens reports whether a page has the head of an article and its first words.
func opens(page string, a *articleTruth) bool {
	first := []rune(fold(a.Text))
	words := string(first[:min(len(first), 12)])
	return strings.Contains(page, fold(a.Number)+words) || a.Number == "1er" && strings.Contains(page, "premier"+words)
}

// runningHead matches what stands above the columns, folded.
var runningHead = regexp.MustCompile(`^(\d+)?(n\d+\d{1,2}(er)?\p{L}+\d{4})?journalofficieldelarépubliquedastrevalle(n\d+\d{1,2}(er)?\p{L}+20\d\d|\d+)`)

// pageTexts is the text layer of each page, in the order in which it was drawn.
func pageTexts(t *testing.T, file string) []string {
	t.Helper()
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext is not installed: run scripts/setup")
	}
	out, err := exec.CommandContext(t.Context(), tool, "-raw", "-enc", "UTF-8", filepath.Join("gazettes", file), "-").Output()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	pages := strings.Split(string(out), "\f")
	return pages[:len(pages)-1] // a form feed ends each page
}

// bodyTexts is the text layer folded to letters and digits, without the running
// heads, so that a text that goes over a page is one string.
func bodyTexts(t *testing.T, file string) []string {
	t.Helper()
	var pages []string
	for i, text := range pageTexts(t, file) {
		folded := fold(text)
		cut := runningHead.ReplaceAllString(folded, "")
		if i > 0 && cut == folded {
			t.Errorf("%s: page %d has no running head: %.80s", file, i+1, folded)
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

func TestScanIsImagesOnly(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, is := range committedTruth(t).Issues {
		if is.Scan == "" {
			continue
		}
		seen++
		if pages := pageTexts(t, is.Scan); len(pages) != is.Pages || strings.TrimSpace(strings.Join(pages, "")) != "" {
			t.Errorf("%s: %d pages with text %q", is.Scan, len(pages), pages)
		}
		data, err := os.ReadFile(filepath.Join("gazettes", is.Scan))
		if err != nil {
			t.Fatal(err)
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

func TestCommittedFilesAreSmall(t *testing.T) {
	t.Parallel()
	total := 0
	for _, o := range readOutputs(t, ".") {
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
