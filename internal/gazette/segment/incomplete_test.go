package segment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment"
	"vigueur/internal/kit/testkit/compare"
)

func fields(doubts []remarks.Doubt) (out []string) {
	for _, d := range doubts {
		out = append(out, d.Field)
	}
	return out
}

const middleOfAnIssue = `  JOURNAL OFFICIEL DE LA RÉPUBLIQUE            15 mars 2019

dont la vente est libre dans toutes les communes.
  Art. 34. — Les sauniers sont tenus de déclarer leur récolte dans
le délai de douze mois.
  Art. 35. — La présente loi sera publiée.
  Villebourg, le 2 février 2019.

`

// TestRemainsBelongToNoText checks that the end of a text that begins before the file, and so has
// no title, becomes no text and makes no doubt, and that Remains locates it.
func TestRemainsBelongToNoText(t *testing.T) {
	t.Parallel()
	pages := typed(middleOfAnIssue + decree)
	got := segment.Split(pages, gazette.Hints{})
	if len(got.Texts) != 1 || got.Texts[0].Origin != 1 || len(got.Texts[0].Doubts) != 0 {
		t.Fatalf("%d texts, want the whole one: %+v", len(got.Texts), got.Texts)
	}
	same(t, "the whole one", got.Texts[0].Document.OfficialNumber, "2019-12/PM")
	if diff := compare.Diff(&gazette.Remains{First: at(t, pages, "JOURNAL OFFICIEL"), FirstPage: 1, LastPage: 1, Articles: []string{"34", "35"}}, got.Remains); diff != "" {
		t.Errorf("remains:\n%s", diff)
	}
	loose := ""
	for _, l := range got.Loose {
		loose += l.Text() + "\n"
	}
	for _, words := range []string{"dont la vente est libre", "Art. 34.", "sera publiée"} {
		if !strings.Contains(loose, words) {
			t.Errorf("%q is lost", words)
		}
	}
	for _, l := range got.Lines {
		if strings.Contains(l.Text, "sauniers") && (l.Label != gazette.LabelLoose || l.TextIndex != -1) {
			t.Errorf("%q is %s of text %d", l.Text, l.Label, l.TextIndex)
		}
	}
}

// Where the numbering of such an end begins again, a title was lost in it: the other text is never lost with it.
func TestRemainsThatHoldAnotherText(t *testing.T) {
	t.Parallel()
	again := "  Art. 1er. — Le sel gris est libre.\n  Art. 2. — Le sel blanc est taxé.\n  Villebourg, le 3 février 2019.\n\n"
	got := segment.Split(typed(middleOfAnIssue+again+decree), gazette.Hints{})
	if len(got.Texts) != 2 || got.Remains != nil || !slices.Contains(fields(got.Texts[0].Doubts), "articles") {
		t.Errorf("%d texts, remains %+v", len(got.Texts), got.Remains)
	}
}

// TestRemainsThatAnEditNames checks that the end of a text that begins before the file becomes a text with doubts if an
// edit names it, that it has the origin it had before, and that the other text keeps its own.
func TestRemainsThatAnEditNames(t *testing.T) {
	t.Parallel()
	pages := typed(middleOfAnIssue + decree)
	edit := gazette.Edit{Kind: gazette.Correct, Made: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Lines: places(t, pages, "le délai de douze"), Text: "le délai de dix mois."}
	got := segment.Split(pages, gazette.Hints{Edits: []gazette.Edit{edit}})
	if len(got.Texts) != 2 || got.Remains != nil || len(got.Unapplied) > 0 {
		t.Fatalf("%d texts, remains %v, unapplied %v", len(got.Texts), got.Remains, got.Unapplied)
	}
	head := got.Texts[0]
	same(t, "numbers", numbers(head), "34 35")
	if !slices.Contains(fields(head.Doubts), "complet") || head.Origin != 0 || got.Texts[1].Origin != 1 {
		t.Errorf("doubts %v, origins %d and %d", head.Doubts, head.Origin, got.Texts[1].Origin)
	}
	if !strings.Contains(head.Articles[0].Text, "dont la vente est libre") || !strings.Contains(head.Articles[1].Text, "dix mois") {
		t.Errorf("words are lost: %+v", head.Articles)
	}
}

// TestTextWithoutItsTitleIsDoubted checks that a text with visas and a formula begins in the file.
func TestTextWithoutItsTitleIsDoubted(t *testing.T) {
	t.Parallel()
	lost := `  Le Premier ministre,
  Vu la Constitution ;
  Vu la loi n° 2010-05 du 3 mai 2010 portant Code du commerce ;

                          DÉCRÈTE :

  Art. 2. — Les sauniers sont tenus de déclarer leur récolte.
  Art. 3. — Le présent décret sera publié.
  Villebourg, le 2 février 2019.

`
	got := segment.Split(typed(lost+decree), gazette.Hints{})
	if len(got.Texts) != 2 || got.Remains != nil || len(got.Texts[0].Doubts) == 0 {
		t.Errorf("%d texts, remains %+v", len(got.Texts), got.Remains)
	}
}

// TestScanWithoutAnEnding checks the first pages of a scanned law, which end with neither a final clause nor a
// signature.
func TestScanWithoutAnEnding(t *testing.T) {
	t.Parallel()
	open := lawOf("Article 1er :", "Article 2 :", "Article 3 :")
	for name, c := range map[string]struct {
		text   string
		scan   bool
		doubts string
	}{
		"a scan":               {open, true, "complet"},
		"of two articles":      {lawOf("Article 1er :", "Article 2 :"), true, "complet"},
		"a print":              {open, false, ""},
		"a full page":          {strings.Replace(open, "  Article 2", "\f"+strings.Repeat("\n", 40)+"  Article 2", 1), false, "complet"},
		"half a page":          {strings.Replace(open, "  Article 2", "\f\n\n\n\n\n\n\n  Article 2", 1), false, ""},
		"with other orders":    {open + "  Article 4 : Le sursis à exécution du titre et l’abrogation du bail sont publiés.\n", true, "complet"},
		"with a final clause":  {open + "  Article 4 : La présente loi sera exécutée comme loi de l'État.\n", true, ""},
		"with a repeal":        {open + "  Article 4 : Sont abrogées toutes dispositions contraires.\n  Article 5 : Le sel est gris.\n", true, ""},
		"signed":               {open + "  Villebourg, le 2 mars 2019.\n", true, ""},
		"of one article":       {lawOf("Article unique :"), true, ""},
		"with an annex behind": {open + "\n                             ANNEXE\n  Le sel gris : dix écus.\n", true, ""},
	} {
		pages := typed(c.text)
		if c.scan {
			pages = scanned(c.text)
		}
		same(t, name, strings.Join(fields(segment.Split(pages, gazette.Hints{}).Texts[0].Doubts), " "), c.doubts)
	}
}

// TestPrintWithoutAnEnding checks a file whose last text has no ending, although the others have one.
func TestPrintWithoutAnEnding(t *testing.T) {
	t.Parallel()
	open := strings.Replace(lawOf("Article 1er :", "Article 2 :", "Article 3 :"), "2019-3", "2019-7", 1)
	for name, c := range map[string]struct{ text, doubts string }{
		"behind a signed one":       {decree + open, "complet"},
		"signed too":                {decree + open + "  Villebourg, le 2 mars 2019.\n", ""},
		"behind one without an end": {lawOf("Article 1er :", "Article 2 :", "Article 3 :") + "\n" + open, ""},
	} {
		got := segment.Split(typed(c.text), gazette.Hints{})
		if len(got.Texts) != 2 {
			t.Fatalf("%s: %d texts", name, len(got.Texts))
		}
		same(t, name, strings.Join(fields(got.Texts[1].Doubts), " "), c.doubts)
	}
}

// TestRemainsAreNotNamedAfterTheFile checks that the name of a file goes to the text that begins in it.
// If the file only contains the end of a text, this becomes a text with doubts.
func TestRemainsAreNotNamedAfterTheFile(t *testing.T) {
	t.Parallel()
	const end = "  ARTICLE 111 : Les sauniers déclarent leur récolte au receveur.\n\n"
	hints := gazette.Hints{Filename: "decret-2019-12-sel.pdf"}
	got := segment.Split(typed(end+decree), hints)
	if len(got.Texts) != 1 || got.Remains == nil || len(got.Texts[0].Doubts) != 0 {
		t.Fatalf("%d texts, remains %+v", len(got.Texts), got.Remains)
	}
	same(t, "the text", got.Texts[0].Document.OfficialNumber, "2019-12/PM")
	if got := segment.Split(typed(end), hints); len(got.Texts) != 1 || got.Remains != nil || len(got.Texts[0].Doubts) == 0 {
		t.Errorf("alone: %d texts, remains %+v", len(got.Texts), got.Remains)
	}
}

func TestTextThatBreaksOffIsIncomplete(t *testing.T) {
	t.Parallel()
	whole := lawOf("Article 1er :", "Article 2 :", "Article 3 :")
	cut := whole[:strings.LastIndex(whole, "\nvendent")]
	for name, c := range map[string]struct{ text, doubts string }{
		"whole":               {whole, ""},
		"within a sentence":   {cut, "complet"},
		"within a list":       {whole + "  Article 4 : Sont salés :\n  - le sel gris ;\n", "complet"},
		"below a head":        {whole + "  Article 4 :\n", "complet"},
		"before another text": {whole + "  Article 4 : Sont salés :\n  - le sel gris ;\n\f" + decree, "complet"},
	} {
		issue := segment.Split(typed(c.text), gazette.Hints{})
		same(t, name, strings.Join(fields(issue.Texts[0].Doubts), " "), c.doubts)
	}
}

// A numbering that goes back and later continues has lost nothing: pages were bound or scanned twice, which
// is a sign.
func TestArticlesPrintedTwiceAreNotMissing(t *testing.T) {
	t.Parallel()
	heads := func(start, end int) string {
		b := ""
		for n := start; n <= end; n++ {
			b += fmt.Sprintf("  Article %d : La règle numéro %d vaut pour le sel gris et pour le sel blanc.\n", n, n)
		}
		return b
	}
	x := split(t, lawOf("Article premier :")+heads(2, 9)+heads(4, 7)+heads(10, 14)+"  Villebourg, le 2 mars 2019.\n", gazette.Hints{})
	if len(x.Absent) > 0 {
		t.Errorf("missing: %v", x.Absent)
	}
	reasons := ""
	for _, w := range x.Signals {
		reasons += w.Doubt.Why.Sentence()
	}
	if strings.Contains(reasons, "il manque") || !strings.Contains(reasons, "Des articles se lisent deux fois : 4–7") && !strings.Contains(reasons, "le compte des articles n’en attend pas là") {
		t.Errorf("reasons: %s", reasons)
	}
}
