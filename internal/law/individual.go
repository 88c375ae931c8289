package law

import "regexp"

// individual matches, in folded titles, the objects of measures about single persons. The
// first group are those whose publication on the internet French law forbids, because they
// tell a person's status and nationality (Code des relations entre le public et
// l'administration, articles L. 221-14 and R. 221-15): changes of name, naturalization, return
// to and loss of a nationality. The second group are the other measures of administrative law
// that name one person by their nature.
var individual = regexp.MustCompile(`\b(?:changement de nom|naturalis\w*|(?:re)?integration dans la nationalite|acquisition de la nationalite|perte de la nationalite|decheance de (?:la )?nationalite|liberation des? liens? d'allegeance|francisation` +
	`|nominations?|nommant|reintegrant|revocation|mise a la retraite|admission a la retraite|mise en disponibilite|concession d'une pension|remise gracieuse|mesure de grace|grace presidentielle|detachement d[eu']|titularisation|promotion (?:dans|a titre))\b`)

// person matches a title of address before a name, in a title as printed.
var person = regexp.MustCompile(`\b(?:M\.|MM\.|Mr|Mme|Mlle|Monsieur|Madame|Mademoiselle|Maître)[ \x{00a0}\x{202f}]+(?:(?:le|la|les)\s+)?\p{Lu}`)

// Individual reports whether a text, by its title, is a measure about single persons, such as
// a nomination or a naturalization. Such texts are printed in gazettes for all to read, but
// should not come up under a person's name in a search engine.
func Individual(title string) bool {
	return person.MatchString(title) || individual.MatchString(Fold(title))
}
