package gazettes

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/work/versions"
)

// NamedTextBody is a text that an act, a relation or a person may mean.
type NamedTextBody struct {
	ID    uuid.UUID `json:"id"`
	Title string    `json:"title"`
	Date  string    `json:"date_promulgation" format:"date"`
}

func showNamed(d law.Document) NamedTextBody {
	return NamedTextBody{d.ID, d.Title, d.Promulgated.Format(time.DateOnly)}
}

// UncertainRelationBody is a repeal or amendment whose target a person has to choose.
type UncertainRelationBody struct {
	ID         uuid.UUID        `json:"id"`
	Type       law.RelationKind `json:"type" enum:"abroge,modifie"`
	Document   uuid.UUID        `json:"document_id"`
	Title      string           `json:"title" doc:"Titre du texte qui le dit."`
	Article    uuid.UUID        `json:"article_id"`
	Number     string           `json:"article" doc:"Numéro de l’article qui le dit."`
	Target     MeantTextBody    `json:"target"`
	Date       string           `json:"date" format:"date" doc:"Premier jour du changement."`
	Candidates []NamedTextBody  `json:"candidates"`
}

// MeantTextBody describes the target in the words of the change.
type MeantTextBody struct {
	Type     law.DocType `json:"doc_type" doc:"Vide quand les mots ne le disent pas."`
	Number   string      `json:"numero_officiel"`
	Title    string      `json:"title"`
	Date     *string     `json:"date_promulgation" format:"date"`
	Articles []string    `json:"articles" doc:"Vide quand le texte entier est visé."`
}

// uncertainMost is the maximum number of relations on the page.
const uncertainMost = 1000

// listUncertain serves GET /admin/relations. It shows the repeals and amendments whose target is
// uncertain, on one page.
func (s *Handlers) listUncertain(c *fiber.Ctx, _ postgres.User, _ contract.None) (reply respond.Listing[UncertainRelationBody], _ error) {
	relations, err := s.DB.UncertainRelations(c.UserContext(), uncertainMost)
	if err != nil {
		return reply, err
	}
	return respond.NewListing(relations, nil, showUncertain), nil
}

func showUncertain(u postgres.UncertainRelation) UncertainRelationBody {
	r := u.Relation
	body := UncertainRelationBody{ID: r.ID, Type: r.Kind, Document: r.SourceID, Title: u.Title, Article: r.SourceArticle, Number: u.Article,
		Target: MeantTextBody{Type: r.TargetType, Number: r.TargetNumber, Title: r.TargetTitle, Date: respond.ShowDay(r.TargetDate), Articles: append([]string{}, r.TargetArticles...)},
		Date:   r.Effective.Format(time.DateOnly), Candidates: []NamedTextBody{}}
	for _, candidate := range u.Candidates {
		body.Candidates = append(body.Candidates, NamedTextBody{candidate.ID, candidate.Title, candidate.Date.Format(time.DateOnly)})
	}
	return body
}

type settleRelationInput struct {
	contract.ByID
	Decision string     `json:"decision" enum:"accept,reject"`
	Document *uuid.UUID `json:"document_id,omitempty" doc:"Le texte visé ; il le faut pour accepter."`
}

// Check finds that an accepted relation names no text.
func (i *settleRelationInput) Check(f *form.Faults) {
	if i.Decision == "accept" && i.Document == nil {
		f.Missing([]any{"body", "document_id"})
	}
}

// settleRelation serves POST /admin/relations/:id. It records which text a relation means, or that
// it means none.
func (s *Handlers) settleRelation(c *fiber.Ctx, _ postgres.User, input settleRelationInput) (reply contract.None, _ error) {
	target := input.Document
	if input.Decision == "reject" {
		target = nil
	}
	return reply, respond.NotFound(s.DB.SettleRelation(c.UserContext(), input.ID, target), "Aucune relation sous cet identifiant.")
}

// WaitingAmendmentBody is an operation of an act that is not applied.
type WaitingAmendmentBody struct {
	ID          uuid.UUID           `json:"id"`
	Act         NamedTextBody       `json:"act"`
	Target      *NamedTextBody      `json:"target" doc:"Le texte à modifier ; nul s’il n’est pas au catalogue, ou si plusieurs portent son nom."`
	Named       string              `json:"named" doc:"Le nom que l’acte lui donne."`
	Article     string              `json:"article" doc:"L’article à modifier ; vide si l’acte n’en nomme pas."`
	Operation   amend.OperationKind `json:"operation" enum:"replace_article,insert_article,repeal_article,renumber_article,replace_words,insert_words,delete_words,replace_tail,replace_place,insert_place,delete_place,renumber_place,repeal_text,replace_heading,insert_division,unread"`
	Instruction postgres.Evidence   `json:"instruction"`
	Reason      amend.Reason        `json:"reason" enum:"not_understood,wording_missing,wording_open,too_long,words_not_found,words_too_often,no_such_place,place_unclear,article_missing,article_exists,already_there,conflict,text_missing,text_ambiguous,day_unclear,earlier_waits,dates_disordered"`
	Sentence    string              `json:"sentence" doc:"La raison, en français."`
	ArticleID   *uuid.UUID          `json:"article_id" doc:"L’article à modifier ; nul si le texte ne l’a pas, imprimé."`
	Before      *string             `json:"before" doc:"Les mots de l’article la veille ; nuls s’il n’y en a pas."`
	Proposal    *string             `json:"proposal" doc:"Une rédaction de l’article qui peut être acceptée."`
	Parts       []law.Part          `json:"parts" doc:"De la veille à ce qui est proposé, mot à mot ; vide si rien ne l’est."`
	Cited       int                 `json:"cited" doc:"Combien de réponses citent l’article."`
	Articles    int                 `json:"articles" doc:"Articles du texte dont des modifications de l’acte attendent."`
}

// listWaitingAmendments serves GET /admin/versions/waiting. It shows a page of the operations that
// wait for a person or a text.
func (s *Handlers) listWaitingAmendments(c *fiber.Ctx, _ postgres.User, input respond.Numbered) (respond.Page[WaitingAmendmentBody], error) {
	return respond.ByPage(c, input, s.DB.WaitingAmendments, showWaiting)
}

func showWaiting(w postgres.ShownWaiting) WaitingAmendmentBody {
	body := WaitingAmendmentBody{ID: w.ID, Act: showNamed(w.Act), Named: w.Named, Article: w.Article, Operation: w.Kind, Instruction: w.Evidence, Reason: w.Reason,
		Sentence: w.Reason.Sentence(), ArticleID: w.Printed, Before: w.Before, Proposal: w.Proposal, Parts: []law.Part{}, Cited: w.Cited, Articles: w.Articles}
	if w.Before != nil && w.Proposal != nil {
		body.Parts = law.Differences(*w.Before, *w.Proposal)
	}
	if w.Target != nil {
		body.Target = new(showNamed(*w.Target))
	}
	return body
}

type settleAmendmentInput struct {
	contract.ByID
	Decision string     `json:"decision" enum:"accept,mend,reject" doc:"accept prend la proposition, mend le texte donné, reject laisse l’article comme il est."`
	Text     *string    `json:"text,omitempty" minLength:"1" maxLength:"500000" doc:"L’article après l’acte ; il le faut pour mend."`
	Date     *time.Time `json:"date,omitempty" format:"date" doc:"Premier jour de la rédaction ; sans elle, celui de l’acte."`
}

// Check finds that there is no wording with which to mend.
func (i *settleAmendmentInput) Check(f *form.Faults) {
	if i.Decision == "mend" && i.Text == nil {
		f.Missing([]any{"body", "text"})
	}
}

// settleAmendment serves POST /admin/versions/waiting/:id. It records what an editor decided on an
// operation that waits.
func (s *Handlers) settleAmendment(c *fiber.Ctx, _ postgres.User, input settleAmendmentInput) (reply contract.None, _ error) {
	settlement := postgres.Settlement{Decision: input.Decision, From: input.Date}
	if settlement.Decision == "mend" {
		settlement.Body = *input.Text
	}
	return reply, respond.NotFound(s.versions().Settle(c.UserContext(), input.ID, settlement), "Aucune opération n’attend sous cet identifiant.")
}

func (s *Handlers) versions() *versions.VersionAssembler {
	return &versions.VersionAssembler{DB: s.DB, Log: s.Log}
}

// AmendmentSettledBody is a decision of a person on an amendment.
type AmendmentSettledBody struct {
	ID       uuid.UUID                 `json:"id"`
	Target   catalogue.AmendingActBody `json:"target"`
	Act      catalogue.AmendingActBody `json:"act"`
	Article  string                    `json:"article"`
	Decision string                    `json:"decision" enum:"accept,mend,reject"`
	Text     string                    `json:"text" doc:"Les mots de l’article ; vides s’il n’est pas modifié."`
	Date     *string                   `json:"date" format:"date" doc:"Premier jour de ces mots ; nul : celui de l’acte."`
	At       string                    `json:"settled_at" format:"date-time"`
}

// listAmendmentDecisions serves GET /admin/versions/decisions. It shows a page of the decisions on
// amendments, the latest first.
func (s *Handlers) listAmendmentDecisions(c *fiber.Ctx, _ postgres.User, input respond.Numbered) (respond.Page[AmendmentSettledBody], error) {
	return respond.ByPage(c, input, s.DB.Settlements, func(d postgres.ShownSettlement) AmendmentSettledBody {
		return AmendmentSettledBody{d.ID, catalogue.AmendingActBody{Document: d.Target.ID, Title: d.Target.Title}, catalogue.AmendingActBody{Document: d.Act.ID, Title: d.Act.Title}, d.Article, d.Decision, d.Body, respond.ShowDay(d.From), respond.ShowTime(d.At)}
	})
}

// undoAmendmentDecision serves DELETE /admin/versions/decisions/:id. It deletes a decision, so
// that the amendment waits again.
func (s *Handlers) undoAmendmentDecision(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, respond.NotFound(s.versions().Undo(c.UserContext(), input.ID), "Aucune décision n’a cet identifiant.")
}

// rebuildVersions serves POST /admin/versions/rebuild. It asks a worker to make the versions of all texts again.
func (s *Handlers) rebuildVersions(c *fiber.Ctx, _ postgres.User, _ contract.None) (reply contract.None, _ error) {
	return reply, s.DB.VersionIndex().Remake(c.UserContext())
}

// RebuiltBody is how many versions of articles a text has.
type RebuiltBody struct {
	Versions int `json:"versions" doc:"Versions des articles du texte."`
}

// rebuildVersionsOf serves POST /admin/versions/rebuild/:id. It reads the changes of a text and the acts that change it
// again, and makes its versions.
func (s *Handlers) rebuildVersionsOf(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply RebuiltBody, _ error) {
	if _, err := s.DB.Document(c.UserContext(), input.ID); err != nil {
		return reply, respond.NoDocument(err)
	}
	if err := s.versions().Write(c.UserContext(), 0, []uuid.UUID{input.ID}); err != nil {
		return reply, err
	}
	list, _, err := s.DB.VersionsOfText(c.UserContext(), input.ID)
	return RebuiltBody{len(list)}, respond.NoDocument(err)
}

// UndecidedActBody is an act with passages that nobody can decide one by one, or one that orders nothing.
type UndecidedActBody struct {
	Act      NamedTextBody `json:"act"`
	Passages int           `json:"passages" doc:"Passages sur lesquels il n’y a rien à décider."`
	First    string        `json:"first" doc:"Mots du premier de ces passages."`
}

type listActsInput struct {
	respond.Numbered
	Orders string `query:"orders" enum:"unclear,none" default:"unclear" doc:"Ceux dont les ordres sont obscurs, ou ceux qui n’ordonnent rien."`
}

// listUndecidedActs serves GET /admin/versions/acts. It shows a page of the acts with passages that nobody can decide one
// by one, or of those that a person has said to order nothing.
func (s *Handlers) listUndecidedActs(c *fiber.Ctx, _ postgres.User, input listActsInput) (respond.Page[UndecidedActBody], error) {
	read := func(ctx context.Context, page, size int) ([]postgres.UndecidedAct, int, error) {
		return s.DB.UndecidedActs(ctx, input.Orders == "none", page, size)
	}
	return respond.ByPage(c, input.Numbered, read, func(u postgres.UndecidedAct) UndecidedActBody {
		return UndecidedActBody{showNamed(u.Act), u.Passages, u.First}
	})
}

// setWithoutOrders serves POST /admin/versions/acts/:id. It records that no passage of an act orders a change.
func (s *Handlers) setWithoutOrders(c *fiber.Ctx, _ postgres.User, input contract.ByID) (contract.None, error) {
	return s.without(c, input, true)
}

// undoWithoutOrders serves DELETE /admin/versions/acts/:id. It takes back that an act orders nothing.
func (s *Handlers) undoWithoutOrders(c *fiber.Ctx, _ postgres.User, input contract.ByID) (contract.None, error) {
	return s.without(c, input, false)
}

func (s *Handlers) without(c *fiber.Ctx, input contract.ByID, missing bool) (reply contract.None, _ error) {
	return reply, respond.NotFound(s.DB.SetWithoutOrders(c.UserContext(), input.ID, missing), "Aucun texte n’a cet identifiant.")
}

// exportTruth serves GET /admin/versions/truth. It sends, one a line, the passages of which persons have said whether they
// order a change, as the training of the noticing reads them.
func (s *Handlers) exportTruth(c *fiber.Ctx, _ postgres.User, _ contract.None) (reply contract.Sent, _ error) {
	var file bytes.Buffer
	out := json.NewEncoder(&file)
	out.SetEscapeHTML(false)
	if err := s.versions().Truth(c.UserContext(), func(t versions.Told) error { return out.Encode(t) }); err != nil {
		return reply, err
	}
	c.Set(fiber.HeaderContentType, "application/x-ndjson")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="ordres.jsonl"`)
	return reply, c.Send(file.Bytes())
}

// MissingTextBody is a text that acts change and that the catalogue lacks.
type MissingTextBody struct {
	Named     string        `json:"named" doc:"Le nom que des actes lui donnent."`
	Countries []string      `json:"countries" doc:"Les pays des actes."`
	Articles  int           `json:"articles" doc:"Combien d’articles attendent ce texte."`
	Changes   int           `json:"changes" doc:"Combien de modifications l’attendent."`
	Repealed  bool          `json:"repealed" doc:"Vrai si un acte l’abroge en entier."`
	Act       NamedTextBody `json:"act"`
}

// MissingTextsBody are the texts that acts change most, and how many there are in all.
type MissingTextsBody struct {
	Items []MissingTextBody `json:"items"`
	Total int               `json:"total"`
}

type missingInput struct {
	Format string `query:"format" enum:"json,csv" default:"json" doc:"Forme de la réponse."`
}

// missingMost is the maximum number of missing texts that are shown.
const missingMost = 1000

// listMissingTexts serves GET /admin/versions/missing. It shows the texts that acts change and
// that the catalogue lacks, or all of them as CSV.
func (s *Handlers) listMissingTexts(c *fiber.Ctx, _ postgres.User, input missingInput) (reply MissingTextsBody, _ error) {
	list, err := s.DB.MissingTexts(c.UserContext())
	if err != nil {
		return reply, err
	}
	if input.Format == "csv" {
		return reply, contract.Written(sendMissing(c, list))
	}
	return MissingTextsBody{respond.ShowAll(list[:min(len(list), missingMost)], func(m postgres.MissingText) MissingTextBody {
		return MissingTextBody{m.Named, m.Countries, m.Articles, m.Changes, m.Repealed, showNamed(m.Act)}
	}), len(list)}, nil
}

func sendMissing(c *fiber.Ctx, list []postgres.MissingText) error {
	var file bytes.Buffer
	file.WriteString("\ufeff") // Excel reads a file as UTF-8 only by its mark, and in French separates fields by semicolons.
	out := csv.NewWriter(&file)
	out.Comma = ';'
	rows := [][]string{{"texte", "pays", "articles", "modifications", "abroge", "acte", "date"}}
	for _, m := range list {
		rows = append(rows, []string{plainCell(m.Named), strings.Join(m.Countries, " "), strconv.Itoa(m.Articles), strconv.Itoa(m.Changes), strconv.FormatBool(m.Repealed),
			plainCell(m.Act.Title), m.Act.Promulgated.Format(time.DateOnly)})
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("missing texts as CSV: %w", err)
	}
	c.Set(fiber.HeaderContentType, "text/csv; charset=utf-8")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="textes-a-chercher.csv"`)
	return c.Send(file.Bytes())
}

// plainCell keeps a spreadsheet from taking printed words for a formula.
func plainCell(s string) string {
	if strings.IndexAny(s, "=+-@\t") == 0 {
		return "'" + s
	}
	return s
}
