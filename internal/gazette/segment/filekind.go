package segment

import (
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// kindsOf returns what a file with texts is, if it is neither an issue of a gazette nor acts.
func kindsOf(drafts []*texts.Draft, ready prepare.File, said gazette.FileKind, printed bool) (is []remarks.Remark) {
	years := map[int]bool{}
	draft, coordinated := len(drafts) > 0, false
	for _, d := range drafts {
		draft = draft && (d.Bill || d.NumberBlank)
		coordinated = coordinated || law.Fold(d.Title.Kind.Label) == titles.Coordinated || d.Document.AsOf != nil
		if d.Document.OfficialNumber != "" && !d.Date.IsZero() {
			years[d.Date.Year()] = true
		}
	}
	if said == "" {
		switch {
		case draft:
			said = gazette.FileDraft
		case printed: // a gazette prints texts late, and texts as amended beside others
		case coordinated:
			said = gazette.FileCoordinated
		case len(years) > 1:
			said = gazette.FileCompilation
		}
	}
	switch said {
	case gazette.FileDraft:
		is = append(is, remarks.Of(remarks.FileDraft))
	case gazette.FileCoordinated:
		is = append(is, remarks.Of(remarks.FileCoordinated))
	case gazette.FileCompilation:
		is = append(is, remarks.Of(remarks.FileCompilation))
	}
	if ready.ManyLanguages() {
		is = append(is, remarks.Of(remarks.FileLanguages))
	}
	return is
}
