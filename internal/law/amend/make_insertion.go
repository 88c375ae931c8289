package amend

import (
	"cmp"
	"slices"
)

func (m *maker) insertion(c clause, in []spot, wording []string, quoted bool, set func(*Operation)) {
	switch {
	case c.anchor != "" && (len(c.new) > 0 || quoted) && c.added == nil:
		m.add(InsertWords, in, func(op *Operation) {
			set(op)
			op.Words, op.Side = c.anchor, c.beside
		})
	case c.added != nil && (len(c.added.articles) > 0 || c.added.division):
		near := m.places(c.places)
		if len(c.places) == 0 {
			near = in
		}
		var home []spot
		for _, s := range near {
			home = append(home, spot{text: m.withText(s).text, division: s.division})
		}
		if c.added.division && len(home) == 0 {
			home = []spot{{division: "new"}}
		}
		m.newArticles(c, home, wording, set)
	case c.anchor != "":
		m.unread(NotUnderstood)
	case len(c.places) > 0:
		if len(c.in) > 0 {
			saved := m.base
			m.base.spots = in
			defer func() { m.base = saved }()
		}
		places := m.places(c.places)
		m.last = places
		if c.added == nil && len(c.new) == 0 {
			m.unread(NotUnderstood)
			return
		}
		m.add(InsertPlace, places, func(op *Operation) {
			set(op)
			op.Side, op.Unit = c.beside, Words
			if c.added != nil {
				op.Unit, op.Labels, op.Ordinal = c.added.unit, c.added.labels, c.added.ordinal
			}
			m.missing(op)
		})
	default:
		side := c.side
		if side == Nowhere {
			side = AtEnd
		}
		m.completion(c, in, side, wording, set)
	}
}

// completion makes the operations that add something at an end of places.
func (m *maker) completion(c clause, list []spot, side Side, wording []string, set func(*Operation)) {
	if c.added != nil && (c.added.division || len(c.added.articles) > 0) {
		m.newArticles(c, list, wording, set)
		return
	}
	if c.added == nil {
		if len(c.new) == 0 {
			if len(m.b.wording) == 0 {
				m.unread(WordingMissing)
				return
			}
			if made := articlesIn(wording); len(made) > 0 && made[0].number != "" { // « l'article 5 est complété comme suit : « Art. 5. … » »
				m.articles(list, wording, len(list) == 0 || list[0].article != "", set) // « le code est complété par les articles suivants »
				return
			}
			m.add(InsertPlace, list, func(op *Operation) {
				set(op)
				op.Side, op.Unit = side, Alineas
				if slices.ContainsFunc(op.New, unchanged.MatchString) {
					op.Doubt = cmp.Or(op.Doubt, NotUnderstood)
				}
			})
			return
		}
		m.add(InsertWords, list, func(op *Operation) { set(op); op.Side, op.Unit = side, Words })
		return
	}
	kind := InsertPlace
	if c.added.unit == Words {
		kind = InsertWords
	}
	m.add(kind, list, func(op *Operation) {
		set(op)
		op.Side, op.Unit, op.Labels, op.Ordinal = side, c.added.unit, c.added.labels, c.added.ordinal
		m.missing(op)
	})
}
