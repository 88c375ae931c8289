package httpapi

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/versions"
)

// assembledBody names the act that made the wording of an article.
type assembledBody struct {
	Document     uuid.UUID           `json:"document_id"`
	Title        string              `json:"title"`
	Instructions []postgres.Evidence `json:"instructions"`
	Notice       string              `json:"notice"`
}

func showAssembled(by *postgres.AssembledBy) *assembledBody {
	if by == nil {
		return nil
	}
	return &assembledBody{by.Act, by.Title, append([]postgres.Evidence{}, by.Evidence...), law.AssembledNotice}
}

// showArticleOn shows an article with its words of a day.
func showArticleOn(a postgres.ReadArticle) articleBody {
	body := showArticle(a.Article)
	body.By = showAssembled(a.Assembled)
	assembled := body.By != nil
	body.Assembled = &assembled
	return body
}

// showReadArticleOn shows an article and its words of a day.
func showReadArticleOn(a postgres.ReadArticle) readArticleBody {
	body := showReadArticle(a)
	body.articleBody = showArticleOn(a)
	return body
}

// articlesPage is a page of the articles of a text.
type articlesPage struct {
	page, size  int
	full, paged bool // with words; as a page
}

// listArticlesOn lists the articles of a text as they are on a day.
func (s *Server) listArticlesOn(c *fiber.Ctx, id uuid.UUID, on time.Time, p articlesPage) error {
	if !p.full && !p.paged {
		list, _, err := s.DB.ReadArticlesOn(c.UserContext(), id, on, 1, farthestPage, false)
		if err != nil {
			return noDocument(err)
		}
		return c.JSON(articlesBody[articleBody]{Items: showAll(list, showArticleOn)})
	}
	list, total, err := s.DB.ReadArticlesOn(c.UserContext(), id, on, min(p.page, farthestPage), p.size, p.full)
	if err != nil {
		return noDocument(err)
	}
	if p.full {
		return c.JSON(articlesBody[readArticleBody]{showAll(list, showReadArticleOn), &total, &p.page, &p.size})
	}
	return c.JSON(articlesBody[articleBody]{showAll(list, showArticleOn), &total, &p.page, &p.size})
}

// changeDayBody is a day from which a text reads otherwise.
type changeDayBody struct {
	Date     string    `json:"date"`
	Articles int       `json:"articles"`
	Acts     []actBody `json:"acts"`
}

// actBody names an act that changes articles.
type actBody struct {
	Document uuid.UUID `json:"document_id"`
	Title    string    `json:"title"`
}

// daysBody lists the days on which a text changes, and what would change it but is not applied.
type daysBody struct {
	Items   []changeDayBody     `json:"items"`
	Pending []pendingChangeBody `json:"pending"`
	Total   int                 `json:"pending_total"`
}

// pendingChangeBody is an instruction of an act that waits for a person.
type pendingChangeBody struct {
	Act         actBody           `json:"act"`
	Article     string            `json:"article"` // of the text, "" if the instruction names none
	Instruction postgres.Evidence `json:"instruction"`
	Sentence    string            `json:"sentence"` // why it waits
}

// pendingMost is the maximum number of instructions in a list of days: as many as people read.
const pendingMost = 50

// listDays lists the days on which a text changes, and the instructions on it that wait.
func (s *Server) listDays(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	list, titles, err := s.DB.ChangeDays(c.UserContext(), id)
	if err != nil {
		return noDocument(err)
	}
	waiting, total, err := s.DB.WaitingOn(c.UserContext(), id, pendingMost)
	if err != nil {
		return err
	}
	return c.JSON(daysBody{showAll(list, func(d postgres.ChangeDay) changeDayBody {
		return changeDayBody{d.Day.Format(time.DateOnly), d.Articles, showAll(d.Acts, func(id uuid.UUID) actBody { return actBody{id, titles[id]} })}
	}), showAll(waiting, func(w postgres.ShownWaiting) pendingChangeBody {
		return pendingChangeBody{actBody{w.Act.ID, w.Act.Title}, w.Article, w.Evidence, w.Reason.Sentence()}
	}), total})
}

// versionBody is a wording of an article and its days.
type versionBody struct {
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

func showVersion(v postgres.ArticleVersion, titles map[uuid.UUID]string) versionBody {
	body := versionBody{Number: v.Number, ValidFrom: showDay(v.From), ValidTo: showDay(v.To), Gone: v.Gone, Text: v.Body, Person: v.Person, Remarks: []string{}}
	if v.Act != nil {
		body.Assembled = true
		body.By = showAssembled(&postgres.AssembledBy{Act: *v.Act, Title: titles[*v.Act], Evidence: v.Evidence})
	}
	for _, r := range v.Remarks {
		body.Remarks = append(body.Remarks, r.Sentence())
	}
	return body
}

// articleVersions reads the versions of the article that the path names.
func (s *Server) articleVersions(c *fiber.Ctx, document, article uuid.UUID) ([]postgres.ArticleVersion, map[uuid.UUID]string, error) {
	list, titles, err := s.DB.VersionsOf(c.UserContext(), document, article)
	if errs.Is(err, errs.NotFound) {
		err = errs.Wrap(errs.NotFound, "Article introuvable.", err)
	}
	return list, titles, err
}

// listVersions shows the versions of an article, the oldest first.
func (s *Server) listVersions(c *fiber.Ctx, _ postgres.User) error {
	document, malformed := pathID(c, "id")
	article, other := pathID(c, "article_id")
	if err := joinFaults(malformed, other); err != nil {
		return err
	}
	list, titles, err := s.articleVersions(c, document, article)
	if err != nil {
		return err
	}
	return c.JSON(articlesBody[versionBody]{Items: showAll(list, func(v postgres.ArticleVersion) versionBody { return showVersion(v, titles) })})
}

// diffBody is what changes in an article between two days.
type diffBody struct {
	From  *versionBody `json:"from"` // null: the article is not in force that day
	To    *versionBody `json:"to"`
	Parts []law.Part   `json:"parts"`
}

// showDiff shows what changes in the words of an article between two days.
func (s *Server) showDiff(c *fiber.Ctx, _ postgres.User) error {
	document, malformed := pathID(c, "id")
	article, other := pathID(c, "article_id")
	q := query{c: c}
	from, to := q.day("from"), q.day("to")
	for _, name := range []string{"from", "to"} {
		if _, given := q.get(name); !given {
			q.faults.missing([]any{"query", name})
		}
	}
	if err := joinFaults(malformed, other); err != nil {
		return err
	}
	list, titles, err := s.articleVersions(c, document, article)
	if err != nil {
		return err // before what is wrong with the days, so that an unknown article is always 404
	}
	if err := q.err(); err != nil {
		return err
	}
	var body diffBody
	var words [2]string
	for i, day := range []time.Time{*from, *to} {
		v := postgres.VersionOn(list, day)
		if v == nil {
			continue
		}
		shown := showVersion(*v, titles)
		words[i] = shown.Text
		if i == 0 {
			body.From = &shown
		} else {
			body.To = &shown
		}
	}
	body.Parts = law.Differences(words[0], words[1])
	return c.JSON(body)
}

// amendmentBody is an operation of an act that is not applied.
type amendmentBody struct {
	ID          uuid.UUID         `json:"id"`
	Act         candidateBody     `json:"act"`
	Target      *candidateBody    `json:"target"`
	Named       string            `json:"named"`
	Article     string            `json:"article"`
	Operation   amend.Kind        `json:"operation"`
	Instruction postgres.Evidence `json:"instruction"`
	Reason      amend.Reason      `json:"reason"`
	Sentence    string            `json:"sentence"`
	ArticleID   *uuid.UUID        `json:"article_id"`
	Before      *string           `json:"before"`
	Proposal    *string           `json:"proposal"`
	Parts       []law.Part        `json:"parts"` // from before to the proposal; empty without one
	Cited       int               `json:"cited"`
}

// waitingMost is the maximum number of operations on a page.
const waitingMost = 200

// listWaitingAmendments shows a page of the operations that wait for a person or a text.
func (s *Server) listWaitingAmendments(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	page, size := q.number("page", 1, 1, 0), q.number("page_size", adminPageDefault, 1, waitingMost)
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.DB.WaitingAmendments(c.UserContext(), min(page, farthestPage), size)
	if err != nil {
		return err
	}
	return c.JSON(articlesBody[amendmentBody]{showAll(list, showWaiting), &total, &page, &size})
}

func showWaiting(w postgres.ShownWaiting) amendmentBody {
	named := func(d law.Document) candidateBody {
		return candidateBody{d.ID, d.Title, d.Promulgated.Format(time.DateOnly)}
	}
	body := amendmentBody{ID: w.ID, Act: named(w.Act), Named: w.Named, Article: w.Article, Operation: w.Kind, Instruction: w.Evidence, Reason: w.Reason,
		Sentence: w.Reason.Sentence(), ArticleID: w.Printed, Before: w.Before, Proposal: w.Proposal, Parts: []law.Part{}, Cited: w.Cited}
	if w.Before != nil && w.Proposal != nil {
		body.Parts = law.Differences(*w.Before, *w.Proposal)
	}
	if w.Target != nil {
		target := named(*w.Target)
		body.Target = &target
	}
	return body
}

// mendedMost is the maximum number of characters of an article's wording that a person gives.
const mendedMost = 500_000

// settleAmendment records what an editor decided on an operation that waits.
func (s *Server) settleAmendment(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	settlement := postgres.Settlement{Decision: body.mustOne("decision", []string{"accept", "mend", "reject"})}
	settlement.From = body.day("date")
	if settlement.Decision == "mend" {
		settlement.Body = strings.TrimSpace(body.text("text", 1, mendedMost))
	}
	if err := body.err(); err != nil {
		return err
	}
	err = (&versions.Runner{DB: s.DB, Log: s.Log}).Settle(c.UserContext(), id, settlement)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Aucune opération n’attend sous cet identifiant.", err)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// decisionBody is a decision of a person on an amendment.
type decisionBody struct {
	ID       uuid.UUID `json:"id"`
	Target   actBody   `json:"target"`
	Act      actBody   `json:"act"`
	Article  string    `json:"article"`
	Decision string    `json:"decision"`
	Text     string    `json:"text"`
	Date     *string   `json:"date"`
	At       string    `json:"settled_at"`
}

// listAmendmentDecisions shows a page of the decisions on amendments, the latest first.
func (s *Server) listAmendmentDecisions(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	page, size := q.number("page", 1, 1, 0), q.number("page_size", adminPageDefault, 1, waitingMost)
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.DB.Settlements(c.UserContext(), min(page, farthestPage), size)
	if err != nil {
		return err
	}
	return c.JSON(articlesBody[decisionBody]{showAll(list, func(d postgres.ShownSettlement) decisionBody {
		return decisionBody{d.ID, actBody{d.Target.ID, d.Target.Title}, actBody{d.Act.ID, d.Act.Title}, d.Article, d.Decision, d.Body, showDay(d.From), showTime(d.At)}
	}), &total, &page, &size})
}

// undoAmendmentDecision deletes a decision, so that the amendment waits again.
func (s *Server) undoAmendmentDecision(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	err = (&versions.Runner{DB: s.DB, Log: s.Log}).Undo(c.UserContext(), id)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Aucune décision n’a cet identifiant.", err)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
