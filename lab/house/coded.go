package house

// codes is the percentage of laws that make a code.
const codes = 6

// coded composes a law that makes a code, which is printed behind the law's signatures:
// one text, with the law's articles and the code's, whose count begins again.
func (p *pen) coded(a *act) {
	name := "code " + contract("de", p.say("domaine"))
	a.about = p.pick("portant ", "portant promulgation du ", "instituant le ", "relative au ", "portant approbation du ") + name
	a.noted = p.chance(p.style.extras)
	p.head(a)
	p.preamble(a)
	n := p.between(1, 4)
	for i := 1; i <= n; i++ {
		body := p.body(i)
		if i == 1 {
			body = []string{p.pick("Sont promulguées sous le titre « "+name+" » les dispositions qui suivent.",
				"Les dispositions annexées à la présente loi constituent le "+name+".",
				"Est "+p.pick("approuvé", "promulgué")+", tel qu'annexé à la présente loi, le "+name+".")}
		}
		if i == n && n > 1 {
			body = []string{p.last(a)}
		}
		p.oneArticle(a, p.articleNumber(i, n, count{}), i, body)
	}
	p.close(a)
	if a.noted {
		p.work(a)
	}
	title := p.middle(Division, p.style.upper(name), p.style.bold)
	title.before, title.fresh, title.size = 1.6, p.chance(30), 1+float64(p.between(0, 4))/10
	p.text(a, title)
	a.code = true
	p.articles(a, p.between(4, 60))
}
