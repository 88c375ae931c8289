// Package decide decides whether a question is answered, and how surely.
//
// A Verdict is made once for a question, by Decide after a search, or by Named and
// WithoutArticle if no search is needed. Everything after it uses the same verdict: the
// prompt, the generators, the checks of the answer, its warnings, and its explanation. Only
// two methods change a verdict later: Abstained, after a generator found no answer in the
// passages, and AtLeastUnsure, after part of an answer was streamed.
package decide

import (
	"vigueur/internal/law/country"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
)

// Grade says how surely a question is answered.
type Grade int

// The grades, from the least to the most certain.
const (
	Refused Grade = iota // no article that was found answers
	Unsure               // some of the best articles may answer
	Likely               // the best article probably answers
	Sure                 // the best article answers
)

// String returns the name of a grade in logs and in the record of an answer.
func (g Grade) String() string { return [...]string{"unlikely", "unsure", "likely", "sure"}[g] }

// Reason is the reason for a grade.
type Reason string

// The reasons for a grade.
const (
	ByEvidence   Reason = "evidence"        // the probabilities of the gate
	FalsePremise Reason = "false premise"   // the question names the article and asks for a figure or a penalty that it does not have
	ByName       Reason = "named"           // the question names the article, or the catalogue itself answers from articles
	NothingFound Reason = "nothing found"   // no passage was found
	NoLaw        Reason = "no law"          // no law can answer the question
	NotFrench    Reason = "not French"      // the question is in another language
	NoQuestion   Reason = "no question"     // the message is only a courtesy, or has no words
	TextAbsent   Reason = "text absent"     // the question names a text that the catalogue lacks and no article mentions
	OtherCountry Reason = "other country"   // the question names a country, and the best article is not its law
	DayUnsaid    Reason = "day not said"    // the question is about the law of the past and does not say of which day
	Silent       Reason = "catalogue alone" // the answer says what the catalogue does not contain
	NoPassage    Reason = "no passage"      // the generator found no answer in the passages
)

// Verdict is the decision about a question. The zero value refuses.
type Verdict struct {
	Grade       Grade
	Why         Reason
	Probability float64       // probability that the best article answers, 0 to 1
	Evidence    rank.Evidence // the evidence from which the probability was computed
	Sure        float64       // the minimum probability for the grade Sure
	Unplaced    bool          // the question is about the law of countries, and nobody knows of which country the best article is
}

// Answers reports whether an answer may be written from the articles that were found.
func (v *Verdict) Answers() bool { return v.Grade != Refused }

// Certain reports whether the best article is given alone.
func (v *Verdict) Certain() bool { return v.Grade == Sure }

// Doubtful reports whether the answer carries a warning that its articles may not answer.
func (v *Verdict) Doubtful() bool { return v.Grade < Likely }

// Closed reports whether no law can answer, or the catalogue lacks the text that is asked
// about. Then no generator needs to read the passages.
func (v *Verdict) Closed() bool {
	switch v.Why {
	case NothingFound, NoLaw, NotFrench, TextAbsent:
		return true
	}
	return false
}

// Abstain returns the verdict after a generator found no answer in the passages.
func (v Verdict) Abstain() Verdict {
	v.Grade, v.Why = Refused, NoPassage
	return v
}

// AtLeastUnsure returns the verdict for the rest of an answer whose beginning was streamed.
// Such an answer can no longer be refused, so the grade Refused becomes Unsure.
func (v Verdict) AtLeastUnsure() Verdict {
	if v.Grade == Refused {
		v.Grade = Unsure
	}
	return v
}

// SureByName returns the verdict on articles that the question names, or that the catalogue
// itself gives as the answer.
func SureByName() Verdict { return Verdict{Grade: Sure, Why: ByName, Probability: 1} }

// WithoutArticle returns the verdict on an answer that is based on no article.
func WithoutArticle(why Reason) Verdict { return Verdict{Why: why} }

// Found is the result of a search from which Decide makes the verdict.
type Found struct {
	Asked      *question.Question
	TextAbsent bool           // the question names a text that the catalogue lacks and no hit mentions
	Any        bool           // something was found
	Named      bool           // the question names the best article
	DayUnsaid  bool           // the question is about the law of the past, and nobody says of which day
	Countries  []country.Code // whose law the best article is, as far as known
	Guessed    bool           // the countries are those that its text mentions most
	Local      bool           // the catalogue has law of a country that is asked about
	Several    bool           // the question names several countries, or none, and law of several was found
	Gate       *rank.Gate
	Evidence   rank.Evidence
}

// Decide returns the verdict on the result of a search. An article that the question names
// answers, unless the question asks for a figure or a penalty and the article has none: « la
// peine prévue par l’article 5 », which provides for none. A question is refused, however likely the hits seem, if no law can answer it, if
// it is not in French, or if it is about a text that the catalogue lacks. What is the law of today
// answers a question about the law of an unknown day at most unsurely, and so does a text of an unknown country one about countries;
// law of one of several countries is at most the likely answer to a question that does not name it alone.
func Decide(f *Found) Verdict {
	asked := f.Asked.AskedCountries()
	v := Verdict{Evidence: f.Evidence, Sure: f.Gate.Sure, Unplaced: f.Any && !f.Named && len(asked) > 0 && (len(f.Countries) == 0 || f.Guessed)}
	if f.Any {
		v.Probability = f.Gate.FirstAnswers(&f.Evidence)
	}
	lacks := f.Evidence[rank.TopFigure] > 0 // the best article has no figure or penalty of the kind that is asked for
	if f.Named && !lacks {
		v.Probability = 1
	}
	switch {
	case f.TextAbsent:
		v.Why = TextAbsent
	case !f.Any:
		v.Why = NothingFound
	case f.Asked.Request.Lawless():
		v.Why = NoLaw
	case f.Asked.Language != question.French:
		v.Why = NotFrench
	case f.Named && lacks:
		v.Grade, v.Why = Unsure, FalsePremise
	case f.Named:
		v.Grade, v.Why = Sure, ByName
	case !country.Fits(asked, f.Countries), len(f.Countries) == 0 && v.Unplaced && !f.Local:
		v.Why = OtherCountry
	default:
		v.Grade, v.Why = ByGate(f.Gate, &f.Evidence), ByEvidence
	}
	switch {
	case v.Unplaced:
		v.Grade = min(v.Grade, Unsure)
	case f.Several: // no bound makes 95 in 100 of these right
		v.Grade = min(v.Grade, Likely)
	}
	if f.DayUnsaid && v.Grade > Unsure {
		v.Grade, v.Why = Unsure, DayUnsaid
	}
	return v
}

// ByGate returns the grade that a gate's probabilities and thresholds give.
func ByGate(g *rank.Gate, e *rank.Evidence) Grade {
	has, least := g.HasAnswer(e)
	first := g.FirstAnswers(e)
	switch {
	case has < least:
		return Refused
	case first >= g.Sure:
		return Sure
	case first >= g.Likely:
		return Likely
	}
	return Unsure
}
