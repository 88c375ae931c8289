package strength

import (
	"math"
	"testing"
)

// guesses returns the bits of a password whose owner has no words of their own.
func guesses(password string) float64 { return bits([]rune(password), ranks{}) }

// Patterns that people use in passwords take fewer guesses than random characters.
func TestPatternsCostLess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pattern, chance string
		most            float64 // bits
	}{
		"one character repeated":            {"zzzzzzzz", "zkwpvhqx", 8},
		"repeated in whatever case":         {"zZzZzZzZ", "zKwPvHqX", 9},
		"letters in their order":            {"klmnopqr", "zkwpvhqx", 8},
		"against their order":               {"rqponmlk", "zkwpvhqx", 9},
		"capitals in their order":           {"KLMNOPQR", "ZKWPVHQX", 9},
		"digits in their order":             {"34567890", "83920185", 14},
		"a walk on a French keyboard":       {"qsdfghjk", "zkwpvhqx", 14},
		"a walk on an English keyboard":     {"zxcvbnm,", "zkwpvhq,", 14},
		"a walk with a turn":                {"wxcvfrtg", "wkzpvhqx", 27},
		"shifted keys of a walk":            {"QSdfghjk", "ZKwpvhqx", 19},
		"a walk on a block of digits":       {"74123698", "83920175", 24},
		"a day with separators":             {"17/03/1984", "83/92/0175", 18},
		"a day of the English":              {"03/17/1984", "83/92/0175", 18},
		"a day, the year first":             {"1984-03-17", "8392-01-75", 18},
		"a day without separators":          {"17031984", "83920175", 16},
		"a day with a short year":           {"170384", "839275", 16},
		"a day with one digit of the month": {"17.3.84", "83.9.75", 18},
		"a common word":                     {"montagne", "zkwpvhqx", 14},
		"a word with a capital":             {"Montagne", "Zkwpvhqx", 15},
		"a word with its last as a capital": {"montagnE", "zkwpvhqX", 15},
		"a word in capitals":                {"MONTAGNE", "ZKWPVHQX", 15},
		"a word with accents":               {"éléphant", "zkwpvhqx", 16},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pattern, chance := guesses(c.pattern), guesses(c.chance)
			if pattern > c.most || pattern >= chance-2 || pattern < 0 {
				t.Errorf("%q takes %.1f bits, at most %.0f wanted; %q takes %.1f", c.pattern, pattern, c.most, c.chance, chance)
			}
		})
	}
}

// A text that only looks like a pattern takes as many guesses as its characters.
func TestNoPatterns(t *testing.T) {
	t.Parallel()
	for name, password := range map[string]string{
		"two of a character":                       "zzkwp",
		"two neighbors on a keyboard":              "zkoplw",
		"a day that no month has":                  "32/05/1984",
		"a month that no year has":                 "13/13/1984",
		"day 0":                                    "00/05/1984",
		"a year too early":                         "17/03/1384",
		"two different separators":                 "17/03-1984",
		"digits of another script are no sequence": "١٢٣",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := []rune(password)
			for _, found := range append(append(append(repetitions(p), sequences(p)...), walks(p)...), dates(p)...) {
				if found.from == 0 && found.to == len(p) {
					t.Errorf("%q is taken for a pattern: %v", password, found)
				}
			}
		})
	}
}

// Parts are found anywhere in a password, and next to other parts.
func TestPartsAreFoundInside(t *testing.T) {
	t.Parallel()
	const before, behind = "éK#", "!ù"
	for name, c := range map[string]struct {
		inside string
		find   func([]rune) []part
	}{
		"a repetition": {"zzzz", repetitions},
		"a sequence":   {"fedcba", sequences},
		"a walk":       {"azerty", walks},
		"a day":        {"17/03/1984", dates},
		"a word":       {"montagne", func(p []rune) []part { return words(p, ranks{}) }},
		"one's own":    {"quokkazwq", func(p []rune) []part { return words(p, rank([]string{"Quokkazwq"})) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inside := len([]rune(c.inside))
			for _, found := range c.find([]rune(before + c.inside + behind)) {
				if found.from == 3 && found.to == 3+inside {
					return
				}
			}
			t.Errorf("%q is not found between others", c.inside)
		})
	}
}

// Two parts that share a character are both found.
func TestPartsMeet(t *testing.T) {
	t.Parallel()
	if abcba := sequences([]rune("abcdedcba")); len(abcba) != 2 || abcba[0].to != 5 || abcba[1].from != 4 {
		t.Errorf("forth and back: %v", abcba)
	}
	if got := repetitions([]rune("aaabbb")); len(got) != 2 || got[0].to != 3 || got[1].from != 3 {
		t.Errorf("two repetitions: %v", got)
	}
}

// The bits are the minimum over all divisions; characters outside any part count one by one.
func TestBitsAreTheLeastSum(t *testing.T) {
	t.Parallel()
	whole, halves := guesses("motdepasse"), guesses("mot")+guesses("de")+guesses("passe")
	if whole >= halves {
		t.Errorf("a listed word takes %.1f bits, its parts %.1f", whole, halves)
	}
	if got, want := guesses("ж"), math.Log2(26); got != want {
		t.Errorf("one small letter: %.2f bits, want %.2f", got, want)
	}
	if got, want := guesses("жЖ7#"), 4*math.Log2(26+26+10+33); math.Abs(got-want) > 1e-9 && got > want {
		t.Errorf("one of each kind: %.2f bits, want %.2f at most", got, want)
	}
	if got := guesses(""); got != 0 {
		t.Errorf("nothing takes %.1f bits", got)
	}
}

// The better a word's rank, the fewer guesses; the owner's own words have better ranks than
// common ones.
func TestRanks(t *testing.T) {
	t.Parallel()
	own := rank([]string{"Xanthippe", "", "quokkazwq", "xanthippe"})
	if own.of("xanthippe") != 1 || own.of("quokkazwq") != 3 || own.of("") != 0 || own.of("zwqzwqzwq") != 0 {
		t.Errorf("ranks %v", own)
	}
	if common := (ranks{}).of("password"); common != 1 {
		t.Errorf("the most common password has rank %d", common)
	}
	if got := rank([]string{"a", "b", "password"}).of("password"); got != 1 {
		t.Errorf("a common word that is one's own has rank %d", got)
	}
}

// The keys of the two keypads and of the three keyboards have the same neighbors as on real
// ones.
func TestKeyboards(t *testing.T) {
	t.Parallel()
	neighbors := func(k keyboard, a, b rune) bool {
		direction, _ := k.step(a, b)
		return direction >= 0
	}
	azerty, qwerty, pad := keyboards()[0], keyboards()[1], keyboards()[3]
	for name, c := range map[string]struct {
		keyboard keyboard
		a, b     rune
		want     bool
	}{
		"a and z of the French":         {azerty, 'a', 'z', true},
		"q below a":                     {azerty, 'a', 'q', true},
		"m beside l":                    {azerty, 'l', 'm', true},
		"w below q":                     {azerty, 'q', 'w', true},
		"shifted 1 beside é":            {azerty, '1', 'é', true},
		"a and z of the English":        {qwerty, 'a', 'z', true},
		"q and z lie apart":             {qwerty, 'q', 'z', false},
		"two rows apart":                {qwerty, 'q', 'x', false},
		"5 and 9 of the pad, diagonal":  {pad, '5', '9', true},
		"0 below 2":                     {pad, '0', '2', true},
		"7 and 1 of the pad":            {pad, '7', '1', false},
		"a key that is on none of them": {pad, 'é', '1', false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := neighbors(c.keyboard, c.a, c.b); got != c.want {
				t.Errorf("neighbors: %v", got)
			}
			if neighbors(c.keyboard, c.a, c.b) != neighbors(c.keyboard, c.b, c.a) {
				t.Error("one is the other's neighbor and not the other way round")
			}
		})
	}
	for i, k := range keyboards() {
		if k.degree < 3 || k.degree > 6 {
			t.Errorf("keyboard %d has %.1f neighbors a key", i, k.degree)
		}
	}
}
