package export

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/address"
)

// Change is what an act has changed in an article of a text that is exported in its wording of
// a day.
type Change struct {
	Article      uuid.UUID // id of the article, also of one that is not in force on the day
	Number       string
	From         time.Time  // first day of the new wording
	To           *time.Time // first day on which it is no longer law; nil: open
	Act          uuid.UUID
	Title        string // of the act; "" if it has just left the catalogue
	Address      string // public path of the act; "" if it has just left the catalogue
	Gone         bool   // the article is repealed
	Inserted     bool   // the article is new
	Instructions []Instruction
}

// Instruction is where an act says what it changes.
type Instruction struct {
	Article string `json:"number"` // of the act
	Page    int    `json:"page"`
	Words   string `json:"words"`
}

// wordingOf returns the change that made an article's wording of the day; ok is false if it is
// as printed.
func (t LegalText) wordingOf(article uuid.UUID) (c Change, ok bool) {
	if t.On == nil {
		return c, false
	}
	for _, c := range t.Changes {
		if c.Article == article && (c.To == nil || c.To.After(*t.On)) {
			return c, true
		}
	}
	return c, false
}

// assembled says whether an act has changed an article of the text by the day of the export.
func (t LegalText) assembled() bool { return t.On != nil && len(t.Changes) > 0 }

// said describes a change: « Article modifié par : Loi n° … (article 3), en vigueur à compter
// du 1er juillet 2025 ; texte consolidé par le service, sans valeur officielle ».
func (c Change) said() string {
	participle := "modifié"
	if c.Inserted {
		participle = "inséré"
	}
	key := OneLine(c.Title)
	if key == "" {
		key = "un acte qui n’est plus au catalogue"
	}
	var articles []string
	for _, i := range c.Instructions {
		if i.Article != "" && !slices.Contains(articles, i.Article) {
			articles = append(articles, i.Article)
		}
	}
	switch len(articles) {
	case 0:
	case 1:
		key += " (article " + OneLine(articles[0]) + ")"
	default:
		key += " (articles " + OneLine(strings.Join(articles, ", ")) + ")"
	}
	return fmt.Sprintf("Article %s par : %s, en vigueur à compter du %s ; %s", participle, key, law.WriteDate(c.From), law.AssembledNotice)
}

// history writes what acts have changed as the metadata of Akoma Ntoso: the events in the life
// of the text, the changes that it suffered, the intervals in which wordings are law, and the
// references that these name.
type history struct {
	events  []time.Time       // days, ascending, without the promulgation
	by      map[string]string // first act of an event's day, as a reference's eId
	acts    []Change          // one change of each act
	refs    map[uuid.UUID]string
	groups  []string             // « start end » of each temporal group
	periods map[uuid.UUID]string // temporal group of an article's wording of the day, by article
	t       LegalText
}

func newHistory(t LegalText) *history {
	h := &history{by: map[string]string{}, refs: map[uuid.UUID]string{}, periods: map[uuid.UUID]string{}, t: t}
	if !t.assembled() {
		return h
	}
	changes := slices.SortedStableFunc(slices.Values(t.Changes), func(a, b Change) int { return a.From.Compare(b.From) })
	for _, c := range changes {
		if _, known := h.refs[c.Act]; !known {
			h.acts = append(h.acts, c)
			h.refs[c.Act] = fmt.Sprintf("acte_%d", len(h.acts))
		}
		if !slices.ContainsFunc(h.events, c.From.Equal) {
			h.events = append(h.events, c.From)
			h.by[day(c.From)] = h.refs[c.Act]
		}
		// The day on which a wording ends is that of a later act, which may lie ahead.
		if c.To != nil && !slices.ContainsFunc(h.events, c.To.Equal) {
			h.events = append(h.events, *c.To)
		}
	}
	slices.SortFunc(h.events, time.Time.Compare)
	for _, a := range t.own() {
		if c, ok := t.wordingOf(a.ID); ok {
			h.periods[a.ID] = h.group(c)
		}
	}
	return h
}

// event returns the eId of the event of a day.
func (h *history) event(day time.Time) string {
	return fmt.Sprintf("evenement_%d", 2+slices.IndexFunc(h.events, day.Equal))
}

// group returns the eId of the temporal group of a wording's days.
func (h *history) group(c Change) string {
	days := h.event(c.From)
	if c.To != nil {
		days += " " + h.event(*c.To)
	}
	pos := slices.Index(h.groups, days)
	if pos < 0 {
		pos = len(h.groups)
		h.groups = append(h.groups, days)
	}
	return fmt.Sprintf("periode_%d", pos+1)
}

// lifecycle returns the events; nil if no act has changed the text.
func (h *history) lifecycle() *node {
	if !h.t.assembled() {
		return nil
	}
	n := el("lifecycle", el("eventRef").with("eId", "evenement_1", "date", day(h.t.Document.Promulgated), "source", "#original", "type", "generation")).with("source", "#vigueur")
	for _, date := range h.events {
		n.add(el("eventRef").with("eId", h.event(date), "date", day(date), "source", "#"+cmp.Or(h.by[day(date)], "original"), "type", "amendment"))
	}
	return n
}

// passive returns the changes that the text suffered; nil if there are none. ids maps the
// articles of the export to their eIds; an article that is repealed is named by its address.
func (h *history) passive(ids map[uuid.UUID]string) *node {
	if !h.t.assembled() {
		return nil
	}
	n := el("passiveModifications")
	for i, c := range h.t.Changes {
		kind := "substitution"
		switch {
		case c.Gone:
			kind = "repeal"
		case c.Inserted:
			kind = "insertion"
		}
		id := fmt.Sprintf("modification_%d", i+1)
		mod := el("textualMod").with("type", kind, "eId", id)
		sources := c.Instructions
		if len(sources) == 0 {
			sources = []Instruction{{}}
		}
		for k, instruction := range sources {
			href := actAddress(c)
			if instruction.Article != "" {
				href = address.Article(href, "art_"+address.Slug(instruction.Article))
			}
			mod.add(el("source").with("eId", fmt.Sprintf("%s__source_%d", id, k+1), "href", href))
		}
		place := "#" + ids[c.Article]
		if ids[c.Article] == "" {
			place = address.Article(address.Of(h.t.Document, h.t.Countries).Full(), "art_"+address.Slug(c.Number))
		}
		mod.add(el("destination").with("eId", id+"__destination", "href", place))
		mod.add(el("force").with("period", "#"+h.group(c)))
		n.add(mod)
	}
	return n
}

// temporalData returns the intervals in which wordings are law; nil if there are none.
func (h *history) temporalData() *node {
	if len(h.groups) == 0 {
		return nil
	}
	n := el("temporalData").with("source", "#vigueur")
	for i, days := range h.groups {
		source, target, ends := strings.Cut(days, " ")
		interval := el("timeInterval").with("refersTo", "#en-vigueur", "start", "#"+source)
		if ends {
			interval.with("end", "#"+target)
		}
		n.add(el("temporalGroup", interval).with("eId", fmt.Sprintf("periode_%d", i+1)))
	}
	return n
}

// references returns what the other parts name.
func (h *history) references() (list []*node) {
	if !h.t.assembled() {
		return nil
	}
	named := address.Of(h.t.Document, h.t.Countries)
	list = append(list, el("original").with("eId", "original", "href", named.Full(), "showAs", OneLine(h.t.Document.Title)))
	for _, c := range h.acts {
		list = append(list, el("passiveRef").with("eId", h.refs[c.Act], "href", actAddress(c), "showAs", cmp.Or(OneLine(c.Title), "Acte")))
	}
	return list
}

// concepts returns the notion that the intervals refer to.
func (h *history) concepts() (list []*node) {
	if len(h.groups) == 0 {
		return nil
	}
	country := address.Of(h.t.Document, h.t.Countries).Country
	return []*node{el("TLCConcept").with("eId", "en-vigueur", "href", "/akn/ontology/concept/"+country+"/en-vigueur", "showAs", "En vigueur")}
}

// actAddress returns the path of the act of a change, which has none but its id when it has
// left the catalogue.
func actAddress(c Change) string {
	return cmp.Or(c.Address, "/akn/"+address.Nowhere+"/act/"+c.Act.String())
}
