package doubts

import (
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// IsAct reports whether a text has something that only acts have: a body, or a nature of acts.
func IsAct(d *texts.Draft) bool {
	h := d.Title
	switch {
	case d.Headless || d.ArticleCount > 0 || d.Enacted || d.Measure || h.Abridged || h.Confirmed || announcesArticles(d):
		return true
	case h.Kind.Type == "":
		return cites(d)
	case h.Trust == remarks.AsGuessed && !d.Lines[0].Scanned: // a name found somewhere in a line that was not misread
		return cites(d)
	case h.Guessed:
		return d.Number != "" || cites(d)
	case h.Kind.Unsure && h.Kind.Type == law.Circulaire: // « Avis »
		return cites(d)
	case titles.Agreements[law.Fold(h.Kind.Label)]:
		return h.IsTreaty()
	case titles.Corrections[law.Fold(h.Kind.Label)]:
		return h.Corrects
	}
	return true
}

// cites reports whether the text names its basis, as acts do.
func cites(d *texts.Draft) bool {
	for _, l := range d.Lines {
		if line.Visa.MatchString(l.Text) {
			return true
		}
	}
	return false
}

// ofCourt matches how a court names itself in its decision.
var ofCourt = line.OptionalAccents(`^(?i:(?:le |la |les? +juges? +d[eu] +la )?(?:conseil +constitutionnel|cour +(?:constitutionnelle|suprême|de +cassation|d'appel|de +justice|commune +de +justice|des +comptes)|haute +cour|tribunal)\b(?:.{0,60})[,;:]?$|matière +(?:constitutionnelle|électorale|pénale|civile|administrative)|affaire +n ?[°º*])`)

// judgments are the natures under which courts decide.
var judgments = line.WordSet("decision avis arret ordonnance")

// courtReach is how many lines at the beginning of a text may name the court that decides.
const courtReach = 20

// isJudgment reports whether the text is the decision of a court.
func isJudgment(d *texts.Draft) bool {
	if !judgments[law.Fold(d.Title.Kind.Label)] {
		return false
	}
	for i, l := range d.Lines {
		if i < courtReach && ofCourt.MatchString(l.Text) {
			return true
		}
	}
	return false
}
