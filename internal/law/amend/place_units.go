package amend

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// ordinalOf reads an ordinal: a word, or « 2e ».
func ordinalOf(word string) (int, bool) {
	word = strings.TrimSuffix(word, "s")
	if n := cmp.Or(lastPlaces[word], french.PlaceOf(word)); n != 0 {
		return n, true
	}
	if word == "ler" { // as recognition reads « 1er »
		return 1, true
	}
	n, err := strconv.Atoi(strings.TrimRight(word, "eirmnd°º"))
	return n, err == nil && n > 0 && n < 1000 && !isNumber(word)
}

// isNumber reports whether a word is a number in figures.
func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// levelOf returns the level that a noun names.
func levelOf(noun string) (Level, bool) {
	switch strings.TrimSuffix(noun, "s") {
	case "alinea", "al":
		return Alinea, true
	case "phrase":
		return Sentence, true
	case "tiret":
		return Item, true
	}
	return 0, false
}

// ordinals reads « premier alinéa », « deux derniers alinéas », « première et dernière
// phrases », « quatrième à sixième alinéas », « alinéa 2 », « alinéas 1 et 2 », « même
// alinéa ».
func (p *parser) ordinals(i int, same bool) (list []spot, next int, ok bool) {
	if level, ok := levelOf(p.word(i)); ok {
		return p.afterNoun(i, level, same)
	}
	if p.is(i, "paragraphe <ordinal>") && !isFigure(p.word(i+1)) { // « paragraphe premier »
		return p.afterNoun(i, Alinea, same)
	}
	var index []int
	for pos := i; ; {
		n, ok := ordinalOf(p.word(pos))
		count := 1
		if figures, err := strconv.Atoi(p.word(pos)); !ok && (err == nil && figures < 100 || p.is(pos, "<count>")) { // « les 3 derniers alinéas »
			if count = figures; err != nil {
				count = p.got.count
			}
			pos++
			n, ok = ordinalOf(p.word(pos))
			ok = ok && (n == 1 || n == -1)
		}
		if !ok {
			return nil, i, false
		}
		if pos++; (n == 1 || n == -1) && p.take(&pos, "<count>") { // « premiers deux alinéas »
			count = p.got.count
		}
		for k := range count {
			if n == -1 {
				index = append(index, k-count) // the last ones, in their order
			} else {
				index = append(index, n+k)
			}
		}
		if first := index[len(index)-1]; p.is(pos, "a <ordinal> <level>") && first > 0 && p.got.nth > first && p.got.nth-first < 100 { // « quatrième à sixième alinéas »
			for n := first + 1; n <= p.got.nth; n++ {
				index = append(index, n)
			}
			pos += 2
		}
		level, ok := levelOf(p.word(pos))
		if p.is(pos, "paragraphe|paragraphes") { // « deuxième paragraphe »
			level, ok = Alinea, true
		}
		if ok {
			for _, n := range index {
				list = append(list, spot{path: Path{stepOf(level, n)}})
			}
			return list, p.skip(pos+1, freshPart), true
		}
		if len(index) == 1 && p.is(pos, "<division>") {
			return []spot{{division: p.word(pos) + " " + strconv.Itoa(index[0])}}, pos + 1, true
		}
		if pos, ok = p.match(pos, "<joint> le|la|l'?"); !ok { // « le 1er et le 3e alinéas »
			return nil, i, false
		}
	}
}

// stepOf returns the step to the n-th alinea, sentence or dash.
func stepOf(level Level, n int) Step {
	if level == Item {
		return Step{Level: Item, Label: "-", Index: n}
	}
	return Step{Level: level, Index: n}
}

// afterNoun reads « alinéa 2 », « alinéas 1 et 2 », « alinéa premier » and, after « même »,
// « alinéa ». The noun is token i.
func (p *parser) afterNoun(i int, level Level, same bool) (list []spot, next int, ok bool) {
	if same {
		for _, s := range slices.Backward(p.mem.place.path) {
			if s.Level == level {
				return []spot{{path: Path{s}}}, i + 1, true
			}
		}
		return nil, i, false
	}
	next = p.skip(i, "al .") // « al. 2 »
	for next = max(next, i+1); ; {
		word, bracket := p.word(next), 0
		if word == "(" && p.word(next+2) == ")" { // « alinéa (5) »
			word, bracket = p.word(next+1), 2
		}
		n, err := strconv.Atoi(word)
		if err != nil {
			var isOrdinal bool
			if n, isOrdinal = ordinalOf(word); !isOrdinal {
				break
			}
		}
		if n > 999 {
			break
		}
		list = append(list, spot{path: Path{stepOf(level, n)}})
		next += 1 + bracket
		pos, joined := p.joint(next)
		if !joined || !strings.HasSuffix(p.word(i), "s") {
			break
		}
		if _, ordinal := ordinalOf(p.word(pos)); !isNumber(p.word(pos)) && (!ordinal || p.is(pos+1, "<level>")) {
			break
		}
		next = pos
	}
	return list, p.onwards(list, p.skip(next, freshPart)), len(list) > 0
}

// labels reads « 1° et 2° », « I », « a bis », « 1° à 3° ».
func (p *parser) labels(i int) (list []spot, next int, ok bool) {
	paragraph := p.word(i) == "paragraphe" || p.word(i) == "paragraphes" || p.word(i) == "§"
	if p.is(i, "<point>") {
		i++
	}
	for next = i; ; {
		label, n, ok := p.label(next)
		if !ok {
			break
		}
		if len(list) > 0 && p.word(next-1) == "a" {
			for _, gap := range labelsBetween(list[len(list)-1].path[0].Label, label) {
				list = append(list, spot{path: Path{{Level: Item, Label: gap}}})
			}
		}
		list = append(list, spot{path: Path{{Level: Item, Label: label, Or: paragraph}}})
		if next = n; p.word(i-1) == "§" && p.word(next) == "." && next+1 < len(p.toks) { // « § 2. »
			next++
		}
		pos, joined := p.match(next, "<joint>|a")
		if further, _, ok := p.label(pos); !ok || !joined || p.word(next) == "," && pos == next+1 && !sharesKind(label, further) || // « § 2, b) »
			p.source[p.toks[pos].start:p.toks[pos].end] == "a" && !p.is(pos+1, "du|de") && p.word(next) != "a" {
			break
		}
		next = pos
	}
	return list, p.onwards(list, next), len(list) > 0
}

// onwards reads « et suivants »: how many follow is not said.
func (p *parser) onwards(list []spot, next int) int {
	end, ok := p.match(next, "et suivant*")
	if ok && len(list) > 0 {
		list[len(list)-1].unclear = true
	}
	return end
}

// label reads the label of an item at token i.
func (p *parser) label(i int) (label string, next int, ok bool) {
	if i >= len(p.toks) || p.toks[i].quote >= 0 {
		return "", i, false
	}
	if p.word(i) == "(" && p.word(i+2) == ")" {
		label, _, ok := p.label(i + 1)
		return label, i + 3, ok
	}
	raw := p.source[p.toks[i].start:p.toks[i].end]
	switch {
	case strings.HasSuffix(raw, "°"), strings.HasSuffix(raw, "º"):
		label = strings.TrimRight(raw, "°º") + "°"
	case len(raw) <= 3 && strings.Trim(raw, "0123456789") == "":
		label = raw
	case len(raw) == 1 && (raw[0] >= 'a' && raw[0] <= 'z' || raw[0] >= 'A' && raw[0] <= 'Z'),
		strings.Trim(raw, "IVX") == "", strings.Trim(raw, "ivx") == "", len(raw) == 2 && raw[0] == raw[1] && raw[0] >= 'a' && raw[0] <= 'z':
		label = raw
	case numberSuffix.MatchString(raw):
		m := numberSuffix.FindStringSubmatch(raw)
		label = m[1] + " " + strings.ToLower(m[2])
	case raw == "Ier" || raw == "1er":
		label = raw[:1]
	default:
		return "", i, false
	}
	next = i + 1
	if isSuffix(p.word(next)) {
		label, next = label+" "+p.word(next), next+1
	}
	if p.word(next) == ")" {
		next++
	}
	return label, next, true
}

func isSuffix(word string) bool {
	return word == "novies" || slices.Contains(suffixOrder, word) || strings.HasSuffix(word, "decies") && len(word) > 6 || word == "vicies"
}

// labelsBetween returns the labels strictly between two labels, none if they cannot be
// counted.
func labelsBetween(source, target string) (out []string) {
	a, s, okA := rank(source)
	b, t, okB := rank(target)
	if !okA || !okB || s != 0 || t != 0 || !sharesKind(source, target) || b-a > 100 {
		return nil
	}
	for n := a + 1; n < b; n++ {
		out = append(out, labelNumber(source, n))
	}
	return out
}

// labelNumber returns the label with number n in the enumeration of like.
func labelNumber(like string, n int) string {
	switch kindsOfLabel(like)[0] {
	case degree:
		return strconv.Itoa(n) + "°"
	case figure:
		return strconv.Itoa(n)
	case roman:
		return law.WriteRoman(n)
	case smallRoman:
		return strings.ToLower(law.WriteRoman(n))
	case capital:
		return string(rune('A' + n - 1))
	}
	return string(rune('a' + n - 1))
}

// division reads « chapitre II », « section 3 », « titre Ier », « intitulé du chapitre II ».
func (p *parser) division(i int) (list []spot, next int, ok bool) {
	if p.is(i, "intitule|denomination") {
		return []spot{{division: p.word(i)}}, i + 1, true
	}
	if p.is(i, "titre <of> <kind>") { // « le titre de la loi »
		return []spot{{division: "intitule"}}, i + 1, true
	}
	if !p.is(i, "<division> / paragraphe <any> <of> <division>") { // a paragraph of a section, not of an article
		return nil, i, false
	}
	noun := strings.TrimSuffix(p.word(i), "s")
	for next = i + 1; ; {
		number := p.word(next)
		if p.take(&next, "preliminaire|additionnel|additionnelle|liminaire") {
			list = append(list, spot{division: noun + " " + number})
			break
		}
		place, _ := ordinalOf(number)
		if len(number) > 8 || !isNumber(number) && !isRoman(number) && place != 1 && len(number) != 1 && number != "unique" || number == "a" || number == "," {
			break
		}
		name := noun + " " + number
		for next++; isSuffix(p.word(next)); next++ {
			name += " " + p.word(next)
		}
		list = append(list, spot{division: name})
		pos, ok := p.match(next, "<joint>|a")
		if w := p.word(pos); !ok || !isRoman(w) && !isNumber(w) {
			break
		}
		next = pos
	}
	if noun == "annexe" && len(list) == 0 {
		return []spot{{division: noun}}, next, true
	}
	return list, next, len(list) > 0
}

// isRoman reports whether a folded word is a Roman numeral, such as « ier » and « xiv ».
func isRoman(word string) bool { return law.Roman(word) > 0 }
