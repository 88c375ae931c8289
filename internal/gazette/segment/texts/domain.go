package texts

import (
	"slices"
	"strings"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// The codes of the legal domains.
const (
	travail = "travail"
	impots  = "impots"
	douanes = "douanes"
	civil   = "civil"
	penal   = "penal"
	foncier = "foncier"
	autre   = "autre"
)

// domainWords lists folded words of each domain. An entry counts for all words that begin with it.
var domainWords = []struct {
	code  string
	words []string
}{
	{travail, []string{"travail", "salari", "salaire", "employeur", "conge paye", "licenciement", "syndica", "syndicat", "apprentissage", "inspecteur du travail", "securite sociale", "greve", "emploi", "repos hebdomadaire", "travailleur", "pension de retraite"}},
	{impots, []string{"impot", "fiscal", "taxe", "loi de finances", "contribuable", "tva", "contributions directes", "droits d'enregistrement", "recouvrement", "redevable"}},
	{douanes, []string{"douan", "importation", "exportation", "tarif exterieur", "transitaire", "dedouanement", "droits d'entree", "marchandises import"}},
	{foncier, []string{"foncier", "fonciere", "immatriculation des immeubles", "cadastr", "domaine public", "domaine prive de l'etat", "expropriation", "urbanisme", "parcelle", "lotissement", "permis de construire", "bail rural", "baux ruraux", "propriete des terres"}},
	{penal, []string{"penal", "peines", "infraction", "contravention", "emprisonnement", "delit", "crime", "detenu", "penitentiaire", "puni d", "puni de", "extradition"}},
	{civil, []string{"etat civil", "naissance", "mariage", "divorce", "filiation", "succession", "code civil", "procedure civile", "personnes et de la famille", "code de la famille", "locataire", "bailleur", "location", "nationalite", "tutelle des mineurs", "tutelle legale", "tuteur", "droit international prive", "obligations et des contrats"}},
}

// Domain is the legal domain of a text, and the words that it was judged by.
type Domain struct {
	code  string
	Words []string // words of the text that speak for it, the most frequent first
	Trust float64
}

const (
	// leastScore is the minimum score with which a text belongs to a domain.
	leastScore = 9.0
	// unnamedScore is the minimum score of a text's own words if its title names no domain: every law has a
	// chapter of penalties, and many ministries are « de tutelle ».
	unnamedScore = 15.0
)

// domainOf judges a text's domain by its words. Words of the title weigh most, then words of headings and visas, then
// words of the body, by their frequency. An act that appoints persons, or that the gazette prints without a title,
// belongs to no domain.
func domainOf(d *Draft) Domain {
	title := " " + law.Fold(d.Document.Title)
	if d.Title.Abridged {
		return Domain{code: autre, Trust: remarks.AsInferred}
	}
	if said := appoints.FindString(d.Document.Title); said != "" {
		return Domain{code: autre, Words: []string{said}, Trust: remarks.AsPrinted}
	}
	var heads, body strings.Builder
	for _, a := range d.Articles {
		for _, p := range a.Path {
			heads.WriteString(" " + p)
		}
		if a.Heading == gazette.PreambleHeading {
			heads.WriteString(" " + a.Text)
		} else if body.Len() < 60_000 {
			body.WriteString(" " + a.Text)
		}
	}
	headText, bodyText := law.Fold(heads.String()), law.Fold(body.String())
	best, most, next := Domain{code: autre}, leastScore, 0.0
	for _, of := range domainWords {
		named, spoken := 8*wordsPresent(title, of.words), 60*wordRate(bodyText, of.words)
		score := named + 30*wordRate(headText, of.words) + spoken
		if named == 0 && spoken < unnamedScore {
			continue
		}
		if score > most {
			best, most, next = Domain{code: of.code, Words: mostFrequent(of.words, title+headText+bodyText)}, score, max(next, most)
		} else {
			next = max(next, score)
		}
	}
	best.Trust = most / (most + next)
	return best
}

// mostFrequent returns at most six of the given words that occur in a folded text, the most frequent first.
func mostFrequent(words []string, text string) []string {
	counts := map[string]int{}
	for _, w := range words {
		counts[w] = strings.Count(text, " "+w) + strings.Count(text, "'"+w)
	}
	found := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return counts[w] == 0 })
	slices.SortStableFunc(found, func(a, b string) int { return counts[b] - counts[a] })
	return found[:min(len(found), 6)]
}

// wordsPresent returns how many of the given words occur in a folded text, as the beginning of a word of the text.
func wordsPresent(text string, words []string) float64 {
	n := 0.0
	for _, w := range words {
		if strings.Contains(text, " "+w) || strings.Contains(text, "'"+w) {
			n++
		}
	}
	return n
}

// wordRate returns how often the words occur for each 20 words of a folded text. A text counts as at least 40
// words.
func wordRate(text string, words []string) float64 {
	n := 0
	for _, w := range words {
		n += strings.Count(text, " "+w) + strings.Count(text, "'"+w)
	}
	return 20 * float64(n) / float64(max(40, strings.Count(text, " ")))
}
