package titles

import (
	"strings"

	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// Words that introduce the day of a state, by kind, then what separates them from the day, and the day. AsOfWords are
// those of a version.
const (
	modifiedWords = `(?:date +de +(?:la +)?)?derni[èe]res? +(?:modifications?|mises? +à +jour|r[ée]visions?|actualisations?|consolidations?)(?: +(?:du +(?:texte|code)|des +donn[ée]es))?`
	AsOfWords     = `(?:(?:version|texte|[ée]tat|[ée]dition|code) +)?(?:consolid[ée]e?|coordonn[ée]e?|actualis[ée]e?|mise? +à +jour|à +jour)|(?:version|texte|dispositions) +(?:en +vigueur|applicables?)|[ée]tat|mise +à +jour`
	changedWords  = `modifi[ée]e?`
	stateLink     = ` *:? *(?:(?:en +date +du|à +la +date +du|jusqu'au|le|au|du) +)?`
	stateDay      = `(?:` + line.DateText + `|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{4}-\d{2}-\d{2})`
)

// StateWords matches such words and their day, separated from what is around them. In a sentence that continues («
// modifié le 3 mai 2010 par la loi … ») the day is not that of the state.
var StateWords = law.Pattern(`(?i)(?:^|[(,;:|.~]|^CODE [^.;]{1,90}?) *((` + modifiedWords + `)|(` + AsOfWords + `)|` + changedWords + `)` + stateLink + `(` + stateDay + `) *(?:[])(.,;|]|$| ~)`)

// withoutState removes the words that give the day of its state from the end of a title.
func withoutState(title string) string {
	m := StateWords.FindStringSubmatchIndex(title)
	if m == nil {
		return title
	}
	if strings.Trim(title[m[9]:], " )].") != "" {
		return title
	}
	return strings.TrimRight(title[:m[2]], " (,;:|.-‐‑–—")
}
