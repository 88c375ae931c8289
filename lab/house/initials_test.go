package house

import (
	"testing"

	"vigueur/internal/gazette/layout"
)

// Letters over two lines change how paragraphs are set, and no line of them.
func TestInitialsAreReadAsPrinted(t *testing.T) {
	t.Parallel()
	for _, style := range []Style{justified(), ancient(), stacked(), union(), lettered()} {
		plain, set := Make(style, 11, Damage{}), Make(style, 11, Damage{Initials: 1})
		large := len(allWords(set)) - len(allWords(plain))
		if large < 3 {
			t.Errorf("%s: %d letters are set large", style.Name, large)
		}
		missing, all := 0, 0
		layout.Arrange(plain.Pages)
		layout.Arrange(set.Pages)
		seen := map[string]int{}
		for _, l := range linesOf(set) {
			seen[l]++
		}
		for _, l := range linesOf(plain) {
			all++
			if seen[l]--; seen[l] < 0 {
				missing++
			}
		}
		if missing > 0 {
			t.Errorf("%s: of %d lines, %d of which begin with large letters, %d are read otherwise", style.Name, all, large, missing)
		}
	}
}

func linesOf(i Issue) (out []string) {
	for _, p := range i.Pages {
		for _, l := range p.Lines {
			out = append(out, l.Text())
		}
	}
	return out
}
