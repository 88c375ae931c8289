package label

// View holds what the chain knows of a line of a text.
type View struct {
	Label       Label
	Prob        float64 // the probability of its label
	BeginProb   float64 // the probability that a text begins there
	ArticleProb float64 // the probability that an article begins there; negative if the line is the gazette's
}

// Views returns the views of lines [from,to).
func (m Reading) Views(from, to int) []View {
	out := make([]View, to-from)
	for i := range out {
		label := m.Labels[from+i]
		out[i] = View{Label: label, Prob: m.Path.Prob(from+i, int(label)), BeginProb: m.BeginProb(from + i),
			ArticleProb: m.Path.Prob(from+i, int(Article))}
		if label == Article {
			out[i].ArticleProb = max(out[i].ArticleProb, EvenOdds) // the reading chose this label as the likelier one
		}
		if label.Loose() && label != Furniture || label.BeginsText() { // an edit may begin a text at an article
			out[i].ArticleProb = -1
		}
	}
	return out
}

// EvenOdds is the minimum probability of a line that a reading labels Article: the reading found the label at
// least as likely as not.
const EvenOdds = 0.5
