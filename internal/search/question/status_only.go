package question

import (
	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law/french"
)

// A question for the status of a text asks for nothing else: beside the text, the words for the
// life of texts and those that frame what is asked, no word is left that says something. « Combien
// de fois un président peut-il être réélu d'après la Constitution révisée en 2016 ? » leaves the
// president and his election: it asks what the Constitution says. The words are those of the
// patterns of status.go with their other forms, the nouns for kinds of texts, and the verbs of
// saying, knowing and asking.
var (
	// framing is who says or asks it, up to the clause that has the text: « mon avocat dit que § ».
	framing = lazyre.New(`^[^§]*\b(?:(?:di[st]|disent|dire|dites|affirm|pretend|soutien|soutenir|assur|annonc|pens|croi|croyez|entendu|appris|lu|vu|expliqu|racont|confirm|verifi|demand|indiqu|precis)\pL*|savoir|sai[st]|save[zn]t?|vrai|exact|certain|sur)(?:[ -]+(?:moi|nous|me))? +(?:que? |qu'|si |s'|a quelle |depuis |par |quand |quel)`)

	// naming is the subject of a text behind its number, up to the predicate: « § portant code des
	// marchés publics est-il en vigueur ».
	naming = lazyre.New(`§[ ,]+(?:\pL+ant|relati(?:f|fs|ve|ves)|dite?|sur) .*?(?:[ ,]+(?:est|sont|etait|etaient|a|ont|avait|n'est|n'a)(?:[ -]|$)|[?!.]|$)`)

	// monthly is the date of a text that has no day: « § de janvier 1980 ».
	monthly = lazyre.New(`\b(?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre) \d{4}\b`)

	lives = lazyre.New(`\b(?:(?:` + alter + `|` + finish + `|` + bring + `|` + quote + `|promulg|adopt|sign|publi|vot|edict|renv|refer|trouv|subi)\pL*|` +
		`cadu(?:c|cs|que|ques)|perimee?s?|obsoletes?|vigueur|applicables?|application|execution|valables?|valides?|actualite|actuel(?:s|le|les|lement)?|` +
		change + `|abrogations?|historique|statut|etat|situation|juridiques?|entree?s?|dates?|prise?s?|objet|dus?|dues?|parle|question|` +
		`textes?|lois?|decrets?|arretes?|mesures?|actes?|dispositions?|ordonnances?|articles?|dahirs?|circulaires?|codes?|reglements?|` +
		`ve(?:nu|nus|nue|nues|nir)|vien(?:t|nent)|aujourd'hui|deja|encore|toujours|jamais|listes?|di[st]|dire|savoir|veux|voudrais|cherche|donne[rz]?|montre[rz]?|partir|vrai|exact|exacte|svp|merci|bonjour|temps)\b`)

	clauses = lazyre.New(`[?!.;\n]+(?: |$)`)
)

// asksStatusOnly reports whether a question, folded and masked, asks for the status of a text and
// nothing else. Where one of its sentences has the predicate, what the others tell does not count.
func asksStatusOnly(folded string) bool {
	alone := false
	for _, sentence := range clauses.Split(folded, -1) {
		if !hasPredicate(sentence) {
			continue
		}
		if len(asksBeside(sentence)) == 0 {
			return true
		}
		alone = true
	}
	return !alone && len(asksBeside(folded)) == 0
}

// hasPredicate reports whether words of a text's life are said of a text.
func hasPredicate(folded string) bool {
	for _, a := range aspects {
		if a.words.MatchString(folded) {
			return true
		}
	}
	_, acts := acting(folded)
	return acts
}

// asksBeside returns the terms that a sentence, folded and masked, has beside what asks for the
// status of a text.
func asksBeside(folded string) (left []string) {
	folded = framing.ReplaceAllString(folded, " ")
	folded = naming.ReplaceAllString(folded, " ")
	folded = monthly.ReplaceAllString(folded, " ")
	for _, t := range french.Analyze(lives.ReplaceAllString(folded, " ")) {
		if !t.Stop && t.Kind == french.Word {
			left = append(left, t.Term)
		}
	}
	return withoutNames(left)
}
