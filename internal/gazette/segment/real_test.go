package segment_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/law"
)

const shared = "../../../../shared/data/"

// onlyDeep skips what takes a minute under the race detector, unless VIGUEUR_TEST_DEEP=1.
func onlyDeep(t *testing.T) {
	t.Helper()
	if deep, err := strconv.ParseBool(os.Getenv("VIGUEUR_TEST_DEEP")); err != nil || !deep {
		t.Skip("hundreds of pages are read by scripts/check --deep")
	}
}

// TestRealFiles cuts official PDFs whose articles were counted by hand.
func TestRealFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file   string
		kind   law.DocType // type of the first text
		number string
		counts []int // articles of each text; -1 for any number
		long   bool  // hundreds of pages
	}{
		{"burkina-faso/loi-028-2008-code-du-travail", law.Code, "28-2008/AN", []int{433}, false},
		{"burkina-faso/decret-2014-611-etablissements-publics", law.Decret, "2014-611/PRES/PM/MEF", []int{40}, false},
		{"cameroun/loi-1997-012-etrangers", law.Loi, "1997/012", []int{51}, false},
		{"cameroun/constitution-1996", law.Constitution, "96/06", []int{69}, false},
		{"tunisie/loi-2025-09-contrats-travail", law.Loi, "2025-9", []int{10}, false},
		{"tunisie/circulaire-bct-2021-05", law.Circulaire, "2021-05", []int{71}, false},
		{"tunisie/code-droit-international-prive", law.Code, "98-97", []int{3 + 76}, false},
		{"tunisie/loi-2016-48-banques-jort", law.Loi, "2016-48", []int{198, 1}, false},
		{"maroc/loi-65-99-code-du-travail-2011", law.Code, "65-99", []int{589}, true},
		{"maroc/moudawana-chiffre", law.Code, "70-03", []int{400, -1, -1}, true},
		{"ohada/acte-uniforme-arbitrage-2017", law.Loi, "", []int{38}, false},
		{"ohada/traite-1993", law.Loi, "", []int{63}, false},
		{"ohada/reglement-procedure-ccja-1996", law.Loi, "", []int{59}, false},
		{"cameroun/loi-2000-015-financement-partis", law.Loi, "200/015", []int{16}, false}, // as printed: no file's name confirms 2000
		{"burkina-faso/decret-2000-190-pca-numerique", law.Decret, "2000-190/PRES/PM/MCIA", []int{12}, false},
		{"senegal/jo-7257-2020-special", law.Loi, "2020-05", []int{3, 2, 2, 2, 1, 2, 23}, false},
		{"tunisie/code-societes-commerciales", law.Code, "2000-93", []int{-1, 4, 8, 15, 20, 24, 18, -1, 14, 53, 3, 34, -1}, true},
		{"senegal/cocc-code-obligations-civiles-commerciales", law.Loi, "63-62", []int{923}, true},
		{"ohada/audcg-1997", law.Loi, "", []int{289}, false},
		{"senegal/loi-98-23-igaj", law.Loi, "98-23", []int{-1}, false},        // its reasons have the title too
		{"luxembourg/memorial-1983-a17", law.Decret, "", []int{8, 26}, false}, // quotes articles without marks, and counts in Roman figures
		{"congo/jo-2025-26", law.Loi, "10-2025", []int{65, -1, 12, 10, 2, 2, 0, 0, 0, 0, 0, 0}, false},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			if c.long {
				onlyDeep(t)
			}
			got := segment.Split(arranged(t, shared+"pdfs/"+c.file+".pdf"), gazette.Hints{})
			if len(got.Texts) != len(c.counts) {
				t.Fatalf("%d texts, want %d", len(got.Texts), len(c.counts))
			}
			first := got.Texts[0]
			if first.Document.Type != c.kind || first.Document.OfficialNumber != c.number {
				t.Errorf("%s %q, want %s %q", first.Document.Type, first.Document.OfficialNumber, c.kind, c.number)
			}
			for i, x := range got.Texts {
				if n := articleCount(x); c.counts[i] >= 0 && n != c.counts[i] {
					t.Errorf("text %d (%s): %d articles, want %d", i, x.Document.Title, n, c.counts[i])
				}
				checkShape(t, x)
			}
		})
	}
}

func articleCount(x gazette.Text) int {
	n := 0
	for _, a := range x.Articles {
		if a.Number != "" && !strings.HasPrefix(a.Number, "Annexe") {
			n++
		}
	}
	return n
}

// TestAgainstSplitCode compares the words of articles with a code that others have split, heading by heading.
// Their texts include the next heading and contain errors, so only a share of the articles must agree.
func TestAgainstSplitCode(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(shared + "codes/burkina-code-du-travail.json")
	if err != nil {
		t.Skip("the split code is not here: burkina-code-du-travail.json")
	}
	want, right := burkina(t, raw), 0
	for _, a := range segment.Split(arranged(t, shared+"pdfs/burkina-faso/loi-028-2008-code-du-travail.pdf"), gazette.Hints{}).Texts[0].Articles {
		w, known := want[law.ArticleKey(a.Number)]
		switch {
		case a.Number == "" || !known:
		case a.Text != "" && strings.HasPrefix(letters(w), letters(a.Text)):
			right++
		default:
			t.Logf("article %s: %q, want %q", a.Number, a.Text, w)
		}
	}
	if share := float64(right) / float64(len(want)); share < 0.99 {
		t.Errorf("%d of %d articles have the same words", right, len(want))
	}
}

// burkina reads a tree of titles whose leaves are articles.
func burkina(t *testing.T, raw []byte) map[string]string {
	t.Helper()
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			if n, ok := v["Article"].(string); ok {
				text, _ := v["Texte"].(string)
				out[law.ArticleKey(n)] = text
			}
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(tree)
	return out
}

// TestRealForceClauses reads laws that enter into force at the beginning of a month.
func TestRealForceClauses(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"13-force-131", "13-force-135"} {
		x := segment.Split(arranged(t, shared+"reports/"+file+".pdf"), gazette.Hints{})
		if len(x.Texts) != 1 {
			t.Fatalf("%s: %d texts", file, len(x.Texts))
		}
		if got := x.Texts[0].Document.EntersInForce.Format("2006-01-02"); got != "2024-07-01" || len(x.Texts[0].Doubts) > 0 {
			t.Errorf("%s: in force on %s, doubts %v", file, got, x.Texts[0].Doubts)
		}
	}
}
