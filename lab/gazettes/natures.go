package gazettes

import (
	"slices"
	"strings"

	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// OwnNatures returns, by source, the folded names of the natures that only the texts of that source have. Whoever leaves a
// source out knows none of these names either.
func OwnNatures(files []File) map[string][]string {
	known := map[string]string{} // by the name without signs
	for _, folded := range titles.FoldedNatures() {
		known[plain(folded)] = folded
	}
	by := map[string]string{} // the one source of a nature, "" for several
	for _, f := range files {
		for _, t := range f.Texts {
			name, ok := known[plain(law.Fold(t.Nature))]
			if !ok {
				continue
			}
			if source, seen := by[name]; !seen || source == f.Source() {
				by[name] = f.Source()
			} else {
				by[name] = ""
			}
		}
	}
	out := map[string][]string{}
	for name, source := range by {
		if source != "" && !slices.Contains(law.DocTypes(), law.DocType(name)) { // what the catalogue's types are called is known everywhere
			out[source] = append(out[source], name)
		}
	}
	for _, names := range out {
		slices.Sort(names)
	}
	return out
}

// plain is a folded name without blanks, hyphens and apostrophes.
func plain(folded string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "", "'", "").Replace(folded)
}
