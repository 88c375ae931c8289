package catalogue

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// assembledBody names the act that made the wording of an article.
type assembledBody struct {
	Document     uuid.UUID           `json:"document_id"`
	Title        string              `json:"title"`
	Instructions []postgres.Evidence `json:"instructions"`
	Alineas      []alineaBody        `json:"alineas"`
	Notice       string              `json:"notice"`
}

// alineaBody is an alinea of an article to which an act gave its words.
type alineaBody struct {
	Start    int        `json:"start"` // in code points of the article's words
	End      int        `json:"end"`
	Document uuid.UUID  `json:"document_id"`
	Article  *uuid.UUID `json:"article_id"` // of the act
	Title    string     `json:"title"`
	Pages    []int      `json:"pages"`        // of the act
	Printed  *int       `json:"printed_page"` // of the text; nil: the article is not printed there
}

func showAlinea(a postgres.ChangedAlinea) alineaBody {
	body := alineaBody{Start: a.Start, End: a.End, Document: a.Act, Article: a.Article, Title: a.Title, Pages: a.Pages}
	if a.Printed > 0 {
		body.Printed = &a.Printed
	}
	return body
}

func showAssembled(by *postgres.AssembledBy) *assembledBody {
	if by == nil {
		return nil
	}
	return &assembledBody{by.Act, by.Title, append([]postgres.Evidence{}, by.Evidence...), respond.ShowAll(by.Alineas, showAlinea), law.AssembledNotice}
}

// showArticleOn shows an article with its words of a day.
func showArticleOn(a postgres.ReadArticle) ArticleBody {
	body := showArticle(a.Article)
	body.By = showAssembled(a.Assembled)
	body.Assembled = new(body.By != nil)
	return body
}

// showReadArticleOn shows an article and its words of a day.
func showReadArticleOn(a postgres.ReadArticle) ReadArticleBody {
	body := showReadArticle(a)
	body.ArticleBody = showArticleOn(a)
	return body
}

// articlesPage is a page of the articles of a text.
type articlesPage struct {
	page, size  int
	full, paged bool // with words; as a page
}

// listArticlesOn lists the articles of a text as they are on a day.
func (s *Handlers) listArticlesOn(c *fiber.Ctx, id uuid.UUID, on time.Time, p articlesPage) error {
	if !p.full && !p.paged {
		list, _, err := s.DB.ReadArticlesOn(c.UserContext(), id, on, 1, form.FarthestPage, false)
		if err != nil {
			return respond.NoDocument(err)
		}
		return c.JSON(respond.Page[ArticleBody]{Items: respond.ShowAll(list, showArticleOn)})
	}
	list, total, err := s.DB.ReadArticlesOn(c.UserContext(), id, on, min(p.page, form.FarthestPage), p.size, p.full)
	if err != nil {
		return respond.NoDocument(err)
	}
	if p.full {
		return c.JSON(respond.NewPage(respond.ShowAll(list, showReadArticleOn), total, p.page, p.size))
	}
	return c.JSON(respond.NewPage(respond.ShowAll(list, showArticleOn), total, p.page, p.size))
}

// ChangeDayBody is a day from which a text reads otherwise.
type ChangeDayBody struct {
	Date     string    `json:"date"`
	Articles int       `json:"articles"`
	Acts     []ActBody `json:"acts"`
}

// ActBody names an act that changes articles.
type ActBody struct {
	Document uuid.UUID `json:"document_id"`
	Title    string    `json:"title"`
}

// DaysBody lists the days on which a text changes, and what would change it but is not applied.
type DaysBody struct {
	Items   []ChangeDayBody     `json:"items"`
	Pending []pendingChangeBody `json:"pending"`
	Total   int                 `json:"pending_total"`
}

// pendingChangeBody is an instruction of an act that waits for a person.
type pendingChangeBody struct {
	Act         ActBody           `json:"act"`
	Article     string            `json:"article"` // of the text, "" if the instruction names none
	Instruction postgres.Evidence `json:"instruction"`
	Sentence    string            `json:"sentence"` // why it waits
}

// listDays serves GET /documents/:id/days. It lists the days on which a text changes, and the
// instructions on it that wait.
func (s *Handlers) listDays(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	list, titles, err := s.DB.ChangeDays(c.UserContext(), id)
	if err != nil {
		return respond.NoDocument(err)
	}
	waiting, total, err := s.DB.WaitingOn(c.UserContext(), id, pendingMost)
	if err != nil {
		return err
	}
	return c.JSON(DaysBody{respond.ShowAll(list, func(d postgres.ChangeDay) ChangeDayBody {
		return ChangeDayBody{d.Day.Format(time.DateOnly), d.Articles, respond.ShowAll(d.Acts, func(id uuid.UUID) ActBody { return ActBody{id, titles[id]} })}
	}), respond.ShowAll(waiting, func(w postgres.ShownWaiting) pendingChangeBody {
		return pendingChangeBody{ActBody{w.Act.ID, w.Act.Title}, w.Article, w.Evidence, w.Reason.Sentence()}
	}), total})
}

// VersionBody is a wording of an article and its days.
type VersionBody struct {
	Number    string         `json:"number"`
	ValidFrom *string        `json:"valid_from"`
	ValidTo   *string        `json:"valid_to"`
	Gone      bool           `json:"abroge"`
	Text      string         `json:"text"`
	Assembled bool           `json:"assembled"`
	By        *assembledBody `json:"assembled_by"`
	Person    bool           `json:"decided"`
	Remarks   []string       `json:"remarks"`
}

// ShownVersion is a version of an article of a text.
type ShownVersion struct {
	VersionBody
	Article uuid.UUID `json:"article_id"`
}

// showVersions shows the versions of articles, those of one article together.
func showVersions(list []postgres.ArticleVersion, titles map[uuid.UUID]string) (bodies []ShownVersion) {
	bodies = []ShownVersion{}
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Article == list[0].Article {
			n++
		}
		alineas := postgres.ChangedAlineas(list[:n], titles)
		for i, v := range list[:n] {
			bodies = append(bodies, ShownVersion{showVersion(v, titles, alineas[i]), v.Article})
		}
		list = list[n:]
	}
	return bodies
}

func showVersion(v postgres.ArticleVersion, titles map[uuid.UUID]string, alineas []postgres.ChangedAlinea) VersionBody {
	body := VersionBody{Number: v.Number, ValidFrom: respond.ShowDay(v.From), ValidTo: respond.ShowDay(v.To), Gone: v.Gone, Text: v.Body, Person: v.Person, Remarks: []string{}}
	if v.Act != nil {
		body.Assembled = true
		body.By = showAssembled(&postgres.AssembledBy{Act: *v.Act, Title: titles[*v.Act], Evidence: v.Evidence, Alineas: alineas})
	}
	for _, r := range v.Remarks {
		body.Remarks = append(body.Remarks, r.Sentence())
	}
	return body
}

// articleVersions reads the versions of the article that the path names.
func (s *Handlers) articleVersions(c *fiber.Ctx, document, article uuid.UUID) ([]postgres.ArticleVersion, map[uuid.UUID]string, error) {
	list, titles, err := s.DB.VersionsOf(c.UserContext(), document, article)
	return list, titles, respond.NotFound(err, "Article introuvable.")
}

// listVersions serves GET /documents/:id/articles/:article_id/versions. It shows the versions of
// an article, the oldest first.
func (s *Handlers) listVersions(c *fiber.Ctx, _ postgres.User) error {
	document, malformed := form.PathID(c, "id")
	article, other := form.PathID(c, "article_id")
	if err := form.Join(malformed, other); err != nil {
		return err
	}
	list, titles, err := s.articleVersions(c, document, article)
	if err != nil {
		return err
	}
	return c.JSON(respond.Page[ShownVersion]{Items: showVersions(list, titles)})
}

// listTextVersions serves GET /documents/:id/versions. It shows the versions of the articles of a text that acts have
// changed, in the order of the text.
func (s *Handlers) listTextVersions(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	list, titles, err := s.DB.VersionsOfText(c.UserContext(), id)
	if err != nil {
		return respond.NoDocument(err)
	}
	return c.JSON(respond.Page[ShownVersion]{Items: showVersions(list, titles)})
}

// DiffBody is what changes in an article between two days.
type DiffBody struct {
	From  *VersionBody `json:"from"` // null: the article is not in force that day
	To    *VersionBody `json:"to"`
	Parts []law.Part   `json:"parts"`
}

// showDiff serves GET /documents/:id/articles/:article_id/diff. It shows what changes in the words
// of an article between two days.
func (s *Handlers) showDiff(c *fiber.Ctx, _ postgres.User) error {
	document, malformed := form.PathID(c, "id")
	article, other := form.PathID(c, "article_id")
	q := form.ReadQuery(c)
	from, to := q.Day("from"), q.Day("to")
	for _, name := range []string{"from", "to"} {
		if _, given := q.Get(name); !given {
			q.Faults.Missing([]any{"query", name})
		}
	}
	if err := form.Join(malformed, other); err != nil {
		return err
	}
	list, titles, err := s.articleVersions(c, document, article)
	if err != nil {
		return err // before the faults of the days, so that an unknown article is always 404
	}
	if err := q.Err(); err != nil {
		return err
	}
	var body DiffBody
	var words [2]string
	versions := showVersions(list, titles)
	for i, day := range []time.Time{*from, *to} {
		v := postgres.VersionOn(list, day)
		if v == nil {
			continue
		}
		shown := &versions[slices.IndexFunc(list, func(o postgres.ArticleVersion) bool { return o.Ordinal == v.Ordinal })].VersionBody
		words[i] = shown.Text
		if i == 0 {
			body.From = shown
		} else {
			body.To = shown
		}
	}
	body.Parts = law.Differences(words[0], words[1])
	return c.JSON(body)
}
