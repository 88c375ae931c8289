package learn

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"vigueur/internal/search/decide"
	"vigueur/internal/search/rank"
)

// lists are questions whose right article has more of the question's words than all
// but one in five, is as near in meaning as chance has it, and is of a set of two.
func lists(n int) (out []*List) {
	for q := range n {
		l := &List{ID: fmt.Sprint(q), Set: []string{"a", "b"}[q%2], Part: q % 3, Weight: 1, Right: 1}
		for i := range 10 {
			words := float32(i) / 10
			if i == 7 && q%5 > 0 {
				words = 1
			}
			l.Items = append(l.Items, Item{Name: fmt.Sprint("art-", i), Right: i == 7,
				Features: rank.Features{rank.Words: words, rank.Cosine: float32((q*7+i*3)%10) / 10, rank.UnknownCountry: 1}})
		}
		out = append(out, l)
	}
	return out
}

func everything(int) bool { return true }

func TestFitLearnsWhatTellsAndIsDeterministic(t *testing.T) {
	t.Parallel()
	all := lists(30)
	w := Fit(all, Options{Ridge: 1e-3, Uses: everything})
	if w[rank.Words] <= 1 || math.Abs(w[rank.Cosine]) > w[rank.Words]/2 {
		t.Errorf("words weigh %v, the meaning %v", w[rank.Words], w[rank.Cosine])
	}
	if w[rank.UnknownCountry] != 0 {
		t.Errorf("what is one for all weighs %v", w[rank.UnknownCountry])
	}
	if again := Fit(lists(30), Options{Ridge: 1e-3, Uses: everything}); again != w {
		t.Error("the same lists give other weights")
	}
	if only := Fit(all, Options{Ridge: 1e-3, Uses: func(i int) bool { return i == rank.Cosine }}); only[rank.Words] != 0 {
		t.Errorf("a feature that may not weigh weighs %v", only[rank.Words])
	}
	if none := Fit(nil, Options{Ridge: 1, Uses: everything}); none != (rank.Weights{}) {
		t.Errorf("of nothing is learned %v", none)
	}
}

// TestABaseIsLearnedBehind checks that weights learned behind others leave these as they
// are, learn nothing where the others say all, and what the others lack.
func TestABaseIsLearnedBehind(t *testing.T) {
	t.Parallel()
	all := lists(30)
	for _, l := range all { // where the words do not tell, the length does
		for i := range l.Items {
			if i == 7 && l.Items[i].Features[rank.Words] < 1 {
				l.Items[i].Features[rank.Length] = 1
			}
		}
	}
	base := Fit(all, Options{Ridge: 1e-3, Uses: func(i int) bool { return i == rank.Words }})
	kept := base
	added := Fit(all, Options{Ridge: 1e-3, Uses: func(i int) bool { return i == rank.Length }, Base: &base})
	if base != kept || added[rank.Words] != 0 {
		t.Errorf("the base became %v, and %v is added to its words", base, added[rank.Words])
	}
	if alone := Fit(all, Options{Ridge: 1e-3, Uses: func(i int) bool { return i == rank.Length }}); added[rank.Length] <= 0 || added[rank.Length] == alone[rank.Length] {
		t.Errorf("the length weighs %v behind the words, %v alone", added[rank.Length], alone[rank.Length])
	}
	if again := Fit(all, Options{Ridge: 1e-3, Uses: func(i int) bool { return i == rank.UnknownCountry }, Base: &base}); again != (rank.Weights{}) {
		t.Errorf("what is one for all weighs %v", again)
	}
}

func TestSetsCountAsTheyAreToldTo(t *testing.T) {
	t.Parallel()
	all := lists(30)
	for _, l := range all {
		for i := range l.Items { // in set b the meaning tells all
			if l.Set == "b" {
				l.Items[i].Features[rank.Words], l.Items[i].Features[rank.Cosine] = 0.5, 0
				if l.Items[i].Right {
					l.Items[i].Features[rank.Cosine] = 1
				}
			}
		}
	}
	few := Fit(all, Options{Ridge: 1e-2, Uses: everything, Share: map[string]float64{"a": 1, "b": 0.01}})
	many := Fit(all, Options{Ridge: 1e-2, Uses: everything, Share: map[string]float64{"a": 0.01, "b": 1}})
	if few[rank.Cosine] >= many[rank.Cosine] || few[rank.Words] <= many[rank.Words] {
		t.Errorf("with little of b %v and %v, with much %v and %v", few[rank.Words], few[rank.Cosine], many[rank.Words], many[rank.Cosine])
	}
}

func TestTheGradientIsThatOfTheLoss(t *testing.T) {
	t.Parallel()
	some := lists(12)
	some[0].Items[1].Right, some[0].Items[2].Right = true, true // several answer
	for _, each := range []bool{false, true} {
		for _, base := range []*rank.Weights{nil, {rank.Words: 2, rank.UnknownCountry: 5}} {
			gradientOf(t, prepare(some, Options{Ridge: 0.1, Uses: everything, Each: each, Share: map[string]float64{"a": 1, "b": 2}, Base: base}))
		}
	}
}

func gradientOf(t *testing.T, p *problem) {
	t.Helper()
	x := []float64{0.3, -0.7}
	if len(p.uses) != len(x) {
		t.Fatalf("%d features vary", len(p.uses))
	}
	g, none := make([]float64, len(x)), make([]float64, len(x))
	p.loss(x, g)
	for k := range x {
		const by = 1e-5
		up, down := []float64{x[0], x[1]}, []float64{x[0], x[1]}
		up[k] += by
		down[k] -= by
		if want := (p.loss(up, none) - p.loss(down, none)) / (2 * by); math.Abs(want-g[k]) > 1e-6 {
			t.Errorf("%d: %v, want %v", k, g[k], want)
		}
	}
}

func TestRankedPutsWhatIsNamedFirstAndWhatWasNotReadLast(t *testing.T) {
	t.Parallel()
	l := &List{Named: []string{"n"}, Rest: []string{"r"}, Items: []Item{{Name: "a"}, {Name: "b", Features: rank.Features{rank.Words: 1}}}}
	names, order := l.Ranked(&rank.Weights{rank.Words: 1})
	if !reflect.DeepEqual(names, []string{"n", "b", "a", "r"}) || !reflect.DeepEqual(order, []int{1, 0}) {
		t.Errorf("%v, %v", names, order)
	}
	if e := l.Evidence(&rank.Model{Order: rank.Step{Semantic: rank.Weights{rank.Words: 1}}, Weigh: rank.Step{Semantic: rank.Weights{rank.Words: 2}}}, rank.WordVectors); e[rank.TopScore] != 2 || e[rank.Margin] != 2 {
		t.Errorf("evidence %v", e)
	}
}

// outcomes are questions that the better are answered the better their articles
// cover them.
func outcomes(n int) (all []*Outcome) {
	for i := range n {
		x := float64(i) / float64(n)
		right := x > 0.3 && i%10 > 0 || x > 0.8
		all = append(all, &Outcome{ID: fmt.Sprintf("%03d", i), Part: i % 3, Weight: 1, Answers: right, Among: right || x > 0.2, Has: right || x > 0.1 && i%7 > 0,
			Evidence: rank.Evidence{rank.TopCovered: x, rank.Crowd: 0.5}})
	}
	return all
}

func TestTheGateIsCalibratedAndKeepsItsPromises(t *testing.T) {
	t.Parallel()
	all := outcomes(200)
	g := Gate(all, 1e-4)
	if g.First.Weights[rank.TopCovered] <= 0 || math.Abs(g.First.Weights[rank.Crowd]) > 1e-9 {
		t.Errorf("weights %v", g.First.Weights)
	}
	var judged []Judged
	for _, o := range all {
		judged = append(judged, Judge(&g, o))
	}
	Calibrate(&g, judged, 1)
	if !(0 < g.Unsure && g.Unsure < 1 && 0 < g.Sure && g.Sure < 1 && 0 < g.Other && g.Other < g.Sure) {
		t.Fatalf("thresholds %v, %v", g.Other, g.Sure)
	}
	sure, right, has, refused, said := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, o := range all {
		p := g.FirstAnswers(&o.Evidence)
		said += p
		if decide.ByGate(&g, &o.Evidence) == decide.Sure {
			sure++
			if o.Answers {
				right++
			}
		}
		if o.Has {
			has++
			if decide.ByGate(&g, &o.Evidence) == decide.Refused {
				refused++
			}
		}
	}
	if sure == 0 || right < sureRight*sure || refused > wrongRefusal*has {
		t.Errorf("%v of %v sure are right; of %v with an answer %v are refused", right, sure, has, refused)
	}
	answers := 0.0
	for _, o := range all {
		if o.Answers {
			answers++
		}
	}
	if math.Abs(said-answers) > 0.05*float64(len(all)) {
		t.Errorf("%v answers are expected, there are %v", said, answers)
	}
	h := Gate(outcomes(200), 1e-4)
	Calibrate(&h, judged, 1)
	if !reflect.DeepEqual(h, g) {
		t.Error("the same outcomes give another gate")
	}
}

func TestAGateWithoutCasesIsShut(t *testing.T) {
	t.Parallel()
	g := rank.Gate{}
	Calibrate(&g, nil, 1)
	if decide.ByGate(&g, &rank.Evidence{}) == decide.Refused || math.IsNaN(g.First.Slope) || math.IsNaN(g.Has.Shift) {
		t.Errorf("%+v", g)
	}
}

func TestOutcomesAreWeighed(t *testing.T) {
	t.Parallel()
	all := []*Outcome{{Has: true, Weight: 9}, {Weight: 9}, {Kind: Robbed}, {Kind: Alone}, {Kind: Codes, Weight: 1}, {Kind: Codes, Weight: 3}, {Kind: Cut, Weight: 5}}
	Weigh(all)
	for i, want := range []float64{1, 1, 0.5, 0.5, 0.5, 1.5, 2} {
		if all[i].Weight != want {
			t.Errorf("%d weighs %v, want %v", i, all[i].Weight, want)
		}
	}
}

// Codes have weights and a threshold of their own: what tells there that nothing answers need
// not tell it on gazettes, whose gate stays as it is.
func TestCodesHaveAGateOfTheirOwn(t *testing.T) {
	t.Parallel()
	gazettes, both := outcomes(200), outcomes(200)
	for i := range 400 {
		x := float64(i%200) / 200
		o := &Outcome{ID: fmt.Sprintf("c%03d", i), Weight: 0.5, Kind: Codes, Has: true, Evidence: rank.Evidence{rank.OneText: x, rank.LongTexts: 1}}
		if i >= 200 {
			o.Kind, o.Has, o.Evidence[rank.OneText] = Cut, false, x/2
		}
		both = append(both, o)
	}
	gate := func(all []*Outcome) rank.Gate {
		g := Gate(all, 1e-4)
		var judged []Judged
		for _, o := range all {
			judged = append(judged, Judge(&g, o))
		}
		Calibrate(&g, judged, 1)
		return g
	}
	without, g := gate(gazettes), gate(both)
	if without.Long != nil || g.Long == nil {
		t.Fatal("there is a gate for codes where there are none, or none where there are")
	}
	if w := g.Long.Has.Weights; w[rank.OneText] <= 0 || math.Abs(w[rank.TopCovered]) > 1e-9 {
		t.Errorf("weights of the codes: %v", w)
	}
	refused := map[Kind]int{}
	for _, o := range both {
		if onCodes(o) && decide.ByGate(&g, &o.Evidence) == decide.Refused {
			refused[o.Kind]++
		}
	}
	if refused[Codes] == 0 || float64(refused[Codes]) > wrongRefusal*200 || refused[Cut] <= refused[Codes] {
		t.Errorf("refused: %d of 200 that have an answer, %d of 200 that have none", refused[Codes], refused[Cut])
	}
}

// A catalogue counts for the gate of long texts as much as it is one of them.
func TestOutcomesCountByTheShapeOfTheirCatalogue(t *testing.T) {
	t.Parallel()
	all := []*Outcome{{ID: "short", Weight: 2}, {ID: "half", Weight: 2, Evidence: rank.Evidence{rank.LongTexts: 0.5}}, {ID: "long", Weight: 2, Evidence: rank.Evidence{rank.LongTexts: 1}}}
	long := ofLongTexts(all)
	if len(long) != 2 || long[0].ID != "half" || long[0].Weight != 1 || long[1].ID != "long" || long[1].Weight != 2 || all[1].Weight != 2 {
		t.Errorf("%d outcomes: %+v", len(long), long)
	}
}

// What is made of a question hangs neither on its own answer nor on those of others of its
// split, and each on gazettes as they are is judged as often as all.
func TestWhatIsJudgedWasNotLearnedFrom(t *testing.T) {
	t.Parallel()
	made := func(turned string) []Judged {
		all := outcomes(60)
		for i, o := range all {
			o.Split = fmt.Sprint(i / 4)
			if kinds := []Kind{Robbed, Codes, Cut}; i%5 < len(kinds) {
				o.Kind = kinds[i%5]
			}
			if o.Split == turned {
				o.Answers, o.Has = !o.Answers, !o.Has
			}
		}
		return Cross(all, 1e-2)
	}
	judged, turned, times := made(""), made("3"), make(map[string]int)
	for i, j := range judged {
		times[j.ID]++
		if j.Kind == Robbed {
			t.Errorf("%s is of kind %d", j.ID, j.Kind)
		}
		if same := j.First == turned[i].First && j.Some == turned[i].Some && j.LongSome == turned[i].LongSome && j.LongFirst == turned[i].LongFirst; j.Split == "3" && !same {
			t.Errorf("%s: %v and %v by its own answer", j.ID, j.First, turned[i].First)
		}
	}
	if len(judged) != 48*Times || slices.ContainsFunc(judged, func(j Judged) bool { return times[j.ID] != Times }) {
		t.Errorf("%d judgments, each question %v times", len(judged), times)
	}
}

// So many are taken that enough of them are right by their chances, by their share, and by
// their share less standard errors. Questions of one split stand or fall together, so the
// same answers spread over fewer splits let fewer pass.
func TestMostRight(t *testing.T) {
	t.Parallel()
	judged := func(n, wrongFrom, splits int) (all []Judged) {
		for i := range n {
			all = append(all, Judged{Outcome: &Outcome{Split: fmt.Sprint(i * splits / n), Answers: i < wrongFrom}, First: -float64(i)})
		}
		return all
	}
	certain := rank.Chance{Platt: rank.Platt{Shift: 9}}
	falling := rank.Chance{Platt: rank.Platt{Slope: 0.1, Shift: 3}} // 1/2 for the thirtieth
	for name, c := range map[string]struct {
		chance        rank.Chance
		judged        []Judged
		least, errors float64
		want          int
	}{
		"nothing":                     {certain, nil, 0.5, 1, 0},
		"all right":                   {certain, judged(20, 20, 20), 0.9, 1, 20},
		"all wrong":                   {certain, judged(20, 0, 20), 0.9, 1, 0},
		"one split has no error":      {certain, judged(20, 18, 1), 0.9, 1, 20},
		"the share":                   {certain, judged(200, 150, 200), 0.75, 0, 200},
		"less an error":               {certain, judged(200, 150, 200), 0.75, 1, 192},
		"less an error of ten":        {certain, judged(200, 150, 10), 0.75, 1, 176},
		"the chances":                 {falling, judged(200, 200, 200), 0.75, 0, 34},
		"share below the chances":     {falling, judged(200, 20, 200), 0.75, 0, 26},
		"an error where all is right": {falling, judged(200, 200, 200), 0.75, 1, 34},
	} {
		if got := mostRight(&c.chance, c.judged, c.least, c.errors); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
