package catalogue

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// assembledByBody names the act that made the wording of an article.
type assembledByBody struct {
	Document     uuid.UUID           `json:"document_id"`
	Title        string              `json:"title" doc:"Le titre de l’acte ; vide s’il vient de quitter le catalogue."`
	Instructions []postgres.Evidence `json:"instructions" doc:"Ce que l’acte dit de l’article."`
	Alineas      []changedAlineaBody `json:"alineas" doc:"Les alinéas qu’un acte a rédigés, dans l’ordre ; vide sans le texte de l’article. Ceux qui n’y sont pas sont tels qu’imprimés."`
	Notice       string              `json:"notice"`
}

// changedAlineaBody is an alinea of an article to which an act gave its words.
type changedAlineaBody struct {
	Start    int        `json:"start" doc:"En caractères du texte de l’article."` // in code points of the article's words
	End      int        `json:"end"`
	Document uuid.UUID  `json:"document_id"`
	Article  *uuid.UUID `json:"article_id" doc:"L’article de l’acte qui le dit, le premier s’il y en a plusieurs ; nul s’il n’est pas connu."` // of the act
	Title    string     `json:"title" doc:"Le titre de l’acte ; vide s’il vient de quitter le catalogue."`
	Pages    []int      `json:"pages" doc:"Les pages de l’acte qui le disent."`                                          // of the act
	Printed  *int       `json:"printed_page" doc:"La page du texte où l’article est imprimé ; nulle s’il a été inséré."` // of the text; nil: the article is not printed there
}

func showAlinea(a postgres.ChangedAlinea) changedAlineaBody {
	body := changedAlineaBody{Start: a.Start, End: a.End, Document: a.Act, Article: a.Article, Title: a.Title, Pages: a.Pages}
	if a.Printed > 0 {
		body.Printed = &a.Printed
	}
	return body
}

func showAssembled(assembledBy *postgres.AssembledBy) *assembledByBody {
	if assembledBy == nil {
		return nil
	}
	return &assembledByBody{assembledBy.Act, assembledBy.Title, append([]postgres.Evidence{}, assembledBy.Evidence...), respond.ShowAll(assembledBy.Alineas, showAlinea), law.AssembledNotice}
}

// showArticleOn shows an article with its words of a day.
func showArticleOn(a postgres.ReadArticle) ArticleBody {
	body := showArticle(a.Article)
	body.By = showAssembled(a.Assembled)
	body.Assembled = new(body.By != nil)
	return body
}

// showReadArticleOn shows an article and its words of a day.
func showReadArticleOn(a postgres.ReadArticle) ArticleWithTextBody {
	body := showReadArticle(a)
	body.ArticleBody = showArticleOn(a)
	return body
}

// articlesOn lists the articles of a text as they are on a day.
func (s *Handlers) articlesOn(c *fiber.Ctx, input articlesInput, size int) (reply articlesBody, _ error) {
	full, paged := input.Text == "true", input.Page > 0 || input.PageSize > 0
	if !full && !paged {
		list, _, err := s.DB.ReadArticlesOn(c.UserContext(), input.ID, *input.Date, 1, form.FarthestPage, false)
		reply.Value = respond.All[ArticleBody]{Items: respond.ShowAll(list, showArticleOn)}
		return reply, respond.NoDocument(err)
	}
	page := max(input.Page, 1)
	list, total, err := s.DB.ReadArticlesOn(c.UserContext(), input.ID, *input.Date, min(page, form.FarthestPage), size, full)
	if full {
		reply.Value = respond.NewPage(respond.ShowAll(list, showReadArticleOn), total, page, size)
	} else {
		reply.Value = respond.NewPage(respond.ShowAll(list, showArticleOn), total, page, size)
	}
	return reply, respond.NoDocument(err)
}

// ChangeDayBody is a day from which a text reads otherwise.
type ChangeDayBody struct {
	Date     string            `json:"date" format:"date"`
	Articles int               `json:"articles" doc:"Combien d’articles changent ; 0 si seul le texte entier commence ou finit."`
	Acts     []AmendingActBody `json:"acts" doc:"Les actes qui les changent, s’ils sont connus."`
}

// AmendingActBody names an act that changes articles.
type AmendingActBody struct {
	Document uuid.UUID `json:"document_id"`
	Title    string    `json:"title" doc:"Vide s’il a quitté le catalogue."`
}

// DaysBody lists the days on which a text changes, and what would change it but is not applied.
type DaysBody struct {
	Items   []ChangeDayBody        `json:"items"`
	Pending []pendingAmendmentBody `json:"pending"`
	Total   int                    `json:"pending_total"`
}

// pendingAmendmentBody is an instruction of an act that waits for a person.
type pendingAmendmentBody struct {
	Act         AmendingActBody   `json:"act"`
	Article     string            `json:"article" doc:"L’article du texte ; vide si l’instruction n’en nomme aucun."` // of the text, "" if the instruction names none
	Instruction postgres.Evidence `json:"instruction"`
	Sentence    string            `json:"sentence" doc:"Pourquoi cela attend."` // why it waits
}

// listDays serves GET /documents/:id/days. It lists the days on which a text changes, and the
// instructions on it that wait.
func (s *Handlers) listDays(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply DaysBody, _ error) {
	list, titles, err := s.DB.ChangeDays(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	waiting, total, err := s.DB.WaitingOn(c.UserContext(), input.ID, pendingMost)
	if err != nil {
		return reply, err
	}
	return DaysBody{respond.ShowAll(list, func(d postgres.ChangeDay) ChangeDayBody {
		return ChangeDayBody{d.Day.Format(time.DateOnly), d.Articles, respond.ShowAll(d.Acts, func(id uuid.UUID) AmendingActBody { return AmendingActBody{id, titles[id]} })}
	}), respond.ShowAll(waiting, func(w postgres.ShownWaiting) pendingAmendmentBody {
		return pendingAmendmentBody{AmendingActBody{w.Act.ID, w.Act.Title}, w.Article, w.Evidence, w.Reason.Sentence()}
	}), total}, nil
}

// VersionBody is a wording of an article and its days.
type VersionBody struct {
	Number    string           `json:"number"`
	ValidFrom *string          `json:"valid_from" format:"date" doc:"Premier jour de la rédaction ; nul : celui du texte."`
	ValidTo   *string          `json:"valid_to" format:"date" doc:"Premier jour où elle ne l’est plus."`
	Gone      bool             `json:"abroge" doc:"Ces jours-là, l’article est abrogé."`
	Text      string           `json:"text"`
	Assembled bool             `json:"assembled" doc:"Vrai si la rédaction n’est pas imprimée, mais consolidée par le service."`
	By        *assembledByBody `json:"assembled_by"`
	Person    bool             `json:"decided" doc:"Une personne a arrêté cette rédaction."`
	Remarks   []string         `json:"remarks" doc:"Ce qu’une personne devrait regarder."`
}

// ArticleVersion is a version of an article of a text.
type ArticleVersion struct {
	VersionBody
	Article uuid.UUID `json:"article_id" doc:"L’article, dans une liste."`
}

// showVersions shows the versions of articles, those of one article together.
func showVersions(list []postgres.ArticleVersion, titles map[uuid.UUID]string) (bodies []ArticleVersion) {
	bodies = []ArticleVersion{}
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Article == list[0].Article {
			n++
		}
		alineas := postgres.ChangedAlineas(list[:n], titles)
		for i, v := range list[:n] {
			bodies = append(bodies, ArticleVersion{showVersion(v, titles, alineas[i]), v.Article})
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
func (s *Handlers) listVersions(c *fiber.Ctx, _ postgres.User, input articlePath) (reply respond.All[ArticleVersion], _ error) {
	list, titles, err := s.articleVersions(c, input.ID, input.Article)
	if err != nil {
		return reply, err
	}
	return respond.All[ArticleVersion]{Items: showVersions(list, titles)}, nil
}

// listTextVersions serves GET /documents/:id/versions. It shows the versions of the articles of a text that acts have
// changed, in the order of the text.
func (s *Handlers) listTextVersions(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply respond.All[ArticleVersion], _ error) {
	list, titles, err := s.DB.VersionsOfText(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	return respond.All[ArticleVersion]{Items: showVersions(list, titles)}, nil
}

// ArticleDiffBody is what changes in an article between two days.
type ArticleDiffBody struct {
	From  *VersionBody `json:"from" doc:"Nulle si le texte n’avait pas l’article ce jour-là."` // null: the article is not in force that day
	To    *VersionBody `json:"to"`
	Parts []law.Part   `json:"parts"`
}

type showDiffInput struct {
	articlePath
	From time.Time `query:"from" format:"date" required:"true" doc:"L’ancien jour."`
	To   time.Time `query:"to" format:"date" required:"true" doc:"Le nouveau jour."`
}

// showDiff serves GET /documents/:id/articles/:article_id/diff. It shows what changes in the words
// of an article between two days.
func (s *Handlers) showDiff(c *fiber.Ctx, _ postgres.User, input showDiffInput) (reply ArticleDiffBody, _ error) {
	list, titles, err := s.articleVersions(c, input.ID, input.Article)
	if err != nil {
		return reply, err
	}
	var body ArticleDiffBody
	var words [2]string
	versions := showVersions(list, titles)
	for i, day := range []time.Time{input.From, input.To} {
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
	return body, nil
}
