package amend

import (
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/read"
)

// Named returns the text that a title names, such as the title of a text of the catalogue:
// « Code de commerce », « Loi n° 2010-05 du 3 mai 2010 relative aux … ».
func Named(title string) TargetText {
	title = strings.Join(strings.Fields(title), " ")
	if refs := read.Printed(title); len(refs) > 0 && refs[0].Start == 0 && refs[0].Number != "" {
		return TargetText{Title: title, Type: refs[0].Type, Number: refs[0].Number}
	}
	noun, _, _ := strings.Cut(law.Fold(title), " ")
	return TargetText{Title: title, Type: textNouns[noun]}
}
