package layout

import "strings"

// Hyphens returns the words inside the lines of arranged pages, folded, with their number, and the halves of those that end a line
// with a hyphen.
func Hyphens(pages []Page) (inside map[string]int, breaks [][2]string) {
	var last *Line
	for i := range pages {
		for j := range pages[i].Lines {
			l := &pages[i].Lines[j]
			if last != nil {
				if left, right, ok := brokenWord(last.end(), l.begin()); ok {
					breaks = append(breaks, [2]string{strings.ToLower(left), strings.ToLower(right)})
				}
			}
			last = l
		}
	}
	return vocabulary(pages), breaks
}

// Parts returns the words of which a text without blanks consists, nil if it is one word. seen counts the words of its file.
func Parts(seen map[string]int, text string) []string { return glued(seen, text) }

// Often is how often a file must print a word so that it is known.
const Often = seenOften
