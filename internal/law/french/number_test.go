package french_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law/french"
)

// speller writes numbers in words, as French texts do: with the words of France for 70 and
// 90, or with those of Belgium, Switzerland and the Congo.
type speller struct{ septante, hyphens bool }

var small = strings.Fields("zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf")

// below100 follows the rules of the Académie: « et » before « un » and « onze », but not in
// « quatre-vingt-un » and « quatre-vingt-onze ».
func (s speller) below100(n int) string {
	tens := map[int]string{2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante", 7: "septante", 8: "quatre-vingt", 9: "nonante"}
	ten, unit := n/10, n%10
	if !s.septante && (ten == 7 || ten == 9) {
		ten, unit = ten-1, unit+10
	}
	switch {
	case n < 20:
		return small[n]
	case unit == 0 && ten == 8:
		return "quatre-vingts"
	case unit == 0:
		return tens[ten]
	case (unit == 1 || unit == 11) && ten != 8:
		return tens[ten] + " et " + small[unit]
	}
	return tens[ten] + "-" + small[unit]
}

func (s speller) below1000(n int) string {
	hundreds, rest := n/100, n%100
	switch {
	case hundreds == 0:
		return s.below100(rest)
	case hundreds == 1 && rest == 0:
		return "cent"
	case hundreds == 1:
		return "cent " + s.below100(rest)
	case rest == 0:
		return small[hundreds] + " cents"
	}
	return small[hundreds] + " cent " + s.below100(rest)
}

func (s speller) spell(n int) (text string) {
	var parts []string
	if millions := n / 1_000_000; millions == 1 {
		parts = append(parts, "un million")
	} else if millions > 1 {
		parts = append(parts, s.below1000(millions)+" millions")
	}
	if thousands := n / 1000 % 1000; thousands == 1 {
		parts = append(parts, "mille")
	} else if thousands > 1 {
		text := s.below1000(thousands)
		if strings.HasSuffix(text, "cents") || strings.HasSuffix(text, "vingts") {
			text = strings.TrimSuffix(text, "s") // « mille » follows
		}
		parts = append(parts, text+" mille")
	}
	if rest := n % 1000; rest > 0 || n == 0 {
		parts = append(parts, s.below1000(rest))
	}
	text = strings.Join(parts, " ")
	if s.hyphens {
		text = strings.ReplaceAll(text, " ", "-") // spelling of 1990
	}
	return text
}

// A number in words equals the number in digits, in the spelling of any country and of any
// year.
func TestNumbersInWords(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(61, 62))
	numbers := make([]int, 0, 4000)
	for n := range 1200 {
		numbers = append(numbers, n)
	}
	for range 2500 {
		numbers = append(numbers, r.IntN(1_000_000), r.IntN(1_000_000_000))
	}
	for name, s := range map[string]speller{"of France": {}, "of Belgium": {septante: true}, "of 1990": {hyphens: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, n := range numbers {
				if n == 1 { // « un » is an article unless it counts
					continue
				}
				text := s.spell(n)
				if got, want := french.Terms(text+" francs"), french.Terms(fmt.Sprintf("%d francs", n)); !slices.Equal(got, want) {
					t.Fatalf("%q is read as %q, want %q", text, got, want)
				}
			}
		})
	}
}

// A number has the same value however its digits are grouped and its fraction is separated.
func TestNumbersInFigures(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1.000.000": "1000000", "1 000 000": "1000000", "12 345": "12345", "1 000,50": "1000.5", "1.234,05": "1234.05", "0,5": "0.5", "007": "7", "000": "0",
		"1,000": "1", "3,14": "3.14", "3.14": "3.14", "1.2.3": "1 2 3", "1.5.2": "1 5 2", "1 000 00": "1000 0", "1234 567": "1234 567", "012 345": "12 345",
		"1 000.000": "1000 0", "2020 000": "2020 0", "12;345": "12 345", "12\n345": "12 345", "12, 345": "12 345",
		"1 234 567 890 123 456 789": "1234567890123456 789",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, x := range french.Analyze(text) {
				if x.Kind == french.Number {
					got = append(got, x.Term)
				}
			}
			if g := strings.Join(got, " "); g != want {
				t.Errorf("%q, want %q", g, want)
			}
		})
	}
}

// « un » and « une » are a number only if they count something.
func TestOneIsANumberWhereItCounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"un mois": "1", "une année": "1", "un (1) contrat": "1", "un million": "1000000", "un milliard de francs": "1000000000", "vingt et un jours": "21",
		"trente et une heures": "31", "quatre-vingt-un ans": "81", "cent un": "101",
		"un contrat": "", "l’un et l’autre": "", "une": "", "un": "", "un (2) contrat": "2", "un, mois": "",
		"deux et trois": "2 3", "cinq et un contrat": "5", "dix un": "10", "vingt deux": "22", "cinq six": "5 6", "cent deux cents": "102 100",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, x := range french.Analyze(text) {
				if x.Kind == french.Number && !x.Stop {
					got = append(got, x.Term)
				}
			}
			if g := strings.Join(got, " "); g != want {
				t.Errorf("%q, want %q", g, want)
			}
		})
	}
}

// A number in words that is followed by the same number in digits is one number, and its
// token covers both. Different digits are a separate number.
func TestANumberIsRepeatedInFigures(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"trois (3)": "3=trois (3", "cent mille (100 000)": "100000=cent mille (100 000", "trois (4)": "3=trois 4=4", "trois 3": "3=trois 3=3", "deux ( 2 )": "2=deux ( 2",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, x := range french.Analyze(text) {
				got = append(got, x.Term+"="+text[x.Start:x.End])
			}
			if g := strings.Join(got, " "); g != want {
				t.Errorf("%q, want %q", g, want)
			}
		})
	}
}

// A Roman numeral in a heading equals the number in digits.
func TestRomanNumeralsOfHeadings(t *testing.T) {
	t.Parallel()
	tens := []string{"", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"}
	units := []string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"}
	for n := 1; n < 200; n++ {
		roman := strings.Repeat("C", n/100) + tens[n/10%10] + units[n%10]
		for _, heading := range []string{"titre", "Livre", "CHAPITRE", "Section", "partie"} {
			if got, want := french.Terms(heading+" "+roman), french.Terms(fmt.Sprintf("%s %d", heading, n)); !slices.Equal(got, want) {
				t.Fatalf("%s %s is %q, want %q", heading, roman, got, want)
			}
		}
	}
	for _, text := range []string{"titre vi", "titre Civil", "titre-II", "Titre M", "le Code II"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			for _, x := range french.Analyze(text) {
				if x.Kind == french.Number {
					t.Errorf("the number %q", x.Term)
				}
			}
		})
	}
}
