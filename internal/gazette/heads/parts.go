package heads

import (
	"strconv"

	"vigueur/internal/law"
)

// byParts is the number of an article in a code that counts by parts, « L. 12-3 »: a letter, the number of a
// part, and the number within the part, 0 if there is none.
type byParts struct {
	letter     byte
	part, item int
}

// partsOf reads the number of an article counted by parts, as law.ArticleNumber writes it. It returns false for numbers
// with more parts or a suffix.
func partsOf(number string) (n byParts, ok bool) {
	m := numberParts.FindStringSubmatch(number)
	if m == nil {
		return n, false
	}
	part, err := strconv.Atoi(m[2])
	item, err2 := strconv.Atoi(m[3])
	return byParts{m[1][0], part, item}, err == nil && (err2 == nil || m[3] == "")
}

var numberParts = law.Pattern(`^([LRDA])[. ]*(\d{1,5})(?:~(\d{1,3}))?$`)

// String writes the number as law.ArticleNumber does.
func (n byParts) String() string {
	s := string(n.letter) + ". " + strconv.Itoa(n.part)
	if n.item > 0 {
		s += "-" + strconv.Itoa(n.item)
	}
	return s
}
