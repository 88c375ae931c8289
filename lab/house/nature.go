package house

import "vigueur/internal/law"

// nature is a kind of text by its own name.
type nature struct {
	name    string
	plural  string
	kind    law.DocType
	fem     bool
	number  int    // which pattern of the style numbers it: 0 laws, 1 decrees, 2 orders, -1 none
	formula string // what enacts it
	by      int    // who makes it: byParliament …
	rubric  string // of its kind
}

// Who makes a text.
const (
	byParliament = iota
	byRuler
	byMinister
	byMayor
	byUnion
	byParties
	byOffice // circulars and instructions: a letter
)

// promulgating is the key of a dahir that is printed with the law it promulgates.
const promulgating = "dahir de promulgation"

var natures = map[string]nature{
	"loi":                     {"Loi", "Lois", law.Loi, true, 0, "", byParliament, "Lois"},
	"loi organique":           {"Loi organique", "Lois organiques", law.Loi, true, 0, "", byParliament, "Lois organiques"},
	"loi constitutionnelle":   {"Loi constitutionnelle", "Lois constitutionnelles", law.Constitution, true, 0, "", byParliament, "Lois"},
	"ordonnance":              {"Ordonnance", "Ordonnances", law.Loi, true, 0, "Ordonne", byRuler, "Ordonnances"},
	"décret-loi":              {"Décret-loi", "Décrets-lois", law.Loi, false, 0, "Prend le décret-loi dont la teneur suit", byRuler, "Décrets-lois"},
	"dahir":                   {"Dahir", "Dahirs", law.Loi, false, 0, "A décidé ce qui suit", byRuler, "Dahirs"},
	"décret":                  {"Décret", "Décrets", law.Decret, false, 1, "Décrète", byRuler, "Décrets"},
	"décret présidentiel":     {"Décret présidentiel", "Décrets présidentiels", law.Decret, false, 1, "Décrète", byRuler, "Décrets"},
	"décret gouvernemental":   {"Décret gouvernemental", "Décrets gouvernementaux", law.Decret, false, 1, "Prend le décret gouvernemental dont la teneur suit", byRuler, "Décrets gouvernementaux"},
	"décret exécutif":         {"Décret exécutif", "Décrets exécutifs", law.Decret, false, 1, "Décrète", byRuler, "Décrets"},
	"arrêté":                  {"Arrêté", "Arrêtés", law.Arrete, false, 2, "Arrête", byMinister, "Arrêtés"},
	"arrêté interministériel": {"Arrêté interministériel", "Arrêtés interministériels", law.Arrete, false, 2, "Arrêtent", byMinister, "Arrêtés"},
	"arrêté conjoint":         {"Arrêté conjoint", "Arrêtés conjoints", law.Arrete, false, 2, "Arrêtent", byMinister, "Arrêtés"},
	"arrêté municipal":        {"Arrêté municipal", "Arrêtés municipaux", law.Arrete, false, 2, "Arrête", byMayor, "Arrêtés"},
	"décision":                {"Décision", "Décisions", law.Arrete, true, 2, "Décide", byMinister, "Décisions"},
	"délibération":            {"Délibération", "Délibérations", law.Arrete, true, 2, "Délibère", byMayor, "Délibérations"},
	"circulaire":              {"Circulaire", "Circulaires", law.Circulaire, true, 2, "", byOffice, "Circulaires"},
	"note circulaire":         {"Note circulaire", "Notes circulaires", law.Circulaire, true, 2, "", byOffice, "Circulaires"},
	"instruction":             {"Instruction", "Instructions", law.Circulaire, true, 2, "", byOffice, "Instructions"},
	"avis":                    {"Avis", "Avis", law.Circulaire, false, 2, "", byOffice, "Avis"},
	"règlement":               {"Règlement", "Règlements", law.Loi, false, 0, "Adopte le présent règlement", byUnion, "Règlements"},
	"directive":               {"Directive", "Directives", law.Loi, true, 0, "Édicte la directive dont la teneur suit", byUnion, "Directives"},
	"acte uniforme":           {"Acte uniforme", "Actes uniformes", law.Loi, false, -1, "Adopte l'acte uniforme dont la teneur suit", byUnion, "Actes uniformes"},
	"traité":                  {"Traité", "Traités", law.Loi, false, -1, "Sont convenus de ce qui suit", byParties, "Traités"},
	"convention":              {"Convention", "Conventions", law.Loi, true, -1, "Sont convenus des dispositions suivantes", byParties, "Conventions et accords"},
	"charte":                  {"Charte", "Chartes", law.Loi, true, -1, "Adoptent la présente charte", byParties, "Chartes"},
	"constitution":            {"Constitution", "Constitutions", law.Constitution, true, -1, "", byParties, "Constitution"},
	"code":                    {"Code", "Codes", law.Code, false, -1, "", byParliament, "Codes"},
	"loi de finances":         {"Loi de finances", "Lois de finances", law.Loi, true, 0, "", byParliament, "Lois"},
	"loi-cadre":               {"Loi-cadre", "Lois-cadres", law.Loi, true, 0, "", byParliament, "Lois"},
	"ordonnance-loi":          {"Ordonnance-loi", "Ordonnances-lois", law.Loi, true, 0, "Ordonne", byRuler, "Ordonnances"},
	"dahir portant loi":       {"Dahir portant loi", "Dahirs portant loi", law.Loi, false, 0, "A décidé ce qui suit", byRuler, "Dahirs"},
	"arrêté ministériel":      {"Arrêté ministériel", "Arrêtés ministériels", law.Arrete, false, 2, "Arrête", byMinister, "Arrêtés"},
	"arrêté préfectoral":      {"Arrêté préfectoral", "Arrêtés préfectoraux", law.Arrete, false, 2, "Arrête", byMayor, "Arrêtés"},
	"lettre circulaire":       {"Lettre circulaire", "Lettres circulaires", law.Circulaire, true, 2, "", byOffice, "Circulaires"},
	"protocole":               {"Protocole", "Protocoles", law.Loi, false, -1, "Sont convenus de ce qui suit", byParties, "Conventions et accords"},
	"accord":                  {"Accord", "Accords", law.Loi, false, -1, "Sont convenus de ce qui suit", byParties, "Conventions et accords"},
	"charte de la transition": {"Charte de la transition", "Chartes", law.Constitution, true, -1, "", byParties, "Constitution"},
	promulgating:              {"Dahir", "Dahirs", law.Loi, false, 0, "A décidé ce qui suit", byRuler, "Dahirs"},
}
