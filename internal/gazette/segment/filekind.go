package segment

import (
	"slices"

	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/texts"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// kindsOf returns what a file with texts is, if it is neither an issue of a gazette nor acts.
func kindsOf(drafts []*texts.Draft, ready prepare.File, gazette bool) (is []remarks.Remark) {
	if len(drafts) > 0 && !slices.ContainsFunc(drafts, func(d *texts.Draft) bool { return !d.Bill && !d.NumberBlank }) {
		is = append(is, remarks.Of(remarks.FileDraft))
	}
	if !gazette && slices.ContainsFunc(drafts, func(d *texts.Draft) bool {
		return law.Fold(d.Title.Kind.Label) == titles.Coordinated || d.Document.AsOf != nil
	}) {
		is = append(is, remarks.Of(remarks.FileCoordinated))
	}
	if ready.ManyLanguages() {
		is = append(is, remarks.Of(remarks.FileLanguages))
	}
	return is
}
