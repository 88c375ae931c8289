// Package refer answers questions about texts and articles that they name, before anything is searched. If a
// reference resolves, the answer comes only from that article or text. If it does not, the answer says that the
// catalogue does not have the text, lists texts with a similar number, and gives nothing else instead.
//
// A Resolver comes before the search. It reads the question, and package named
// tells it which texts of the catalogue the references mean. It answers questions about the words of articles and
// about the state of a text itself, from the articles and from the relations between texts, and cites the article
// that says so; it also answers greetings and messages that are no question. For any other question it limits the
// search to the named texts, or passes on what the references mean.
//
// Its answers are processed like any other: they are streamed, numbered, checked against their sources and stored.
// Errors are those of the catalogue and of the search.
package refer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

// Found is what answers a question: the articles that a search found, or an answer that needs no generator, with the
// articles that it cites.
type Found struct {
	retrieve.Result
	Written *Written // nil: a generator is to write the answer from the articles
}

// Written is an answer that needs no generator: facts from the catalogue itself, or the reply to a greeting.
type Written struct {
	Pieces   []string // the text, in pieces to concatenate; « [n] » cites the nth hit
	Notes    []string // the sentences of Pieces that describe the catalogue and cite no article
	Warnings []string // why the answer does not count as sure; none if it cites articles
}

// Resolver answers questions about the texts that they name. Its fields must not change; Search is safe for
// concurrent use.
type Resolver struct {
	DB   *postgres.DB
	Next *retrieve.Searcher
}

// Search answers q itself if it can, else by a search that is limited to the texts that q names.
func (d *Resolver) Search(ctx context.Context, q retrieve.Question) (Found, error) {
	found, mentions, err := d.search(ctx, q)
	found.Mentions = mentions
	return found, err
}

// search also returns what the references of q mean.
func (d *Resolver) search(ctx context.Context, q retrieve.Question) (found Found, mentions []named.Mention, err error) {
	q = q.Parse(d.Next.Now()).Complete()
	asked := *q.Asked
	if q.Filters.Date == nil {
		q.Filters.Date = asked.Day
	}
	page := d.newPage(q)
	if page.answerCourtesy(asked) {
		return page.result(), nil, nil
	}
	if mentions, err = d.resolve(ctx, q, page.texts); err != nil {
		return found, nil, err
	}
	q.Mentions = mentions
	if len(mentions) == 0 { // it names nothing, so it is searched unless it is unreadable
		if page.unreadable(asked) || page.askWhichNamed(asked) {
			return page.result(), nil, nil
		}
		found, err = d.find(ctx, q)
		return found, nil, err
	}
	if page.isUndated() && slices.ContainsFunc(mentions, func(m named.Mention) bool { return len(m.Texts) > 0 }) &&
		(asked.Status != 0 || asked.Kind.Has(question.Wording) || slices.ContainsFunc(mentions, func(m named.Mention) bool { return len(m.Articles) > 0 })) {
		page.askWhichDay()
		return page.result(), mentions, nil
	}
	switch {
	case asked.Status != 0:
		err = page.sayStatus(ctx, mentions, asked.Status)
	case slices.ContainsFunc(mentions, func(m named.Mention) bool { return len(m.Articles) > 0 }), asked.Kind.Has(question.Wording):
		found, err = d.answerFromArticles(ctx, q, page, mentions)
		return found, mentions, err
	default:
		found, err = d.answerFromTexts(ctx, q, page, mentions)
		return found, mentions, err
	}
	if err != nil {
		return found, nil, err
	}
	return page.result(), mentions, nil
}

// find searches for the articles that answer q.
func (d *Resolver) find(ctx context.Context, q retrieve.Question) (Found, error) {
	result, err := d.Next.Search(ctx, q)
	return Found{Result: result}, err
}

// resolve finds what the references in a question mean.
func (d *Resolver) resolve(ctx context.Context, q retrieve.Question, texts *named.Lookup) ([]named.Mention, error) {
	return texts.Resolve(ctx, named.Question{Asked: q.Asked, Before: q.Before(), Filters: q.Filters, Today: q.Today})
}

// answerFromTexts answers a question about what texts say by searching only these texts. It says so if the catalogue
// lacks a text that is named by number, date or year. A missing code is left to the search, which says so if nothing
// else answers.
func (d *Resolver) answerFromTexts(ctx context.Context, q retrieve.Question, page *page, mentions []named.Mention) (Found, error) {
	if q.Asked.WholeText() {
		page.note("Ce service ne résume pas : il dit si un texte est en vigueur, et le cite mot pour mot.")
		if err := page.giveWordings(ctx, mentions); err != nil {
			return Found{}, err
		}
		return page.result(), nil
	}
	var ids []uuid.UUID
	for _, m := range mentions {
		for _, t := range m.Texts {
			ids = append(ids, t.Document.ID)
		}
		if len(m.Texts) == 0 && (m.Title == "" || len(m.Barred) > 0) {
			if err := page.sayAbsent(ctx, m, false); err != nil {
				return Found{}, err
			}
		}
	}
	if len(ids) == 0 {
		if !page.empty() {
			return page.result(), nil
		}
		return d.find(ctx, q)
	}
	asked := q.Asked
	if page.empty() && len(ids) == 1 && q.Filters.DocumentID == nil {
		reworded, err := d.hasNewWordings(ctx, ids[0])
		if err != nil {
			return Found{}, err
		}
		if !reworded {
			q.Filters.DocumentID = &ids[0]
		}
	}
	narrowed := *asked
	narrowed.References, q.Mentions = nil, []named.Mention{} // the search is limited to the texts that they mean
	q.Asked, q.Within = &narrowed, ids
	q.Repealed = d.noneInForce(q, mentions)
	result, err := d.find(ctx, q)
	result.Asked = asked
	for _, m := range mentions {
		if len(m.Texts) == 0 {
			result.Missing = append(result.Missing, m.Name)
		}
	}
	return result, err
}

// noneInForce reports whether all texts that a question names were repealed by the day whose law is asked about. If
// so, the answer is based on these texts and says that they are no longer in force. Otherwise the repealed texts are
// left out.
func (d *Resolver) noneInForce(q retrieve.Question, mentions []named.Mention) bool {
	day, _ := d.Next.Days(q)
	for _, m := range mentions {
		for _, t := range m.Texts {
			if t.Document.ForceOn(day, t.RepealedOn) != law.NoLonger {
				return false
			}
		}
	}
	return true
}

// hasNewWordings reports whether other texts give new wordings of articles of a text.
func (d *Resolver) hasNewWordings(ctx context.Context, document uuid.UUID) (bool, error) {
	days, err := d.DB.ArticleDays(ctx, document)
	return slices.ContainsFunc(days, func(a postgres.ArticleDays) bool { return a.NewWording }), err
}

// answerFromArticles answers a question that names articles: with their words, if it asks for nothing else, else from
// these articles only.
func (d *Resolver) answerFromArticles(ctx context.Context, q retrieve.Question, page *page, mentions []named.Mention) (Found, error) {
	if asked := q.Asked; asked.Kind.Has(question.Wording) || len(mentions) > 1 {
		if err := page.giveWordings(ctx, mentions); err != nil {
			return Found{}, err
		}
		return page.result(), nil
	}
	found, err := page.findArticles(ctx, mentions[0])
	if err != nil {
		return Found{}, err
	}
	if !slices.ContainsFunc(found, func(f foundArticle) bool { return f.law && len(f.ids) > 0 }) {
		if len(mentions[0].Texts)+len(mentions[0].Barred) == 0 && !mentions[0].NamesText() {
			return d.find(ctx, q) // « l'article 5 » without a text is searched like other words
		}
		if err := page.giveWordings(ctx, mentions); err != nil {
			return Found{}, err
		}
		return page.result(), nil
	}
	result := Found{Result: retrieve.Result{Verdict: decide.SureByName(), Asked: q.Asked}}
	result.Day, result.Today = page.day, page.today
	for _, f := range found {
		hits, err := d.Next.Direct(ctx, f.ids, f.day)
		if err != nil {
			return Found{}, err
		}
		result.Hits = append(result.Hits, wholeVersion(hits)...)
	}
	result.Hits, err = d.Next.WithActs(ctx, result.Hits)
	return result, err
}

// undatedWarning is the warning of an answer that asks which day is meant.
const undatedWarning = "La question ne dit pas de quel jour est le droit demandé."

// isUndated reports whether a question is about the law of the past, and neither it nor its filters say of which day.
func (p *page) isUndated() bool { return p.asked.Asked.Undated && p.asked.Filters.Date == nil }

// askWhichDay asks for the day whose law is meant: a text may have had other words on each.
func (p *page) askWhichDay() {
	p.warn(undatedWarning)
	p.paragraph()
	p.note("La question est au passé et ne dit pas de quel jour est le droit demandé. De quel jour s’agit-il ? Répondez par exemple « au 1er janvier 2020 » ou « en 2015 », ou « aujourd’hui » pour le droit actuel.")
}

// sayDay says which day's law follows if the question names a day, a month or a year. Of a month or a year, it is the
// last day.
func (p *page) sayDay() {
	if day := p.asked.Asked.Day; day != nil && p.day.Equal(*day) {
		p.paragraph()
		p.note("Date retenue : " + law.WriteDate(*day) + ".")
	}
}

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

// result returns the page.
func (p *page) result() Found {
	if len(p.hits) == 0 && len(p.warnings) == 0 {
		p.warn(unfoundedWarning)
	}
	result := Found{Result: retrieve.Result{Hits: p.hits, Day: p.day, Today: p.today, Asked: p.asked.Asked},
		Written: &Written{p.pieces, p.notes, p.warnings}}
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
	pos := slices.IndexFunc(p.hits, func(h retrieve.Hit) bool { return h.Article.ID == article })
	if pos < 0 {
		found, err := p.Next.Direct(ctx, []uuid.UUID{article}, time.Time{})
		if err != nil || len(found) == 0 {
			return "", nil, err
		}
		p.hits = append(p.hits, found[0])
		pos = len(p.hits) - 1
	}
	p.hits[pos].Record = append(p.hits[pos].Record, record...)
	return fmt.Sprintf(" [%d]", pos+1), &p.hits[pos], nil
}

// quoteWords returns a text within « ». Quotation marks in the text become “ ”, as in French print, so that the end of
// the quotation is clear.
func quoteWords(text string) string {
	text = strings.NewReplacer("« ", "“", "«\u00a0", "“", "«\u202f", "“", " »", "”", "\u00a0»", "”", "\u202f»", "”", "«", "“", "»", "”").Replace(strings.TrimSpace(law.RemoveMarks(text)))
	return "« " + text + " »"
}

// Answers to messages that ask nothing about the law, and their warnings.
const (
	welcome       = "Bonjour. Posez votre question de droit avec vos mots, ou nommez un texte ou un article : la réponse cite les articles du catalogue qui la fondent."
	thanked       = "Avec plaisir. Posez une autre question quand vous voulez."
	goodbye       = "Au revoir."
	itself        = "Je suis Vigueur, un service de questions et réponses sur les textes officiels de son catalogue. Je réponds en citant les articles mot pour mot, je dis si un texte est en vigueur, ce qui l’a modifié ou abrogé, et je le dis aussi quand le catalogue ne répond pas. Je ne suis pas avocat et ne donne pas de conseil personnel."
	quotesNothing = "Cette réponse ne cite aucun texte : le message ne pose pas de question de droit."

	onlySigns   = "Votre message ne contient aucun mot. Posez votre question en une phrase, par exemple : « Quelle est la durée du préavis d’un cadre ? »"
	onlyNumber  = "Un nombre seul ne dit pas ce que vous cherchez. Donnez le texte et l’article, par exemple « article 5 de la loi n° 2010-05 », ou posez votre question en une phrase."
	inFrench    = "Les textes du catalogue sont en français : posez votre question en français."
	notReadable = "La question n’a pas pu être lue : elle n’est pas posée en français."
	noQuestion  = "Le message ne contient pas de question."
)

// inOwnWords asks for a question in French in the language of the question, for people who do not read French.
var inOwnWords = map[question.Language]string{
	question.English: "Please ask your question in French: the texts of this catalogue are in French.",
	question.Arabic:  "يُرجى طرح سؤالك باللغة الفرنسية: نصوص هذا الفهرس مكتوبة بالفرنسية.",
}

// answerCourtesy answers a message that is only a courtesy. It returns false for any other message.
func (p *page) answerCourtesy(q question.Question) bool {
	words, ok := map[question.Courtesy]string{question.Greeting: welcome, question.Thanks: thanked, question.Farewell: goodbye, question.Identity: itself}[q.Courtesy]
	if !ok {
		return false
	}
	p.note(words)
	p.warn(quotesNothing)
	p.why = decide.NoQuestion
	return true
}

// unreadable answers a message that cannot be searched: it has no words, or is in another language. It returns false
// for any other message.
func (p *page) unreadable(q question.Question) bool {
	switch {
	case q.Empty && len(q.Terms) > 0:
		p.note(onlyNumber)
		p.warn(noQuestion)
		p.why = decide.NoQuestion
	case q.Empty:
		p.note(onlySigns)
		p.warn(noQuestion)
		p.why = decide.NoQuestion
	case q.Language != question.French:
		p.note(inFrench)
		if own := inOwnWords[q.Language]; own != "" {
			p.say("\n\n")
			p.note(own)
		}
		p.warn(notReadable)
		p.why = decide.NotFrench
	default:
		return false
	}
	return true
}

// Reading describes how a question was understood, for people who examine an answer.
type Reading struct {
	Language   question.Language `json:"language"` // "" if it is unknown
	Courtesy   string            `json:"courtesy"` // « salutation », for example; "" for a question
	Asks       []string          `json:"asks"`     // the kinds of answers that it asks for
	Status     []string          `json:"status"`   // what it asks about the state of a text
	Countries  []string          `json:"countries"`
	Day        string            `json:"day" format:"date"` // the day whose law is asked about, YYYY-MM-DD
	Leans      bool              `json:"leans"`             // it depends on what was said before
	References []Interpretation  `json:"references"`
}

// Interpretation is a reference in a question, and what it means.
type Interpretation struct {
	Name     string   `json:"name"` // as the question writes it
	Articles []string `json:"articles"`
	Texts    []string `json:"texts"`   // titles in the catalogue; empty if it has no such text
	Pointed  bool     `json:"pointed"` // it points back at the conversation
}

// ReadingOf describes how a question about the law of a day was understood, and what its references were found to mean.
func ReadingOf(asked question.Question, day time.Time, mentions ...named.Mention) Reading {
	out := Reading{Language: asked.Language, Courtesy: courtesies[asked.Courtesy], Asks: kindsOf(asked), Status: aspectsOf(asked.Status),
		Countries: []string{}, Day: day.Format(time.DateOnly), Leans: asked.Earlier != "", References: []Interpretation{}}
	for _, c := range asked.AskedCountries() {
		out.Countries = append(out.Countries, string(c))
	}
	for _, r := range asked.References {
		meant := Interpretation{Name: r.Name, Articles: append([]string{}, r.Articles...), Texts: []string{}, Pointed: r.Pointed}
		if i := slices.IndexFunc(mentions, func(m named.Mention) bool { return m.Start == r.Start && m.Pointed == r.Pointed }); i >= 0 {
			for _, t := range mentions[i].Texts {
				meant.Texts = append(meant.Texts, t.Document.Title)
			}
		}
		out.References = append(out.References, meant)
	}
	return out
}

var courtesies = map[question.Courtesy]string{question.Greeting: "salutation", question.Thanks: "remerciement", question.Farewell: "au revoir", question.Identity: "identité"}

// bit is an element of a set, with its name in French.
type bit[S ~uint8 | ~uint16] struct {
	is   S
	name string
}

var (
	kinds = []bit[question.AnswerKind]{{question.Wording, "texte"}, {question.Status, "statut"}, {question.Listed, "liste ou procédure"}, {question.Modal, "oui ou non"},
		{question.Definition, "définition"}}
	figures = []bit[french.Figures]{{french.Time, "durée ou date"}, {french.Sum, "montant"}, {french.Rate, "taux"}, {french.Count, "nombre"}, {french.Years, "âge"},
		{french.Penalty, "peine"}}
	lives = []bit[question.Aspect]{{question.Force, "en vigueur"}, {question.Changed, "modifié"}, {question.By, "par quoi"}, {question.Since, "depuis quand"},
		{question.Changes, "ce qu’il modifie"}, {question.CitedBy, "ce qui le cite"}, {question.Dated, "date"}}
)

func kindsOf(q question.Question) []string {
	return append(names(kinds, q.Kind), names(figures, q.Figures)...)
}

func aspectsOf(a question.Aspect) []string { return names(lives, a) }

func names[S ~uint8 | ~uint16](all []bit[S], set S) []string {
	out := []string{}
	for _, b := range all {
		if set&b.is != 0 {
			out = append(out, b.name)
		}
	}
	return slices.Clip(out)
}

// ofName returns the name of the text with « de »: « de la loi n° 2010-05 du 3 mai 2010 portant … ».
func ofName(t named.Candidate) string { return extractive.OfText(t.Document.Title) }

// theText returns the name of the text within a sentence: « la loi n° 2010-05 … ».
func theText(t named.Candidate) string {
	owner := ofName(t)
	for source, target := range map[string]string{"de la ": "la ", "de l’": "l’", "du texte ": "le texte ", "du ": "le "} {
		if rest, ok := strings.CutPrefix(owner, source); ok {
			return target + rest
		}
	}
	return owner
}

// feminine reports whether the noun for the text is feminine.
func feminine(t named.Candidate) bool {
	owner := ofName(t)
	if strings.HasPrefix(owner, "de la ") {
		return true
	}
	word, _, _ := strings.Cut(strings.TrimPrefix(owner, "de l’"), " ")
	switch law.Fold(word) {
	case "ordonnance", "instruction":
		return true
	}
	return false
}

// agree returns a participle that agrees with the text: « abrogée », « abrogé ».
func agree(t named.Candidate, participle string) string {
	if feminine(t) {
		return participle + "e"
	}
	return participle
}

// article names an article: « l’article 5 », « l’annexe I », or a part of a text without a number.
func article(number, heading string) string {
	switch folded := law.Fold(number); {
	case number == "" && heading != "":
		return "la partie « " + heading + " »"
	case number == "":
		return "le corps du texte"
	case strings.HasPrefix(folded, "annexe"), strings.HasPrefix(folded, "article"):
		return "l’" + law.Small(number)
	}
	return "l’article " + number
}

// listArticles names articles: « l’article 3 », « les articles 3, 5 et 7 ».
func listArticles(numbers []string) string {
	const limit = 12
	if len(numbers) == 1 {
		return article(numbers[0], "")
	}
	if more := len(numbers) - limit; more > 0 {
		return fmt.Sprintf("les articles %s et %d autres", strings.Join(numbers[:limit], ", "), more)
	}
	return "les articles " + strings.Join(numbers[:len(numbers)-1], ", ") + " et " + numbers[len(numbers)-1]
}

func day(t time.Time) string { return law.WriteDate(t) }
