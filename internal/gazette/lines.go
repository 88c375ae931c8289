package gazette

import (
	"vigueur/internal/law"
)

// LabeledLine is a line of the file, with its place in the cut texts.
type LabeledLine struct {
	Page       int
	Rect       law.Rect
	Text       string
	Label      string  // LabelHead … LabelLoose
	Confidence float64 // probability of its label, 0 to 1; 1 for lines that were set aside
	TextIndex  int     // in Issue.Texts, -1 for none
	Article    int     // index in that text's Articles, -1 for none
}

// The labels of lines.
const (
	LabelHead      = "head"
	LabelPreamble  = "preamble"
	LabelArticle   = "article"
	LabelSection   = "section"
	LabelSignature = "signature"
	LabelAnnex     = "annex"
	LabelLoose     = "loose"
)
