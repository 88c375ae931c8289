package refer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/prompt"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

const (
	// wholeLimit is the maximum number of characters of articles in an answer, about three printed pages. If
	// several articles are asked for, they share it equally.
	wholeLimit = 9000
	// shareLimit is the minimum number of characters for each of several articles.
	shareLimit = 800
	// mostArticles is the maximum number of articles in one answer.
	mostArticles = 20
)

// foundArticle is an article that a question names, as found in the catalogue.
type foundArticle struct {
	text   named.Candidate
	number string
	ids    []uuid.UUID // the versions to quote: the article first, then new wordings of its parts
	law    bool        // whether the article is law on the day asked about
	day    time.Time   // day whose wording to quote: the day asked about, or the last one of an article that has ended
	days   []postgres.ArticleDays
	next   *postgres.ArticleDays // a version that is not law yet
}

// findArticles looks up the articles that a reference names, in each of the texts that it means.
func (p *page) findArticles(ctx context.Context, m named.Mention) (out []foundArticle, err error) {
	if len(m.Texts)+len(m.Barred) == 0 && (m.Number != "" || m.Title != "") {
		return p.givenElsewhere(ctx, m)
	}
	for _, t := range m.Texts {
		days, err := p.DB.ArticleDays(ctx, t.Document.ID)
		if err != nil {
			return nil, err
		}
		for _, number := range m.Articles {
			out = append(out, p.choose(foundArticle{text: t, number: number, days: days}))
		}
	}
	return out, nil
}

// givenElsewhere looks for articles of a text that the catalogue does not have, among the new wordings that
// other texts give. It returns only the articles that it finds.
func (p *page) givenElsewhere(ctx context.Context, m named.Mention) (out []foundArticle, err error) {
	days, sources, err := p.DB.WordedAnew(ctx, m.Number, m.Title)
	if err != nil {
		return nil, err
	}
	if err := p.texts.Know(ctx, slices.Collect(maps.Values(sources))...); err != nil {
		return nil, err
	}
	days = slices.DeleteFunc(days, func(a postgres.ArticleDays) bool {
		source, ok := p.texts.Known(sources[a.ID])
		return !ok || !source.Admitted(p.asked.Filters) || !source.Fits(p.asked.Asked.Countries)
	})
	for _, number := range m.Articles {
		if f := p.choose(foundArticle{number: number, days: days}); len(f.ids) > 0 {
			out = append(out, f)
		}
	}
	return out, nil
}

// choose selects the versions of an article that are law on the day asked about, else the last version that was.
func (p *page) choose(f foundArticle) foundArticle {
	key := law.ArticleKey(f.number)
	if other := law.OtherFigures(f.number); other != "" && !slices.ContainsFunc(f.days, func(a postgres.ArticleDays) bool { return law.ArticleKey(a.Number) == key }) {
		key = law.ArticleKey(other)
	}
	f.day = p.day
	var last *postgres.ArticleDays
	for i, a := range f.days {
		switch {
		case law.ArticleKey(a.Number) != key:
		case p.day.Before(a.From):
			f.next = &f.days[i]
		case a.To != nil && !p.day.Before(*a.To):
			if last == nil || a.Part == "" {
				last = &f.days[i]
			}
		case f.law && a.Part == "" && !a.NewWording: // the same number again in one text
		default:
			f.ids, f.law = append(f.ids, a.ID), true
		}
	}
	if !f.law && last != nil {
		f.ids, f.day = []uuid.UUID{last.ID}, last.To.AddDate(0, 0, -1)
	}
	return f
}

// giveWordings quotes the articles that a question names, and introduces the texts that it names without an
// article.
func (p *page) giveWordings(ctx context.Context, mentions []named.Mention) error {
	var all []foundArticle
	for _, m := range mentions {
		found, err := p.findArticles(ctx, m)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	if len(all) > 0 {
		p.sayDay()
	}
	share := max(shareLimit, wholeLimit/max(1, len(all)))
	given := 0
	for _, m := range mentions {
		switch {
		case len(m.Texts)+len(m.Barred) == 0 && !m.NamesText():
			p.askWhichText(m)
			continue
		case len(m.Texts) == 0:
			if err := p.sayAbsentWithWordings(ctx, m, share); err != nil {
				return err
			}
			continue
		case len(m.Articles) == 0:
			p.sayNearest(m)
			if err := p.introduce(ctx, m); err != nil {
				return err
			}
			continue
		}
		p.sayNearest(m)
		found, err := p.findArticles(ctx, m)
		if err != nil {
			return err
		}
		for _, f := range withoutMissing(found) {
			if given++; given > mostArticles {
				continue
			}
			if err := p.giveWording(ctx, f, share); err != nil {
				return err
			}
		}
	}
	if given > mostArticles {
		p.paragraph()
		p.note(fmt.Sprintf("Une réponse donne %d articles au plus : demandez les autres à part.", mostArticles))
	}
	return nil
}

// sayAbsentWithWordings says that a text is missing, and gives the wordings of its articles that the catalogue
// nevertheless has.
func (p *page) sayAbsentWithWordings(ctx context.Context, m named.Mention, share int) error {
	found, err := p.findArticles(ctx, m)
	if err != nil {
		return err
	}
	if err := p.sayAbsent(ctx, m, len(found) > 0); err != nil || len(found) == 0 {
		return err
	}
	p.say("\n")
	p.note("Il a ce que d’autres textes donnent comme nouvelle rédaction :")
	for _, f := range found {
		if err := p.giveWording(ctx, f, share); err != nil {
			return err
		}
	}
	return nil
}

// withoutMissing removes an article that one text lacks if another text that the question may mean has it.
func withoutMissing(found []foundArticle) []foundArticle {
	return slices.DeleteFunc(slices.Clone(found), func(f foundArticle) bool {
		return len(f.ids) == 0 && slices.ContainsFunc(found, func(o foundArticle) bool { return o.number == f.number && len(o.ids) > 0 })
	})
}

// askWhichText asks to which text an article belongs.
func (p *page) askWhichText(m named.Mention) {
	p.warn(missingWarning)
	p.paragraph()
	p.note(fmt.Sprintf("La question ne dit pas de quel texte est %s. Nommez-le par son numéro ou son titre, par exemple « %s de la loi n° 2010-05 ».",
		listArticles(m.Articles), strings.TrimPrefix(article(m.Articles[0], ""), "l’")))
}

// askWhichNamed asks which text is meant, if a question points at one (« cette loi ») that neither the conversation nor the filters
// give. It returns false for any other question.
func (p *page) askWhichNamed(q question.Question) bool {
	if !q.Unnamed || p.asked.Filters.DocumentID != nil {
		return false
	}
	p.warn(unnamedWarning)
	p.note("De quel texte s’agit-il ? Nommez-le par son numéro, sa date ou son titre, par exemple « la loi n° 2010-05 » ou « le code du travail du Bénin ».")
	return true
}

// giveWording quotes an article, or says why it cannot be quoted.
func (p *page) giveWording(ctx context.Context, f foundArticle, share int) error {
	p.paragraph()
	hits, err := p.Next.Direct(ctx, f.ids, f.day)
	if err != nil {
		return err
	}
	if hits = wholeVersion(hits); len(hits) == 0 {
		p.sayNoArticle(f)
		return nil
	}
	for i, h := range hits {
		if i > 0 {
			p.say("\n\n")
		}
		if err := p.quote(ctx, h, share); err != nil {
			return err
		}
	}
	return nil
}

// wholeVersion returns only the assembled version of an article, if there is one among the hits:
// it contains the new wordings of its parts.
func wholeVersion(hits []retrieve.Hit) []retrieve.Hit {
	if pos := slices.IndexFunc(hits, func(h retrieve.Hit) bool { return h.Assembled != nil }); pos >= 0 {
		return hits[pos : pos+1]
	}
	return hits
}

// quote adds an article and its words, shortened if they are too long.
func (p *page) quote(ctx context.Context, h retrieve.Hit, share int) error {
	n := 1 + slices.IndexFunc(p.hits, func(known retrieve.Hit) bool { return known.Article.ID == h.Article.ID })
	if n == 0 {
		p.hits = append(p.hits, h)
		n = len(p.hits)
	}
	for _, id := range h.Amending() {
		if _, _, err := p.cite(ctx, id); err != nil {
			return err
		}
	}
	shown := prompt.Passages(&retrieve.Result{Hits: p.hits})[n-1]
	words, cut := shorten(h.Text(), share)
	p.say(extractive.Source(shown) + " dispose : ")
	p.say(quoteWords(words) + " " + extractive.Marks(shown))
	if cut {
		p.say("\n")
		p.note("L’article est plus long : la suite se lit dans le texte.")
	}
	return nil
}

// shorten returns the beginning of a text up to the end of a sentence, followed by « […] ».
func shorten(text string, limit int) (string, bool) {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) <= limit {
		return text, false
	}
	end := 0
	for _, s := range french.Sentences(text) {
		if utf8.RuneCountInString(text[:s.End]) > limit && end > 0 {
			break
		}
		end = s.End
	}
	if utf8.RuneCountInString(text[:end]) > 2*limit { // a very long sentence is cut between words
		end = len(law.Beginning(text, limit))
	}
	return strings.TrimSpace(text[:end]) + " […]", true
}

// sayNoArticle says that a text has no such article, or none that is law yet.
func (p *page) sayNoArticle(f foundArticle) {
	p.warn(missingWarning)
	if f.next != nil {
		p.note(fmt.Sprintf("%s %s n’entre en vigueur que le %s.", law.Capital(article(f.next.Number, "")), ofName(f.text), day(f.next.From)))
		return
	}
	var own []string
	for _, a := range f.days {
		if !a.NewWording {
			own = append(own, a.Number)
		}
	}
	sentence := "Le catalogue n’a pas " + article(f.number, "") + " " + ofName(f.text)
	switch {
	case len(own) == 0:
		sentence += ", dont aucun article n’est numéroté"
	case len(own) == 1:
		sentence += ", qui n’a que " + article(own[0], "")
	default:
		sentence += ", dont les articles vont " + fromTo(own[0], own[len(own)-1])
	}
	p.note(sentence + ".")
}

// fromTo returns a range of articles: « de l’article 1er à l’article 42 ».
func fromTo(first, last string) string {
	return "de " + article(first, "") + " à " + article(last, "")
}

// introduce describes a text that a question asks for as a whole: whether it is law, and how it begins.
func (p *page) introduce(ctx context.Context, m named.Mention) error {
	for _, t := range m.Texts {
		p.paragraph()
		if err := p.sayForce(ctx, t, 0); err != nil {
			return err
		}
		first, err := p.DB.FirstArticle(ctx, t.Document.ID)
		if err != nil {
			return err
		}
		days, err := p.DB.ArticleDays(ctx, t.Document.ID)
		if err != nil {
			return err
		}
		hits, err := p.Next.Direct(ctx, []uuid.UUID{first}, p.day)
		if err != nil {
			return err
		}
		for _, h := range hits {
			p.say("\n\n")
			if err := p.quote(ctx, h, shareLimit); err != nil {
				return err
			}
		}
		if own := len(days); own > 1 {
			p.say("\n")
			p.note(fmt.Sprintf("Ses articles vont %s : demandez l’un d’eux, ou ce que le texte dit d’un sujet.", fromTo(days[0].Number, lastOwn(days))))
		}
	}
	return nil
}

func lastOwn(days []postgres.ArticleDays) string {
	last := days[0].Number
	for _, a := range days {
		if !a.NewWording {
			last = a.Number
		}
	}
	return last
}

// The warnings of an answer that says that a text is missing.
const (
	missingWarning  = "Le catalogue n’a pas tout ce qui est demandé."
	filteredWarning = "Les filtres de la question écartent un texte qu’elle nomme."
	unnamedWarning  = "La question ne dit pas de quel texte il s’agit."
	severalWarning  = "Plusieurs textes du catalogue portent le nom que dit la question."
)

// mostNear is the maximum number of texts that are listed instead of a missing one.
const mostNear = 3

// sayAbsent says that the catalogue has no such text, or none that the filters admit. It also lists other texts with a
// similar number and, unless brief is set, changes that texts of the catalogue make to the missing one.
func (p *page) sayAbsent(ctx context.Context, m named.Mention, brief bool) error {
	p.paragraph()
	if len(m.Barred) > 0 {
		p.warn(filteredWarning)
		p.note("Les filtres de la question écartent " + theText(m.Barred[0]) + " : retirez-les pour l’interroger.")
		return nil
	}
	asked := m.AskedCountries(p.asked.Asked.Countries)
	if len(m.Alike) > 0 && len(asked) == 0 && m.Type != "" && m.Number == "" {
		p.warn(severalWarning)
		p.note("Plusieurs pays ont un texte de ce nom : " + namesOf(m.Alike) + ". Nommez le pays ou le texte.")
		return nil
	}
	p.warn(missingWarning)
	sentence := "Le catalogue n’a pas " + theName(m.Name)
	if _, named := country.Content(m.Name); len(asked) > 0 && len(named) == 0 {
		sentence += " (" + country.Name(asked[0]) + ")"
	}
	if year, ahead := m.Ahead(p.today); ahead {
		sentence += fmt.Sprintf(" : %d est une année à venir", year)
	}
	p.note(sentence + ".")
	near, err := p.similarNumbers(ctx, m)
	if err != nil {
		return err
	}
	if len(near) > 0 {
		p.say(" ")
		p.note("Il a, sous un numéro qui y ressemble : " + strings.Join(near, " ; ") + ".")
	}
	if m.Number == "" || brief {
		return nil
	}
	changes, err := p.DB.ChangesToNumber(ctx, m.Number)
	if err != nil {
		return err
	}
	changes = slices.DeleteFunc(changes, func(c postgres.Change) bool { return m.Type != "" && c.TargetType != "" && c.TargetType != m.Type })
	for _, c := range changes[:min(len(changes), mostNear)] {
		p.say("\n")
		if err := p.sayChange(ctx, c, changeTo(theName(m.Name), c), false); err != nil {
			return err
		}
	}
	return nil
}

// namesOf lists texts with their countries, mostNamed at most.
func namesOf(texts []named.Candidate) string {
	const mostNamed = 8
	var out []string
	for _, t := range texts[:min(len(texts), mostNamed)] {
		name := "« " + t.Document.Title + " »"
		if len(t.Countries) > 0 {
			name += " (" + country.Name(country.Code(t.Countries[0])) + ")"
		}
		out = append(out, name)
	}
	if len(texts) > mostNamed {
		out = append(out, "d’autres encore")
	}
	return strings.Join(out, " ; ")
}

// sayNearest says that the catalogue has no text of the whole name, if what follows the name it has may make it another text:
// « code du travail des marins ».
func (p *page) sayNearest(m named.Mention) {
	if m.OfAnother() && len(m.Texts) > 0 {
		p.paragraph()
		p.note("Le catalogue n’a pas de texte nommé « " + m.Title + " " + m.Beyond + " » ; voici " + theText(m.Texts[0]) + ".")
	}
}

// sayMore says that more texts have a number than the answer considers.
func (p *page) sayMore(m named.Mention) {
	if m.More {
		p.paragraph()
		p.note(fmt.Sprintf("Plus de %d textes du catalogue portent ce numéro, et la réponse n’en considère pas d’autres : précisez le type, la date ou le pays du texte.", named.MostTexts))
	}
}

// similarNumbers returns the names of texts with the same number that are of another type, or that have other
// initials of authors.
func (p *page) similarNumbers(ctx context.Context, m named.Mention) (names []string, err error) {
	stem := french.TextStem(french.TextTerm(m.Number))
	if m.Number == "" || stem == "" {
		return nil, nil
	}
	found, err := p.texts.OfStem(ctx, stem)
	for _, t := range found[:min(len(found), mostNear)] {
		names = append(names, theText(t))
	}
	return names, err
}

// theName returns the name in a question with its article: « la loi n° 2031-05 ».
func theName(name string) string {
	if rest, ok := strings.CutPrefix(name, "n° "); ok {
		return "le texte n° " + rest
	}
	owner, ok := law.OfTitle(name)
	if !ok {
		return "le texte « " + name + " »"
	}
	for source, target := range map[string]string{"de la ": "la ", "de l’": "l’", "du ": "le "} {
		if rest, cut := strings.CutPrefix(owner, source); cut {
			return target + rest
		}
	}
	return owner
}
