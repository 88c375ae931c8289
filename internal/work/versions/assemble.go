package versions

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
)

// Assemble makes the versions of a text. Articles that nothing changes get none.
func Assemble(a postgres.Amended) (out postgres.Assembled, err error) {
	base := amend.Base{Text: nameOf(a.Text.Document), Day: a.Text.Document.Promulgated}
	if d := a.Text.Document; named.Coordinated(d.Title) || d.OfficialNumber == "" && (d.Type == law.Code || d.Type == law.Constitution) {
		base.Signed = d.Promulgated
	}
	if time := a.Text.Document.AsOf; time != nil && time.After(base.Day) {
		base.Day = *time
	}
	printed := map[string]*law.Article{}
	for i := range a.Text.Articles {
		article := &a.Text.Articles[i]
		key := law.ArticleKey(article.Number)
		if key == "" || printed[key] != nil {
			continue
		}
		printed[key] = article
		base.Articles = append(base.Articles, amend.Article{Number: article.Number, Path: article.Path, Text: article.Text})
	}
	acts, ordinals, evidence, err := actsOn(a, base.Text)
	if err != nil {
		return out, err
	}
	anew := wordings(a.Printed)
	elided := map[givenBy]bool{} // wordings that leave out words of the article before
	for _, x := range a.Amendments {
		if x.Operation.Elided {
			elided[givenBy{x.Act, law.ArticleKey(x.Operation.Article)}] = true
		}
	}
	assembly := amend.Assemble(base, acts)
	for place, h := range assembly.Articles {
		if len(h.Versions) == 1 && h.Versions[0].Act == "" {
			continue
		}
		words := printed[law.ArticleKey(h.Number)] // article whose printed words the versions continue
		for i, v := range h.Versions {
			one := postgres.ArticleVersion{Number: h.Number, Path: h.Path, Place: place, Ordinal: i, Body: v.Text, From: day(v.From), To: day(v.To),
				Gone: v.Gone, Changes: v.Changes, Person: v.Person, Remarks: v.Remarks}
			key := law.ArticleKey(h.Number)
			one.Article = uuid.NewSHA1(a.Text.Document.ID, []byte("inserted "+key))
			if article := printed[key]; article != nil {
				one.Article = article.ID
			}
			if v.Act != "" {
				id, err := uuid.Parse(v.Act)
				if err != nil {
					return out, err
				}
				one.Act = &id
				if w := anew[givenBy{id, key}]; w != nil && !v.Gone {
					words, one.Served = w, !v.Person && !elided[givenBy{id, key}]
					delete(anew, givenBy{id, key}) // what the act changes on a later day continues these words
				}
				if words != nil && !one.Served {
					one.Spans = kept(words, v.Text)
				}
				for _, span := range v.Evidence {
					one.Evidence = append(one.Evidence, evidence[at{v.Act, span}])
				}
			}
			if words != nil {
				one.PrintedIn = &words.ID
			}
			out.Versions = append(out.Versions, one)
		}
	}
	out.Waiting, err = waiting(assembly, acts, ordinals)
	for i, w := range out.Waiting {
		if article := printed[law.ArticleKey(w.Article)]; article != nil && w.Article != "" {
			out.Waiting[i].Printed = &article.ID
		}
	}
	return out, err
}

// givenBy is an article, by its key, to which an act gives a wording.
type givenBy struct {
	act uuid.UUID
	key string
}

// wordings returns the articles of acts that are whole new wordings, the first where an act
// gives an article several.
func wordings(printed []postgres.PrintedWording) map[givenBy]*law.Article {
	articles := make(map[givenBy]*law.Article, len(printed))
	for i, w := range printed {
		if of := (givenBy{w.Act, law.ArticleKey(w.Number)}); articles[of] == nil {
			articles[of] = &printed[i].Article
		}
	}
	return articles
}

// kept returns the places of the printed words of an article that are still in a version.
func kept(printed *law.Article, text string) (spans []law.Span) {
	previous, following := 0, 0
	for _, p := range law.Differences(printed.Text, text) {
		n := len(p.Text)
		switch p.Kind {
		case law.Removed:
			previous += n
			continue
		case law.Added:
			following += n
			continue
		}
		for _, s := range printed.Spans {
			if part, ok := s.Within(previous, previous+n); ok {
				part.Start, part.End = part.Start-previous+following, part.End-previous+following
				spans = append(spans, part)
			}
		}
		previous, following = previous+n, following+n
	}
	return spans
}

// day returns a day that may be unknown.
func day(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// at is the place of an instruction in an act.
type at struct {
	act  string
	span amend.Span
}

// actsOn returns the acts on a text with the operations that persons have not rejected, the
// ordinals of these by act and operation, and the instructions by their places.
func actsOn(a postgres.Amended, base amend.TargetText) (acts []amend.Act, ordinals map[string]int, evidence map[at]postgres.Evidence, err error) {
	ordinals, evidence = map[string]int{}, map[at]postgres.Evidence{}
	for _, d := range a.Acts {
		act := amend.Act{ID: d.ID.String(), Name: nameOf(d), Signed: d.Promulgated, Force: d.EntersInForce, Settled: map[string]amend.Settlement{}}
		decided := map[string]postgres.Settlement{}
		for _, s := range a.Settlements {
			if s.Act != d.ID {
				continue
			}
			decided[law.ArticleKey(s.Article)] = s
			if s.Decision != "reject" {
				act.Settled[s.Article] = amend.Settlement{Text: s.Body}
			}
		}
		for _, x := range a.Amendments {
			if x.Act != d.ID {
				continue
			}
			op := x.Operation
			op.Text = base // named has decided that it means this text
			evidence[at{act.ID, op.Evidence}] = postgres.Evidence{Article: x.Article, Number: op.By, Page: x.Page, Words: x.Words}
			s, settled := decided[law.ArticleKey(op.Article)]
			if settled && op.Article != "" {
				if s.Decision == "reject" {
					continue
				}
				if s.From != nil {
					op.Effective, op.Waits = *s.From, false
				}
			}
			key, err := keyOf(act.ID, op)
			if err != nil {
				return nil, nil, nil, err
			}
			ordinals[key] = x.Ordinal
			act.Operations = append(act.Operations, op)
		}
		acts = append(acts, act)
	}
	return acts, ordinals, evidence, nil
}

// keyOf identifies an operation of an act.
func keyOf(act string, op amend.Operation) (string, error) {
	written, err := json.Marshal(op)
	return act + string(written), err
}

// waiting lists the operations that wait for a person, with the wording that an operation on
// the most similar words would give.
func waiting(assembly *amend.Assembly, acts []amend.Act, ordinals map[string]int) (out []postgres.WaitingAmendment, err error) {
	for _, w := range assembly.Waiting {
		if !postgres.NeedsPerson(w.Reason) {
			continue
		}
		id, err := uuid.Parse(w.Act)
		if err != nil {
			return nil, err
		}
		key, err := keyOf(w.Act, w.Operation)
		if err != nil {
			return nil, err
		}
		one := postgres.WaitingAmendment{Act: id, Ordinal: ordinals[key], Article: w.Article, Reason: w.Reason}
		i := slices.IndexFunc(acts, func(a amend.Act) bool { return a.ID == w.Act })
		if left, ok := wordingBefore(assembly, acts[i], w); ok {
			one.Before = &left
			if text, ok := proposal(left, acts[i], w); ok {
				one.Proposal = &text
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// wordingBefore returns the wording of the article of an operation the day before the
// operation. ok is false if there is none.
func wordingBefore(assembly *amend.Assembly, act amend.Act, w amend.Waiting) (left string, ok bool) {
	if w.Article == "" {
		return "", false
	}
	i := slices.IndexFunc(assembly.Articles, func(h *amend.History) bool { return law.ArticleKey(h.Number) == law.ArticleKey(w.Article) })
	if i < 0 {
		return "", false
	}
	first := w.Operation.Effective
	if first.IsZero() {
		first = act.Force
	}
	for _, v := range assembly.Articles[i].Versions {
		if v.From.IsZero() || v.From.Before(first) {
			left, ok = v.Text, !v.Gone
		}
	}
	return left, ok
}

// proposal returns the article as it is if all operations of the act on it are applied, one of
// them to the similar words. left is the wording before the act.
func proposal(left string, act amend.Act, w amend.Waiting) (text string, ok bool) {
	if w.Proposal == nil || w.Proposal.End > len(left) || w.Proposal.Start > w.Proposal.End {
		return "", false
	}
	var ops []amend.Operation
	want, err := keyOf("", w.Operation)
	if err != nil {
		return "", false
	}
	for _, op := range act.Operations {
		if law.ArticleKey(op.Article) != law.ArticleKey(w.Article) {
			continue
		}
		if got, err := keyOf("", op); err == nil && got == want {
			op.Words = left[w.Proposal.Start:w.Proposal.End]
		}
		ops = append(ops, op)
	}
	r := amend.Apply(left, true, ops)
	return r.Text, r.Complete && !r.Gone
}
