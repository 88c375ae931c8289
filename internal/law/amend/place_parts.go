package amend

import (
	"slices"
	"strings"
)

// several reports whether places are in more than one article.
func several(list []spot) bool {
	return slices.ContainsFunc(list, func(s spot) bool { return s.article != list[0].article })
}

// inBrackets reads the parts that follow the last article of a list: « 32 (2e alinéa) », « 212 (du 2e alinéa jusqu'au
// 6e) », « 319 alinéas 1 et 2 », and, before a further article or where others have parts too, « 25, alinéa 1er, ».
func (p *parser) inBrackets(list *[]spot, next int) int {
	last := (*list)[len(*list)-1]
	at, bracket := next, p.word(next) == "("
	if bracket {
		at++
	} else if p.word(next) == "," {
		at++
	}
	_, isLevel := levelOf(p.word(at))
	if !bracket && !isLevel {
		return next
	}
	parts, end, ok := p.partsAt(at)
	if n, joined := p.joint(at + 1); !ok && isLevel && joined && isFigure(p.word(n)) && len(*list) > 1 { // « 319 alinéas et 2 »: a number is lost
		(*list)[len(*list)-1].unclear = true
		return n + 1
	}
	if !ok || len(parts) == 0 || len(parts[0].path) == 0 || bracket && p.word(end) != ")" {
		return next
	}
	if bracket {
		end++
	} else {
		others := slices.ContainsFunc(*list, func(s spot) bool { return len(s.path) > 0 })
		if len(*list) == 1 && at == next || at > next && !others && !p.numberFollows(end) {
			return next
		}
	}
	*list = (*list)[:len(*list)-1]
	for _, part := range parts {
		last.path = part.path
		*list = append(*list, last)
	}
	return end
}

// numberFollows reports whether a list goes on with the number of an article at token i.
func (p *parser) numberFollows(i int) bool {
	at, joined := p.joint(i)
	if !joined || p.at(at) < 0 {
		return false
	}
	_, n := articleAt(p.source[p.at(at):])
	return n > 0
}

// partsAt reads parts of an article: « 2e alinéa », « alinéa 1er a) », « du 2e alinéa jusqu'au 6e alinéa inclus ».
func (p *parser) partsAt(i int) (parts []spot, next int, ok bool) {
	if w := p.word(i); w == "du" || w == "de" {
		at, okay := p.determiner(i, of)
		if !okay {
			return nil, i, false
		}
		first, end, okay := p.ordinals(at, false)
		if !okay && p.word(at+1) == "au" {
			if n, isOrdinal := ordinalOf(p.word(at)); isOrdinal { // « du 2e au 6e alinéa »
				first, end, okay = []spot{{path: Path{stepOf(Alinea, n)}}}, at+1, true
			}
		}
		for p.word(end) == "jusqu'" || p.word(end) == "au" || p.word(end) == "a" || p.word(end) == "la" {
			end++
		}
		n, isOrdinal := ordinalOf(p.word(end))
		if !okay || !isOrdinal || len(first) != 1 || len(first[0].path) != 1 || first[0].path[0].Level != Alinea || n <= first[0].path[0].Index || n-first[0].path[0].Index > 100 {
			return nil, i, false
		}
		for k := first[0].path[0].Index; k <= n; k++ {
			parts = append(parts, spot{path: Path{stepOf(Alinea, k)}})
		}
		end++
		if _, isLevel := levelOf(p.word(end)); isLevel {
			end++
		}
		if w := p.word(end); strings.HasPrefix(w, "inclus") || w == "compris" {
			end++
		}
		return parts, end, true
	}
	parts, next, ok = p.ordinals(i, false)
	if !ok {
		return p.labels(i)
	}
	if label, end, isLabel := p.label(next); isLabel && len(parts) == 1 && p.toks[end-1].text == ")" && p.word(next) != "(" { // « alinéa 1er a) »
		parts[0].path = append(parts[0].path[:1:1], Step{Level: Item, Label: label})
		next = end
	}
	return parts, next, true
}
