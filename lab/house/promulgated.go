package house

import "strconv"

// promulgated composes a dahir and the law that it promulgates, which is printed
// below it: one text, known by the law's number and the dahir's date, with the
// law's articles.
func (p *pen) promulgated(a *act) {
	own := a.number
	a.number = p.number(p.pick("{n}-{yy}", "{n2}-{yy}", "{n}.{yy}"), a.day.AddDate(-p.between(0, 2), 0, 0), p.between(1, 120))
	t := &p.texts[a.owner]
	t.Nature, t.Number = "Loi", a.number
	what := p.say("but")
	law := "loi " + p.style.head.number(a.number)
	a.about = "portant promulgation de la " + law + " " + what
	number := a.number
	a.number = own // the title begins with the dahir's
	p.head(a)
	a.number = number
	for _, s := range []string{"LOUANGE À DIEU SEUL !", "(Grand Sceau de Sa Majesté)"} {
		if p.chance(70) {
			p.text(a, p.middle(Formula, s, p.chance(40)))
		}
	}
	p.text(a, p.plain(Visa, p.pick("Que l'on sache par les présentes que Notre Majesté,", "Nous, Roi "+contract("de", p.country)+",")), p.plain(Visa, "Vu la Constitution, notamment ses articles "+p.slot("n", "20-50")+" et "+p.slot("n", "51-99")+","))
	p.formula(a)
	order := "Est promulguée et sera publiée au journal officiel, à la suite du présent dahir, la " + law + " " + what + ", telle qu'adoptée par " + lowerFirst(p.house) + "."
	if p.chance(50) {
		order = p.style.article.word + " " + p.style.article.only + p.style.article.after + " " + order
	}
	p.text(a, p.plain(Paragraph, order))
	p.close(a)
	if p.chance(70) {
		stars := p.middle(Furniture, "* * *", false)
		stars.keep = false
		p.text(a, stars)
	}
	title := p.middle(Annex, capital(law)+" "+what, true)
	title.before = 1.4
	p.text(a, title)
	p.articles(a, p.between(3, 25))
	if p.chance(30) {
		b := p.plain(Note, "(1) "+p.style.gazette+" n° "+strconv.Itoa(p.between(1000, 6000))+" du "+p.date(p.earlier(700))+".")
		b.size, b.before = 0.85, 1
		p.text(a, b)
	}
}
