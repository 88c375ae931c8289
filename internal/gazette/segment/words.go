package segment

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// The names that texts have and the months of the two calendars are fixed lists. Nothing about them is
// learned.

//go:embed natures.tsv
var naturesFile string

// nature is what a text calls itself.
type nature struct {
	name   string // « Décret exécutif »
	folded string
	as     law.DocType // the nearest type of the catalogue
}

// natures lists all natures, longer names first.
var natures = readNatures(naturesFile)

// readNatures reads lines of the form « name <tab> type »; « # » begins a comment.
func readNatures(file string) []nature {
	var out []nature
	for line := range strings.Lines(file) {
		name, kind, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && !strings.HasPrefix(name, "#") {
			out = append(out, nature{name: name, folded: law.Fold(name), as: law.DocType(kind)})
		}
	}
	slices.SortStableFunc(out, func(a, b nature) int { return cmp.Compare(len(b.name), len(a.name)) })
	return out
}

// natureWords holds the first words of the names of natures, in the singular and the plural.
var natureWords = func() map[string]bool {
	out := map[string]bool{}
	for _, n := range natures {
		w := strings.FieldsFunc(n.folded, func(r rune) bool { return r == ' ' || r == '-' })[0]
		out[w], out[w+"s"] = true, true
	}
	return out
}()

// kindWord reports whether a folded word begins the name of a nature.
func kindWord(w string) bool { return natureWords[w] }

// natureNames is a regular expression for all names of natures, in any case, with or without accents, with
// any blanks, in the singular or the plural.
var natureNames = func() string {
	var names []string
	for _, n := range natures {
		words := strings.Split(n.name, " ")
		for i, w := range words {
			words[i] = strings.ReplaceAll(anyAccents.Replace(law.Fold(w)), "-", "(?: ?~ ?| )") + "s?"
		}
		names = append(names, strings.Join(words, " +"))
	}
	return `(?i:` + strings.Join(names, "|") + `)`
}()

// anyAccents replaces a folded letter by a class of its accented forms.
var anyAccents = strings.NewReplacer("a", "[aàâ]", "e", "[eéèêë]", "i", "[iîï]", "o", "[oô]", "u", "[uùûü]", "c", "[cç]")

var natureAt = law.Pattern(`^` + natureNames + `(?:$|[^\p{L}])`)

// natureOf reads the name of a nature at the beginning of a text. If no name matches exactly, it accepts one or two
// misread letters in the first word. end is the byte after the name.
func natureOf(text string) (n nature, end int, ok bool) {
	if m := natureAt.FindString(text); m != "" {
		name := strings.TrimRightFunc(m, func(r rune) bool { return !isLetter(r) })
		return natureNamed(law.Fold(name)), len(name), true
	}
	word := wordAt.FindString(text)
	folded, fewest := heads.Letters(word), mostSlips+1
	for _, other := range natures {
		if len(other.folded) < leastSlipped || strings.ContainsAny(other.folded, " -") {
			continue
		}
		if slips := heads.Slips(folded, other.folded); slips < fewest {
			n, fewest = other, slips
		}
	}
	return n, len(word), fewest <= mostSlips
}

// A name of at least leastSlipped letters is recognized even if mostSlips of its letters are misread: no two names of
// that length are so similar.
const (
	leastSlipped = 6
	mostSlips    = 2
)

var wordAt = lazyre.New(`^\p{L}+`)

// natureNamed returns the nature with the given folded name, in the singular or the plural.
func natureNamed(folded string) nature {
	singular := func(s string) string {
		words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' })
		for i, w := range words {
			words[i] = strings.TrimSuffix(w, "s")
		}
		return strings.Join(words, " ")
	}
	want := singular(folded)
	for _, n := range natures {
		if singular(n.folded) == want {
			return n
		}
	}
	return nature{}
}

// monthNames holds the folded month names of both calendars, as gazettes write them.
var monthNames = setOf(`janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
	moharram muharram safar rabie rabia rabi joumada djoumada jumada rajab rejeb redjeb chaabane chaabane ramadhan ramadan chaoual chaouel choual kaada kaida qaada hidja hija hijja`)

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
