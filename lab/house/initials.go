package house

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// How a letter over two lines is set: so many times the type's size that its head stands as high as the first line's capitals
// and its foot on the second line's base, and so much white behind it, in the type's size.
const (
	initialSize  = 2.7
	initialWidth = 0.65 // of a capital, in its size
	initialWhite = 0.2
	leastInitial = 4 // words in each of the lines beside it
)

// How far the boxes of words reach above and below the base line, in their size.
const above, below = 0.9, 0.25

// initials sets the first letter of paragraphs over two lines, which stand closer for it.
func (w *wear) initials() {
	if w.Initials == 0 {
		return
	}
	rows := w.rowsOfWords()
	letters := map[int]layout.Word{} // by the word that they are the beginning of
	words := w.page.Words
	for n := 0; n+1 < len(rows); n++ {
		if !w.beginsParagraph(rows, n) || !w.chance(w.Initials) {
			continue
		}
		letters[rows[n][0]] = setInitial(words[rows[n][0]:rows[n][1]], words[rows[n+1][0]:rows[n+1][1]])
		n++
	}
	if len(letters) == 0 {
		return
	}
	w.edit(func(k int, o layout.Word, emit func(layout.Word)) {
		if letter, ok := letters[k]; ok {
			emit(letter)
			o.Text = o.Text[len(letter.Text):]
		}
		emit(o)
	})
}

// setInitial makes room beside two rows and gives the letter that stands there.
func setInitial(first, second []layout.Word) layout.Word {
	letter := first[0]
	letter.Text = letter.Text[:firstLetter(letter.Text)]
	size := (letter.Rect[3] - letter.Rect[1]) / (above + below)
	base := second[0].Rect[3] - below*size
	large := initialSize * size
	left := min(letter.Rect[0], second[0].Rect[0])
	behind := left + initialWidth*large
	right := max(first[len(first)-1].Rect[2], second[len(second)-1].Rect[2])
	squeeze(first, behind+initialWhite*size, right)
	squeeze(second, behind+initialWhite*size, right)
	letter.Size = hundredth(large)
	letter.Rect = law.Rect{hundredth(left), hundredth(base - above*large), hundredth(behind), hundredth(base + below*large)}
	return letter
}

// rowsOfWords are the first word of each row of the page and the one behind its last.
func (w *wear) rowsOfWords() (rows [][2]int) {
	for k := range w.page.Words {
		if k == 0 || !w.sameRow(k-1) {
			rows = append(rows, [2]int{k, k})
		}
		rows[len(rows)-1][1] = k + 1
	}
	return rows
}

// beginsParagraph reports whether a paragraph of two lines of text or more begins with row n.
func (w *wear) beginsParagraph(rows [][2]int, n int) bool {
	a, b := rows[n], rows[n+1]
	words := w.page.Words
	first, second := words[a[0]], words[b[0]]
	if a[1]-a[0] < leastInitial || b[1]-b[0] < leastInitial || w.labels[a[0]] != w.labels[b[0]] || w.owner[a[0]] != w.owner[b[0]] || w.labels[a[0]] != Paragraph && w.labels[a[0]] != Visa {
		return false
	}
	high := first.Rect[3] - first.Rect[1]
	if math.Abs(second.Rect[0]-first.Rect[0]) > 3*high || second.Rect[1] < first.Rect[1] || second.Rect[1]-first.Rect[1] > 2*high {
		return false
	}
	if n > 0 && w.labels[rows[n-1][0]] == w.labels[a[0]] && !strings.ContainsAny(words[a[0]-1].Text[len(words[a[0]-1].Text)-1:], ".;:") {
		return false
	}
	return firstLetter(first.Text) > 0
}

// firstLetter is how many bytes the capital takes that a word of letters begins with, 0 for none.
func firstLetter(word string) int {
	r, size := utf8.DecodeRuneInString(word)
	next, _ := utf8.DecodeRuneInString(word[size:])
	if !unicode.IsUpper(r) || len(word) > size && !unicode.IsLower(next) && next != '\'' && next != '’' {
		return 0
	}
	return size
}

// squeeze sets the words of a row between two places.
func squeeze(row []layout.Word, left, right float64) {
	from, to := row[0].Rect[0], row[len(row)-1].Rect[2]
	by := min(1, (right-left)/max(to-from, 1))
	for k := range row {
		r := &row[k].Rect
		r[0], r[2] = hundredth(left+(r[0]-from)*by), hundredth(left+(r[2]-from)*by)
	}
}
