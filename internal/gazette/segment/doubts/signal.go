package doubts

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// addSignal adds a signal. Of several signals of one kind only the strongest is kept.
func addSignal(d *texts.Draft, kind gazette.SignalKind, value float64, field, words string, page int, why remarks.Remark) {
	if value <= 0 {
		return
	}
	w := gazette.Signal{Kind: kind, Value: min(value, 1), Doubt: remarks.Doubt{Field: field, Why: why, Words: law.Clip(words, wordsLimit), Page: page}}
	for i := range d.Signals {
		if d.Signals[i].Kind == kind {
			if value > d.Signals[i].Value {
				d.Signals[i] = w
			}
			return
		}
	}
	d.Signals = append(d.Signals, w)
}

// AddSignals adds the signals that the chain and the numbering of a text's lines give.
func AddSignals(d *texts.Draft, b *articles.Body, made []label.View) {
	d.Enacted = slices.ContainsFunc(made, func(s label.View) bool { return s.Label == label.Formula && s.Prob > 0.5 })
	d.Measure = label.NamesActs(d.Lines[min(d.Title.Lines, len(d.Lines)):])
	if len(d.Lines) == 0 {
		return
	}
	first := d.Lines[0]
	if first.Scanned {
		addSignal(d, gazette.Scanned, 1, "", "", first.Page, remarks.Remark{})
	}
	if made[0].Label.BeginsText() && !d.IsOnly {
		addSignal(d, gazette.WeakBegin, 1-made[0].BeginProb, "title", first.Text, first.Page, remarks.OnPage(remarks.BeginUnsure, first.Page))
	}
	title := len(made) - len(b.Lines)
	addHeadSignals(d, b)
	inner, most := -1, -1.0
	for i := max(title, 1); i < len(made); i++ { // from 1, because an act without a title begins with its first words
		if p := made[i].BeginProb; p > most && !titles.Formula.MatchString(b.Lines[i-title].Text) {
			inner, most = i, p
		}
	}
	if inner >= 0 {
		l := b.Lines[inner-title]
		addSignal(d, gazette.InnerBegin, most, "complet", l.Text, l.Page, remarks.OnPage(remarks.BeginInside, l.Page))
	}
	addSignal(d, gazette.OddWords, 10*oddShare(b.Lines), "texte", "", first.Page, remarks.Of(remarks.WordsMisread))
}

// passedMost is how many heads with consecutive numbers a text may have that are not its own.
const passedMost = 3

// addHeadSignals adds a signal for heads that the numbering does not expect.
func addHeadSignals(d *texts.Draft, b *articles.Body) {
	run, last := 0, ""
	for i, l := range b.Lines {
		chance, reads := b.Chances[i]
		if !reads {
			continue
		}
		_, taken := b.Heads[i]
		number, end, ok := l.Article(last)
		switch {
		case taken || b.Quoted[i] || !ok || heads.MarksNew(l.Text, end):
			run = 0
		case run > 0 && heads.MayFollow(number, last):
			run++
		default:
			run = 1
		}
		last = number
		if run == passedMost && !d.Title.MakesCode() { // the notes of a code quote other laws
			d.Doubts = append(d.Doubts, remarks.Doubt{Field: "articles", Why: remarks.OnPage(remarks.ArticleOutside, l.Page), Confidence: 0.1, Words: law.Clip(l.Text, wordsLimit), Page: l.Page})
		}
		if !taken && !b.Quoted[i] {
			addSignal(d, gazette.PassedOver, max(chance, b.Views[i].ArticleProb), "articles", l.Text, l.Page, remarks.OnPage(remarks.ArticleOutside, l.Page))
		}
	}
}

// AddRejected adds signals for the rejected changes at a text's lines and those after it. start is the
// index in the file of lines[0].
func AddRejected(d *texts.Draft, lines []line.Line, seconds map[int]label.Rejected, start int) {
	if len(seconds) == 0 {
		return
	}
	for i, l := range lines {
		if s, ok := seconds[start+i]; ok {
			addRejectedChange(d, l, s)
		}
	}
}

// addRejectedChange adds the signal for the rejected change at a line.
func addRejectedChange(d *texts.Draft, l line.Line, s label.Rejected) {
	kind := remarks.None
	switch s.Kind {
	case label.BeginText:
		kind = remarks.OtherBegin
	case label.JoinText, label.SetAside:
		kind = remarks.OtherJoin
	}
	addSignal(d, gazette.OtherReading, s.Prob, "complet", l.Text, l.Page, remarks.OnPage(kind, l.Page))
}

// addNoArticle adds the signal that a text has no article.
func addNoArticle(d *texts.Draft) {
	kind := gazette.NoBody
	switch {
	case announcesArticles(d):
		kind = gazette.NoArticle
	case d.Measure:
		kind = gazette.MeasureOnly
	}
	addSignal(d, kind, 1, "articles", "", d.Document.FirstPage, remarks.Remark{}) // doubtMissingArticles makes the doubt
}

// announcesArticles reports whether a text without articles has a formula that announces some.
func announcesArticles(d *texts.Draft) bool {
	return d.Enacted || slices.ContainsFunc(d.Lines[min(d.Title.Lines, len(d.Lines)):], func(l line.Line) bool { return titles.FormulaEnd.MatchString(l.Text) })
}

// doubtMissingArticles adds a doubt to a text without articles, unless one sentence says everything, or it is signed below a
// sentence. An act has a body: its articles are certainly missing, or what names it is no act of its own, so the doubt needs
// no other sign.
func doubtMissingArticles(d *texts.Draft) {
	signed := slices.IndexFunc(d.Pieces, func(p articles.Piece) bool { return p.Role == articles.SignatureRole })
	if signed > 0 {
		if body := d.Pieces[signed-1].Lines; len(body) > 0 && strings.HasSuffix(body[len(body)-1].Text, ".") {
			return
		}
	}
	if announcesArticles(d) || !d.Measure && !d.Headless {
		d.Doubts = append(d.Doubts, remarks.Doubt{Field: "articles", Why: remarks.Of(remarks.NoArticle), Confidence: remarks.NotFound, Page: d.Document.FirstPage})
	}
}

// oddShare returns the share of words that are not French: digits or signs are between letters, or capitals
// follow lower-case letters.
func oddShare(lines []line.Line) float64 {
	odd, all := 0, 0
	for _, l := range lines {
		for _, w := range l.Words {
			if len(w.Text) < 3 {
				continue
			}
			all++
			if oddWord(w.Text) {
				odd++
			}
		}
	}
	return float64(odd) / float64(max(all, 1))
}

// oddWord reports whether a word is the result of misreading or of a broken font. Numbers with their signs
// (« 99-452/PRES ») and names with two capitals are not odd.
func oddWord(word string) bool {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var left rune
	for _, r := range word {
		letter := unicode.IsLetter(left)
		switch {
		case letter && unicode.IsLower(left) && unicode.IsUpper(r):
			return true
		case letter && strings.ContainsRune("\"*^~|!;:<>{}[]_=+«»", r):
			return true
		case letter && unicode.IsDigit(r) && unicode.IsLower(left):
			return true
		case unicode.IsDigit(left) && unicode.IsLower(r) && !strings.HasSuffix(word, "er") && !strings.HasSuffix(word, "e") && !strings.HasSuffix(word, "ème"):
			return true
		}
		left = r
	}
	return false
}

// tellingShare is the minimum contribution of a signal, relative to the contribution of the strongest signal, with
// which it becomes a doubt too.
const tellingShare = 0.5

// Judge makes doubts from the text's signals, if they show a fault with enough probability. The strongest signal
// that has a remark becomes a doubt, and so do the signals with a remark that are nearly as strong.
func Judge(d *texts.Draft) {
	j := d.Judgment
	wrong := j.Wrong(d.Signals)
	if wrong < j.Threshold {
		return
	}
	most := 0.0
	for _, w := range d.Signals {
		if w.Doubt.Why.Kind != remarks.None {
			most = max(most, j.Weights[w.Kind]*w.Value)
		}
	}
	if most <= 0 {
		if len(d.Doubts) == 0 { // similar texts were misread, but no signal has a remark
			d.Doubts = append(d.Doubts, remarks.Doubt{Field: "texte", Why: remarks.Of(remarks.ReadingUnsure), Confidence: round(1 - wrong), Page: d.Document.FirstPage})
		}
		return
	}
	for _, w := range d.Signals {
		if w.Doubt.Why.Kind != remarks.None && j.Weights[w.Kind]*w.Value >= tellingShare*most {
			doubt := w.Doubt
			doubt.Confidence = round(1 - wrong)
			d.Doubts = append(d.Doubts, doubt)
		}
	}
}

func round(p float64) float64 { return math.Round(p*100) / 100 }
