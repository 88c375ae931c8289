package doubts

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
)

// values returns the values of a text's signals by kind.
func values(d *texts.Draft) map[gazette.SignalKind]float64 {
	out := map[gazette.SignalKind]float64{}
	for _, w := range d.Signals {
		out[w.Kind] = w.Value
	}
	return out
}

func TestOddWords(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{"décret": false, "DÉCRET": false, "99-452/PRES": false, "l’État": false, "McDonald": true, "1er": false, "12ème": false,
		"te\"x": true, "propri1té": true, "IÉSTITUANT": false, "atti~ude": true, "2e": false, "B5A": false, "eUou": true} {
		if got := oddWord(word); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

func TestSummaryIsComparedWithTheTexts(t *testing.T) {
	t.Parallel()
	day := time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	order := func(number, object string, first, last int) *texts.Draft {
		d := &texts.Draft{Title: titles.Title{Kind: titles.KindOf("Décret"), Number: number, Object: object, Date: day}, Number: number}
		d.Document.FirstPage, d.Document.LastPage = first, last
		return d
	}
	entry := func(number, object string) masthead.Entry {
		return masthead.Entry{Text: "Décret n° " + number + " " + object, Title: titles.Title{Kind: titles.KindOf("Décret"), Number: number, Object: object, Date: day}, Number: number}
	}
	drafts := []*texts.Draft{order("1", "fixant le prix du sel", 3, 5), order("3", "fixant le prix du blé", 6, 6), order("9", "relatif au poivre", 7, 7)}
	m := masthead.Masthead{Listed: []masthead.Entry{entry("1", "fixant le prix du sel"), entry("2", "nommant un saunier"), entry("3", "fixant le prix du blé")}}
	CompareSummary(m, drafts)
	if got := values(drafts[0]); got[gazette.Unfound] != 1 || got[gazette.NotAnnounced] != 0 {
		t.Errorf("the first text: %v", got)
	}
	i := slices.IndexFunc(drafts[0].Signals, func(w gazette.Signal) bool { return w.Kind == gazette.Unfound })
	if w := drafts[0].Signals[i]; !strings.HasPrefix(w.Doubt.Why.Sentence(), "Le sommaire annonce 3 actes, 2 ont été trouvés") || !strings.Contains(w.Doubt.Words, "saunier") {
		t.Errorf("%+v", w.Doubt)
	}
	if got := values(drafts[1]); len(got) != 0 {
		t.Errorf("the second text: %v", got)
	}
	if got := values(drafts[2]); got[gazette.NotAnnounced] == 0 {
		t.Errorf("the third text: %v", got)
	}
	other := []*texts.Draft{order("70", "relatif au riz", 1, 1)}
	CompareSummary(m, other)
	if len(other[0].Signals) != 0 {
		t.Errorf("another issue's summary: %v", other[0].Signals)
	}
}

func TestSignalsMakeADoubtTogether(t *testing.T) {
	t.Parallel()
	j := judgment.Judgment{Weights: map[gazette.SignalKind]float64{gazette.GapIn: 2, gazette.PassedOver: 1.5, gazette.OddWords: 0.2, gazette.Scanned: 5}, Bias: -3, Threshold: 0.4}
	judged := func(kinds ...gazette.SignalKind) []remarks.Doubt {
		d := texts.Draft{Judgment: j}
		for _, k := range kinds {
			why := remarks.WordsMisread
			if k == gazette.Scanned {
				why = remarks.None
			}
			addSignal(&d, k, 1, "articles", "mots", 4, remarks.Of(why))
		}
		Judge(&d)
		return d.Doubts
	}
	if got := judged(gazette.GapIn); len(got) != 0 {
		t.Errorf("one alone: %v", got)
	}
	if got := judged(gazette.GapIn, gazette.PassedOver, gazette.OddWords); len(got) != 2 || got[0].Page != 4 || got[0].Confidence >= 0.6 {
		t.Errorf("want two doubts, and none from the weak signal: %v", got)
	}
	if got := judged(gazette.Scanned); len(got) != 1 || got[0].Why.Kind == remarks.None {
		t.Errorf("a scan that is read wrongly: %v", got)
	}
}

// TestAFormulaBeginsNoText checks that the formula that announces the articles of a text is no sign of another text.
func TestAFormulaBeginsNoText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"Décrète :": 0.1, "Par décret du 3 mai 2031, M. Sel": 0.9} {
		lines := []line.Line{{Text: "Décret n° 2031-12"}, {Text: text}, {Text: "Article 1er."}}
		d := &texts.Draft{Lines: lines, Title: titles.Title{Lines: 1}, IsOnly: true}
		AddSignals(d, &articles.Body{Lines: lines[1:]}, []label.View{{Label: label.Head, BeginProb: 1}, {BeginProb: 0.9}, {BeginProb: 0.1}})
		if got := values(d)[gazette.InnerBegin]; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestANoticeWithoutATitleIsNoAct(t *testing.T) {
	t.Parallel()
	for nature, want := range map[string]bool{"Avis": false, "Arrêté": true} {
		if got := IsAct(&texts.Draft{Title: titles.Title{Kind: titles.KindOf(nature), Abridged: true}}); got != want {
			t.Errorf("%s: %v", nature, got)
		}
	}
}
