package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mends reports whether a hyphen at the end of a line only divides a word, so that it must be removed. before is the
// word before the hyphen, and after the first word of the next line. mends considers only these two words; Line.Hard,
// which considers the whole file, takes precedence.
func mends(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	if !unicode.IsLetter(last) || !unicode.IsLetter(first) {
		return false // « 2010-/05 », « L. 12-/1 »
	}
	if unicode.IsUpper(first) && !unicode.IsUpper(last) {
		return false // « Saint-/Louis », « États-/Unis »
	}
	b, a := strings.ToLower(before), strings.ToLower(after)
	return !compound(tail(b), a)
}

// tail returns the part of w after its last hyphen or apostrophe.
func tail(w string) string {
	if i := strings.LastIndexAny(w, "-'’"); i >= 0 {
		_, n := utf8.DecodeRuneInString(w[i:])
		return w[i+n:]
	}
	return w
}

// compound reports whether French writes the word before-after with a hyphen.
func compound(before, after string) bool {
	head, _, _ := strings.Cut(strings.NewReplacer("’", " ", "'", " ", "-", " ").Replace(after), " ")
	switch head {
	case "ci", "là":
		return demonstrative[before]
	case "même", "mêmes":
		return pronoun[before]
	case "il", "ils", "elle", "elles", "on":
		return strings.HasSuffix(before, "t") || strings.HasSuffix(before, "d")
	case "t":
		return strings.HasPrefix(after, "t-")
	case "ce":
		return before == "est" || before == "sera" || before == "soit"
	case "d":
		return strings.HasPrefix(after, "d'") || strings.HasPrefix(after, "d’") // main-d’œuvre
	}
	if always[before] {
		return true
	}
	if numeral[before] && numeral[head] {
		return true
	}
	for _, start := range compounds[before] {
		if strings.HasPrefix(head, start) {
			return true
		}
	}
	return false
}

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// Lists of French compounds in legal texts. Some entries are the beginnings of words whose ending varies
// (« verba » for verbal, verbaux).
var (
	demonstrative = wordSet("celui celle ceux celles jusque jusques ceci par de")
	pronoun       = wordSet("moi toi soi lui elle eux elles nous vous")
	// First parts that are no beginning of a French word, and so keep their hyphen.
	always  = wordSet("vice demi semi quasi états saint sainte saints notre quelques")
	numeral = wordSet("dix vingt trente quarante cinquante soixante quatre vingts un deux trois cinq six sept huit neuf onze douze treize quatorze quinze seize deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième")

	compounds = map[string][]string{
		"peut": {"être"}, "là": {"dessus", "dessous", "bas", "haut"},
		"ci":      {"après", "avant", "dessus", "dessous", "contre", "devant", "joint", "inclus", "annex"},
		"au":      {"delà", "dessus", "dessous", "devant", "dedans", "dehors"},
		"par":     {"delà", "dessus", "dessous", "devant", "devers"},
		"sous":    {"sec", "trait", "préf", "offici", "dir", "ens", "alin", "loc", "dét", "sol", "cha", "cont", "commis", "titre", "prod", "secr", "affr", "amend", "admin", "comp", "group", "rép", "total", "marin"},
		"non":     {"lieu", "resp", "paie", "paiem", "exéc", "rés", "obs", "discr", "conform", "cumul", "rétro", "resti", "respect", "salari", "compar", "conc", "inscr", "représ", "reconn", "prod", "ress", "act"},
		"chef":    {"lieu"},
		"chefs":   {"lieux"},
		"procès":  {"verba"},
		"plus":    {"valu"},
		"moins":   {"valu"},
		"ayant":   {"droit", "cause"},
		"ayants":  {"droit", "cause"},
		"avant":   {"projet", "dernier", "hier", "propos", "contrat", "garde"},
		"arrière": {"plan", "petit", "garde"},
		"après":   {"vente", "demain", "midi"},
		"rendez":  {"vous"}, "compte": {"rendu"}, "comptes": {"rendus"},
		"ex": {"aequo", "post"}, "ad": {"hoc"}, "co": {"contract", "propri", "déb", "emprunt", "signat", "titul"},
		"sauf": {"conduit"}, "état": {"major"}, "haut": {"commis"}, "grand": {"père", "mère", "parent"},
		"beau": {"père", "frère", "fils"}, "belle": {"mère", "sœur", "fille"}, "petit": {"fils", "enf"}, "petits": {"fils", "enf"},
		"garde": {"côte", "fou", "mal"}, "porte": {"parole", "feuil", "monn", "fort", "conteneur"}, "mot": {"clé", "clef"},
		"bien": {"être", "fond"}, "mieux": {"dis"}, "moyen": {"terme"}, "court": {"circuit"}, "libre": {"serv", "échang"},
		"main": {"forte", "lev"}, "tout": {"puiss"}, "mi": {"temps", "parcours", "janvier", "mars", "juin", "chemin"},
		"contre": {"expert", "val", "visit", "propos", "indic", "enquêt", "performa"}, "inter": {"prof", "états", "entrep"},
		"pays": {"bas"}, "timbre": {"post"}, "timbres": {"post"}, "tiers": {"monde", "arbitr"}, "trop": {"perç"}, "week": {"end"},
		"laissez": {"passer"}, "laisser": {"passer"}, "lock": {"out"}, "burkina": {"faso"}, "guet": {"apens"}, "crédit": {"bail"}, "location": {"vent", "géran"},
		"hors": {"bord", "d", "la"}, "juge": {"command"}, "greffier": {"chef"}, "médecin": {"inspect", "chef"}, "commissaire": {"pris"}, "commissaires": {"pris"},
		"premier": {"né"}, "nouveau": {"né"}, "nouveaux": {"nés"}, "audio": {"visuel"}, "socio": {"éco", "cult", "prof", "éduc"}, "politico": {"admin"}, "huissier": {"audienc"},
		"quote": {"part"}, "quotes": {"parts"}, "eux": {"même"}, "dit": {"il"}, "y": {"compr"}, "c": {"est"}, "vis": {"à"}, "tête": {"à"}, "pot": {"de"}, "arc": {"en"}, "mise": {"en"}, "va": {"et"},
	}
)
