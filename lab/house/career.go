package house

import (
	"strings"

	"vigueur/internal/law"
)

// feminine agrees what is said of a person with a woman.
var feminine = strings.NewReplacer("est nommé ", "est nommée ", "est déchargé ", "est déchargée ", "est promu ", "est promue ", "est admis ", "est admise ",
	"est délégué ", "est déléguée ", "est placé ", "est placée ", "est titularisé ", "est titularisée ", "est confirmé ", "est confirmée ", "est nommée nommée", "est nommée")

// career is what becomes of a person: « M. X, greffier, est nommé … ».
func (p *pen) career() string {
	who, what := p.person(), p.say("personnel")
	for _, title := range []string{"Mme", "Madame", "Mlle", "Mademoiselle"} {
		if strings.HasPrefix(who, title) {
			what = feminine.Replace(what)
		}
	}
	if p.chance(70) {
		who += ", " + p.say("grade") + ","
	}
	return who + " " + what + "."
}

// nominating is what a text about one person is about; what becomes of them is to
// be its first article.
func (p *pen) nominating(a *act) string {
	who, as := p.person(), p.say("fonction")
	fem := strings.HasPrefix(who, "Mme") || strings.HasPrefix(who, "Madame") || strings.HasPrefix(who, "Mlle")
	verb := " est nommé "
	if fem {
		verb = " est nommée "
	}
	a.person = who + ", " + p.say("grade") + "," + verb + as + "."
	return p.pick("portant nomination de "+who+" en qualité de "+as, "portant nomination d'un "+as, "portant nomination de "+who, "nommant "+who+" "+as)
}

// measure is what an act in short does, within a sentence that has begun or as one
// of its own.
func (p *pen) measure(within bool) string {
	var s string
	switch k := p.rng.IntN(20); {
	case k < 4:
		s = p.sentence("mesure")
	case k == 4:
		s = "Est mis fin à la nomination de " + p.person() + " en qualité de " + p.say("fonction") + ", à compter du " + p.slot("day", "") + "."
	case k == 5:
		s = "Sont nommés " + p.pick("directeurs départementaux", "membres de la commission", "chefs de circonscription", "administrateurs provisoires") + " :"
		for i := range p.between(3, 9) {
			s += "\n" + p.pick(law.WriteRoman(i+1)+". ", "- ", "") + capital(p.say("fonction")) + " : " + p.person() + ", " + p.say("grade") + " ;"
		}
		s = strings.TrimSuffix(s, " ;") + "."
	default:
		return p.career()
	}
	if within {
		s = strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// listed is how an act in short stands in the summary.
func (p *pen) listed(title string) string {
	switch p.rng.IntN(4) {
	case 0:
		return p.style.spell("- " + p.pick("Nomination", "Nominations", "Agrément", "Retraite", "Intégration", "Titularisation"))
	case 1:
		return title
	}
	return title + p.style.spell(" portant "+p.pick("nomination", "nomination de "+p.person(), "cessation de fonctions", "agrément", "nomination au ministère "+p.say("adjMin")))
}
