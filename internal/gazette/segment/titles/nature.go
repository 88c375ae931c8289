package titles

import (
	"cmp"
	_ "embed"
	"path/filepath"
	"slices"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// The names that texts have and the months of the two calendars are fixed lists. Nothing about them is
// learned.

//go:embed natures.tsv
var naturesFile string

// Nature is what a text calls itself.
type Nature struct {
	Name      string // « Décret exécutif »
	Folded    string
	Type      law.DocType // the nearest type of the catalogue; "" if it is no law
	Unsure    bool        // as is a proposal: the name says too little of who makes the text
	NoLaw     bool
	ByCountry map[string]law.DocType // types in the countries where they are others, by the code of the country
}

// kind returns the kind of a text of this nature.
func (n Nature) kind() ActKind { return ActKind{Label: n.Name, Type: n.Type, Unsure: n.Unsure} }

// In returns the type in a country, by its code; "" for an unknown country.
func (n Nature) In(country string) law.DocType { return cmp.Or(n.ByCountry[country], n.Type) }

// natures lists all natures, longer names first.
var natures = readNatures(naturesFile)

// readNatures reads lines of the form « name <tab> type [<tab> country=type …] »; « # » begins a comment.
func readNatures(file string) []Nature {
	var out []Nature
	for line := range strings.Lines(file) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 2 || strings.HasPrefix(line, "#") {
			continue
		}
		kind, unsure := strings.CutSuffix(fields[1], "?")
		n := Nature{Name: fields[0], Folded: law.Fold(fields[0]), Type: law.DocType(kind), Unsure: unsure, NoLaw: kind == "-"}
		if n.NoLaw {
			n.Type = ""
		}
		for _, field := range fields[2:] {
			n.ByCountry = map[string]law.DocType{}
			for _, one := range strings.Fields(field) {
				country, role, _ := strings.Cut(one, "=")
				n.ByCountry[country] = law.DocType(role)
			}
		}
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b Nature) int { return cmp.Compare(len(b.Name), len(a.Name)) })
	return out
}

// natureWords holds the first words of the names of natures, in the singular and the plural. What is no law, and a word
// that begins any sentence, are not among them.
var natureWords = firstWords(natures)

func firstWords(natures []Nature) map[string]bool {
	out := map[string]bool{}
	for _, n := range natures {
		if w := strings.FieldsFunc(n.Folded, func(r rune) bool { return r == ' ' || r == '-' })[0]; !n.NoLaw && w != "texte" {
			out[w], out[w+"s"] = true, true
		}
	}
	return out
}

// KindWord reports whether a folded word begins the name of a nature.
func KindWord(w string) bool { return natureWords[w] }

// natureNames is a regular expression for all names of natures, in any case, with or without accents, with
// any blanks, in the singular or the plural.
var natureNames = namesOf(natures)

func namesOf(natures []Nature) string {
	var names []string
	for _, n := range natures {
		words := strings.Split(n.Name, " ")
		for i, w := range words {
			words[i] = strings.ReplaceAll(anyAccents.Replace(law.Fold(w)), "-", "(?: ?~ ?| )") + "s?"
		}
		names = append(names, strings.Join(words, " +"))
	}
	return `(?i:` + strings.Join(names, "|") + `)`
}

// anyAccents replaces a folded letter by a class of its accented forms.
var anyAccents = strings.NewReplacer("a", "[aàâ]", "e", "[eéèêë]", "i", "[iîï]", "o", "[oô]", "u", "[uùûü]", "c", "[cç]")

var natureAt = natureAtStart(natureNames)

func natureAtStart(names string) *lazyre.Regexp { return law.Pattern(`^` + names + `(?:$|[^\p{L}])`) }

// ReadNature reads the name of a nature at the beginning of a text. If no name matches exactly, it accepts one or two
// misread letters in the first word. end is the byte after the name.
func ReadNature(text string) (n Nature, end int, ok bool) {
	if m := natureAt.FindString(text); m != "" {
		name := strings.TrimRightFunc(m, func(r rune) bool { return !isLetter(r) })
		return findNature(law.Fold(name)), len(name), true
	}
	word := wordAt.FindString(text)
	folded, fewest := heads.Letters(word), mostSlips+1
	for _, other := range natures {
		if other.NoLaw || len(other.Folded) < leastSlipped || strings.ContainsAny(other.Folded, " -") {
			continue
		}
		if slips := heads.Slips(folded, other.Folded); slips < fewest {
			n, fewest = other, slips
		}
	}
	return n, len(word), fewest <= mostSlips
}

// qualify returns the nature with the adjective after its name, if the table has no nature of that name. The adjective of a
// law or an agreement (« Loi forestière ») is its subject. What has the force of a law without the adjective has, with it, that
// of other such acts of the same maker: a « Règlement ministériel » that of an « Ordonnance ministérielle ». The type is only
// proposed unless all acts of the noun that have an adjective have it (« Décret gouvernemental »), or all that bind of the same
// maker and one of the noun (« Règlement ministériel »). Behind a noun in the plural
// the adjective is read in the singular. end is the byte after the adjective, 0 if there is none.
func (n Nature) qualify(rest string, plural bool) (q Nature, end int) {
	m := qualifier.FindStringSubmatchIndex(rest)
	if m == nil || !qualifiable[strings.FieldsFunc(n.Folded, func(r rune) bool { return r == ' ' || r == '-' })[0]] {
		return n, 0
	}
	word := strings.ToLower(rest[m[2]:m[3]])
	if saysNothing[law.Fold(word)] {
		return n, 0
	}
	if plural {
		word = strings.TrimSuffix(word, "s")
		if stem, ok := strings.CutSuffix(word, "aux"); ok {
			word = stem + "al"
		}
	}
	noun, adjective := n.Folded, law.Fold(word)
	n.Name += " " + word
	n.Folded = law.Fold(n.Name)
	var ofNoun, ofMaker []law.DocType
	for _, o := range natures {
		base, maker, _ := strings.Cut(o.Folded, " ")
		kind := findNature(base).Type
		if n.Type == law.Loi && sameMaker(maker, adjective) && kind == law.Loi {
			n.Type = o.Type
		}
		if base == noun && maker != "" && !o.Unsure && !legislative.MatchString(maker) {
			ofNoun = append(ofNoun, o.Type)
		}
		if sameMaker(maker, adjective) && kind != law.Circulaire {
			ofMaker = append(ofMaker, o.Type)
		}
	}
	alike := func(types []law.DocType) bool {
		return len(types) > 1 && !slices.ContainsFunc(types, func(t law.DocType) bool { return t != n.Type })
	}
	n.Unsure = legislative.MatchString(adjective) || !alike(ofNoun) && !(alike(ofMaker) && slices.Contains(ofNoun, n.Type))
	return n, m[3]
}

// legislative matches adjectives that change the force of an act, and do not say who makes it.
var legislative = law.Pattern(`^(?:legislati|organique|constitutionnel|fondamental)`)

// sameMaker reports whether two folded adjectives are one, in any gender and number.
func sameMaker(a, b string) bool { return strings.TrimRight(a, "les") == strings.TrimRight(b, "les") }

var (
	// The endings of adjectives that say who makes an act.
	qualifier = law.Pattern(`(?i)^ +(\p{L}{2,}(?:elles?|els?|ales?|al|aux|ives?|ifs?|aires?|iques?|iens?|iennes?|ois|oises?|ains?|aines?|ières?|iers?))(?: |$)`)
	// The first words of natures of acts that several authorities make.
	qualifiable = line.WordSet("ordonnance decret arrete reglement decision deliberation resolution circulaire instruction note directive acte")
	// Adjectives that do not say who makes an act, or begin its object.
	saysNothing = line.WordSet("relatif relative relatifs relatives modificatif modificative rectificatif rectificative complementaire additionnel additionnelle")
)

// A name of at least leastSlipped letters is recognized even if mostSlips of its letters are misread: no two names of
// that length are so similar.
const (
	leastSlipped = 6
	mostSlips    = 2
)

var wordAt = lazyre.New(`^\p{L}+`)

// findNature returns the nature with the given folded name, in the singular or the plural.
func findNature(folded string) Nature {
	singular := func(s string) string {
		words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '-' })
		for i, w := range words {
			words[i] = strings.TrimSuffix(w, "s")
		}
		return strings.Join(words, " ")
	}
	want := singular(folded)
	for _, n := range natures {
		if singular(n.Folded) == want {
			return n
		}
	}
	return Nature{}
}

// MonthNames holds the folded month names of both calendars, as gazettes write them.
var MonthNames = line.WordSet(`janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
	moharram muharram safar rabie rabia rabi joumada djoumada jumada rajab rejeb redjeb chaabane chaabane ramadhan ramadan chaoual chaouel choual kaada kaida qaada hidja hija hijja`)

// The number of a text may show its year, and the name of a file may show both: people who knew the text
// chose names such as « loi-2000-015-financement.pdf ».

var (
	fileName = law.Pattern(`(?i)(?:^|~|_| )(ordonnance~loi|decret~loi|arrete~loi|loi~organique|loi|decret|arrete|circulaire|code|constitution|ordonnance|dahir)s?(?:~|_| )+(?:n(?:~|_| |o)?)?(\d{1,4}(?:~|_)\d{1,5})?`)
	// NumberYear matches a number that begins with a year: « 2023-07 », « 2000/015 », « 98-97 », « 200/015 ».
	NumberYear = law.Pattern(`^(\d{2,4})[-/.]\d{1,5}\b`)
	// YearAtEnd matches a number that ends with a year: « 15-2019 ».
	YearAtEnd = law.Pattern(`^\d{1,5}[-/.](?:19|20)\d\d\b`)
)

// nameOf reads the kind and the number in a file's name.
func nameOf(path string) (kindName, number string) {
	base := filepath.Base(path)
	m := fileName.FindStringSubmatch(law.Fold(strings.TrimSuffix(base, filepath.Ext(base))))
	if m == nil {
		return "", ""
	}
	return m[1], law.TextNumber(m[2])
}

// NameNumber returns the number in a file's name, "" if it has none.
func NameNumber(path string) string {
	_, number := nameOf(path)
	return number
}
