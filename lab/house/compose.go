package house

import (
	"cmp"
	"slices"
)

// group is the texts of one rubric, composed but not yet put in order.
type group struct {
	kind, ministry string
	short          bool
	blocks         []block
	entries        []entry
}

// compose makes the blocks of an issue.
func (p *pen) compose() draft {
	switch p.style.print {
	case alone, webPage:
		p.single()
		return p.draft()
	case codeBook:
		return p.book()
	}
	groups := p.groups()
	var summary []entry
	for _, g := range p.arrange(groups) {
		summary = append(summary, g.entries...)
	}
	if p.chance(p.style.notices) {
		p.announcements()
	}
	if p.style.print == gazette && p.chance(35) {
		p.imprint()
	}
	if p.style.print == extract {
		p.cut()
		return p.draft()
	}
	body := p.blocks
	if p.style.language == english {
		body = p.besides(body)
	}
	p.blocks = nil
	number := p.masthead()
	p.contents(summary)
	if p.chance(40) && len(p.blocks) > 0 {
		body[0].fresh = true
	}
	p.add(body...)
	d := p.draft()
	d.day.Number = number
	return d
}

// draft is what was composed so far.
func (p *pen) draft() draft {
	d := draft{blocks: p.blocks, texts: p.texts, first: 1}
	d.day.Date = dayOf(p.day)
	if p.style.print == gazette || p.style.print == extract {
		if p.chance(50) {
			d.first = p.between(1, 900)
		}
	} else if len(p.texts) > 0 {
		d.day.Date = p.texts[0].Date
	}
	p.bare = p.style.print != gazette
	d.heads = p.runningHeads()
	return d
}

// groups composes the texts, each in a group.
func (p *pen) groups() []group {
	var out []group
	one := func(short bool, write func()) {
		write()
		e := p.pending[0]
		out = append(out, group{e.rubric, e.ministry, short, p.blocks, p.pending})
		p.blocks, p.pending = nil, nil
	}
	for range p.between(p.style.texts[0], p.style.texts[1]) {
		key := p.style.natures[p.rng.IntN(len(p.style.natures))]
		one(false, func() { p.write(key) })
		if p.chance(6) {
			one(false, p.erratum)
		}
	}
	if len(p.style.abridged) > 0 {
		for range p.between(p.style.short[0], p.style.short[1]) {
			one(true, p.brief)
		}
	}
	if len(out) == 0 {
		one(false, func() { p.write("arrêté") })
	}
	return out
}

// arrange puts groups in printing order, with their rubrics, and their texts in
// that order too.
func (p *pen) arrange(groups []group) []group {
	ministries := map[string]int{}
	pool := []string{p.say("adjMin"), p.say("adjMin"), p.say("adjMin"), p.say("adjMin")}
	for i := range groups {
		if p.style.ministries > 0 { // few ministries have many texts each
			groups[i].ministry = pool[p.rng.IntN(len(pool))]
			for k := range groups[i].entries {
				groups[i].entries[k].ministry = groups[i].ministry
			}
		}
		ministries[groups[i].ministry] = slices.Index(pool, groups[i].ministry)
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		x, y := min(rank(a.kind), 3), min(rank(b.kind), 3) // laws stand first everywhere
		kinds := cmp.Or(cmp.Compare(rank(a.kind), rank(b.kind)), cmp.Compare(a.kind, b.kind))
		side := 0
		if p.style.general {
			side = boolInt(a.short) - boolInt(b.short)
		}
		ministry := cmp.Compare(ministries[a.ministry], ministries[b.ministry])
		if p.style.ministries == 1 || p.style.ministries == 0 {
			return cmp.Or(x-y, side, kinds, ministry*p.style.ministries, boolInt(a.short)-boolInt(b.short))
		}
		return cmp.Or(x-y, side, ministry, kinds, boolInt(a.short)-boolInt(b.short))
	})
	p.renumber(groups)
	p.rubrics(groups)
	return groups
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rank is the place of a kind in an issue: treaties, laws, decrees, orders.
func rank(rubric string) int {
	for i, list := range [][]string{{"Traités", "Conventions et accords", "Chartes", "Constitution"}, {"Lois organiques", "Lois", "Codes"},
		{"Ordonnances", "Décrets-lois", "Dahirs", "Règlements", "Directives", "Actes uniformes"}, {"Décrets", "Décrets gouvernementaux"}, {"Arrêtés", "Décisions", "Délibérations"}} {
		if slices.Contains(list, rubric) {
			return i
		}
	}
	return 5
}

// renumber puts the truth about the texts into printing order.
func (p *pen) renumber(groups []group) {
	to := make([]int, len(p.texts))
	for i := range to {
		to[i] = -1
	}
	var texts []Text
	var visit func(blocks []block)
	visit = func(blocks []block) {
		for i := range blocks {
			b := &blocks[i]
			if b.owner >= 0 {
				if to[b.owner] < 0 {
					to[b.owner] = len(texts)
					texts = append(texts, p.texts[b.owner])
				}
				b.owner = to[b.owner]
			}
			for _, side := range b.beside {
				visit(side)
			}
		}
	}
	for _, g := range groups {
		visit(g.blocks)
	}
	for i := range groups {
		for k := range groups[i].entries {
			groups[i].entries[k].owner = to[groups[i].entries[k].owner]
		}
	}
	p.texts = texts
}
