package answering

import (
	"maps"
	"slices"
	"strings"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
)

// noHelpLine begins an answer to somebody who tells of violence or wants to die.
const noHelpLine = "Si vous ou quelqu’un d’autre êtes en danger, appelez la police ou les secours : ce service cite des textes, il n’écoute pas et ne secourt pas."

// helpLead returns what comes before an answer to somebody who tells of violence or wants to die: that this is no help line,
// and what the operator wrote for the country, or for the only one that something is written for. It returns "" for any other
// question.
func (j *job) helpLead() string {
	asked := j.looked.Asked
	if asked == nil || !asked.Hurt {
		return ""
	}
	lead, codes := noHelpLine, asked.AskedCountries()
	if len(codes) == 0 && len(j.Help) == 1 {
		codes = slices.Collect(maps.Keys(j.Help))
	}
	for _, c := range slices.Compact(slices.Sorted(slices.Values(codes))) {
		if text := j.Help[c]; text != "" {
			lead += " " + text
		}
	}
	return lead + "\n\n"
}

// ReadHelp reads what an operator wrote for people in distress, by country: « sn: Appelez le 116. | ci: … ».
func ReadHelp(text string) (map[country.Code]string, error) {
	help := make(map[country.Code]string)
	for entry := range strings.SplitSeq(text, "|") {
		if strings.TrimSpace(entry) == "" {
			continue
		}
		name, words, _ := strings.Cut(entry, ":")
		code, ok := country.Parse(name)
		if words = strings.TrimSpace(words); !ok || words == "" {
			return nil, errs.Newf(errs.Invalid, "VIGUEUR_HELP_TEXTS : « %s » n’est pas « pays: texte »", strings.TrimSpace(entry))
		}
		help[code] = words
	}
	return help, nil
}
