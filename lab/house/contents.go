package house

import (
	"slices"
	"strconv"
)

// summaryForm is how the list of an issue's texts is set.
type summaryForm struct {
	on     bool
	dots   bool
	pages  int  // 0 none, 1 at the right edge, 2 « , p. 27. »
	wide   bool // over all columns
	dates  bool // the date stands beside the entry
	groups bool // under the rubrics
	fresh  bool // on a page of its own
}

// contents adds the summary of an issue.
func (p *pen) contents(entries []entry) {
	f := p.style.summary
	if !f.on {
		return
	}
	title := p.middle(Summary, p.pick("SOMMAIRE", "SOMMAIRE", "S O M M A I R E", "Sommaire", "SOMMAIRE ANALYTIQUE"), true)
	title.wide, title.before, title.size, title.fresh = true, 1.5, 1.3, f.fresh
	p.add(title)
	kind, ministry := "", ""
	if p.style.parts && f.groups {
		p.add(p.middle(Summary, "PARTIE OFFICIELLE", true))
	}
	for _, e := range entries {
		if f.groups {
			if p.style.kinds && e.rubric != kind {
				p.add(p.wideIf(p.middle(Summary, p.summaryRubric(e.rubric), true), f.wide))
				kind, ministry = e.rubric, ""
			}
			if p.style.ministries > 0 && rank(e.rubric) >= 3 && e.ministry != ministry {
				p.add(p.wideIf(p.middle(Summary, p.summaryRubric("ministère "+e.ministry), p.style.bold), f.wide))
				ministry = e.ministry
			}
		}
		p.add(p.wideIf(p.entry(e), f.wide))
	}
	if p.style.notices > 50 && p.chance(60) {
		p.add(p.wideIf(p.middle(Summary, p.say("titreNotice"), true), f.wide), p.wideIf(para(Summary, "Annonces"), f.wide))
	}
	end := slices.IndexFunc(p.blocks, func(b block) bool { return b.label == Summary })
	if f.wide && end >= 0 && p.chance(30) { // everything of it in one piece
		p.blocks[len(p.blocks)-1].before += 0.2
	}
}

func (p *pen) wideIf(b block, wide bool) block {
	b.wide = wide
	return b
}

func (p *pen) summaryRubric(s string) string {
	if p.style.rubric[1] == 1 {
		return p.style.upper(s)
	}
	return capital(s)
}

// entry is one text of the summary.
func (p *pen) entry(e entry) block {
	f := p.style.summary
	text := e.text
	b := para(Summary, text)
	b.left, b.first, b.before, b.dots = 2, -2, 0.4, f.dots
	switch f.pages {
	case 1:
		b.tail, b.ref = "000", e.owner+1
	case 2:
		b.runs[0].text += ", p. " + strconv.Itoa(p.between(2, 90)) + "."
	}
	if f.dates {
		d := para(Summary, p.style.spell(p.shortDay(e)))
		d.narrow = true
		b.left, b.first, b.inset = 4.6, 0, &d
	}
	return b
}

// shortDay is the day of an entry, as it stands in the margin: « 11 juin ».
func (p *pen) shortDay(e entry) string {
	d := p.gregorian(e.day)
	return d[:len(d)-5]
}
