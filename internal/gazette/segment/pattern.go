package segment

import (
	"strings"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

var plainLetters = strings.NewReplacer("é", "[ée]", "è", "[èe]", "ê", "[êe]", "à", "[àa]", "â", "[âa]", "î", "[îi]", "ô", "[ôo]", "û", "[ûu]", "ç", "[çc]")

// plain is a law.Pattern that takes a letter without its accent too, as many
// recognized layers have it. Accents must not stand in classes of it.
func plain(expr string) *lazyre.Regexp { return law.Pattern(plainLetters.Replace(expr)) }

// Parts that several expressions share.
const (
	roman    = `[IVXLC]{1,7}`
	suffixes = `(?:` + law.SuffixWords + `|BIS|TER|QUATER|QUINQUIES)`
	dateText = `(?i:` + law.Day + `) +(?i:` + law.Months + `),? +\d{4}`
)
