package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folder has a sample gazette, as issue.pdf, and a manifest.
func folder(t *testing.T, manifest string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	raw, err := os.ReadFile("../../../scripts/sample/gazettes/jo-2025-05.pdf")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"issue.pdf": raw, "manifest.csv": []byte(manifest)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEvaluateJudgesEachDatum(t *testing.T) {
	t.Parallel()
	dir := folder(t, "file,title,doc_type,number,promulgation_date\n"+
		"issue.pdf,le journal,journal_officiel,JO 5/2025,2025-03-15\n"+
		"issue.pdf,la loi,loi,2025-03,1999-01-01\n"+
		"issue.pdf,sans date,decret,2025-019,\n")
	scores, err := evaluate(t.Context(), reader(t, filepath.Join(dir, "words")), dir)
	if err != nil {
		t.Fatal(err)
	}
	var verdicts [][3]string
	for _, f := range scores {
		verdicts = append(verdicts, [3]string{f.Type, f.Number, f.Date})
	}
	if want := [][3]string{{right, right, right}, {right, right, wrong}, {right, right, wrong}}; !slices.Equal(verdicts, want) {
		t.Errorf("%v, want %v", verdicts, want)
	}
	var people, machine strings.Builder
	if err := tell(&people, scores, false); err != nil || !strings.Contains(people.String(), "2 wrong without review") {
		t.Errorf("%v: %s", err, people.String())
	}
	if err := tell(&machine, scores, true); err != nil || !strings.Contains(machine.String(), `"wrong_unreviewed": 2`) {
		t.Errorf("%v: %s", err, machine.String())
	}
}

func TestEvaluateRefusesBadManifests(t *testing.T) {
	t.Parallel()
	for want, manifest := range map[string]string{
		`column "doc_type"`:   "file,number\na.pdf,1\n",
		"names a.pdf":         "file,doc_type,number,promulgation_date\na.pdf,loi,1,2020-01-01\n",
		"the CSV file is emp": "",
	} {
		if _, err := evaluate(t.Context(), reader(t, ""), folder(t, manifest)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want « %s »", err, want)
		}
	}
}
