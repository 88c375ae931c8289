package segment

// lineView is what the chain says about a line of a text.
type lineView struct {
	label   Label
	sure    float64 // the probability of its label
	begins  float64 // the probability that a text begins there
	article float64 // the probability that an article begins there; negative if the line is the gazette's
}

// lineViews returns what the chain says about lines [from,to).
func (m marked) lineViews(from, to int) []lineView {
	out := make([]lineView, to-from)
	for i := range out {
		label := m.labels[from+i]
		out[i] = lineView{label: label, sure: m.path.Prob(from+i, int(label)), begins: m.begin(from + i),
			article: m.path.Prob(from+i, int(Article))}
		if label == Article {
			out[i].article = max(out[i].article, evenOdds) // the reading chose this label as the likelier one
		}
		if label.loose() && label != Furniture || label.beginsText() { // an edit may begin a text at an article
			out[i].article = -1
		}
	}
	return out
}

// evenOdds is the minimum probability of a line that a reading labels Article: the reading found the label at
// least as likely as not.
const evenOdds = 0.5
