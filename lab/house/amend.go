package house

import (
	"strconv"
	"strings"
)

// amendment adds an article that gives other texts new articles, word for word:
// what it quotes begins like articles, and is none of its own.
func (p *pen) amendment(a *act, number string, i int) {
	if p.often(Reworded, 30) {
		p.rewording(a, number, i)
		return
	}
	k := p.between(2, 90)
	target := cite(p, "loi", "décret", "ordonnance")
	n := p.between(1, 3)
	var intro string
	switch {
	case n > 1:
		intro = "Les articles " + strconv.Itoa(k) + " à " + strconv.Itoa(k+n-1) + " " + contract("de", target) + " sont " + p.pick("modifiés", "abrogés et remplacés", "complétés") + " ainsi qu'il suit :"
	case p.chance(50):
		intro = "L'article " + strconv.Itoa(k) + " " + contract("de", target) + " est modifié comme suit :"
	default:
		intro = "Il est inséré dans " + target + " un article " + strconv.Itoa(k) + " bis ainsi rédigé :"
	}
	prefix := ""
	if p.chance(20) { // a code whose articles have a letter
		prefix = p.pick("L. ", "R. ", "L") + strconv.Itoa(p.between(1, 40)) + "-"
		intro = strings.NewReplacer("article "+strconv.Itoa(k), "article "+prefix+strconv.Itoa(k), "articles "+strconv.Itoa(k)+" à ", "articles "+prefix+strconv.Itoa(k)+" à "+prefix).Replace(intro)
	}
	p.oneArticle(a, number, i, []string{intro})
	marks := p.chance(65)
	suffix := p.pick("", " (nouveau)", " bis", "")
	for j := range n {
		name := p.opening(prefix+strconv.Itoa(k+j), 2) + suffix
		body := p.body(9)
		if marks && (j == 0 || p.chance(50)) {
			name = "« " + name
		}
		if last := len(body) - 1; marks && (j == n-1 || name[0] != p.opening("2", 2)[0]) {
			body[last] += " »"
		}
		p.bodyOf(a, block{label: Paragraph}, p.style.spell(name), "", body)
	}
	if p.chance(15) {
		p.paragraphs(a, []string{p.pick("(Le reste sans changement.)", "Le reste de l'article est sans changement.", "................................ (le reste sans changement).")})
	}
}

// How the new words of several articles are set apart from the text's own.
const (
	unmarked   = iota // not at all
	aroundAll         // marks before the first and behind the last
	aroundEach        // marks around each
	unclosed          // a mark before the first, and none behind the last
)

// rewording adds an article that gives articles of another text new words, of which it
// tells the numbers: they leave numbers out, and may begin with the first.
func (p *pen) rewording(a *act, number string, i int) {
	k := 1
	if p.chance(65) {
		k = p.between(2, 60)
	}
	numbers := []int{k}
	for n := p.between(1, 9); n > 0; n-- {
		k += 1 + p.rng.IntN(4)*p.rng.IntN(3)
		numbers = append(numbers, k)
	}
	names := make([]string, len(numbers))
	for j, n := range numbers {
		names[j] = strconv.Itoa(n)
		if n == 1 {
			names[j] = p.pick("premier", "1er")
		}
	}
	last := len(names) - 1
	target := cite(p, "loi", "loi", "décret", "ordonnance")
	list := strings.Join(names[:last], ", ") + " et " + names[last]
	p.oneArticle(a, number, i, []string{p.pick(
		"Les articles "+list+" "+contract("de", target)+" sont "+p.pick("abrogés et remplacés par les dispositions suivantes :", "modifiés et complétés ainsi qu'il suit :", "modifiés comme suit :", "remplacés par les articles suivants :"),
		"Sont abrogés les articles "+list+" "+contract("de", target)+" et remplacés par les dispositions suivantes :",
	)})
	form, suffix := p.rng.IntN(4), p.pick("", "", "", " (nouveau)")
	for j, n := range numbers {
		own := strconv.Itoa(n)
		if n == 1 {
			own = p.style.article.first
		}
		name, body := p.opening(own, n)+suffix, p.body(9)
		if form == aroundEach || j == 0 && form != unmarked {
			name = "« " + name
		}
		if form == aroundEach || j == last && form == aroundAll {
			body[len(body)-1] += " »"
		}
		p.bodyOf(a, block{label: Paragraph}, p.style.spell(name), "", body)
	}
}
