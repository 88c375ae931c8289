package question

import (
	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// A question about the status of a text asks about nothing else: without the text, the words for the state of
// texts, and the words that frame the question, no word is left that means something. « Combien de fois un
// président peut-il être réélu d'après la Constitution révisée en 2016 ? » leaves the president and his
// election, so it asks what the Constitution says. The words are those of the patterns in status.go with
// their other forms, nouns for kinds of texts, and verbs of saying, knowing and asking.
var (
	// framing matches who says or asks it, up to the clause with the text: « mon avocat dit que § ».
	framing = lazyre.New(`^[^§]*\b(?:(?:di[st]|disent|dire|dites|affirm|pretend|soutien|soutenir|assur|annonc|pens|croi|croyez|entendu|appris|lu|vu|expliqu|racont|confirm|verifi|demand|indiqu|precis)\pL*|savoir|sai[st]|save[zn]t?|vrai|exact|certain|sur)(?:[ -]+(?:moi|nous|me))? +(?:que? |qu'|si |s'|a quelle |depuis |par |quand |quel)`)

	// subject matches the subject of a text after its number, up to the predicate: « § portant code des
	// marchés publics est-il en vigueur ».
	subject = lazyre.New(`§[ ,]+(?:\pL+ant|relati(?:f|fs|ve|ves)|dite?|sur) .*?(?:[ ,]+(?:est|sont|etait|etaient|a|ont|avait|n'est|n'a)(?:[ -]|$)|[?!.]|$)`)

	// monthly matches a date without a day: « § de janvier 1980 ».
	monthly = lazyre.New(`\b` + law.Months + ` \d{4}\b`)

	lives = lazyre.New(`\b(?:(?:` + alter + `|` + finish + `|` + bring + `|` + quote + `|promulg|adopt|sign|publi|vot|edict|renv|refer|trouv|subi)\pL*|` +
		`cadu(?:c|cs|que|ques)|perimee?s?|obsoletes?|vigueur|applicables?|application|execution|valables?|valides?|actualite|actuel(?:s|le|les|lement)?|` +
		change + `|abrogations?|historique|statut|etat|situation|juridiques?|entree?s?|dates?|prise?s?|objet|dus?|dues?|parle|question|` +
		`textes?|lois?|decrets?|arretes?|mesures?|actes?|dispositions?|ordonnances?|articles?|dahirs?|circulaires?|codes?|reglements?|` +
		`ve(?:nu|nus|nue|nues|nir)|vien(?:t|nent)|aujourd'hui|deja|encore|toujours|jamais|listes?|di[st]|dire|savoir|veux|voudrais|cherche|donne[rz]?|montre[rz]?|partir|vrai|exact|exacte|svp|merci|bonjour|temps)\b`)

	clauses = lazyre.New(`[?!.;\n]+(?: |$)`)
)

// asksStatusOnly reports whether a folded and masked question only asks for the status of a text. If one of its
// sentences has the predicate, the words of the others do not count.
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

// hasPredicate reports whether a sentence says something about the state of a text.
func hasPredicate(folded string) bool {
	for _, a := range aspects {
		if a.words.MatchString(folded) {
			return true
		}
	}
	_, acts := cutActing(folded)
	return acts
}

// asksBeside returns the terms of a folded and masked sentence that do not belong to a question about the
// status of a text.
func asksBeside(folded string) (left []string) {
	folded = framing.ReplaceAllString(folded, " ")
	folded = subject.ReplaceAllString(folded, " ")
	folded = monthly.ReplaceAllString(folded, " ")
	for _, t := range french.Analyze(lives.ReplaceAllString(folded, " ")) {
		if !t.Stop && t.Kind == french.Word {
			left = append(left, t.Term)
		}
	}
	return withoutNames(left)
}
