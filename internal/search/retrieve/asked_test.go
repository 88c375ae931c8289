package retrieve

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/encode"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
	"vigueur/internal/store/postgres"
)

// TestPenaltiesAreAskedFor is that an article which only imposes a duty is known to lack
// what a question about the consequences of a breach asks for, and one that has them not.
func TestPenaltiesAreAskedFor(t *testing.T) {
	t.Parallel()
	told := func(question, text string) rank.Features {
		terms := french.Terms(question)
		a := queryTerms{terms: terms, roles: make([]role, len(terms)), figures: french.Asks(question), grams: gramsOf(terms)}
		for range terms {
			a.weights = append(a.weights, 1)
		}
		passage := law.Passage{Text: text}
		hits := []Hit{{Found: postgres.Found{Article: law.Article{Number: "3"}, Passage: passage}, Passages: []law.Passage{passage}}}
		a.addFeatures(hits, analyze)
		return hits[0].Features
	}
	duty, penalty := "Le meunier tient le registre annuel de la meule.", "Le meunier sans registre est passible de radiation."
	question := "Que risque le meunier sans registre annuel ?"
	if d, p := told(question, duty), told(question, penalty); d[rank.Unpunished] != 1 || p[rank.Unpunished] != 0 {
		t.Errorf("the duty lacks %v, the penalty %v", d[rank.Unpunished], p[rank.Unpunished])
	}
	question = "Le meunier tient-il un registre annuel ?"
	d, p := told(question, duty), told(question, penalty)
	if d[rank.Unpunished] != 0 || d[rank.Covered] <= p[rank.Covered] || d[rank.CoveredBody] != d[rank.Covered] || d[rank.CoveredHeads] != 0 {
		t.Errorf("asked for the duty: %v, the penalty %v", d, p)
	}
}

// TestWordsAreFoundWhereTheyStand is that a word of a heading or of the title of a text
// counts there, and that likeness is that of the heading it stands in.
func TestWordsAreFoundWhereTheyStand(t *testing.T) {
	t.Parallel()
	a := queryTerms{terms: french.Terms("moulin farine sel"), weights: []float64{1, 1, 2}, roles: make([]role, 3), grams: gramsOf(french.Terms("moulin farine sel"))}
	passage := law.Passage{Text: "La farine est blanche."}
	hits := []Hit{{Found: postgres.Found{Article: law.Article{Number: "3", Path: []string{"Des grains", "Du moulin"}},
		Document: law.Document{Title: "Code du sel"}, Passage: passage}, Passages: []law.Passage{passage}}}
	a.addFeatures(hits, analyze)
	f := hits[0].Features
	for feature, want := range map[int]float32{rank.Covered: 1, rank.CoveredBody: 0.25, rank.CoveredHeads: 0.25, rank.CoveredTitle: 0.5,
		rank.CoveredPlain: 1, rank.MissedMost: 0, rank.Rarest: 1, rank.MissedNames: 0} {
		if f[feature] != want {
			t.Errorf("%s is %v, want %v", rank.Names()[feature], f[feature], want)
		}
	}
	if f[rank.LeafLikeness] <= 0 || f[rank.LeafLikeness] <= f[rank.PathLikeness] || f[rank.TitleLikeness] <= 0 {
		t.Errorf("likeness of the heading %v, of all %v, of the title %v", f[rank.LeafLikeness], f[rank.PathLikeness], f[rank.TitleLikeness])
	}
}

// TestTheLawsWordsStandTogether is that neighbors of a question are found together by
// the law's words for them too, where it has all of these.
func TestTheLawsWordsStandTogether(t *testing.T) {
	t.Parallel()
	a := queryTerms{terms: french.Terms("veuve meunier remarier"), matches: []french.Match{
		{Start: 0, End: 1, Legal: [][]string{french.Terms("épouse survivante")}}, {Start: 2, End: 3, Legal: [][]string{french.Terms("noces")}}}}
	for text, want := range map[string]float64{
		"Les noces du meunier sont gaies.":                                0.5,
		"L’épouse survivante du meunier attend.":                          0.5,
		"L’épouse du meunier attend.":                                     0,
		"Le meunier moud le grain de tous, au prix du roi. Noces closes.": 0,
	} {
		if got := a.adjacency(analyze(Hit{Passages: []law.Passage{{Text: text}}})); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestWordsCountByWhatTheyAreThereFor is that words which only say what kind of answer is
// asked for, those of an earlier question and those beside the question have shares of
// their own, and that only the first are no part of what is asked about.
func TestWordsCountByWhatTheyAreThereFor(t *testing.T) {
	t.Parallel()
	q := question.Read("Et pour le meunier ?", question.Conversation{Asked: []string{"Quelle est la durée du préavis d’un apprenti ?"}})
	told := question.Read("Le moulin est vieux. Quel est le montant de la taxe ?", question.Conversation{})
	for _, tt := range []struct {
		q     question.Question
		roles map[string]role
	}{
		{q, map[string]role{"meuni": subject, "preav": earlier, "dure": shaping}},
		{told, map[string]role{"moulin": background, "tax": subject, "montant": shaping}},
	} {
		terms := append(slices.Clone(tt.q.Terms), tt.q.EarlierTerms...)
		for word, want := range tt.roles {
			i := slices.IndexFunc(terms, func(term string) bool { return strings.HasPrefix(term, word) })
			if i < 0 {
				t.Fatalf("%q has no word %q: %q", tt.q.Text, word, terms)
			}
			if got := roleOf(tt.q, terms[i], i >= len(tt.q.Terms)); got != want {
				t.Errorf("%q: %s is %d, want %d", tt.q.Text, word, got, want)
			}
		}
	}
	a := queryTerms{terms: []string{"durée", "moulin", "farin"}, weights: []float64{1, 1, 3}, roles: []role{shaping, subject, background}}
	passage := law.Passage{Text: "La farine est blanche, sa durée est longue."}
	hits := []Hit{{Found: postgres.Found{Article: law.Article{Number: "3"}, Passage: passage}, Passages: []law.Passage{passage}}}
	a.addFeatures(hits, analyze)
	for feature, want := range map[int]float32{rank.Covered: 0.75, rank.CoveredBeside: 1, rank.CoveredEarlier: 0} {
		if got := hits[0].Features[feature]; got != want {
			t.Errorf("%s is %v, want %v", rank.Names()[feature], got, want)
		}
	}
}

// TestWhatIsNearInMeaningCovers is that a word stands for one that it is near to, that
// what stands together counts together, and that vectors may be lacking.
func TestWhatIsNearInMeaningCovers(t *testing.T) {
	t.Parallel()
	words, err := encode.New()
	if err != nil {
		t.Fatal(err)
	}
	terms := french.Terms("salaire licenciement")
	a := queryTerms{terms: terms, weights: []float64{1, 1}, roles: make([]role, 2), unknown: 0.25}
	var near, bare, far rank.Features
	text := "La rémunération est versée en cas de rupture du contrat de travail."
	a.gateFeatures(&near, analyze(Hit{Passages: []law.Passage{{Text: text}}}), words)
	a.gateFeatures(&bare, analyze(Hit{Passages: []law.Passage{{Text: text}}}), nil)
	a.gateFeatures(&far, analyze(Hit{Passages: []law.Passage{{Text: "Les navires battent pavillon."}}}), words)
	if near[rank.NearCovered] <= 0 || near[rank.NearCovered] <= far[rank.NearCovered] || near[rank.NearMissed] >= far[rank.NearMissed] || near[rank.Unknown] != 0.25 {
		t.Errorf("near %v, far %v", near, far)
	}
	if bare[rank.NearCovered] != 0 || bare[rank.NearMissed] != 0.5 {
		t.Errorf("without vectors: %v", bare)
	}
	apart := "Le salaire est versé. " + strings.Repeat("Les navires battent pavillon noir. ", 20) + "Le licenciement est écrit."
	var close, loose rank.Features
	a.gateFeatures(&close, analyze(Hit{Passages: []law.Passage{{Text: "Le salaire est versé jusqu’au licenciement."}}}), words)
	a.gateFeatures(&loose, analyze(Hit{Passages: []law.Passage{{Text: apart}}}), words)
	if close[rank.Close] != 1 || loose[rank.Close] != 0.5 || loose[rank.NearCovered] != 1 {
		t.Errorf("close %v, apart %v", close[rank.Close], loose[rank.Close])
	}
}
