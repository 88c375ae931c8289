package refer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/prompt"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

// mostChanges is the maximum number of changes of a text that are listed.
const mostChanges = 10

// sayStatus describes the state of the texts that a question names.
func (p *page) sayStatus(ctx context.Context, mentions []named.Mention, asked question.Aspect) error {
	for _, m := range mentions {
		if len(m.Texts) == 0 {
			if !m.NamesText() && len(m.Barred) == 0 {
				p.askWhichText(m)
				continue
			}
			if err := p.sayAbsent(ctx, m, false); err != nil {
				return err
			}
			continue
		}
		for _, t := range m.Texts {
			if err := p.describeText(ctx, t, m, asked); err != nil {
				return err
			}
		}
		p.sayMore(m)
	}
	return nil
}

// describeText answers what a question asks about the state of a text or of its articles.
func (p *page) describeText(ctx context.Context, t named.Candidate, m named.Mention, asked question.Aspect) error {
	if len(m.Articles) > 0 && asked.Has(question.Force|question.Changed|question.By|question.Since) {
		return p.describeArticles(ctx, t, m, asked)
	}
	if asked.Has(question.Dated) {
		p.paragraph()
		if err := p.sayDate(ctx, t); err != nil {
			return err
		}
	}
	if asked.Has(question.Force | question.Since) {
		p.paragraph()
		if err := p.sayForce(ctx, t, asked); err != nil {
			return err
		}
	}
	if asked.Has(question.Force | question.Changed | question.By) {
		if err := p.sayChangesTo(ctx, t, !asked.Has(question.Changed|question.By)); err != nil {
			return err
		}
	}
	if asked.Has(question.Changes) {
		if err := p.sayChangesBy(ctx, t, m); err != nil {
			return err
		}
	}
	if asked.Has(question.CitedBy) {
		return p.citedBy(ctx, t)
	}
	return nil
}

// sayDate says on which day a text was made.
func (p *page) sayDate(ctx context.Context, t named.Candidate) error {
	first, err := p.DB.FirstArticle(ctx, t.Document.ID)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return err
	}
	sentence := fmt.Sprintf("%s est %s du %s", law.Capital(theText(t)), agree(t, "daté"), day(t.Document.Promulgated))
	if err != nil {
		p.note(sentence + ".")
		return nil
	}
	mark, _, err := p.cite(ctx, first, day(t.Document.Promulgated))
	p.say(sentence + mark + ".")
	return err
}

// saidOf returns functions that begin a sentence: alive the sentence that a text is law, over the sentence that it is
// not. They put « oui » or « non » first if the question can be answered so.
func saidOf(asked question.Aspect) (alive, over func(string) string) {
	yes, no := func(s string) string { return "Oui : " + s }, func(s string) string { return "Non : " + s }
	switch {
	case asked.Has(question.Alive):
		return yes, no
	case asked.Has(question.Ended):
		return no, yes
	}
	return law.Capital, law.Capital
}

// sayForce says whether a text is law on the day asked about, and since when.
func (p *page) sayForce(ctx context.Context, t named.Candidate, asked question.Aspect) error {
	d := t.Document
	alive, over := saidOf(asked)
	force := d.ForceOn(p.day, t.RepealedOn)
	switch {
	case force == law.NotYet:
		if asked.Has(question.Ended) { // a text that has not entered into force has not ended
			over = law.Capital
		}
		return p.saySince(ctx, t, over(fmt.Sprintf("%s n’est pas en vigueur au %s, mais à compter du %s seulement", theText(t), day(p.day), day(d.EntersInForce))))
	case force == law.NoLonger && t.RepealedOn != nil:
		p.note(over(fmt.Sprintf("%s n’est plus en vigueur depuis le %s.", theText(t), day(*t.RepealedOn))))
		return p.sayRepeals(ctx, t)
	case force == law.NoLonger:
		p.note(over(fmt.Sprintf("%s est %s, selon le catalogue.", theText(t), agree(t, "abrogé"))))
		return p.sayRepeals(ctx, t)
	}
	return p.saySince(ctx, t, alive(fmt.Sprintf("%s est en vigueur au %s, depuis le %s", theText(t), day(p.day), day(d.EntersInForce))))
}

// saySince completes a sentence about the days of a text with the clause that says when it enters into force, else with
// the mark of its first article.
func (p *page) saySince(ctx context.Context, t named.Candidate, sentence string) error {
	record := []string{day(p.day), day(t.Document.EntersInForce), day(t.Document.Promulgated)}
	if t.ForceWords != "" {
		id, ok, err := p.DB.ArticleSaying(ctx, t.Document.ID, t.ForceWords)
		if err != nil {
			return err
		}
		if ok {
			mark, hit, err := p.cite(ctx, id, record...)
			if err != nil {
				return err
			}
			if hit != nil && strings.Contains(flatten(hit.Text()), flatten(t.ForceWords)) {
				p.say(sentence + " : " + quoteWords(t.ForceWords) + mark + ".")
				return nil
			}
		}
	}
	first, err := p.DB.FirstArticle(ctx, t.Document.ID)
	if errs.Is(err, errs.NotFound) {
		p.note(sentence + ".")
		return nil
	}
	if err != nil {
		return err
	}
	mark, _, err := p.cite(ctx, first, record...)
	if err != nil {
		return err
	}
	p.say(sentence + mark + ".")
	p.say(" ")
	p.note("Le texte ne dit pas lui-même quand il entre en vigueur : ce jour est celui que tient le catalogue.")
	return nil
}

func flatten(text string) string { return strings.Join(strings.Fields(text), " ") }

// sayRepeals lists the articles that repeal a text.
func (p *page) sayRepeals(ctx context.Context, t named.Candidate) error {
	changes, err := p.DB.ChangesTo(ctx, t.Document.ID)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c.Kind == law.Repeals && len(c.TargetArticles) == 0 {
			p.say(" ")
			if err := p.sayChange(ctx, c, changeTo(theText(t), c), false); err != nil {
				return err
			}
		}
	}
	if !slices.ContainsFunc(changes, func(c postgres.Change) bool { return c.Kind == law.Repeals && len(c.TargetArticles) == 0 }) {
		p.warn("Le catalogue dit que le texte est abrogé, mais aucun de ses articles ne le dit.")
	}
	return nil
}

// sayChangesTo lists what changed a text. brief is set if the list only supplements the answer to whether the text is
// law.
func (p *page) sayChangesTo(ctx context.Context, t named.Candidate, brief bool) error {
	changes, err := p.DB.ChangesTo(ctx, t.Document.ID)
	if err != nil {
		return err
	}
	if brief {
		changes = slices.DeleteFunc(changes, func(c postgres.Change) bool { return c.Kind == law.Repeals && len(c.TargetArticles) == 0 })
	}
	p.paragraph()
	if len(changes) == 0 {
		switch {
		case !brief: // no sentence before names the text, and another text may have the same number
			p.note("Aucun texte du catalogue ne modifie ni n’abroge " + theText(t) + ".")
		case t.RepealedOn == nil && t.Document.Status != law.Repealed:
			p.note(fmt.Sprintf("Aucun texte du catalogue ne %s modifie ni ne l’abroge.", pronounOf(t)))
		}
		return nil
	}
	return p.listChanges(ctx, whatChanges(t), changes, false, func(c postgres.Change) string { return changeIt(t, c) })
}

// whatChanges returns the head of a list of changes to a text; the head names the text.
func whatChanges(t named.Candidate) string {
	return "Articles qui modifient ou abrogent " + theText(t) + " :"
}

// pronounOf returns « la » or « le », the pronoun for the text as an object.
func pronounOf(t named.Candidate) string {
	if feminine(t) {
		return "la"
	}
	return "le"
}

// sayChangesBy lists what a text changes, or what its named articles change.
func (p *page) sayChangesBy(ctx context.Context, t named.Candidate, m named.Mention) error {
	changes, err := p.DB.ChangesBy(ctx, t.Document.ID)
	if err != nil {
		return err
	}
	if len(m.Articles) == 0 {
		p.paragraph()
		return p.listChangesBy(ctx, theText(t), changes)
	}
	found, err := p.findArticles(ctx, named.Mention{Reference: m.Reference, Texts: []named.Candidate{t}})
	if err != nil {
		return err
	}
	for _, f := range found {
		p.paragraph()
		if len(f.ids) == 0 {
			p.sayNoArticle(f)
			continue
		}
		if err := p.listChangesBy(ctx, article(f.number, "")+" "+ofName(t), madeBy(f, changes)); err != nil {
			return err
		}
	}
	return nil
}

// madeBy returns the changes that one of a text's articles makes.
func madeBy(f foundArticle, changes []postgres.Change) []postgres.Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c postgres.Change) bool { return !slices.Contains(f.ids, c.SourceArticle) })
}

// listChangesBy lists the changes that a text or an article makes. name is the name of the text or article.
func (p *page) listChangesBy(ctx context.Context, name string, changes []postgres.Change) error {
	if len(changes) == 0 {
		p.note(law.Capital(name) + " ne modifie ni n’abroge expressément aucun texte, autant que le catalogue le sache.")
		return nil
	}
	return p.listChanges(ctx, "Ce que change "+name+" :", changes, true, func(c postgres.Change) string {
		if target, ok := p.texts.Known(targetOf(c)); ok { // listChanges has read the texts
			return changeTo(theText(target), c)
		}
		return changeTo(theName(nameChanged(c)), c)
	})
}

// nameChanged names a changed text that is not in the catalogue.
func nameChanged(c postgres.Change) string {
	var on time.Time
	if c.TargetDate != nil {
		on = *c.TargetDate
	}
	return law.Within(law.CallText(c.TargetType, c.TargetNumber, c.TargetTitle, on))
}

// listChanges lists up to mostChanges changes, and says how many others there are.
func (p *page) listChanges(ctx context.Context, head string, changes []postgres.Change, own bool, does func(postgres.Change) string) error {
	p.note(head)
	if err := p.readTexts(ctx, changes[:min(len(changes), mostChanges)]); err != nil {
		return err
	}
	for _, c := range changes[:min(len(changes), mostChanges)] {
		p.say("\n– ")
		if err := p.sayChange(ctx, c, does(c), own); err != nil {
			return err
		}
	}
	if more := len(changes) - mostChanges; more > 0 {
		p.say("\n")
		p.note(fmt.Sprintf("Et %d autres changements, que montre la fiche du texte.", more))
	}
	return nil
}

// describeArticles answers what a question asks about the state of articles: whether they are law, or what changed
// them.
func (p *page) describeArticles(ctx context.Context, t named.Candidate, m named.Mention, asked question.Aspect) error {
	found, err := p.findArticles(ctx, named.Mention{Reference: m.Reference, Texts: []named.Candidate{t}})
	if err != nil {
		return err
	}
	changes, err := p.DB.ChangesTo(ctx, t.Document.ID)
	if err != nil {
		return err
	}
	for _, f := range found {
		p.paragraph()
		if len(f.ids) == 0 {
			p.sayNoArticle(f)
			continue
		}
		parts := []func() error{
			func() error { return p.articleForce(ctx, f, asked) },
			func() error { return p.articleChanges(ctx, f, changes) },
		}
		if !asked.Has(question.Force | question.Since) {
			slices.Reverse(parts)
		}
		if err := parts[0](); err != nil {
			return err
		}
		p.say("\n")
		if err := parts[1](); err != nil {
			return err
		}
	}
	return nil
}

// articleChanges lists what changed an article, from the changes to its text.
func (p *page) articleChanges(ctx context.Context, f foundArticle, changes []postgres.Change) error {
	t := f.text
	of := slices.DeleteFunc(slices.Clone(changes), func(c postgres.Change) bool { return !touches(c, f) })
	if len(of) == 0 {
		p.note("Aucun texte du catalogue ne le modifie ni ne l’abroge.")
		return nil
	}
	return p.listChanges(ctx, "Articles qui modifient ou abrogent "+article(f.number, "")+" "+ofName(t)+" :", of, false, func(c postgres.Change) string { return changeIt(t, c) })
}

// touches reports whether a change names an article, or repeals its whole text.
func touches(c postgres.Change, f foundArticle) bool {
	if len(c.TargetArticles) == 0 {
		return c.Kind == law.Repeals
	}
	return slices.ContainsFunc(c.TargetArticles, func(n string) bool { return law.ArticleKey(n) == law.ArticleKey(f.number) })
}

// articleForce says whether an article is law on the day asked about.
func (p *page) articleForce(ctx context.Context, f foundArticle, asked question.Aspect) error {
	alive, over := saidOf(asked)
	name := article(f.number, "") + " " + ofName(f.text)
	if !f.law {
		p.note(over(fmt.Sprintf("%s n’est plus en vigueur au %s.", name, day(p.day))))
		return nil
	}
	mark, hit, err := p.cite(ctx, f.ids[0], "article "+f.number, day(p.day), f.text.Document.Title)
	if err != nil || hit == nil {
		return err
	}
	how := ""
	if hit.Article.Wording != nil {
		how = ", dans la rédaction que lui donne " + article(hit.Article.Wording.WithinNumber, "") + " " + ofName(sourceOf(*hit))
	}
	var on []retrieve.Hit
	if len(hit.Versions) > 0 {
		if on, err = p.Next.Direct(ctx, f.ids[:1], p.day); err != nil {
			return err
		}
	}
	if len(on) > 0 && on[0].Assembled != nil {
		shown := prompt.Passages(&retrieve.Result{Hits: on})
		if how != "" {
			how += ", puis"
		} else {
			how = ","
		}
		how += " " + extractive.AmendedBy(*shown[0].Assembled)
		for _, id := range on[0].Amending() {
			by, _, err := p.cite(ctx, id, "article "+f.number, day(p.day), f.text.Document.Title, on[0].Assembled.Title)
			if err != nil {
				return err
			}
			mark += by
		}
	}
	p.say(alive(fmt.Sprintf("%s est en vigueur au %s%s%s.", name, day(p.day), how, mark)))
	return nil
}
