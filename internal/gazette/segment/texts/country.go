package texts

import (
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/masthead"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law/country"
)

// CorrectTypes corrects the types of natures that have another type in the gazette's country, which is said if it is not
// empty.
func CorrectTypes(drafts []*Draft, pages []layout.Page, said string) {
	of, looked := country.Code(said), said != ""
	for _, d := range drafts {
		n, _, _ := titles.ReadNature(d.Document.Nature)
		if len(n.ByCountry) == 0 || n.Name != d.Document.Nature || d.Document.Type != n.Type {
			continue
		}
		if !looked {
			var ok bool
			if of, ok = masthead.CountryNamed(pages, true); !ok {
				of, _ = masthead.CountryNamed(pages, false)
			}
			looked = true
		}
		d.Document.Type = n.In(strings.ToUpper(string(of)))
	}
}
