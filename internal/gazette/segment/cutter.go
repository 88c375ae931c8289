package segment

import (
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/judgment"
	"vigueur/internal/gazette/segment/label"
)

// Cutter cuts files into texts.
type Cutter struct {
	Model *chain.Model // labels lines with LabelCount labels
	// Judgment decides which signs of a text make a doubt; nil means the one that comes with the program.
	Judgment *judgment.Judgment
}

func (c Cutter) judgment() judgment.Judgment {
	if c.Judgment != nil {
		return *c.Judgment
	}
	return judgment.Standard()
}

// Split cuts an arranged file into its texts with the weights that come with the program. A file in which no
// beginning of a text is recognized becomes one text, described by its hints and doubtful.
func Split(pages []layout.Page, hints gazette.Hints) gazette.Issue {
	return Cutter{Model: label.StandardModel()}.Split(pages, hints)
}
