package layout

import "strings"

// markHard sets Hard on the lines whose final hyphen belongs to the word. This is so if, inside the lines of the file,
// the word occurs more often with its hyphen than without.
func markHard(pages []Page) {
	seen := vocabulary(pages)
	var last *Line
	for i := range pages {
		for j := range pages[i].Lines {
			l := &pages[i].Lines[j]
			if last != nil {
				last.Hard = keepsHyphen(seen, last.end(), l.begin())
			}
			last = l
		}
	}
}

// keepsHyphen reports whether the hyphen at the end of one line belongs to the word.
func keepsHyphen(seen map[string]int, end, begin string) bool {
	before, after, ok := brokenWord(end, begin)
	if !ok {
		return false
	}
	before, after = strings.ToLower(before), strings.ToLower(after)
	with := seen[before+"-"+after]
	return with > 0 && with > seen[before+after]
}

// vocabulary counts the words inside lines.
func vocabulary(pages []Page) map[string]int {
	seen := map[string]int{}
	for i := range pages {
		for _, l := range pages[i].Lines {
			for j := range l.Words {
				w := strings.ToLower(l.Words[j].Text)
				if j == len(l.Words)-1 && strings.HasSuffix(w, "-") {
					continue
				}
				w = firstWord(strings.TrimLeftFunc(w, func(r rune) bool { return !inWord(r) }))
				if w != "" {
					seen[w]++
				}
			}
		}
	}
	return seen
}

func (l *Line) end() string {
	if len(l.Words) == 0 {
		return ""
	}
	return l.Words[len(l.Words)-1].Text
}

func (l *Line) begin() string {
	if len(l.Words) == 0 {
		return ""
	}
	return l.Words[0].Text
}
