package amend

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
)

// Base is a text as it was on a day: as published, or a consolidated edition.
type Base struct {
	Text     TargetText
	Also     []TargetText // other names of the text, such as an earlier title
	Day      time.Time    // the acts in force up to this day are in the text already; zero for a text as published
	Signed   time.Time    // day of the text: what is signed up to it cannot change it; zero if it is unknown
	Articles []Article    // in their order
}

// Article is an article of a text on a day.
type Article struct {
	Number string
	Path   []string // headings above the article, the outermost first
	Text   string
	From   time.Time // first day of this wording; zero: the day of the text
}

// Act is an act that amends the text.
type Act struct {
	ID         string
	Name       TargetText  // what the act is called; editions of one act have the same
	Signed     time.Time   // day of the act
	Force      time.Time   // first day in force of what names no day of its own; zero if it is unknown
	Operations []Operation // as Read returns them
	// Settled are articles whose wording after the act a person has decided, by number.
	Settled map[string]Settlement
}

// Settlement is the wording of an article that a person has decided.
type Settlement struct {
	Text string
	Gone bool // the article is repealed
}

// Version is a wording of an article and the days on which it is law.
type Version struct {
	Text     string
	From, To time.Time // first day in force, first day no longer in force; zero: that of the text, open
	Gone     bool      // the article is repealed in these days
	Act      string    // id of the act that made the version; "" for the base
	By       []string  // numbers of the articles of the act that made it
	Evidence []Span    // the instructions in the text of the act
	Changes  []Span    // the new words in Text
	Person   bool      // a person has decided the wording
	Remarks  []Reason  // what a person should look at: the version is certain if there are none
}

// History is an article with its versions, the oldest first.
type History struct {
	Number   string
	Path     []string
	Versions []Version
	waits    bool // an operation is not applied
	undated  bool // an operation is not applied because its day is unknown
}

// Waiting is an operation that is not applied.
type Waiting struct {
	Act       string
	Article   string // number of the article; "" if the operation names none
	Operation Operation
	Reason    Reason
	Proposal  *Span // in the text before
}

// Assembly is a text with all its versions.
type Assembly struct {
	Articles []*History // in the order of the text
	Waiting  []Waiting
	byKey    map[string]*History
}

// Assemble applies acts to a text, in the order of their entry into force and of their days.
// Each article that an operation cannot be applied to keeps its wording, and waits: later
// changes of it wait too, until an act gives it a whole new wording. Acts may be given in
// any order, so an act that arrives late is given with the others.
func Assemble(base Base, acts []Act) *Assembly {
	a := &Assembly{byKey: make(map[string]*History, len(base.Articles))}
	for _, article := range base.Articles {
		h := &History{Number: article.Number, Path: article.Path, Versions: []Version{{Text: article.Text, From: article.From}}}
		if key := law.ArticleKey(article.Number); a.byKey[key] == nil {
			a.byKey[key] = h
			a.Articles = append(a.Articles, h)
		}
	}
	for _, same := range simultaneous(a.steps(base, acts)) {
		a.together(same)
	}
	return a
}

// step is what an act changes on one day.
type step struct {
	act     *Act
	day     time.Time
	ops     []Operation
	settled map[string]string // numbers of the settled articles, by key
}

// steps parts the operations of the acts by the days of their entry into force, in order.
func (a *Assembly) steps(base Base, acts []Act) []step {
	var out []step
	for _, act := range editions(acts) {
		days := map[time.Time]int{}
		for _, op := range act.Operations {
			if !op.Text.Zero() && !op.Text.Self && !base.isCalled(op.Text) {
				continue
			}
			day, why := dayOf(act, op, base)
			if why != "" {
				a.wait(act.ID, op, why, nil)
				if why == DayUnclear || why == DatesDisordered {
					a.hold(op)
				}
				continue
			}
			pos, ok := days[day]
			if !ok {
				pos = len(out)
				days[day] = pos
				out = append(out, step{act: act, day: day})
			}
			out[pos].ops = append(out[pos].ops, op)
		}
		settle(act, out[len(out)-len(days):])
	}
	slices.SortStableFunc(out, func(x, y step) int {
		return cmp.Or(x.day.Compare(y.day), x.act.Signed.Compare(y.act.Signed), strings.Compare(x.act.ID, y.act.ID))
	})
	return out
}

// settle gives each settled article of an act to the steps that change it, or to the first one
// if none does.
func settle(act *Act, steps []step) {
	for number := range act.Settled {
		key := law.ArticleKey(number)
		var list []int
		first := 0
		for i, s := range steps {
			if slices.ContainsFunc(s.ops, func(op Operation) bool { return law.ArticleKey(op.Article) == key }) {
				list = append(list, i)
			}
			if s.day.Before(steps[first].day) {
				first = i
			}
		}
		if len(list) == 0 && len(steps) > 0 {
			list = []int{first}
		}
		for _, i := range list {
			if steps[i].settled == nil {
				steps[i].settled = map[string]string{}
			}
			steps[i].settled[key] = number
		}
	}
}

func (b Base) isCalled(name TargetText) bool {
	return name.Equal(b.Text) || slices.ContainsFunc(b.Also, name.Equal)
}

// editions returns one act of each set of editions.
func editions(acts []Act) (out []*Act) {
	byName := map[TargetText]bool{}
	for i := range acts {
		act := &acts[i]
		name := act.Name
		name.Title = law.Fold(name.Title)
		if name.Number != "" {
			name.Title = ""
		}
		if !act.Name.Zero() && byName[name] {
			continue
		}
		byName[name] = true
		out = append(out, act)
	}
	return out
}

// dayOf returns the first day of an operation, or why it has none.
func dayOf(act *Act, op Operation, base Base) (time.Time, Reason) {
	switch {
	case op.Text.Self:
		return time.Time{}, OwnText
	case op.Text.Zero():
		return time.Time{}, TextMissing
	case op.Waits:
		return time.Time{}, DayUnclear
	}
	day := op.Effective
	if day.IsZero() {
		day = act.Force
	}
	switch {
	case day.IsZero():
		return day, DayUnclear
	case act.Signed.IsZero() || day.Before(act.Signed):
		return day, DatesDisordered
	case !base.Day.IsZero() && !day.After(base.Day), !base.Signed.IsZero() && !act.Signed.After(base.Signed):
		return day, BeforeBase
	}
	return day, ""
}

// wait records an operation that is not applied.
func (a *Assembly) wait(act string, op Operation, why Reason, span *Span) {
	a.Waiting = append(a.Waiting, Waiting{Act: act, Article: op.Article, Operation: op, Reason: why, Proposal: span})
}

// hold makes the article of an operation wait from the beginning, because the day of the
// operation is unknown.
func (a *Assembly) hold(op Operation) {
	if h := a.byKey[law.ArticleKey(op.Article)]; h != nil && op.Article != "" {
		h.undated = true
	}
}

// simultaneous groups steps of the same day by acts of the same day: their order is unknown.
func simultaneous(steps []step) (out [][]step) {
	for i, s := range steps {
		if i > 0 && s.day.Equal(steps[i-1].day) && s.act.Signed.Equal(steps[i-1].act.Signed) {
			out[len(out)-1] = append(out[len(out)-1], s)
			continue
		}
		out = append(out, []step{s})
	}
	return out
}

// together applies steps whose order is unknown. An article that several of them change must
// come out the same in both orders.
func (a *Assembly) together(steps []step) {
	changed := make([]map[string][]Operation, len(steps))
	times := map[string]int{}
	for i, s := range steps {
		changed[i] = a.byArticle(s)
		for key := range changed[i] {
			times[key]++
		}
	}
	disputed := map[string]bool{}
	for key, n := range times {
		if n > 1 {
			disputed[key] = !a.commute(key, changed)
		}
	}
	for i, s := range steps {
		for _, key := range sortedKeys(changed[i]) {
			if disputed[key] {
				for _, op := range changed[i][key] {
					a.wait(s.act.ID, op, Conflict, nil)
				}
				if h := a.byKey[key]; h != nil {
					h.waits = true
				}
				continue
			}
			a.apply(s, key, changed[i][key])
		}
		a.renumber(s)
	}
}

func sortedKeys(m map[string][]Operation) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// byArticle returns the operations of a step by the key of the article. An operation on every
// article is given to those that it changes.
func (a *Assembly) byArticle(s step) map[string][]Operation {
	out := map[string][]Operation{}
	for _, op := range s.ops {
		switch {
		case op.Every && op.Doubt == "":
			a.forEvery(s.act.ID, op, out)
		case op.Kind == ReplaceHeading && op.Doubt == "" || op.Kind == InsertDivision: // no words of an article change
		case op.Kind == RepealText:
			a.wait(s.act.ID, op, cmp.Or(op.Doubt, TextRepealed), nil)
		case op.Article == "":
			a.wait(s.act.ID, op, cmp.Or(op.Doubt, PlaceUnclear), nil)
		case op.Kind == RenumberArticle:
		default:
			key := law.ArticleKey(op.Article)
			out[key] = append(out[key], op)
		}
	}
	for key := range s.settled {
		if out[key] == nil {
			out[key] = []Operation{}
		}
	}
	return out
}

// forEvery gives an operation on every article to the articles that have its words, or that
// are in its division.
func (a *Assembly) forEvery(act string, op Operation, out map[string][]Operation) {
	var found []string
	for key, h := range a.byKey {
		last := h.Versions[len(h.Versions)-1]
		if last.Gone || !op.Concerns(h.Number, h.Path) {
			continue
		}
		if op.Words != "" {
			if found, _, _ := occurrences(last.Text, op.Words); len(found) == 0 {
				continue
			}
		}
		found = append(found, key)
	}
	if op.Times == 1 && len(found) > 1 { // an erratum corrects one place
		a.wait(act, op, WordsTooOften, nil)
		return
	}
	for _, key := range found {
		out[key] = append(out[key], op)
	}
}

// commute reports whether the steps make the same of an article in their order and in the
// reverse order.
func (a *Assembly) commute(key string, changed []map[string][]Operation) bool {
	text, exists := a.last(key)
	run := func(order []map[string][]Operation) (string, bool) {
		text, exists := text, exists
		for _, c := range order {
			if ops := c[key]; len(ops) > 0 {
				r := Apply(text, exists, ops)
				if !r.Complete {
					return "", false
				}
				text, exists = r.Text, !r.Gone
			}
		}
		return text, true
	}
	reverse := slices.Clone(changed)
	slices.Reverse(reverse)
	one, ok := run(changed)
	other, okOther := run(reverse)
	return ok && okOther && one == other
}

// last returns the last wording of an article, and whether it exists.
func (a *Assembly) last(key string) (text string, exists bool) {
	h := a.byKey[key]
	if h == nil {
		return "", false
	}
	v := h.Versions[len(h.Versions)-1]
	return v.Text, !v.Gone
}

// apply applies the operations of a step to an article.
func (a *Assembly) apply(s step, key string, ops []Operation) {
	h := a.byKey[key]
	if number, ok := s.settled[key]; ok {
		decided := s.act.Settled[number]
		v := Version{Text: decided.Text, Gone: decided.Gone, From: s.day, Act: s.act.ID, Person: true}
		v.describe(ops)
		a.append(number, key, v)
		return
	}
	whole := slices.ContainsFunc(ops, func(op Operation) bool {
		return op.Doubt == "" && (op.Kind == ReplaceArticle || op.Kind == InsertArticle || op.Kind == RepealArticle)
	})
	if h != nil && (h.undated || h.waits && !whole) {
		for _, op := range ops {
			a.wait(s.act.ID, op, EarlierWaits, nil)
		}
		return
	}
	text, exists := a.last(key)
	r := Apply(text, exists, ops)
	v := Version{Text: r.Text, Gone: r.Gone, From: s.day, Act: s.act.ID}
	for i, o := range r.Outcomes {
		if o.Reason == "" && o.Remark == ArticleExists && a.insertedBy(h, s) {
			r.Complete, r.Outcomes[i].Reason = false, ArticleExists
		}
		if o.Remark != "" {
			v.Remarks = append(v.Remarks, o.Remark)
		}
		v.Changes = append(v.Changes, o.After...)
	}
	if !r.Complete {
		for i, o := range r.Outcomes {
			a.wait(s.act.ID, ops[i], cmp.Or(o.Reason, EarlierWaits), o.Proposal)
		}
		if h != nil {
			h.waits = true
		}
		return
	}
	if h != nil && r.Text == text && r.Gone == !exists {
		return // nothing of a general change is in the article
	}
	v.describe(ops)
	a.append(ops[0].Article, key, v)
}

// insertedBy reports whether the wording of an article comes from another act than that of a
// step: two acts cannot both insert an article.
func (a *Assembly) insertedBy(h *History, s step) bool {
	if h == nil {
		return false
	}
	last := h.Versions[len(h.Versions)-1]
	return last.Act != "" && last.Act != s.act.ID
}

// describe notes which instructions made a version.
func (v *Version) describe(ops []Operation) {
	for _, op := range ops {
		if !slices.Contains(v.By, op.By) {
			v.By = append(v.By, op.By)
		}
		if !slices.Contains(v.Evidence, op.Evidence) {
			v.Evidence = append(v.Evidence, op.Evidence)
		}
	}
}

// append adds a version to an article, which it creates if there is none.
func (a *Assembly) append(number, key string, v Version) {
	h := a.byKey[key]
	if h == nil {
		h = &History{Number: number}
		a.byKey[key] = h
		a.insert(h)
	} else {
		h.Versions[len(h.Versions)-1].To = v.From
		if last := h.Versions[len(h.Versions)-1]; last.From.Equal(v.From) && len(h.Versions) > 1 { // two acts on one day
			h.Versions = h.Versions[:len(h.Versions)-1]
			v.Remarks = append(last.Remarks, v.Remarks...)
		}
	}
	h.waits = false
	h.Versions = append(h.Versions, v)
}
