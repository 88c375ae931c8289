package refer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/prompt"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
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
	var day time.Time
	if c.TargetDate != nil {
		day = *c.TargetDate
	}
	return law.Within(law.CallText(c.TargetType, c.TargetNumber, c.TargetTitle, day))
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
	var hits []retrieve.Hit
	if len(hit.Versions) > 0 {
		if hits, err = p.Next.Direct(ctx, f.ids[:1], p.day); err != nil {
			return err
		}
	}
	if len(hits) > 0 && hits[0].Assembled != nil {
		shown := prompt.Passages(&retrieve.Result{Hits: hits})
		if how != "" {
			how += ", puis"
		} else {
			how = ","
		}
		how += " " + extractive.AmendedBy(*shown[0].Assembled)
		for _, id := range hits[0].Amending() {
			key, _, err := p.cite(ctx, id, "article "+f.number, day(p.day), f.text.Document.Title, hits[0].Assembled.Title)
			if err != nil {
				return err
			}
			mark += key
		}
	}
	p.say(alive(fmt.Sprintf("%s est en vigueur au %s%s%s.", name, day(p.day), how, mark)))
	return nil
}

// sentenceLimit is the maximum number of characters of a sentence that is quoted for a change. If the sentence is
// longer, only the article is named.
const sentenceLimit = 400

// verb returns what a change does: « abroge », « modifie ».
func verb(c postgres.Change) string {
	if c.Kind == law.Repeals {
		return "abroge"
	}
	return "modifie"
}

// changeTo returns what an article does to a named text: « modifie les articles 3 et 5 de la loi … ».
func changeTo(the string, c postgres.Change) string {
	if len(c.TargetArticles) == 0 {
		return verb(c) + " " + the
	}
	return verb(c) + " " + listArticles(c.TargetArticles) + " " + ofThe(the)
}

// changeIt does what changeTo does, for a text that is named at the head of a list, so that its title is not
// repeated in every line. It writes « en modifie », because « modifie son article » would mean an article of the
// source.
func changeIt(t named.Candidate, c postgres.Change) string {
	switch {
	case len(c.TargetArticles) > 0:
		return "en " + verb(c) + " " + listArticles(c.TargetArticles)
	case c.Kind == law.Repeals:
		return "l’abroge"
	}
	return pronounOf(t) + " modifie"
}

// ofThe puts « de » before a name with its article: « de la loi » for « la loi », « du code » for « le code ».
func ofThe(the string) string {
	if rest, ok := strings.CutPrefix(the, "le "); ok {
		return "du " + rest
	}
	return "de " + the
}

// sayChange says what an article does: « L'article 12 de la loi … abroge la loi … à compter du 1er janvier 2020 : « … »
// [1]. ». It says nothing if the catalogue no longer has the article. If own is set, the text of the article is not
// named.
func (p *page) sayChange(ctx context.Context, c postgres.Change, does string, own bool) error {
	source, ok, err := p.texts.ByID(ctx, c.SourceID)
	if !ok {
		return err
	}
	record := []string{does, day(c.Effective), source.Document.Title}
	if c.TargetDate != nil {
		record = append(record, day(*c.TargetDate))
	}
	for _, n := range c.TargetArticles {
		record = append(record, "article "+n)
	}
	if t, ok, err := p.target(ctx, c); err != nil {
		return err
	} else if ok {
		record = append(record, t.Document.Title, "n° "+t.Document.OfficialNumber)
	}
	mark, hit, err := p.cite(ctx, c.SourceArticle, record...)
	if err != nil || hit == nil {
		return err
	}
	sentence := law.Capital(article(hit.Article.Number, hit.Article.Heading))
	if !own {
		sentence += " " + ofName(source)
	}
	sentence += " " + does
	if c.Effective.After(p.today) {
		sentence += ", à compter du " + day(c.Effective) + " seulement"
	} else {
		sentence += " à compter du " + day(c.Effective)
	}
	if words := findSentence(hit.Text(), c); words != "" {
		p.say(sentence + " : " + quoteWords(words) + mark + ".")
		return nil
	}
	p.say(sentence + mark + ".")
	return nil
}

// target returns the text of the catalogue that a change applies to.
func (p *page) target(ctx context.Context, c postgres.Change) (named.Candidate, bool, error) {
	if c.Target == nil {
		return named.Candidate{}, false, nil
	}
	return p.texts.ByID(ctx, *c.Target)
}

// targetOf returns the id of the text that a change applies to, uuid.Nil if the catalogue does not have it.
func targetOf(c postgres.Change) uuid.UUID {
	if c.Target == nil {
		return uuid.Nil
	}
	return *c.Target
}

// readTexts reads the texts of changes in one query.
func (p *page) readTexts(ctx context.Context, changes []postgres.Change) error {
	var ids []uuid.UUID
	for _, c := range changes {
		ids = append(ids, c.SourceID)
		if c.Target != nil {
			ids = append(ids, *c.Target)
		}
	}
	return p.texts.Know(ctx, ids...)
}

// findSentence returns the sentence of an article that makes a change, "" if it cannot be found or is too long to
// quote.
func findSentence(words string, c postgres.Change) string {
	number := french.TextTerm(c.TargetNumber)
	for _, s := range french.Sentences(words) {
		sentence := strings.TrimSpace(words[s.Start:s.End])
		names := slices.ContainsFunc(read.Printed(sentence), func(r read.Reference) bool {
			if c.TargetNumber != "" {
				return r.Number != "" && french.SameText(french.TextTerm(r.Number), number)
			}
			return r.Title != "" && law.Fold(r.Title) == law.Fold(c.TargetTitle)
		})
		if names && utf8.RuneCountInString(sentence) <= sentenceLimit {
			return sentence
		}
	}
	return ""
}

// mostCiting is the maximum number of articles that are listed as citing a text.
const mostCiting = 8

// citedBy names the texts that change a text and the articles that cite it.
func (p *page) citedBy(ctx context.Context, t named.Candidate) error {
	changes, err := p.DB.ChangesTo(ctx, t.Document.ID)
	if err != nil {
		return err
	}
	p.paragraph()
	var known []uuid.UUID
	for _, c := range changes {
		known = append(known, c.SourceArticle)
	}
	if len(changes) > 0 {
		if err := p.listChanges(ctx, whatChanges(t), changes, false, func(c postgres.Change) string { return changeIt(t, c) }); err != nil {
			return err
		}
		p.say("\n\n")
	}
	citing, err := p.findCiting(ctx, t, known)
	if err != nil {
		return err
	}
	if len(citing) == 0 {
		p.note(fmt.Sprintf("Aucun %sarticle du catalogue ne cite %s.", otherPrefix(len(changes) > 0), theText(t)))
		return nil
	}
	p.note("Articles qui " + pronounOf(t) + " citent :")
	for _, h := range citing[:min(len(citing), mostCiting)] {
		p.say("\n– ")
		p.sayCitation(h, t)
	}
	if len(citing) > mostCiting {
		p.say("\n")
		p.note("D’autres articles du catalogue le citent encore.")
	}
	return nil
}

// sourceOf returns the text of an article that was found.
func sourceOf(h retrieve.Hit) named.Candidate {
	return named.CandidateOf(postgres.NamedText{Document: h.Document})
}

func otherPrefix(more bool) string {
	if more {
		return "autre "
	}
	return ""
}

// sayCitation says that an article cites a text: « L'article 3 du décret … la cite : « … » [2]. ».
func (p *page) sayCitation(h retrieve.Hit, t named.Candidate) {
	owner := ofName(sourceOf(h))
	h.Record = append(h.Record, t.Document.Title)
	p.hits = append(p.hits, h)
	sentence := fmt.Sprintf("%s %s %s cite", law.Capital(article(h.Article.Number, h.Article.Heading)), owner, pronounOf(t))
	if words := citingSentence(h.Text(), t); words != "" {
		sentence += " : " + quoteWords(words)
	}
	p.say(fmt.Sprintf("%s [%d].", sentence, len(p.hits)))
}

// findCiting returns the articles of other texts whose words refer to a text, without the known ones.
func (p *page) findCiting(ctx context.Context, t named.Candidate, known []uuid.UUID) (out []retrieve.Hit, err error) {
	words := "n° " + t.Document.OfficialNumber
	if t.Document.OfficialNumber == "" {
		words = question.TitleWithoutCountries(t.Document.Title)
	}
	hits, err := p.Next.FindMentioning(ctx, words, t.Document.ID, p.asked.Filters, p.asked.Asked.Countries)
	if err != nil {
		return nil, err
	}
	var ids []uuid.UUID
	for _, h := range hits {
		if !slices.Contains(ids, h.ArticleID) && !slices.Contains(known, h.ArticleID) {
			ids = append(ids, h.ArticleID)
		}
	}
	found, err := p.Next.Direct(ctx, ids, time.Time{})
	for _, h := range found {
		if h.Article.Wording == nil && refersTo(h.Text(), t) && len(out) <= mostCiting {
			out = append(out, h)
		}
	}
	return out, err
}

// refersTo reports whether words refer to a text.
func refersTo(words string, t named.Candidate) bool {
	return slices.ContainsFunc(read.Printed(words), t.MeantBy)
}

// citingSentence returns the sentence that refers to a text, "" if it is too long to quote.
func citingSentence(words string, t named.Candidate) string {
	for _, s := range french.Sentences(words) {
		sentence := strings.TrimSpace(words[s.Start:s.End])
		if refersTo(sentence, t) && len([]rune(sentence)) <= sentenceLimit {
			return sentence
		}
	}
	return ""
}
