package french

import (
	"strings"

	"vigueur/internal/law"
)

// word is the analysis of a folded form without its context.
type word struct {
	fold  string
	stem  string
	stop  bool
	shape shape
	role  role
	value int64 // value of a number word, an ordinal, a month, or a run of digits (-1: too long)
}

type shape uint8

const (
	letters shape = iota
	digits
	mixed // letters and digits, or foreign numerals
)

type role uint8

const (
	plain      role = iota
	unit            // « trois », 0 to 16 and the tens
	hundred         // « cent »
	thousand        // « mille », « million », « milliard »
	one             // « un », « une »
	ordinalOf       // « deuxième »
	month           // « mai »
	measure         // « mois », « jour »: words that « un » may count
	articleOf       // « article », « art »
	articlesOf      // « articles »
	textOf          // « loi », « décret »
	heading         // « titre », « chapitre »
	suffix          // « bis », « ter »
	codeOf          // « L », « R », « D » of a code's article
)

func newWord(fold string) *word {
	w := &word{fold: fold, shape: shapeOf(fold)}
	switch w.shape {
	case digits:
		w.value, w.stem = parseDigits(fold), fold
		return w
	case mixed:
		w.stem = fold
		return w
	}
	w.stop = stopWords[fold]
	w.stem = stem(fold)
	w.role, w.value = roleOf(fold)
	return w
}

func shapeOf(s string) shape {
	var digit, letter bool
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digit = true
		default:
			letter = true
		}
	}
	switch {
	case digit && letter:
		return mixed
	case digit:
		return digits
	}
	return letters
}

// parseDigits returns the value of up to 15 digits, -1 for more.
func parseDigits(s string) int64 {
	if len(s) > 15 {
		return -1
	}
	var n int64
	for i := range len(s) {
		n = n*10 + int64(s[i]-'0')
	}
	return n
}

func roleOf(fold string) (role, int64) {
	if m := law.MonthOf(fold); m != 0 {
		return month, int64(m)
	}
	for _, t := range tables {
		if v, ok := t.words[fold]; ok {
			return t.role, v
		}
	}
	return plain, 0
}

// tables lists, for each role, the words that have it with their values.
var tables = []struct {
	role  role
	words map[string]int64
}{
	{unit, map[string]int64{"zero": 0, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8,
		"neuf": 9, "dix": 10, "onze": 11, "douze": 12, "treize": 13, "quatorze": 14, "quinze": 15, "seize": 16,
		"vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "septante": 70,
		"octante": 80, "huitante": 80, "nonante": 90}},
	{one, map[string]int64{"un": 1, "une": 1}},
	{hundred, map[string]int64{"cent": 100, "cents": 100}},
	{thousand, map[string]int64{"mille": 1e3, "mil": 1e3, "million": 1e6, "millions": 1e6, "milliard": 1e9, "milliards": 1e9}},
	{ordinalOf, map[string]int64{"premier": 1, "premiere": 1, "premiers": 1, "premieres": 1, "second": 2, "seconde": 2,
		"seconds": 2, "secondes": 2, "deuxieme": 2, "troisieme": 3, "quatrieme": 4, "cinquieme": 5, "sixieme": 6,
		"septieme": 7, "huitieme": 8, "neuvieme": 9, "dixieme": 10, "onzieme": 11, "douzieme": 12, "treizieme": 13,
		"quatorzieme": 14, "quinzieme": 15, "seizieme": 16, "vingtieme": 20, "trentieme": 30, "centieme": 100}},
	{measure, marks("an ans annee annees mois jour jours semaine semaines heure heures minute minutes trimestre trimestres semestre semestres")},
	{articleOf, marks("article art")},
	{articlesOf, marks("articles arts")},
	{textOf, marks("loi lois decret decrets arrete arretes ordonnance ordonnances circulaire circulaires")},
	{heading, marks("titre livre chapitre section paragraphe partie tome annexe division")},
	{suffix, marks(strings.ReplaceAll(law.SuffixWords, "|", " "))},
	{codeOf, marks("l r d lo lp")},
}

func marks(words string) map[string]int64 {
	m := make(map[string]int64)
	for w := range set(words) {
		m[w] = 0
	}
	return m
}

// stopWords say nothing by themselves in a legal text or a question.
var stopWords = set(`a afin ai aie ailleurs ainsi alors apres as au aucun aucune aujourdhui auquel aura aurai auraient aurait aussi autre autres aux
	auxquelles auxquels avaient avait avant avec avez avoir avons ayant beaucoup bien c car ce ceci cela celle celles celui cependant ces cet cette
	ceux chaque chez ci comme comment combien d dans de depuis des desquelles desquels dessous dessus devait devant devra devrait doit doivent donc dont du duquel
	durant e elle elles en encore entre es est et etaient etais etait etant etc ete etes etre eu eux faire fait faits faut fois font fut hors ici il ils j je
	jusqu jusque l la laquelle le lequel les lesquelles lesquels leur leurs lors lorsqu lorsque lui m ma mais me meme memes mes moi moins mon
	n ne ni no nos notamment notre nous numero o on ont ou par parce pas peut peuvent peux plus pour pourquoi pourra pourrait pouvait pouvoir pu puis puisque qu quand que
	quel quelle quelles quelqu quels qui quoi s sa sans se sera serait seraient seront ses si soi soient soit son sont sous suis sur t ta tel telle telles tels tes toi ton
	tous tout toute toutes tres tu un une va vers voici voila vont vos votre vous y quoique presque entr
	pendant selon parmi bonjour merci svp partir viens vient savoir veux voudrais souhaite souhaiterais aimerais dire dit quid cas dois`)
