package segment_test

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/segment"
)

func fields(doubts []law.Doubt) (out []string) {
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

func TestATextBegunBeforeTheFileIsKeptAndSaidToBeIncomplete(t *testing.T) {
	t.Parallel()
	got := segment.Split(typed(middleOfAnIssue+decree), segment.Hints{})
	if len(got.Texts) != 2 {
		t.Fatalf("%d texts, want the end of one and a whole one", len(got.Texts))
	}
	head, whole := got.Texts[0], got.Texts[1]
	same(t, "numbers", numbers(head), "34 35")
	if !slices.Contains(fields(head.Doubts), "complet") {
		t.Errorf("doubts %v", head.Doubts)
	}
	if !strings.Contains(head.Articles[0].Text, "dont la vente est libre") {
		t.Errorf("the end of the article before is lost: %+v", head.Articles)
	}
	same(t, "the whole one", whole.Document.OfficialNumber, "2019-12/PM")
	if len(whole.Doubts) != 0 {
		t.Errorf("doubts %v", whole.Doubts)
	}
}

// TestAScanWithoutAnEnd: the first pages of a scanned law end with neither a final
// clause nor a signature.
func TestAScanWithoutAnEnd(t *testing.T) {
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
		same(t, name, strings.Join(fields(segment.Split(pages, segment.Hints{}).Texts[0].Doubts), " "), c.doubts)
	}
}

// TestTheEndOfATextIsNotNamedAfterTheFile: a page cut from a gazette is named after
// the text that begins on it.
func TestTheEndOfATextIsNotNamedAfterTheFile(t *testing.T) {
	t.Parallel()
	got := segment.Split(typed("  ARTICLE 111 : Les sauniers déclarent leur récolte au receveur.\n\n"+decree), segment.Hints{Filename: "decret-2019-12-sel.pdf"})
	if len(got.Texts) != 2 {
		t.Fatalf("%d texts, want the end of one and a whole one", len(got.Texts))
	}
	end := got.Texts[0]
	same(t, "end", end.Document.Title+"|"+end.Document.OfficialNumber, "Fin d’un texte, page 1|")
	if !slices.Contains(fields(end.Doubts), "complet") || len(got.Texts[1].Doubts) != 0 {
		t.Errorf("doubts %v and %v", end.Doubts, got.Texts[1].Doubts)
	}
}

func TestATextThatBreaksOffIsSaidToBeIncomplete(t *testing.T) {
	t.Parallel()
	whole := lawOf("Article 1er :", "Article 2 :", "Article 3 :")
	cut := whole[:strings.LastIndex(whole, "\nvendent")]
	x := split(t, cut, segment.Hints{})
	if !slices.Equal(fields(x.Doubts), []string{"complet"}) {
		t.Errorf("doubts %v", x.Doubts)
	}
	if x := split(t, whole, segment.Hints{}); len(x.Doubts) != 0 {
		t.Errorf("doubts about a whole text: %v", x.Doubts)
	}
}
