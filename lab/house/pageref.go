package house

import "strconv"

// pending begins the text of a reference to a page; no made word has it.
const pending = "\x00"

// fill writes the page numbers of the summary.
func (w *press) fill() {
	for i := range w.issue.Pages {
		for k := range w.issue.Pages[i].Words {
			o := &w.issue.Pages[i].Words[k]
			if o.Text[0] == pending[0] {
				ref, err := strconv.Atoi(o.Text[1:])
				if err != nil {
					panic(err)
				}
				o.Text = strconv.Itoa(w.draft.first + w.pageOf(ref) - 1)
				o.Rect[0] = hundredth(o.Rect[2] - w.style.measure(o.Text, o.Size, false))
			}
		}
	}
}

// pageOf is the page of a mark, or of a text, whose mark is its index and one more.
func (w *press) pageOf(ref int) int {
	if ref < 0 {
		return max(w.marks[ref], 1)
	}
	return max(w.pages[ref-1], 1)
}
