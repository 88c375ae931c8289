package refer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

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
	of := ofName(sourceOf(h))
	h.Record = append(h.Record, t.Document.Title)
	p.hits = append(p.hits, h)
	sentence := fmt.Sprintf("%s %s %s cite", law.Capital(article(h.Article.Number, h.Article.Heading)), of, pronounOf(t))
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
	return slices.ContainsFunc(law.References(words), t.MeantBy)
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
