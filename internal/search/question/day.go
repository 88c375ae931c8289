package question

import (
	"strconv"
	"time"
	"unicode/utf8"

	"vigueur/internal/law"
)

// How a question names the day whose law it asks about. A date counts if it is given as the time of the
// question itself: « au », « à la date du », « en vigueur le ». A year alone (« en 2015 ») only counts if the
// question is about the past or about what was in force, because a case may have begun in any year.
var (
	atDay   = law.Pattern(`(?i)(?:^|[^\p{L}\d])(?:au|à +la +date +du|a +la +date +du|en +vigueur +(?:le|au|à +la +date +du)|applicables? +(?:le|au))[ :]+`)
	atYear  = law.Pattern(`(?i)(?:^|[^\p{L}\d])(?:en(?: +l'(?:an|ann[ée]e))?|courant|d[èe]s|fin)[ ]+((?:1[89]|2[01])[0-9]{2})(?:[^\d]|$)`)
	spanOf  = law.Pattern(`(?i)(?:^|[^\p{L}])(?:du|de) +[^.?!;]{0,24}(?:[0-9]|[1l] ?er|` + law.Months + `)$`) // before « au »: « du 3 mai 2015 », « du 1er »
	pastLaw = law.Pattern(`(?i)(?:^|[^\p{L}])(?:étai(?:t|ent)|etai(?:t|ent)|avai(?:t|ent)|prévoyai(?:t|ent)|prevoyai(?:t|ent)|fallait|pouvai(?:t|ent)|devai(?:t|ent)|disai(?:t|ent)|disposai(?:t|ent)|en +vigueur|à +l'époque|a +l'epoque)(?:[^\p{L}]|$)`)
)

// dayOf returns the day whose law a question asks about and its byte range in the text, nil if the question
// does not say. For a year it is the last day. The date in the name of a text, « loi du 3 mai 2010 », does
// not count.
func dayOf(text string, refs []Reference) (*time.Time, [2]int) {
	names := func(at int) bool {
		for _, r := range refs {
			if r.Start <= at && at < r.End {
				return true
			}
		}
		return false
	}
	for _, m := range atDay.FindAllStringIndex(text, -1) {
		if day, n, ok := law.DateAt(text[m[1]:]); ok && !names(m[1]) && !spanOf.MatchString(text[:m[0]]) {
			return &day, [2]int{m[0], m[1] + n}
		}
	}
	if !pastLaw.MatchString(text) {
		return nil, [2]int{}
	}
	for _, m := range atYear.FindAllStringSubmatchIndex(text, -1) {
		if next, _ := utf8.DecodeRuneInString(text[m[3]:]); names(m[2]) || law.Dash(next) { // « en 2015-2016 »
			continue
		}
		if year, err := strconv.Atoi(text[m[2]:m[3]]); err == nil {
			day := time.Date(year, time.December, 31, 0, 0, 0, 0, time.UTC)
			return &day, [2]int{m[0], m[3]}
		}
	}
	return nil, [2]int{}
}
