package refer

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
)

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
		names := slices.ContainsFunc(law.References(sentence), func(r law.Reference) bool {
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
