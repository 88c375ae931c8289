package named

import (
	"cmp"
	"slices"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
	"vigueur/internal/search/question"
)

// mostOfName is the maximum number of texts that one name may mean. A name that fits more is the name of a kind of
// text.
const mostOfName = 5

// fewestTerms is the minimum number of terms of a phrase without a year that a title must contain: the kind of text,
// and two words of its subject.
const fewestTerms = 3

// meantAmong returns the texts that a reference in a question means among those that have its name, in their order.
// asked are the countries that the question names; if there are any, only their law is meant.
func meantAmong(named []Text, r question.Reference, asked []country.Code) []Text {
	if r.Number == "" && r.Title != "" && r.Type != "" && r.Type != law.Code {
		// a decree about the constitution is not the constitution; laws enact codes
		named = keepGood(named, func(t Text) bool { return t.Document.Type == r.Type })
	}
	found := keepGood(named, func(t Text) bool { return t.Fits(asked) })
	if len(asked) > 0 {
		found = preferGood(found, func(t Text) bool { return len(t.codes) > 0 })
	}
	if len(found) > mostOfName && r.Number == "" {
		return nil
	}
	return found
}

// byName returns the texts with the number, the date, the year or the title of a reference.
func byName(all []Text, r question.Reference) (found []Text) {
	switch {
	case r.Number != "":
		return byNumber(all, r)
	case r.Title != "":
		terms, _ := question.Content(r.Title) // stemmed once, as titles are, because the stem of a stem may differ (« procédure »)
		return byTitle(all, r, terms)
	case !r.Date.IsZero():
		return ofKind(all, r, func(t Text) bool { return t.Document.Promulgated.Equal(r.Date) })
	case r.Year != 0:
		found = ofKind(all, r, func(t Text) bool { return t.Document.Promulgated.Year() == r.Year })
		if r.Phrase != "" {
			return longest(found, phraseTerms(r.Phrase), 1)
		}
		return found
	case r.Phrase != "":
		return longest(all, phraseTerms(r.Phrase), fewestTerms)
	}
	return nil
}

// phraseTerms returns the terms of words that may be a title, without the country that the text belongs to. « Acte
// uniforme » names a union, and is part of the title.
func phraseTerms(words string) []string {
	terms := french.Terms(words)
	for _, m := range slices.Backward(country.Mentions(terms)) {
		if !slices.ContainsFunc(m.Codes, country.Union) {
			terms = slices.Delete(terms, m.Start, m.End)
		}
	}
	return terms
}

// byNumber returns the texts with a number, whatever the initials of their authors, that may have the type of the
// reference. Among several it prefers those of the same date, and those with exactly the same number.
func byNumber(all []Text, r question.Reference) []Text {
	number := french.TextTerm(r.Number)
	found := keepGood(all, func(t Text) bool { return t.number != "" && french.SameText(t.number, number) })
	found = keepGood(found, func(t Text) bool { return ofType(t.Document.Type, r.Type) })
	if !r.Date.IsZero() {
		found = preferGood(found, func(t Text) bool { return t.Document.Promulgated.Equal(r.Date) })
	}
	return preferGood(found, func(t Text) bool { return t.number == number })
}

// ofType reports whether a text of a type may be called one of another type, because laws enact codes and
// constitutions. A decree and a law with the same number are two texts.
func ofType(is, called law.DocType) bool {
	return called == "" || is == called || called == law.Loi && (is == law.Code || is == law.Constitution)
}

// byTitle returns the texts whose title contains all the terms and, for a code, may be called by them, the shortest
// first. It omits texts that only amend such a text, and texts for which the name is only a part of theirs if another
// text has exactly this name.
func byTitle(all []Text, r question.Reference, terms []string) []Text {
	if len(terms) == 0 {
		return nil
	}
	found := keepGood(all, func(t Text) bool {
		return holds(t.terms, terms) && calledSo(t, r)
	})
	found = preferGood(found, func(t Text) bool { return r.Type == "" || t.Document.Type == r.Type })
	found = preferGood(found, func(t Text) bool { return !amending(t.terms) })
	slices.SortStableFunc(found, func(a, b Text) int { return cmp.Compare(len(a.terms), len(b.terms)) })
	return found
}

// calledSo reports whether a text whose title contains the terms of a reference's title may be called by it. For a
// code question.CanBeCalled decides.
func calledSo(t Text, r question.Reference) bool {
	if r.Title == "" || r.Number != "" || r.Type != law.Code {
		return true
	}
	terms, _ := question.Content(r.Title)
	return question.CanBeCalled(t.Document.Title, terms)
}

// ofKind returns the good texts of the type of a reference.
func ofKind(all []Text, r question.Reference, good func(Text) bool) []Text {
	return keepGood(all, func(t Text) bool { return (r.Type == "" || t.Document.Type == r.Type) && good(t) })
}

// longest returns the texts that contain the most of the first terms of a phrase, but at least fewest. The name of
// the text ends somewhere within the phrase.
func longest(all []Text, terms []string, fewest int) (found []Text) {
	best := 0
	for _, t := range all {
		n := 0
		for n < len(terms) && slices.Contains(t.terms, terms[n]) {
			n++
		}
		switch {
		case n < fewest || n < best:
		case n > best:
			best, found = n, []Text{t}
		default:
			found = append(found, t)
		}
	}
	return preferGood(found, func(t Text) bool { return !amending(t.terms) })
}

func holds(terms, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(terms, w) })
}

// amending reports whether a title announces a change of another text.
func amending(terms []string) bool { return naming.Amending(terms) }

func keepGood(all []Text, good func(Text) bool) (out []Text) {
	for _, t := range all {
		if good(t) {
			out = append(out, t)
		}
	}
	return out
}

// preferGood returns the good texts, or all if none is good.
func preferGood(all []Text, good func(Text) bool) []Text {
	if kept := keepGood(all, good); len(kept) > 0 {
		return kept
	}
	return all
}
