package main

import "slices"

// step is one step of the way from what is printed to what was read.
type step struct {
	printed, read []rune // one character or none
	same          bool
}

// path is the shortest way from a to b by characters kept, replaced, lost and
// added, and how many are kept.
func path(a, b []rune) (steps []step, equal int) {
	cost := make([][]int, len(a)+1)
	for i := range cost {
		cost[i] = make([]int, len(b)+1)
		for j := range cost[i] {
			switch {
			case i == 0:
				cost[i][j] = j
			case j == 0:
				cost[i][j] = i
			default:
				cost[i][j] = min(cost[i-1][j-1]+differ(a[i-1], b[j-1]), cost[i-1][j]+1, cost[i][j-1]+1)
			}
		}
	}
	for i, j := len(a), len(b); i > 0 || j > 0; {
		switch {
		case i > 0 && j > 0 && cost[i][j] == cost[i-1][j-1]+differ(a[i-1], b[j-1]):
			same := a[i-1] == b[j-1]
			if same {
				equal++
			}
			steps = append(steps, step{a[i-1 : i], b[j-1 : j], same})
			i, j = i-1, j-1
		case i > 0 && cost[i][j] == cost[i-1][j]+1:
			steps = append(steps, step{printed: a[i-1 : i]})
			i--
		default:
			steps = append(steps, step{read: b[j-1 : j]})
			j--
		}
	}
	slices.Reverse(steps)
	return steps, equal
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}
