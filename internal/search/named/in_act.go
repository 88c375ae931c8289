package named

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/country"
	"vigueur/internal/law/edition"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

func init() { postgres.RegisterNaming(resolveNamings) }

// Act is a text of the catalogue in whose words others are named.
type Act struct {
	ID        uuid.UUID
	Countries []string
	Day       time.Time // day of the act
}

// Meaning is what the name of a text in an act means.
type Meaning struct {
	Texts   []Candidate // texts that the name may mean
	Edition *Candidate  // the edition that the act changes, if Texts are editions of one text; otherwise nil
}

// InAct returns what the name of a text means in an act. It searches the texts of the act's countries by name and then,
// for part of the title of a coordinated edition, by day. An act changes the last edition before it; if all editions
// are later, the first one already contains the change. If all texts with the number are of another day than the name
// says, the number may be wrong.
func (l *Lookup) InAct(ctx context.Context, name amend.TargetText, act Act) (Meaning, error) {
	return l.inAct(ctx, referenceTo(name), name, act)
}

// inAct is InAct for a name that is read already.
func (l *Lookup) inAct(ctx context.Context, read question.Reference, name amend.TargetText, act Act) (m Meaning, err error) {
	for _, ref := range []question.Reference{read, {Phrase: name.Title}} {
		asked := question.Question{Text: name.Title, References: []question.Reference{ref}, Countries: codesOf(act.Countries)}
		mentions, err := l.Resolve(ctx, Question{Asked: &asked, Today: act.Day.UTC(), Exact: true})
		if err != nil {
			return m, err
		}
		if len(mentions) == 0 {
			continue
		}
		found := slices.DeleteFunc(slices.Clone(mentions[0].Texts), func(t Candidate) bool {
			return t.Document.ID == act.ID || !ofKindIn(t, name) || !changeable(t, act, name, ref) || ref.Phrase != "" && !coordinates(t.Document, name)
		})
		fitting := keepGood(found, func(t Candidate) bool { return name.Fits(amend.Named(t.Document.Title)) })
		if len(fitting) > 0 {
			found = fitting // of two laws of one day, the one that the name describes
		}
		if name.Type == law.Code && name.Number == "" { // of « Code pénal » and « Code pénal militaire », the one with just this name
			own := codeName(name.Title)
			found = preferGood(found, func(t Candidate) bool { return slices.Equal(codeName(t.Document.Title), own) })
		}
		if !mentions[0].More && !ofOtherDay(found, ref) {
			m.Edition = editionBefore(found, act.Day)
		}
		if m.Edition != nil || len(fitting) > 0 || mentions[0].More || ref.Number != "" && len(found) > 0 {
			m.Texts = found
			return m, nil
		}
	}
	return m, nil
}

// changeable reports whether an act may change a text: an act of a state changes the law of that state, and an act of a
// union or of an unknown state law of the same kind. Of a text whose state is unknown, number and day must be those that
// the act says; of one that is named by its day alone, the day.
func changeable(t Candidate, act Act, name amend.TargetText, ref question.Reference) bool {
	if day, _, _, dated := law.FindDate(name.Title); dated && name.Number == "" && t.Document.Type != law.Code && !consolidated(t.Document) && !day.Equal(t.Document.Promulgated) {
		return false
	}
	own, theirs := slices.DeleteFunc(codesOf(act.Countries), country.Union), slices.DeleteFunc(slices.Clone(t.codes), country.Union)
	if len(own) > 0 && len(theirs) == 0 {
		return ref.Number != "" && ref.Date.Equal(t.Document.Promulgated)
	}
	return len(own) == 0 && len(theirs) == 0 || slices.ContainsFunc(own, func(c country.Code) bool { return slices.Contains(theirs, c) })
}

// ofKindIn reports whether a text may have the name of a code or a constitution: it is one, or a law that has this name. A
// law that only mentions a code in its title is not the code.
func ofKindIn(t Candidate, name amend.TargetText) bool {
	if name.Type != law.Code && name.Type != law.Constitution || t.Document.Type == name.Type {
		return true
	}
	return t.Document.Type == law.Loi && name.Fits(amend.Named(t.Document.Title))
}

// ofOtherDay reports whether a reference names a day, and none of the texts with its number is of that day.
func ofOtherDay(found []Candidate, r question.Reference) bool {
	return r.Number != "" && !r.Date.IsZero() &&
		!slices.ContainsFunc(found, func(t Candidate) bool { return t.Document.Promulgated.Equal(r.Date) || consolidated(t.Document) })
}

// editionBefore returns the edition that an act of a day changes of texts that are editions of one; nil if they are several.
func editionBefore(found []Candidate, day time.Time) *Candidate {
	previous := keepGood(found, func(t Candidate) bool { return !printedOn(t.Document).After(day) })
	later := len(previous) == 0
	if !later {
		found = previous
	}
	if len(found) == 0 {
		return nil
	}
	best := found[0]
	for _, t := range found[1:] {
		if !sameText(t.Document, best.Document) {
			return nil
		}
		switch order := printedOn(t.Document).Compare(printedOn(best.Document)); {
		case order == 0 && t.Document.Passages > best.Document.Passages, order != 0 && order < 0 == later:
			best = t
		}
	}
	return &best
}

// printedOn returns the day whose state of the law the printed text shows.
func printedOn(d law.Document) time.Time {
	if d.AsOf != nil && d.AsOf.After(d.Promulgated) {
		return *d.AsOf
	}
	return d.Promulgated
}

// sameText reports whether two texts with one name are editions of one: constitutions and codes of one name without
// numbers, texts with the same number of one kind and day, and those without a number of one day. Consolidated editions
// have days of their own.
func sameText(a, b law.Document) bool {
	if a.Type != b.Type {
		return false
	}
	if a.OfficialNumber == "" || b.OfficialNumber == "" {
		switch a.Type {
		case law.Constitution:
			return true
		case law.Code:
			return slices.Equal(codeName(a.Title), codeName(b.Title))
		}
		return a.Promulgated.Equal(b.Promulgated) && titledAlike(a.Title, b.Title)
	}
	return edition.Key(a.OfficialNumber) == edition.Key(b.OfficialNumber) && titledAlike(a.Title, b.Title) &&
		(a.Promulgated.Equal(b.Promulgated) || consolidated(a) || consolidated(b))
}

// codeName returns the terms of a code's name in its title, without countries and years: « travail » for « Loi portant
// Code du travail de la République du Bénin (2010) ».
func codeName(title string) []string {
	if positions := codeWord.FindStringIndex(title); positions != nil {
		title = title[positions[0]:]
	}
	title, _, _ = strings.Cut(title, "(")
	terms, _ := country.Content(title)
	return slices.DeleteFunc(terms, func(t string) bool { return strings.ContainsAny(t, "0123456789") })
}

// codeWord matches where the name of a code begins.
var codeWord = law.Pattern(`(?i)\bcode\b`)

// titledAlike reports whether all words of the shorter title are in the other one, by the rules of package edition. A
// single word is never enough: in « Loi n° 5 » it is only the kind of the text, and the number is used again each year.
func titledAlike(a, b string) bool {
	words := func(title string) map[string]bool {
		out := map[string]bool{}
		for _, t := range french.Terms(title) {
			if !strings.ContainsAny(t, "0123456789") {
				out[t] = true
			}
		}
		return out
	}
	x, y := words(a), words(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	shared := 0
	for w := range x {
		if y[w] {
			shared++
		}
	}
	return len(x) > 1 && float64(shared) >= edition.SameTitle*float64(len(x))
}

// coordinated matches what comes before the name of a text in the title of a coordinated edition of it: « Texte coordonné
// du 18 décembre 1986 de la ».
var coordinated = law.Pattern(`(?i)^texte +(?:coordonné|consolidé) +(?:[^,;]{0,60}? +)??(?:du|de +la|de +l'|des) *`)

// Coordinated reports whether a title is that of a coordinated edition, which names the text that it coordinates.
func Coordinated(title string) bool { return coordinated.MatchString(title) }

// consolidated reports whether a text has changes of later acts in its words.
func consolidated(d law.Document) bool { return d.AsOf != nil || Coordinated(d.Title) }

// coordinates reports whether a text is a coordinated edition of the one that is named. Its title may begin with the day
// of the edition, and name texts that the other one changed, too.
func coordinates(d law.Document, name amend.TargetText) bool {
	if _, _, _, dated := law.FindDate(name.Title); !dated {
		return false
	}
	rest := d.Title
	for range 2 { // before the day of the edition, and after it
		positions := coordinated.FindStringIndex(rest)
		if positions == nil {
			return false
		}
		rest = rest[positions[1]:]
		if text := amend.Named(rest); text.Type != "" {
			return name.Fits(text)
		}
		rest = "texte coordonné " + rest
	}
	return false
}

// referenceTo returns the name of a text as Lookup reads it.
func referenceTo(name amend.TargetText) question.Reference {
	for _, ref := range question.References(name.Title) {
		if len(ref.Articles) == 0 && ref.NamesText() && (name.Number == "" || ref.Number != "") {
			return ref
		}
	}
	ref := read.Reference{Type: name.Type, Number: name.Number, Name: name.Title}
	if name.Number == "" {
		ref.Title = strings.ToLower(name.Title)
	}
	return ref
}

func codesOf(countries []string) (codes []country.Code) {
	for _, c := range countries {
		codes = append(codes, country.Code(c))
	}
	return codes
}

// resolveNamings returns what names in the words of acts mean, in their order, as InAct does.
func resolveNamings(ctx context.Context, source postgres.NameSource, namings []postgres.Naming) ([]postgres.Meaning, error) {
	l, out := NewLookup(source), make([]postgres.Meaning, len(namings))
	for i, n := range namings {
		name := amend.TargetText{Type: n.Type, Number: n.Number, Title: n.Title}
		ref := referenceTo(name)
		if n.On != nil {
			ref.Date = *n.On
		}
		m, err := l.inAct(ctx, ref, name, Act{ID: n.Act, Countries: n.Countries, Day: n.Day})
		if err != nil {
			return nil, err
		}
		out[i].Certain = m.Edition != nil
		for _, t := range m.Texts {
			if t.Document.Promulgated.After(n.Day) || m.Edition != nil && !printedOn(t.Document).Equal(printedOn(m.Edition.Document)) {
				continue
			}
			out[i].Texts = append(out[i].Texts, t.Document.ID)
		}
	}
	return out, nil
}
