package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mends says whether a hyphen between before, at a line's end, and after, at
// the next line's beginning, was put there by the printer and goes. It judges
// by the words alone; what the rest of the file says comes first (Line.Hard).
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

// tail is what follows the last hyphen or apostrophe of w: the part that
// stands at the break.
func tail(w string) string {
	if i := strings.LastIndexAny(w, "-'’"); i >= 0 {
		_, n := utf8.DecodeRuneInString(w[i:])
		return w[i+n:]
	}
	return w
}

// compound reports whether French writes before-after with its hyphen.
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

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// The word lists of French compounds that legal texts use; beginnings of words
// are given where the ending varies (« verba » for verbal, verbaux).
var (
	demonstrative = set("celui celle ceux celles jusque jusques ceci par de")
	pronoun       = set("moi toi soi lui elle eux elles nous vous")
	// Parts that no French word begins with when a hyphen follows them.
	always  = set("vice demi semi quasi états saint sainte saints notre quelques")
	numeral = set("dix vingt trente quarante cinquante soixante quatre vingts un deux trois cinq six sept huit neuf onze douze treize quatorze quinze seize deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième")

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
