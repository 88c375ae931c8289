package verify

import (
	"strings"
	"testing"
)

// closedAt returns where a quotation that begins at a place ends, -1 if it does not: what
// closings finds for all.
func closedAt(text string, start int, open, last rune) int {
	depth, begins := 1, false
	for i, r := range text[start:min(len(text), start+longestQuotation)] {
		switch {
		case r == last:
			if depth--; depth == 0 {
				return start + i
			}
		case r == open && !begins:
			depth++
		}
		begins = r == '\n' || begins && (r == ' ' || r == '\t')
	}
	return -1
}

func FuzzClosings(f *testing.F) {
	f.Add("« a « b » c » d »\n« e «f» \"g\" „h“ “i ”j “")
	f.Fuzz(func(t *testing.T, text string) {
		if text = strings.ToValidUTF8(text, ""); len(text) > longestQuotation/2 || strings.ContainsAny(text, "\u00a0\u202f\u2028\u0085\v\f\r") {
			return
		}
		ends := closings(text)
		for i, r := range text {
			last, opens := closing[r]
			if !opens {
				continue
			}
			want := closedAt(text, i+len(string(r)), r, last)
			if got, closed := ends[i]; closed != (want >= 0) || closed && got != want {
				t.Errorf("%q: the mark at %d is closed at %d, %v, want %d", text, i, got, closed, want)
			}
		}
	})
}
