package house

// billed reports whether a text printed alone stands behind the bill that it came of.
func (p *pen) billed(a *act) bool {
	return p.style.print == alone && p.letterhead == nil && (a.by == byParliament || a.by == byRuler) && !a.stamped && p.often(Motives, 12)
}

// bill is what parliaments print before a text: its title, as it stands again below, and
// the reasons for it, which cite other texts wherever their lines break.
func (p *pen) bill(a *act) {
	if a.about == "" {
		a.about = p.about(!a.fem)
	}
	from, pending := len(p.blocks), len(p.pending)
	p.head(a)
	p.pending = p.pending[:pending]
	reasons := len(p.blocks)
	p.foreword()
	if p.chance(20) { // a list of what changes, by articles
		p.add(p.plain(Notice, "L'article premier "+p.say("phrase")+" L'article 2 "+p.say("phrase")))
	}
	for i := range p.blocks[from:] {
		b := &p.blocks[from+i]
		b.label, b.rest, b.owner = Draft, "", -1
		if from+i < reasons {
			b.label = Bill
		}
	}
	p.style.fresh = p.style.fresh || p.chance(50)
	p.apart = true
}
