package refer

import (
	"cmp"
	"slices"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// mostTexts is how many texts one name may mean before it means none: a question that
// fits more names a kind of text, not a text.
const mostTexts = 5

// fewestTerms is how many terms of a phrase a title has at least, for which no year is
// given: the kind of text, and two words of what it is about.
const fewestTerms = 3

// text is a text of the catalogue, with its name as it is compared.
type text struct {
	postgres.NamedText
	number string   // its text term
	terms  []string // of its title
	codes  []country.Code
}

// named finds the texts that a reference of a question means, the likeliest first;
// asked are the countries that the question names, whose law alone fits then.
func named(all []text, r question.Reference, asked []country.Code) []text {
	if of := r.AliasCountries(); asked == nil {
		asked = of
	}
	found := byName(all, r)
	found = slices.DeleteFunc(found, func(t text) bool { return !country.Fits(asked, t.codes) })
	if len(asked) > 0 {
		found = prefer(found, func(t text) bool { return len(t.codes) > 0 })
	}
	if len(found) > mostTexts && r.Number == "" {
		return nil
	}
	return found
}

// byName finds the texts of a number, of a day, of a year or of a title.
func byName(all []text, r question.Reference) (found []text) {
	switch {
	case r.Number != "":
		return numbered(all, r)
	case r.Title != "":
		terms, _ := question.Content(r.Title) // stemmed once, as titles are: the stem of a stem is another (« procédure »)
		return titled(all, r, terms)
	case !r.Date.IsZero():
		return ofKind(all, r, func(t text) bool { return t.Document.Promulgated.Equal(r.Date) })
	case r.Year != 0:
		found = ofKind(all, r, func(t text) bool { return t.Document.Promulgated.Year() == r.Year })
		if r.Phrase != "" {
			return longest(found, phraseTerms(r.Phrase), 1)
		}
		return found
	case r.Phrase != "":
		return longest(all, phraseTerms(r.Phrase), fewestTerms)
	}
	return nil
}

// phraseTerms are the terms of words that may be a title without the country whose it
// is; « acte uniforme » names a union and belongs to the title.
func phraseTerms(words string) []string {
	terms := french.Terms(words)
	for _, m := range slices.Backward(country.Mentions(terms)) {
		if !slices.ContainsFunc(m.Codes, country.Union) {
			terms = slices.Delete(terms, m.Start, m.End)
		}
	}
	return terms
}

// numbered are the texts of a number, with or without the signs of those who made
// them, that may be called so; of several those of the day and the very number.
func numbered(all []text, r question.Reference) []text {
	number := french.TextTerm(r.Number)
	found := keep(all, func(t text) bool { return t.number != "" && french.SameText(t.number, number) })
	found = keep(found, func(t text) bool { return ofType(t.Document.Type, r.Type) })
	if !r.Date.IsZero() {
		found = prefer(found, func(t text) bool { return t.Document.Promulgated.Equal(r.Date) })
	}
	return prefer(found, func(t text) bool { return t.number == number })
}

// ofType reports whether a text of a type may be called one of another: codes and
// constitutions are made by laws. A decree and a law of one number are two texts.
func ofType(is, called law.DocType) bool {
	return called == "" || is == called || called == law.Loi && (is == law.Code || is == law.Constitution)
}

// titled are the texts whose title has all the terms and, for a code, may be called by
// them, shortest first; those that only
// amend such a text are left out, and so are those that have the name for a part of
// theirs where one bears it.
func titled(all []text, r question.Reference, terms []string) []text {
	if len(terms) == 0 {
		return nil
	}
	found := keep(all, func(t text) bool {
		return holds(t.terms, terms) && calledSo(t, r)
	})
	found = prefer(found, func(t text) bool { return r.Type == "" || t.Document.Type == r.Type })
	if r.Type != "" && len(found) > 0 && found[0].Document.Type != r.Type && r.Type != law.Code {
		return nil // a decree that speaks of the constitution is none
	}
	found = prefer(found, func(t text) bool { return !amending(t.terms) })
	slices.SortStableFunc(found, func(a, b text) int { return cmp.Compare(len(a.terms), len(b.terms)) })
	return found
}

// calledSo reports whether a text that has the terms of a reference's title may be called
// by it: the name of a code has no gap.
func calledSo(t text, r question.Reference) bool {
	if r.Title == "" || r.Number != "" || r.Type != law.Code {
		return true
	}
	terms, _ := question.Content(r.Title)
	return question.CanBeCalled(t.Document.Title, terms)
}

// ofKind are the texts of the kind that are good.
func ofKind(all []text, r question.Reference, good func(text) bool) []text {
	return keep(all, func(t text) bool { return (r.Type == "" || t.Document.Type == r.Type) && good(t) })
}

// longest are the texts that hold the most of the first terms of a phrase, in which
// the name ends somewhere, and at least so many.
func longest(all []text, terms []string, fewest int) (found []text) {
	best := 0
	for _, t := range all {
		n := 0
		for n < len(terms) && slices.Contains(t.terms, terms[n]) {
			n++
		}
		switch {
		case n < fewest || n < best:
		case n > best:
			best, found = n, []text{t}
		default:
			found = append(found, t)
		}
	}
	return prefer(found, func(t text) bool { return !amending(t.terms) })
}

func holds(terms, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(terms, w) })
}

// amending reports whether a title says that its text changes another.
func amending(terms []string) bool { return naming.Amending(terms) }

func keep(all []text, good func(text) bool) (out []text) {
	for _, t := range all {
		if good(t) {
			out = append(out, t)
		}
	}
	return out
}

// prefer keeps the texts that are good, all when none is.
func prefer(all []text, good func(text) bool) []text {
	if kept := keep(all, good); len(kept) > 0 {
		return kept
	}
	return all
}
