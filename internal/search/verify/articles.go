package verify

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/quote"
	"vigueur/internal/store/postgres"
)

// read reads the articles of the texts that references mean.
func (c *checker) read(ctx context.Context) error {
	for _, t := range c.texts {
		related, err := c.db.Relations(ctx, t.Document.ID)
		if err != nil {
			return err
		}
		t.source = c.sourceOf(t, related)
		t.day = c.w.Day
		switch t.source.State {
		case Repealed:
			if t.RepealedOn != nil {
				t.day = t.RepealedOn.AddDate(0, 0, -1)
			}
		case NotYet:
			t.day = t.Document.EntersInForce
		}
		if len(t.numbers) == 0 {
			continue
		}
		list, err := c.db.ReadArticlesNumbered(ctx, t.Document.ID, t.numbers, t.day)
		if err != nil {
			return err
		}
		for _, a := range list {
			t.articles[law.ArticleKey(a.Number)] = c.articleOf(t, a)
		}
		if err := c.readEnded(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// sourceOf returns the Source of a text, with its state.
func (c *checker) sourceOf(t *known, related postgres.Related) Source {
	s := c.bare(t.Document, t.Countries)
	s.State = stateOf(t.Candidate, c.w.Day)
	if t.RepealedOn != nil {
		s.RepealedOn, s.RepealedBy = t.RepealedOn.Format(time.DateOnly), acts(related.RepealedBy, nil)
	}
	if s.AmendedBy = acts(related.AmendedBy, &c.w.Day); s.State == InForce && len(s.AmendedBy) > 0 {
		s.State = Amended
	}
	return s
}

// bare returns the Source of a text without its state.
func (c *checker) bare(d law.Document, countries []string) Source {
	return Source{ID: d.ID, Title: d.Title, Type: d.Type, Number: d.OfficialNumber, Countries: append([]string{}, countries...),
		InForce: d.EntersInForce.Format(time.DateOnly), RepealedBy: []Act{}, AmendedBy: []Act{}, URL: c.address(d.ID, nil)}
}

// acts returns the acts whose change is in force on a day; all of them if day is nil.
func acts(list []postgres.RelatedText, day *time.Time) []Act {
	out := []Act{}
	for _, r := range list {
		if day == nil || !r.Date.After(*day) {
			out = append(out, Act{r.ID, law.RemoveMarks(r.Title), r.Date.Format(time.DateOnly)})
		}
	}
	return out
}

// address returns the address of a text or an article on the page.
func (c *checker) address(document uuid.UUID, article *uuid.UUID) string {
	if c.w.BaseURL == "" {
		return ""
	}
	target := c.w.BaseURL + "/textes/" + document.String()
	if article != nil {
		target += "?article=" + article.String()
	}
	return target
}

// articleOf returns an article of a text, as of the day of the text's wording.
func (c *checker) articleOf(t *known, a postgres.ReadArticle) Article {
	out := Article{Number: a.Number, State: t.source.State, ID: &a.ID, Page: a.Page, Changes: []law.RelationRef{}, URL: c.address(t.Document.ID, &a.ID), words: a.Text}
	for _, change := range a.Changes {
		if change.Date <= c.report.Day {
			out.Changes = append(out.Changes, change)
		}
	}
	changed := a.Assembled != nil || slices.ContainsFunc(out.Changes, func(r law.RelationRef) bool { return r.Type == "modifie_par" })
	switch {
	case out.State == Repealed:
		out.Since = t.source.RepealedOn
	case out.State == NotYet:
		out.Since = t.source.InForce
	case changed:
		out.State = Amended
		if a.ValidFrom != nil {
			out.Since = a.ValidFrom.Format(time.DateOnly)
		}
	default:
		out.State, out.Since = InForce, t.source.InForce
	}
	return out
}

// readEnded determines the state of named articles that a text lacks on its day: it had them
// before, will have them later, or never has them.
func (c *checker) readEnded(ctx context.Context, t *known) error {
	var missing []string
	for _, n := range t.numbers {
		if _, has := t.articles[law.ArticleKey(n)]; !has && !slices.Contains(missing, n) {
			missing = append(missing, n)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	days, err := c.daysOf(ctx, t.Document.ID)
	if err != nil {
		return err
	}
	for _, n := range missing {
		key := law.ArticleKey(n)
		if other := law.OtherFigures(n); days[key] == nil && days[law.ArticleKey(other)] != nil { // « article 2 » of a text that counts in Roman figures
			read, err := c.db.ReadArticlesNumbered(ctx, t.Document.ID, []string{other}, t.day)
			if err != nil {
				return err
			}
			if len(read) > 0 {
				t.articles[key] = c.articleOf(t, read[0])
				continue
			}
		}
		out := Article{Number: n, State: Absent, Changes: []law.RelationRef{}}
		for _, d := range days[key] {
			switch {
			case d.to != nil && !t.day.Before(*d.to):
				read, err := c.db.ReadArticlesNumbered(ctx, t.Document.ID, []string{n}, d.to.AddDate(0, 0, -1))
				if err != nil {
					return err
				}
				if len(read) > 0 {
					out = c.articleOf(t, read[0])
				}
				if out.State, out.Since = Repealed, d.to.Format(time.DateOnly); replaced(out.Changes) {
					out.State, out.words = Amended, "" // a later wording exists that is not assembled yet
				}
			case d.from != nil && t.day.Before(*d.from) && out.State == Absent:
				out.State, out.Since = NotYet, d.from.Format(time.DateOnly)
			}
		}
		t.articles[key] = out
	}
	return nil
}

// replaced reports whether acts change an article and none repeals it.
func replaced(changes []law.RelationRef) bool {
	is := func(kind string) bool {
		return slices.ContainsFunc(changes, func(r law.RelationRef) bool { return r.Type == kind })
	}
	return is("modifie_par") && !is("abroge_par")
}

// inForce is the first day on which an article is in force and the first on which it no longer is;
// nil: unknown or open.
type inForce struct{ from, to *time.Time }

// daysOf returns the days of all articles of a text by their keys, in order.
func (c *checker) daysOf(ctx context.Context, document uuid.UUID) (map[string][]inForce, error) {
	printed, err := c.db.Articles(ctx, document)
	if err != nil {
		return nil, err
	}
	versions, _, err := c.db.VersionsOfText(ctx, document)
	if err != nil {
		return nil, err
	}
	out := map[string][]inForce{}
	for _, a := range printed {
		if a.Wording == nil && a.Number != "" {
			out[law.ArticleKey(a.Number)] = append(out[law.ArticleKey(a.Number)], inForce{a.ValidFrom, a.ValidTo})
		}
	}
	for _, v := range versions {
		key := law.ArticleKey(v.Number)
		if v.Gone {
			out[key] = append(out[key], inForce{nil, v.From})
		} else {
			out[key] = append(out[key], inForce{v.From, v.To})
		}
	}
	return out, nil
}

// settle sets the state of a reference and its French sentence.
func (c *checker) settle(f *found) {
	switch {
	case f.State == Own:
	case f.text != nil:
		f.Sources, f.State = []Source{f.text.source}, f.text.source.State
		for i, n := range f.read.Articles {
			a := f.text.articles[law.ArticleKey(n)]
			f.Articles = append(f.Articles, a)
			if i == 0 || graver(a.State, f.State) {
				f.State = a.State
			}
		}
	case !f.read.NamesText():
		f.State = NoText
	default:
		for _, t := range f.mention.WithName()[:min(len(f.mention.WithName()), mostSources)] {
			s := c.bare(t.Document, t.Countries)
			s.State = stateOf(t, c.w.Day)
			if t.RepealedOn != nil {
				s.RepealedOn = t.RepealedOn.Format(time.DateOnly)
			}
			f.Sources = append(f.Sources, s)
		}
		if f.State = Absent; len(f.mention.Texts) > 0 || len(f.Sources) > 0 && len(f.asked) == 0 {
			f.State = Ambiguous
		}
	}
	f.Told = f.tell()
	c.report.References = append(c.report.References, f.Reference)
}

// graver reports whether state a is a graver fault of a reference than state b.
func graver(a, b State) bool {
	order := []State{InForce, Amended, NotYet, Repealed, Absent}
	return slices.Index(order, a) > slices.Index(order, b)
}

// elided matches the marks for words that a quotation leaves out.
var elided = law.Pattern(`[(\[] *(?:…|\.\.\.) *[)\]]`)

// compare compares the quotations of a text with the words of the law.
func (c *checker) compare(ctx context.Context, text string, quoted []span) error {
	for _, q := range quoted {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		out := Quotation{Start: q.start, End: q.end, Verdict: Uncompared, Differences: []quote.Difference{}}
		if pos := ownerOf(text, q, c.found); pos >= 0 {
			out.Reference = &pos
			if err := c.compareOne(ctx, &out, text[q.start:q.end], c.found[pos]); err != nil {
				return err
			}
		}
		out.Told = out.describe()
		c.report.Quotations = append(c.report.Quotations, out)
	}
	return nil
}

// compareOne compares a quotation with the articles of a reference. If they lack its words, or
// the reference names no article, it compares with the whole text.
func (c *checker) compareOne(ctx context.Context, out *Quotation, words string, f found) error {
	if f.text == nil {
		return c.compareEach(ctx, out, words, f)
	}
	for _, a := range f.Articles {
		if a.words != "" {
			if err := out.better(ctx, words, a.words, a.Number, a.URL); err != nil {
				return err
			}
		}
	}
	if out.Verdict != Uncompared && out.Verdict != Verdict(quote.Absent) {
		return nil
	}
	whole, err := c.whole(ctx, f.text)
	if err != nil {
		return err
	}
	looked := Quotation{Verdict: Uncompared, Differences: []quote.Difference{}}
	for _, a := range whole {
		if a.Wording == nil {
			if err := looked.better(ctx, words, a.Text, a.Number, c.address(f.text.Document.ID, &a.ID)); err != nil {
				return err
			}
		}
	}
	// In an article that the reference does not name, only the exact words count.
	if named := len(f.Articles) > 0; !named || looked.Verdict == Verdict(quote.Identical) {
		out.Verdict, out.Differences, out.Words, out.Article, out.URL = looked.Verdict, looked.Differences, looked.Words, looked.Article, looked.URL
		out.Elsewhere = named
	}
	return nil
}

// compareEach compares a quotation with each text that a reference may mean, and keeps the best
// result. The reference stays ambiguous, so the result has no address.
func (c *checker) compareEach(ctx context.Context, out *Quotation, words string, f found) error {
	for _, t := range f.maybe {
		one := f
		one.text, one.maybe, one.Articles = t, nil, nil
		for _, n := range f.read.Articles {
			one.Articles = append(one.Articles, t.articles[law.ArticleKey(n)])
		}
		tried := Quotation{Verdict: Uncompared, Differences: []quote.Difference{}}
		if err := c.compareOne(ctx, &tried, words, one); err != nil {
			return err
		}
		order := []Verdict{Uncompared, Verdict(quote.Absent), Verdict(quote.Different), Verdict(quote.Identical)}
		if slices.Index(order, tried.Verdict) > slices.Index(order, out.Verdict) {
			out.Verdict, out.Differences, out.Words, out.Article, out.Elsewhere = tried.Verdict, tried.Differences, tried.Words, tried.Article, tried.Elsewhere
		}
	}
	return nil
}

// whole returns the articles of a text on its day.
func (c *checker) whole(ctx context.Context, t *known) (list []postgres.ReadArticle, err error) {
	if !t.all {
		if t.whole, _, err = c.db.ReadArticlesOn(ctx, t.Document.ID, t.day, 1, mostOfText, true); err != nil {
			return nil, err
		}
		t.all = true
	}
	return t.whole, nil
}

// better replaces the result of a quotation if the comparison with an article is better.
func (q *Quotation) better(ctx context.Context, words, law, number, url string) error {
	all := Quotation{Verdict: Verdict(quote.Identical), Differences: []quote.Difference{}}
	var parts []string
	for _, part := range elided.Split(words, -1) {
		if quote.Words(part) < quote.FewestWords {
			continue
		}
		got, err := quote.Compare(ctx, part, law)
		if err != nil {
			return err
		}
		switch got.Verdict {
		case quote.Absent:
			all.Verdict = Verdict(quote.Absent)
		case quote.Different:
			if all.Verdict == Verdict(quote.Identical) {
				all.Verdict = Verdict(quote.Different)
			}
		}
		all.Differences = append(all.Differences, got.Differences...)
		parts = append(parts, strings.TrimSpace(law[got.Start:got.End]))
	}
	if len(parts) == 0 {
		return nil
	}
	order := []Verdict{Uncompared, Verdict(quote.Absent), Verdict(quote.Different), Verdict(quote.Identical)}
	value, was := slices.Index(order, all.Verdict), slices.Index(order, q.Verdict)
	if value < was || value == was && (all.Verdict != Verdict(quote.Different) || len(all.Differences) >= len(q.Differences)) {
		return nil
	}
	q.Verdict, q.Differences = all.Verdict, []quote.Difference{}
	if all.Verdict != Verdict(quote.Absent) {
		q.Differences, q.Words, q.Article, q.URL = all.Differences, strings.Join(parts, " […] "), number, url
	}
	return nil
}
