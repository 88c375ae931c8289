package segment

import (
	"vigueur/internal/gazette"
	"vigueur/internal/gazette/chain"
	"vigueur/internal/gazette/layout"
)

// Cutter cuts files into texts.
type Cutter struct {
	Model *chain.Model // labels lines with LabelCount labels
	// Judgment decides which signs of a text make a doubt; nil means the one that comes with the program.
	Judgment *Judgment
}

func (c Cutter) judgment() Judgment {
	if c.Judgment != nil {
		return *c.Judgment
	}
	return standardJudgment()
}

// Split cuts an arranged file into its texts with the weights that come with the program. A file in which no
// beginning of a text is recognized becomes one text, described by its hints and doubtful.
func Split(pages []layout.Page, hints gazette.Hints) gazette.Issue {
	return Cutter{Model: standardModel()}.Split(pages, hints)
}
