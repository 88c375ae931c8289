package segment

import (
	"strings"

	"vigueur/internal/law"
)

// The codes of the domains.
const (
	travail = "travail"
	impots  = "impots"
	douanes = "douanes"
	civil   = "civil"
	penal   = "penal"
	foncier = "foncier"
	autre   = "autre"
)

// The words of a domain, folded; a beginning of a word stands for all its forms.
var domainWords = []struct {
	code  string
	words []string
}{
	{travail, []string{"travail", "salari", "salaire", "employeur", "conge paye", "licenciement", "syndica", "syndicat", "apprentissage", "inspecteur du travail", "securite sociale", "greve", "emploi", "repos hebdomadaire", "travailleur", "pension de retraite"}},
	{impots, []string{"impot", "fiscal", "taxe", "loi de finances", "contribuable", "tva", "contributions directes", "droits d'enregistrement", "recouvrement", "redevable"}},
	{douanes, []string{"douan", "importation", "exportation", "tarif exterieur", "transitaire", "dedouanement", "droits d'entree", "marchandises import"}},
	{foncier, []string{"foncier", "fonciere", "immatriculation des immeubles", "cadastr", "domaine public", "domaine prive de l'etat", "expropriation", "urbanisme", "parcelle", "lotissement", "permis de construire", "bail rural", "baux ruraux", "propriete des terres"}},
	{penal, []string{"penal", "peines", "infraction", "contravention", "emprisonnement", "delit", "crime", "detenu", "penitentiaire", "puni d", "puni de", "extradition"}},
	{civil, []string{"etat civil", "naissance", "mariage", "divorce", "filiation", "succession", "code civil", "procedure civile", "personnes et de la famille", "code de la famille", "locataire", "bailleur", "location", "nationalite", "tutelle", "droit international prive", "obligations et des contrats"}},
}

// domainOf judges a text's domain by its words: those of the title weigh most,
// then those of headings and visas, then the text's own by their frequency. An
// act that appoints persons, or that the gazette prints in short, is of none.
func domainOf(d *draft) string {
	title := " " + law.Fold(d.Document.Title)
	if d.head.abridged || names.MatchString(d.Document.Title) {
		return autre
	}
	var heads, body strings.Builder
	for _, a := range d.Articles {
		for _, p := range a.Path {
			heads.WriteString(" " + p)
		}
		if a.Heading == preambleHeading {
			heads.WriteString(" " + a.Text)
		} else if body.Len() < 60_000 {
			body.WriteString(" " + a.Text)
		}
	}
	headText, bodyText := law.Fold(heads.String()), law.Fold(body.String())
	best, most := autre, 9.0
	for _, domain := range domainWords {
		score := 8*hits(title, domain.words) + 30*share(headText, domain.words) + 60*share(bodyText, domain.words)
		if score > most {
			best, most = domain.code, score
		}
	}
	return best
}

// hits counts how many of the words occur in a folded text, at a word's beginning.
func hits(text string, words []string) float64 {
	n := 0.0
	for _, w := range words {
		if strings.Contains(text, " "+w) || strings.Contains(text, "'"+w) {
			n++
		}
	}
	return n
}

// share is how many of the words occur for each 20 words of a folded text.
func share(text string, words []string) float64 {
	n := 0
	for _, w := range words {
		n += strings.Count(text, " "+w) + strings.Count(text, "'"+w)
	}
	return 20 * float64(n) / float64(max(40, strings.Count(text, " ")))
}
