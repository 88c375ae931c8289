package house

import (
	"strconv"
	"strings"
)

// amendment adds an article that gives other texts new articles, word for word:
// what it quotes begins like articles, and is none of its own.
func (p *pen) amendment(a *act, number string, i int) {
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
