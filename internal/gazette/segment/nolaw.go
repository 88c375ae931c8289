package segment

import (
	"slices"
	"strings"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/articles"
	"vigueur/internal/gazette/segment/doubts"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// A file may hold no law: a communiqué, tender notices, a commentary, a text in another language. Then it has no texts,
// and Issue.NoLaw says what it holds. If an operator gave the file's nature, or a person edited its lines, it is taken
// for law.

// setNoLawAside removes all texts if the file holds no law. counts tells whether it has articles that count on: these are
// law, whatever names it.
func (s *splitter) setNoLawAside(drafts []*texts.Draft, ready prepare.File, counts bool) []*texts.Draft {
	if s.hints.Is == gazette.FileOfNoLaw {
		return s.setAllAside(drafts, remarks.Of(remarks.FileSaidNoLaw))
	}
	if s.hints.Is != "" || s.hints.Type != "" || s.hints.Nature != "" || len(s.hints.Edits) > 0 {
		return drafts
	}
	why := foreignTo(ready.Lines)
	if why.Kind == remarks.None {
		for _, d := range drafts {
			if doubts.IsAct(d) {
				return drafts
			}
		}
		if counts {
			return drafts
		}
		why = whatElse(ready.Lines)
	}
	return s.setAllAside(drafts, why)
}

// setAllAside removes all texts, because the file holds no law.
func (s *splitter) setAllAside(drafts []*texts.Draft, why remarks.Remark) []*texts.Draft {
	s.issue.NoLaw = why
	for _, d := range drafts {
		s.issue.Loose = append(s.issue.Loose, line.LayoutOf(d.Lines)...)
	}
	return nil
}

// Limits of the language of a file. A file with fewer words than fewSaid is not judged. French has at least the share
// leastFrench of its frequent words, and English more than mostEnglish of its own.
const (
	fewSaid     = 200
	leastFrench = 0.03
	mostEnglish = 0.1
)

// foreignTo returns a remark on the language of lines, None if they are French or too few.
func foreignTo(lines []line.Line) remarks.Remark {
	said, french, english := 0, 0, 0
	for _, l := range lines {
		for w := range strings.FieldsFuncSeq(law.Fold(l.Text), func(r rune) bool { return r < 'a' || r > 'z' }) {
			said++
			if prepare.FrenchWords[w] {
				french++
			}
			if prepare.EnglishWords[w] {
				english++
			}
		}
	}
	switch share := func(n int) float64 { return float64(n) / float64(said) }; {
	case said < fewSaid || share(french) >= leastFrench && english < 4*french:
		return remarks.Remark{}
	case share(english) > mostEnglish:
		return remarks.Remark{Kind: remarks.NoLaw, Words: "Texte en anglais"}
	}
	return remarks.Remark{Kind: remarks.NoLaw, Words: "Ni texte en français, ni mots lisibles"}
}

// fewNotices is the minimum number of notices in a bulletin of notices.
const fewNotices = 3

// whatElse returns a remark on what a file without acts holds, by the names at the beginning of its paragraphs.
func whatElse(lines []line.Line) remarks.Remark {
	first, notices := "", 0
	for _, l := range lines {
		if !l.Opens && !l.Centered || !heads.StartsBig(l.Text) {
			continue
		}
		n, _, ok := titles.ReadNature(l.Text)
		if !ok || !n.NoLaw {
			continue
		}
		if first == "" {
			first = n.Name
		}
		if strings.HasPrefix(n.Name, "Avis ") || strings.Contains(n.Name, "offres") || strings.HasPrefix(n.Name, "Demande") {
			notices++
		}
	}
	switch {
	case notices >= fewNotices:
		first = "Avis et résultats de marchés ou d’annonces"
	case first == "":
		first = "Ni acte ni article"
	}
	return remarks.Remark{Kind: remarks.NoLaw, Words: first}
}

// lacksOpening reports whether the labels of a text without a title show no opening before the first article:
// neither visa nor formula nor title. With an opening, the text begins in the file, and merely its title was
// not recognized.
func lacksOpening(labels []label.Label) bool {
	for _, l := range labels {
		switch l {
		case label.Article:
			return true
		case label.Visa, label.Formula, label.Head, label.Title:
			return false
		}
	}
	return true
}

// setRemainsAside removes the first text if it is only the end of a text that begins before the file, and other texts
// follow: without a title the catalogue cannot list it. Issue.Remains then locates it. The text stays if an edit
// names one of its lines, or if its numbering begins again: another text is in it.
func (s *splitter) setRemainsAside(drafts []*texts.Draft) []*texts.Draft {
	d := drafts[0]
	if len(drafts) < 2 || !d.Headless || !d.Resumed || s.applier.Names(d.Lines) || slices.ContainsFunc(d.Articles, doubts.IsFirst) {
		return drafts
	}
	r := gazette.Remains{First: gazette.PlaceOf(d.Lines[0].Line), FirstPage: d.Document.FirstPage, LastPage: d.Document.LastPage}
	for i, p := range d.Pieces {
		if p.Role == articles.ArticleRole {
			r.Articles = append(r.Articles, d.Articles[i].Number)
		}
	}
	s.issue.Remains = &r
	s.issue.Loose = append(s.issue.Loose, line.LayoutOf(d.Lines)...)
	s.applier.Aside = 1
	return drafts[1:]
}
