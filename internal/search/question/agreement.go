package question

import (
	"strings"

	"vigueur/internal/law"
)

// A collective agreement is named after its branch (« la convention collective de la métallurgie »), by a name of its own
// (« la convention collective Syntec ») or by the number under which France lists it (« IDCC 3248 »). Behind « de » without
// an article, or before a word for any branch, no agreement is named: « une convention collective de branche ».
var (
	ofBranch  = law.Pattern(`(?i)\b(convention +collective(?: +(?:nationale|interprofessionnelle|r[ée]gionale|d[ée]partementale|sectorielle|f[ée]d[ée]rale|unique))*)(?: +(?:de +la +|de +l'|du +|des +)(\p{L}[\p{L}~]*)|(?-i: +(\p{Lu}[\p{L}~]+)))`)
	listedAs  = law.Pattern(`(?i)\b(idcc) *(?:n ?[°º] ?)?([0-9]{1,4})\b`)
	anyBranch = wordSet("travail entreprise entreprises etablissement etablissements branche branches secteur secteurs profession professions metier salarie salaries employeur employeurs employe employes pays lieu")
)

// agreements finds collective agreements that are named.
func agreements(text string) (out []Reference) {
	for _, m := range ofBranch.FindAllStringSubmatchIndex(text, -1) {
		at := 4
		if m[at] < 0 {
			at = 6
		}
		if branch := text[m[at]:m[at+1]]; !anyBranch[law.Fold(branch)] {
			out = append(out, Reference{Reference: law.Reference{Start: m[0], End: m[1], Title: strings.ToLower("convention collective " + branch)}})
		}
	}
	for _, m := range listedAs.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, Reference{Alias: true, Reference: law.Reference{Start: m[0], End: m[1], Title: "idcc " + text[m[4]:m[5]]}})
	}
	return out
}
