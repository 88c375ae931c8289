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
	"vigueur/internal/search/retrieve"
)

// nothingSaysSo is why an answer that only tells what the catalogue does not hold does
// not count as sure.
const nothingSaysSo = "Aucun article ne fonde cette réponse : elle dit seulement ce que le catalogue ne contient pas."

// page is an answer while it is written.
type page struct {
	*Resolver
	asked      retrieve.Question
	texts      *lookup
	day, today time.Time
	pieces     []string
	notes      []string
	warnings   []string
	why        decide.Reason // what a page without an article rests on
	hits       []retrieve.Hit
}

func (d *Resolver) open(q retrieve.Question) *page {
	p := &page{Resolver: d, asked: q, texts: newLookup(d.DB), why: decide.Silent}
	p.day, p.today = d.Next.Days(q.Filters)
	return p
}

func (p *page) empty() bool { return len(p.pieces) == 0 }

// result is the page as the search would give what it found.
func (p *page) result() retrieve.Result {
	if len(p.hits) == 0 && len(p.warnings) == 0 {
		p.warn(nothingSaysSo)
	}
	result := retrieve.Result{Hits: p.hits, Day: p.day, Today: p.today, Asked: p.asked.Asked,
		Written: &retrieve.DirectAnswer{Pieces: p.pieces, Notes: p.notes, Warnings: p.warnings}}
	result.Verdict = decide.WithoutArticle(p.why)
	if len(p.hits) > 0 { // what it says is theirs or the catalogue's own
		result.Verdict = decide.Named()
	}
	return result
}

// say adds a piece; a paragraph ends with a line's end.
func (p *page) say(text string) { p.pieces = append(p.pieces, text) }

// note adds a sentence that tells of the catalogue and rests on no article.
func (p *page) note(sentence string) {
	p.notes = append(p.notes, sentence)
	p.say(sentence)
}

// warn says why the answer does not count as sure, each reason once.
func (p *page) warn(reason string) {
	if !slices.Contains(p.warnings, reason) {
		p.warnings = append(p.warnings, reason)
	}
}

// paragraph parts what follows from what was said.
func (p *page) paragraph() {
	if !p.empty() {
		p.say("\n\n")
	}
}

// cite returns the mark of an article, read when it is first cited, and the article; ""
// and nil when the catalogue has it no longer. Record is what the catalogue knows that
// the sentence says beside the article's words.
func (p *page) cite(ctx context.Context, article uuid.UUID, record ...string) (mark string, hit *retrieve.Hit, err error) {
	at := slices.IndexFunc(p.hits, func(h retrieve.Hit) bool { return h.Article.ID == article })
	if at < 0 {
		found, err := p.Next.Direct(ctx, []uuid.UUID{article})
		if err != nil || len(found) == 0 {
			return "", nil, err
		}
		p.hits = append(p.hits, found[0])
		at = len(p.hits) - 1
	}
	p.hits[at].Record = append(p.hits[at].Record, record...)
	return fmt.Sprintf(" [%d]", at+1), &p.hits[at], nil
}

// quoted is a text as it stands within « »: guillemets of its own are of the second
// rank, as French prints them, so that the quotation ends where it ends.
func quoted(text string) string {
	text = strings.NewReplacer("« ", "“", "«\u00a0", "“", "«\u202f", "“", " »", "”", "\u00a0»", "”", "\u202f»", "”", "«", "“", "»", "”").Replace(strings.TrimSpace(law.Unmarked(text)))
	return "« " + text + " »"
}
