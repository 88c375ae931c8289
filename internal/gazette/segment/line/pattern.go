package line

import (
	"strings"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

var plainLetters = strings.NewReplacer("é", "[ée]", "è", "[èe]", "ê", "[êe]", "à", "[àa]", "â", "[âa]", "î", "[îi]", "ô", "[ôo]", "û", "[ûu]", "ç", "[çc]")

// OptionalAccents is law.Pattern for an expression whose accents are optional, as many recognized texts lack them.
// Letters with accents must not occur in its character classes.
func OptionalAccents(expr string) *lazyre.Regexp { return law.Pattern(plainLetters.Replace(expr)) }

// Parts of several expressions.
const (
	DateText = `(?i:` + law.Day + `) +(?i:` + law.Months + `),? +\d{4}`
)

// Leader matches the dots between an entry of a table of contents and its page number.
var Leader = law.Pattern(`(?:\.{4,}|…{2,}|(?:\. ){4,}|_{5,})`)
