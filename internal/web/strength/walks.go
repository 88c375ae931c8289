package strength

import (
	"math"
	"strings"
	"sync"
)

// keyboard is where keys lie: each key's characters, and its neighbors by direction.
type keyboard struct {
	neighbors map[rune][]string // of the key that writes a character: the other keys' characters, "" where there is none
	degree    float64           // how many neighbors a key has on average
}

// slanted and aligned are the directions of neighbors where each row begins half a key after
// the one above, and where keys lie in columns.
var (
	slanted = [][2]int{{-1, 0}, {0, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}}
	aligned = [][2]int{{-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}}
)

// keyboards are those of French and English writers, and the blocks of digits. A key is its
// character and the one with the shift key; « · » keeps a place free.
var keyboards = sync.OnceValue(func() []keyboard {
	return []keyboard{
		newKeyboard(slanted, "²~ &1 é2 \"3 '4 (5 -6 è7 _8 ç9 à0 )° =+", "· aA zZ eE rR tT yY uU iI oO pP ^¨ $£", "· qQ sS dD fF gG hH jJ kK lL mM ù% *µ", "<> wW xX cC vV bB nN ,? ;. :/ !§"),
		newKeyboard(slanted, "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) -_ =+", "· qQ wW eE rR tT yY uU iI oO pP [{ ]} \\|", "· aA sS dD fF gG hH jJ kK lL ;: '\"", "· zZ xX cC vV bB nN mM ,< .> /?"),
		newKeyboard(slanted, "`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) [{ ]}", "· '\" ,< .> pP yY fF gG cC rR lL /? =+ \\|", "· aA oO eE uU iI dD hH tT nN sS -_", "· ;: qQ jJ kK xX bB mM wW vV zZ"),
		newKeyboard(aligned, "· / * -", "7 8 9 +", "4 5 6", "1 2 3", "· 0 ."),
		newKeyboard(aligned, "· = / *", "7 8 9 -", "4 5 6 +", "1 2 3", "· 0 ."),
	}
})

// newKeyboard reads the rows of a keyboard, keys parted by blanks.
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

// walks returns where each key is a neighbor of the one before.
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

// walk follows neighbors from a place on: where it ends, how often it turns (its beginning
// counts), and how many keys are shifted.
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

// step returns the direction from one key to the next, -1 if they are no neighbors, and
// whether the next one is shifted.
func (k keyboard) step(from, to rune) (direction int, shifted bool) {
	for i, key := range k.neighbors[from] {
		if at := strings.IndexRune(key, to); at >= 0 {
			return i, at > 0
		}
	}
	return -1, false
}

// bits counts the walks of a length or less with as many turns or fewer, and the ways to
// shift as many keys.
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
