package strength

import (
	"math"
	"strings"
	"sync"
)

// keyboard is a layout of keys: the neighbors of each key, by direction.
type keyboard struct {
	neighbors map[rune][]string // by character of a key: the characters of the neighboring key in each direction, "" if there is none
	degree    float64           // mean number of neighbors of a key
}

// slanted and aligned are the directions in which a key has neighbors: on keyboards whose
// rows are each shifted by half a key, and on pads whose keys are in columns.
var (
	slanted = [][2]int{{-1, 0}, {0, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}}
	aligned = [][2]int{{-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}}
)

// keyboards holds the layouts AZERTY, QWERTY and Dvorak, and two numeric keypads. A key is
// written as its character and the character with shift; « · » is a place without a key.
var keyboards = sync.OnceValue(func() []keyboard {
	return []keyboard{
		newKeyboard(slanted, "²~ &1 é2 \"3 '4 (5 -6 è7 _8 ç9 à0 )° =+", "· aA zZ eE rR tT yY uU iI oO pP ^¨ $£", "· qQ sS dD fF gG hH jJ kK lL mM ù% *µ", "<> wW xX cC vV bB nN ,? ;. :/ !§"),
		newKeyboard(slanted, "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) -_ =+", "· qQ wW eE rR tT yY uU iI oO pP [{ ]} \\|", "· aA sS dD fF gG hH jJ kK lL ;: '\"", "· zZ xX cC vV bB nN mM ,< .> /?"),
		newKeyboard(slanted, "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) [{ ]}", "· '\" ,< .> pP yY fF gG cC rR lL /? =+ \\|", "· aA oO eE uU iI dD hH tT nN sS -_", "· ;: qQ jJ kK xX bB mM wW vV zZ"),
		newKeyboard(aligned, "· / * -", "7 8 9 +", "4 5 6", "1 2 3", "· 0 ."),
		newKeyboard(aligned, "· = / *", "7 8 9 -", "4 5 6 +", "1 2 3", "· 0 ."),
	}
})

// newKeyboard parses the rows of a keyboard, whose keys are separated by blanks.
func newKeyboard(directions [][2]int, rows ...string) keyboard {
	at := make(map[[2]int]string)
	for y, row := range rows {
		for x, key := range strings.Fields(row) {
			if key != "·" {
				at[[2]int{x, y}] = key
			}
		}
	}
	k := keyboard{neighbors: make(map[rune][]string)}
	for place, key := range at {
		list := make([]string, len(directions))
		for i, d := range directions {
			if list[i] = at[[2]int{place[0] + d[0], place[1] + d[1]}]; list[i] != "" {
				k.degree += 1 / float64(len(at))
			}
		}
		for _, r := range key {
			k.neighbors[r] = list
		}
	}
	return k
}

// walks returns the parts of a password in which each key is a neighbor of the key before
// it.
func walks(p []rune) (found []part) {
	for _, k := range keyboards() {
		for from := 0; from < len(p); {
			to, turns, shifted := k.walk(p, from)
			if to-from >= shortest {
				found = append(found, part{from, to, k.bits(to-from, turns, shifted)})
			}
			from = max(from+1, to-1) // the last key may begin another walk
		}
	}
	return found
}

// walk follows neighboring keys from an index on. It returns where the walk ends, the
// number of its straight sections, and the number of keys typed with shift.
func (k keyboard) walk(p []rune, from int) (to, turns, shifted int) {
	last := -1
	for to = from + 1; to < len(p); to++ {
		direction, second := k.step(p[to-1], p[to])
		if direction < 0 {
			break
		}
		if direction != last {
			turns++
			last = direction
		}
		if second {
			shifted++
		}
	}
	return to, turns, shifted
}

// step returns the direction from one key to the next, -1 if they are not neighbors, and
// whether the next one is typed with shift.
func (k keyboard) step(from, to rune) (direction int, shifted bool) {
	for i, key := range k.neighbors[from] {
		if at := strings.IndexRune(key, to); at >= 0 {
			return i, at > 0
		}
	}
	return -1, false
}

// bits returns the logarithm to base 2 of the number of walks that are at most as long and
// have at most as many turns, times the ways to type as many keys with shift.
func (k keyboard) bits(length, turns, shifted int) float64 {
	ways := 0.0
	for i := 2; i <= length; i++ {
		for j := 1; j <= min(turns, i-1); j++ {
			ways += choose(i-1, j-1) * float64(len(k.neighbors)) * math.Pow(k.degree, float64(j))
		}
	}
	total := math.Log2(ways)
	if shifted > 0 {
		total += choiceBits(length, min(shifted, length-shifted))
	}
	return total
}
