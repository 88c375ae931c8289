package segment

import (
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// isAct reports whether a text has anything that only acts have: the body of one, or a nature that says what it is.
func (d *draft) isAct() bool {
	h := d.head
	switch {
	case d.headless || d.articles > 0 || d.enacted || d.measure || h.abridged || h.confirmed || d.announcesArticles():
		return true
	case h.kind.as == "":
		return d.cites()
	case h.trust == remarks.AsGuessed && !d.lines[0].scan: // a name found somewhere in a line that was not misread
		return d.cites()
	case h.guessed:
		return d.number != "" || d.cites()
	case h.kind.unsure && h.kind.as == law.Circulaire: // « Avis »
		return d.cites()
	case agreements[law.Fold(h.kind.label)]:
		return h.isTreaty()
	case corrections[law.Fold(h.kind.label)]:
		return h.corrects
	}
	return true
}

// cites reports whether the text names its basis, as acts do.
func (d *draft) cites() bool {
	for _, l := range d.lines {
		if visa.MatchString(l.text) {
			return true
		}
	}
	return false
}

// ofCourt matches how a court names itself in its decision.
var ofCourt = optionalAccents(`^(?i:(?:le |la |les? +juges? +d[eu] +la )?(?:conseil +constitutionnel|cour +(?:constitutionnelle|suprême|de +cassation|d'appel|de +justice|commune +de +justice|des +comptes)|haute +cour|tribunal)\b(?:.{0,60})[,;:]?$|matière +(?:constitutionnelle|électorale|pénale|civile|administrative)|affaire +n ?[°º*])`)

// judgments are the natures under which courts decide.
var judgments = setOf("decision avis arret ordonnance")

// courtReach is how many lines at the beginning of a text may name the court that decides.
const courtReach = 20

// isJudgment reports whether the text is the decision of a court.
func (d *draft) isJudgment() bool {
	if !judgments[law.Fold(d.head.kind.label)] {
		return false
	}
	for i, l := range d.lines {
		if i < courtReach && ofCourt.MatchString(l.text) {
			return true
		}
	}
	return false
}
