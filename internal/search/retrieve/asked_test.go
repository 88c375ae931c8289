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
)

// TestPenaltyFeature checks that for a question about the consequences of a breach, an
// article that only imposes a duty gets the feature Unpunished and an article with the
// penalty does not.
func TestPenaltyFeature(t *testing.T) {
	t.Parallel()
	features := func(question, text string) rank.Features {
		terms := french.Terms(question)
		a := queryTerms{terms: terms, roles: make([]role, len(terms)), figures: french.Asks(question), grams: gramsOf(terms)}
		for range terms {
			a.weights = append(a.weights, 1)
		}
		passage := law.Passage{Text: text}
		hits := []Hit{{Article: law.Article{Number: "3"}, Passage: passage, Passages: []law.Passage{passage}}}
		a.addFeatures(hits, analyze)
		return hits[0].Features
	}
	duty, penalty := "Le meunier tient le registre annuel de la meule.", "Le meunier sans registre est passible de radiation."
	question := "Que risque le meunier sans registre annuel ?"
	if d, p := features(question, duty), features(question, penalty); d[rank.Unpunished] != 1 || p[rank.Unpunished] != 0 {
		t.Errorf("Unpunished of the duty %v, of the penalty %v", d[rank.Unpunished], p[rank.Unpunished])
	}
	question = "Le meunier tient-il un registre annuel ?"
	d, p := features(question, duty), features(question, penalty)
	if d[rank.Unpunished] != 0 || d[rank.Covered] <= p[rank.Covered] || d[rank.CoveredBody] != d[rank.Covered] || d[rank.CoveredHeads] != 0 {
		t.Errorf("question about the duty: features of the duty %v, of the penalty %v", d, p)
	}
}

// TestFieldFeatures checks that a word of a heading or of the title counts for that
// field, and that the likeness of the nearest heading exceeds that of all headings
// together.
func TestFieldFeatures(t *testing.T) {
	t.Parallel()
	a := queryTerms{terms: french.Terms("moulin farine sel"), weights: []float64{1, 1, 2}, roles: make([]role, 3), grams: gramsOf(french.Terms("moulin farine sel"))}
	passage := law.Passage{Text: "La farine est blanche."}
	hits := []Hit{{Article: law.Article{Number: "3", Path: []string{"Des grains", "Du moulin"}},
		Document: law.Document{Title: "Code du sel"}, Passage: passage, Passages: []law.Passage{passage}}}
	a.addFeatures(hits, analyze)
	f := hits[0].Features
	for feature, want := range map[int]float32{rank.Covered: 1, rank.CoveredBody: 0.25, rank.CoveredHeads: 0.25, rank.CoveredTitle: 0.5,
		rank.CoveredPlain: 1, rank.MissedMost: 0, rank.Rarest: 1, rank.MissedNames: 0} {
		if f[feature] != want {
			t.Errorf("%s is %v, want %v", rank.Names()[feature], f[feature], want)
		}
	}
	if f[rank.LeafLikeness] <= 0 || f[rank.LeafLikeness] <= f[rank.PathLikeness] || f[rank.TitleLikeness] <= 0 {
		t.Errorf("likeness of the nearest heading %v, of all %v, of the title %v", f[rank.LeafLikeness], f[rank.PathLikeness], f[rank.TitleLikeness])
	}
}

// TestAdjacencyByLegalTerms checks that neighboring words of a question count as adjacent
// in an article by their legal terms too, but only if the article has every word of such
// a term.
func TestAdjacencyByLegalTerms(t *testing.T) {
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

// TestRoles checks the roles of words. Words that only say what kind of answer is asked
// for, words of an earlier question and words outside the asking sentence each have a
// share of their own; only the first do not count for Covered.
func TestRoles(t *testing.T) {
	t.Parallel()
	followUp := question.Read("Et pour le meunier ?", question.Conversation{Asked: []string{"Quelle est la durée du préavis d’un apprenti ?"}})
	twoSentences := question.Read("Le moulin est vieux. Quel est le montant de la taxe ?", question.Conversation{})
	for _, tt := range []struct {
		q     question.Question
		roles map[string]role
	}{
		{followUp, map[string]role{"meuni": subject, "preav": earlier, "dure": shaping}},
		{twoSentences, map[string]role{"moulin": background, "tax": subject, "montant": shaping}},
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
	hits := []Hit{{Article: law.Article{Number: "3"}, Passage: passage, Passages: []law.Passage{passage}}}
	a.addFeatures(hits, analyze)
	for feature, want := range map[int]float32{rank.Covered: 0.75, rank.CoveredBeside: 1, rank.CoveredEarlier: 0} {
		if got := hits[0].Features[feature]; got != want {
			t.Errorf("%s is %v, want %v", rank.Names()[feature], got, want)
		}
	}
}

// TestGateFeatures checks that a word is covered by one that is near in meaning, that
// words close together raise the feature Close, and that gateFeatures works without
// vectors.
func TestGateFeatures(t *testing.T) {
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

// TestAlignmentFeatures checks that an article gets the features of alignment for what the
// question asks for and the article offers, and no other.
func TestAlignmentFeatures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question, text string
		want           []int
	}{
		{"Qui nomme le meunier ?", "Le ministre nomme le meunier pour deux ans.", []int{rank.AlignedAuthority}},
		{"Combien de temps dure le bail ?", "Le ministre signe le bail, qui dure deux ans.", []int{rank.AlignedPeriod}},
		{"Peut-on moudre la nuit ?", "Nul ne moud la nuit.", []int{rank.AlignedPermission}},
		{"À quelles conditions est-il agréé ?", "Il est agréé si la meule est neuve.", []int{rank.AlignedCondition}},
		{"Où est le siège de la cour ?", "La cour a son siège à Thiès.", []int{rank.AlignedPlace}},
		{"Qui nomme le meunier ?", "Le meunier est nommé pour deux ans.", nil},
		{"Le meunier est-il riche ?", "Le ministre peut le dire dans un an si le lieu s’y prête.", nil},
	} {
		asked := question.Read(c.question, question.Conversation{})
		a := queryTerms{terms: asked.Terms, roles: make([]role, len(asked.Terms)), weights: make([]float64, len(asked.Terms)), offers: asked.Offers}
		passage := law.Passage{Text: c.text}
		hits := []Hit{{Article: law.Article{Number: "3"}, Passage: passage, Passages: []law.Passage{passage}}}
		a.addFeatures(hits, analyze)
		var got []int
		for feature := rank.AlignedAuthority; feature <= rank.AlignedPlace; feature++ {
			if hits[0].Features[feature] == 1 {
				got = append(got, feature)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, %q: features %v, want %v", c.question, c.text, got, c.want)
		}
	}
}
