package decide

import (
	"math"
	"testing"

	"vigueur/internal/law/country"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
)

// certain is a chance of p, whatever the evidence.
func certain(p float64) rank.Chance {
	return rank.Chance{Platt: rank.Platt{Shift: math.Log(p / (1 - p))}}
}

func TestGradesFollowTheProbability(t *testing.T) {
	t.Parallel()
	first := rank.Chance{Platt: rank.Platt{Slope: 2, Shift: -1}, Weights: rank.EvidenceWeights{rank.TopScore: 1}}
	some := first
	some.Shift = 1
	g := rank.Gate{Answerable: rank.Answerable{First: first, Has: some, Unsure: 0.3}, Sure: 0.8, Likely: 0.5}
	for x, want := range map[float64]Grade{-1000: Refused, -1: Refused, 0: Unsure, 0.5: Likely, 1: Likely, 1.2: Sure, 1000: Sure} {
		if got := ByGate(&g, &rank.Evidence{rank.TopScore: x}); got != want {
			t.Errorf("a score of %v is %v, want %v", x, got, want)
		}
	}
}

// A threshold counts as reached if it is met exactly, and refusal takes precedence.
func TestGradesAtTheThresholds(t *testing.T) {
	t.Parallel()
	first := rank.Chance{Platt: rank.Platt{Slope: 1}, Weights: rank.EvidenceWeights{rank.Margin: 1}, Bias: 0.5}
	has := rank.Chance{Platt: rank.Platt{Slope: 1}, Weights: rank.EvidenceWeights{rank.Crowd: 1}}
	e := rank.Evidence{rank.Margin: 1, rank.Crowd: 2}
	best, some := first.Probability(&e), has.Probability(&e)
	for _, c := range []struct {
		name                 string
		sure, likely, unsure float64
		want                 Grade
	}{
		{"both reached exactly", best, 0, some, Sure}, {"the first hardly missed", math.Nextafter(best, 1), best, some, Likely},
		{"likely hardly missed", 1, math.Nextafter(best, 1), some, Unsure},
		{"nothing in the catalogue, however sure", 0, 0, math.Nextafter(some, 1), Refused},
	} {
		g := rank.Gate{Answerable: rank.Answerable{First: first, Has: has, Unsure: c.unsure}, Sure: c.sure, Likely: c.likely}
		if got := ByGate(&g, &e); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A catalogue of long texts has a threshold of its own.
func TestGradesDependOnTheShape(t *testing.T) {
	t.Parallel()
	g := rank.Gate{Answerable: rank.Answerable{First: certain(0.4), Has: certain(0.8), Unsure: 0.4}, Long: &rank.Answerable{First: certain(0.4), Has: certain(0.6), Unsure: 0.7}, Sure: 1, Likely: 1}
	for shape, want := range map[float64]Grade{0: Unsure, 0.5: Unsure, 0.9: Refused, 1: Refused} {
		if got := ByGate(&g, &rank.Evidence{rank.LongTexts: shape}); got != want {
			t.Errorf("shape %v: %v, want %v", shape, got, want)
		}
	}
	g.Long = nil
	if got := ByGate(&g, &rank.Evidence{rank.LongTexts: 1}); got != Unsure {
		t.Errorf("without a gate of its own: %v", got)
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	french := question.Question{Language: question.French}
	lawless, english := french, question.Question{Language: question.English}
	lawless.Request = question.Advice
	abroad := french
	abroad.Countries = []country.Code{"sn"}
	g := rank.Gate{Answerable: rank.Answerable{First: certain(0.9), Has: certain(0.9), Unsure: 0.5}, Sure: 0.8}
	for name, c := range map[string]struct {
		found  Found
		grade  Grade
		why    Reason
		closed bool
		p      float64
	}{
		"nothing found":                         {Found{Asked: &french}, Refused, NothingFound, true, 0},
		"by the evidence":                       {Found{Asked: &french, Any: true}, Sure, ByEvidence, false, 0.9},
		"an article that the question names":    {Found{Asked: &french, Any: true, Named: true}, Sure, ByName, false, 1},
		"a figure that the named article lacks": {Found{Asked: &french, Any: true, Named: true, Evidence: rank.Evidence{rank.TopFigure: 1}}, Unsure, FalsePremise, false, 0.9},
		"no law":                                {Found{Asked: &lawless, Any: true, Named: true}, Refused, NoLaw, true, 1},
		"another language":                      {Found{Asked: &english, Any: true}, Refused, NotFrench, true, 0.9},
		"a text that the catalogue lacks":       {Found{Asked: &french, Any: true, TextAbsent: true}, Refused, TextAbsent, true, 0.9},
		"the law of a day that nobody says":     {Found{Asked: &french, Any: true, DayUnsaid: true}, Unsure, DayUnsaid, false, 0.9},
		"named, of a day that nobody says":      {Found{Asked: &french, Any: true, Named: true, DayUnsaid: true}, Unsure, DayUnsaid, false, 1},
		"refused, of a day that nobody says":    {Found{Asked: &lawless, Any: true, DayUnsaid: true}, Refused, NoLaw, true, 0.9},
		"the law of another country":            {Found{Asked: &abroad, Any: true, Countries: []country.Code{"ga"}}, Refused, OtherCountry, false, 0.9},
		"of nobody, and there is none of it":    {Found{Asked: &abroad, Any: true}, Refused, OtherCountry, false, 0.9},
		"the law of no known country":           {Found{Asked: &abroad, Any: true, Local: true}, Unsure, ByEvidence, false, 0.9},
		"of a guessed country":                  {Found{Asked: &abroad, Any: true, Countries: []country.Code{"sn"}, Guessed: true}, Unsure, ByEvidence, false, 0.9},
		"of another one, guessed":               {Found{Asked: &abroad, Any: true, Countries: []country.Code{"ga"}, Guessed: true, Local: true}, Refused, OtherCountry, false, 0.9},
		"of one of several countries":           {Found{Asked: &french, Any: true, Countries: []country.Code{"ga"}, Several: true}, Likely, ByEvidence, false, 0.9},
		"named, of no known country":            {Found{Asked: &abroad, Any: true, Named: true}, Sure, ByName, false, 1},
		"the law of a union":                    {Found{Asked: &abroad, Any: true, Countries: []country.Code{"ohada"}}, Sure, ByEvidence, false, 0.9},
	} {
		c.found.Gate = &g
		v := Decide(&c.found)
		if v.Grade != c.grade || v.Why != c.why || v.Closed() != c.closed || math.Abs(v.Probability-c.p) > 1e-9 || v.Sure != g.Sure || v.Answers() != (c.grade != Refused) || v.Unplaced != (c.found.Asked == &abroad && !c.found.Named && (c.found.Countries == nil || c.found.Guessed)) {
			t.Errorf("%s: %+v, closed %v", name, v, v.Closed())
		}
	}
}

func TestVerdictsThatChange(t *testing.T) {
	t.Parallel()
	named := SureByName()
	if !named.Certain() || named.Doubtful() || named.Probability != 1 || named.Closed() {
		t.Errorf("named: %+v", named)
	}
	if v := named.Abstain(); v.Answers() || v.Why != NoPassage || v.Closed() || named.Grade != Sure {
		t.Errorf("abstained: %+v", v)
	}
	if v := named.AtLeastUnsure(); v != named {
		t.Errorf("a sure verdict became %+v", v)
	}
	refused := WithoutArticle(Silent)
	if v := refused.AtLeastUnsure(); refused.Answers() || v.Grade != Unsure || v.Why != Silent {
		t.Errorf("%+v became %+v", refused, v)
	}
}
