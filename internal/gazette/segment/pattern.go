package segment

import (
	"strings"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

var plainLetters = strings.NewReplacer("é", "[ée]", "è", "[èe]", "ê", "[êe]", "à", "[àa]", "â", "[âa]", "î", "[îi]", "ô", "[ôo]", "û", "[ûu]", "ç", "[çc]")

// optionalAccents is law.Pattern for an expression whose accents are optional, as many recognized texts lack them.
// Letters with accents must not occur in its character classes.
func optionalAccents(expr string) *lazyre.Regexp { return law.Pattern(plainLetters.Replace(expr)) }

// Parts of several expressions.
const (
	dateText = `(?i:` + law.Day + `) +(?i:` + law.Months + `),? +\d{4}`
)

// leader matches the dots between an entry of a table of contents and its page number.
var leader = law.Pattern(`(?:\.{4,}|…{2,}|(?:\. ){4,}|_{5,})`)
