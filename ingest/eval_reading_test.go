package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

const sample = "../scripts/sample/"

// gazetteFolder puts a sample gazette into a folder of its own, as issue.pdf.
func gazetteFolder(t *testing.T) (dir string) {
	t.Helper()
	raw, err := os.ReadFile(sample + "gazettes/jo-2025-05.pdf")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	written(t, dir, "issue.pdf", string(raw))
	return dir
}

func TestEvalArticlesOfTheSample(t *testing.T) {
	t.Parallel()
	d := &desk{dir: t.TempDir()}
	r := d.run(t, "eval", "articles", sample, "--json")
	var got struct {
		Articles, Identical int
		Share               float64
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.code != exitDone {
		t.Fatalf("%v: %+v", err, r)
	}
	if got.Articles != 195 || got.Identical != 195 || got.Share != 1 {
		t.Errorf("%+v, want all 195 articles of the sample", got)
	}
}

func TestEvalGazetteTellsWhatIsMissingInventedAndWrong(t *testing.T) {
	t.Parallel()
	d := &desk{dir: gazetteFolder(t)}
	written(t, d.dir, "groundtruth.json", `{
"issue.pdf": {"date": "2025-03-15", "texts": [
  {"type": "loi", "number": "2025-03", "date": "2025-02-20", "articles": 8},
  {"type": "decret", "number": "2025-019", "date": "2025-03-03"},
  {"type": "decret", "number": "2024-999", "date": "2024-03-03"}]},
"notes": {"issue.pdf": "not a truth"}}`)
	cache := filepath.Join(d.dir, "words")
	r := d.run(t, "eval", "gazette", d.dir, "--pages", cache, "--json")
	var got struct {
		Files           []gazetteScore
		Texts, Invented int
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || len(got.Files) != 1 {
		t.Fatalf("%v: %+v", err, r)
	}
	f := got.Files[0]
	if !slices.Equal(f.Missing, []string{"decret 2024-999"}) || len(f.Wrong) == 0 || !strings.Contains(f.Wrong[0], "articles, et non 8") {
		t.Errorf("%+v", f)
	}
	if got.Texts != 3 || got.Invented != 5 {
		t.Errorf("%d texts, %d invented; the issue has 7, of which the truth names 2", got.Texts, got.Invented)
	}
	if !strings.Contains(r.err, "Lecture de issue.pdf") {
		t.Errorf("said %q", r.err)
	}
	again := d.run(t, "eval", "gazette", d.dir, "--pages", cache)
	if strings.Contains(again.err, "Lecture") || !strings.Contains(again.out, "5 inventés") {
		t.Errorf("kept words were read again: %+v", again)
	}
}

func TestEvalMetadataJudgesEachDatum(t *testing.T) {
	t.Parallel()
	d := &desk{dir: gazetteFolder(t)}
	written(t, d.dir, "manifest.csv", "file,title,doc_type,number,promulgation_date\n"+
		"issue.pdf,le journal,journal_officiel,JO 5/2025,2025-03-15\n"+
		"issue.pdf,la loi,loi,2025-03,1999-01-01\n"+
		"issue.pdf,sans date,decret,2025-019,\n")
	r := d.run(t, "eval", "metadata", d.dir, "--json")
	var got struct {
		Files []metadataScore
		Wrong int `json:"wrong_unreviewed"`
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || len(got.Files) != 3 {
		t.Fatalf("%v: %+v", err, r)
	}
	var verdicts [][3]string
	for _, f := range got.Files {
		verdicts = append(verdicts, [3]string{f.Type, f.Number, f.Date})
	}
	want := [][3]string{{right, right, right}, {right, right, wrong}, {right, right, wrong}}
	if !slices.Equal(verdicts, want) || got.Wrong != 2 {
		t.Errorf("%v, want %v", verdicts, want)
	}
}

func TestEvalRefusesWhatIsNoTruth(t *testing.T) {
	t.Parallel()
	d := &desk{dir: t.TempDir()}
	written(t, d.dir, "groundtruth.json", "{}")
	written(t, d.dir, "manifest.csv", "file,number\na.pdf,1\n")
	for _, args := range [][]string{{"gazette", d.dir}, {"gazette", "nowhere"}, {"metadata", d.dir}, {"articles", d.dir}} {
		if r := d.run(t, append([]string{"eval"}, args...)...); r.code != exitUsage || r.err == "" {
			t.Errorf("%v: %+v, want a sentence and the code of a wrong command", args, r)
		}
	}
}

func TestScoreArticles(t *testing.T) {
	t.Parallel()
	rule := func(n string) string {
		return "La règle " + n + " vaut pour tous les habitants de la " + n + " commune, sans exception " + n + "."
	}
	p := pair{want: []splitArticle{
		{"1er", rule("une")}, {"2", rule("deux")}, {"3", rule("trois")}, {"4", rule("quatre")}, {"5", rule("cinq")}, {"7", rule("sept")},
	}}
	got := []law.Article{
		{Number: "1er", Text: strings.ReplaceAll(rule("une"), " ", "\n")},
		{Number: "2", Text: rule("deux") + " " + rule("trois")}, // an article swallowed the next one's words
		{Number: "3", Text: "Voir plus haut."},
		{Number: "4", Text: "En principe, " + rule("quatre")}, // another edition's words
		{Number: "6", Text: rule("cinq")},                     // an article under another number
	}
	s := scoreArticles(p, got, map[string]int{"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6": 1})
	if s.Same != 1 || s.Cut != 2 || s.Other != 1 || len(s.Wrong) != 2 {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(s.Missing, []string{"5"}) || !slices.Equal(s.Invented, []string{"6"}) {
		t.Errorf("missing %v, invented %v", s.Missing, s.Invented)
	}
}

func TestNamedAfter(t *testing.T) {
	t.Parallel()
	for truth, want := range map[string]bool{
		"codes/burkina-code-du-travail.json": true, "codes/fr-code-du-travail.md": false, "codes/code-travail.jsonl": true, "codes/code-douane.jsonl": false,
	} {
		if got := namedLike("pdfs/burkina-faso/loi-28-code-du-travail.pdf", truth); got != want {
			t.Errorf("%s: %v", truth, got)
		}
	}
}

func TestReadSplit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{
		written(t, dir, "a.jsonl", `{"num":"0","text":"Préambule"}`+"\n"+`{"num":"1","text":"Un."}`+"\n"+`{"num":"2","text":"Deux."}`),
		written(t, dir, "a.json", `{"Titres":[{"Titre":"I","Articles":[{"Article":"1","Texte":"Un."},{"Article":"2","Texte":"Deux."}]}]}`),
		written(t, dir, "a.md", "# Code\n\n## Article 1\n\nUn.\n\n## Titre II\n\nRien.\n\n### Article ANNEXE, art. 2\n\nDeux.\n"),
	} {
		got, err := readSplit(path)
		if err != nil || len(got) != 2 || got[0].number != "1" || blind(got[1].text) != "Deux." || got[1].number != "2" {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
	if _, err := readSplit(written(t, dir, "b.jsonl", "{")); err == nil {
		t.Error("half a line was read")
	}
}
