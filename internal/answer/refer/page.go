package refer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/named"
	"vigueur/internal/search/retrieve"
)

// unfoundedWarning is the warning of an answer that only says what the catalogue does not contain.
const unfoundedWarning = "Aucun article ne fonde cette réponse : elle dit seulement ce que le catalogue ne contient pas."

// page is an answer that is being written.
type page struct {
	*Resolver
	asked      retrieve.Question
	texts      *named.Lookup
	day, today time.Time
	pieces     []string
	notes      []string
	warnings   []string
	why        decide.Reason // reason of the verdict for a page that cites no article
	hits       []retrieve.Hit
}

func (d *Resolver) newPage(q retrieve.Question) *page {
	p := &page{Resolver: d, asked: q, texts: named.NewLookup(d.DB), why: decide.Silent}
	p.day, p.today = d.Next.Days(q)
	return p
}

func (p *page) empty() bool { return len(p.pieces) == 0 }

// result returns the page in the form of a search result.
func (p *page) result() retrieve.Result {
	if len(p.hits) == 0 && len(p.warnings) == 0 {
		p.warn(unfoundedWarning)
	}
	result := retrieve.Result{Hits: p.hits, Day: p.day, Today: p.today, Asked: p.asked.Asked,
		Written: &retrieve.DirectAnswer{Pieces: p.pieces, Notes: p.notes, Warnings: p.warnings}}
	result.Verdict = decide.WithoutArticle(p.why)
	if len(p.hits) > 0 { // everything that the page says is from these hits or from the catalogue
		result.Verdict = decide.SureByName()
	}
	return result
}

// say adds a piece. A line break ends a paragraph.
func (p *page) say(text string) { p.pieces = append(p.pieces, text) }

// note adds a sentence about the catalogue that is based on no article.
func (p *page) note(sentence string) {
	p.notes = append(p.notes, sentence)
	p.say(sentence)
}

// warn adds a reason why the answer is not certain, once.
func (p *page) warn(reason string) {
	if !slices.Contains(p.warnings, reason) {
		p.warnings = append(p.warnings, reason)
	}
}

// paragraph separates what follows from what was said.
func (p *page) paragraph() {
	if !p.empty() {
		p.say("\n\n")
	}
}

// cite returns the mark of an article and the article, which it reads when it is first cited. It returns "" and nil
// if the catalogue no longer has the article. record is what the sentence says from the catalogue rather than from
// the article's words.
func (p *page) cite(ctx context.Context, article uuid.UUID, record ...string) (mark string, hit *retrieve.Hit, err error) {
	at := slices.IndexFunc(p.hits, func(h retrieve.Hit) bool { return h.Article.ID == article })
	if at < 0 {
		found, err := p.Next.Direct(ctx, []uuid.UUID{article}, time.Time{})
		if err != nil || len(found) == 0 {
			return "", nil, err
		}
		p.hits = append(p.hits, found[0])
		at = len(p.hits) - 1
	}
	p.hits[at].Record = append(p.hits[at].Record, record...)
	return fmt.Sprintf(" [%d]", at+1), &p.hits[at], nil
}

// quoteWords returns a text within « ». Quotation marks in the text become “ ”, as in French print, so that the end of
// the quotation is clear.
func quoteWords(text string) string {
	text = strings.NewReplacer("« ", "“", "«\u00a0", "“", "«\u202f", "“", " »", "”", "\u00a0»", "”", "\u202f»", "”", "«", "“", "»", "”").Replace(strings.TrimSpace(law.RemoveMarks(text)))
	return "« " + text + " »"
}
