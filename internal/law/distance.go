package law

// Distance returns the number of bytes to change, insert or leave out to make one word of another (the Levenshtein
// distance). For folded words these are letters.
func Distance(a, b string) int { return distance([]byte(a), []byte(b)) }

// RuneDistance is Distance for letters of any alphabet.
func RuneDistance(a, b []rune) int { return distance(a, b) }

func distance[T comparable](a, b []T) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
