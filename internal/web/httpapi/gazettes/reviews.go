package gazettes

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/ingestion"
)

// ReviewBody is a text in review with its doubts.
type ReviewBody struct {
	law.Record
	FirstPage int            `json:"first_page"`
	LastPage  int            `json:"last_page"`
	Articles  int            `json:"articles_count"`
	Doubts    []law.Doubt    `json:"doubts"`
	Evidence  []law.Evidence `json:"evidence" doc:"D’où vient chaque donnée, douteuse ou non."`
	Countries []string       `json:"pays" doc:"Les pays dont le texte est le droit ; vide : d’une union, ou inconnus."`
	Version   string         `json:"version" doc:"Change avec les données et les doutes du texte : rendue avec une décision, elle la refuse si le texte n’est plus celui qui a été montré."`
}

// WaitingBody is a text in review with its file.
type WaitingBody struct {
	Ingestion uuid.UUID  `json:"ingestion_id"`
	Filename  string     `json:"filename"`
	Review    ReviewBody `json:"review"`
}

// ReadReviewBody is a text in review with its file and its articles.
type ReadReviewBody struct {
	WaitingBody
	Articles []WaitingArticleBody `json:"articles"`
}

// WaitingArticleBody is an article of a text in review.
type WaitingArticleBody struct {
	Number  string   `json:"number"`
	Heading string   `json:"heading"`
	Path    []string `json:"path"`
	Page    int      `json:"page"`
	Text    string   `json:"text"`
}

func (s *Handlers) showReview(r postgres.Review) ReviewBody {
	return ReviewBody{catalogue.ShowRecord(s.Base(), r.Document), r.Document.FirstPage, r.Document.LastPage, r.Articles, r.Doubts, r.Evidence, append([]string{}, r.Document.Countries...), r.Version}
}

func (s *Handlers) showWaiting(r postgres.Review) WaitingBody {
	return WaitingBody{r.Document.IngestionID, r.Filename, s.showReview(r)}
}

// listReviews serves GET /admin/ingestions/:id/review. It shows the texts of a file that wait in
// review, on one page.
func (s *Handlers) listReviews(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply respond.Listing[ReviewBody], _ error) {
	if _, err := s.file(c, input.ID); err != nil {
		return reply, err
	}
	reviews, err := s.DB.Reviews(c.UserContext(), input.ID)
	if err != nil {
		return reply, err
	}
	return respond.NewListing(reviews, nil, s.showReview), nil
}

type readReviewInput struct {
	Document uuid.UUID `path:"document_id"`
}

// readReview serves GET /admin/reviews/:document_id. It shows one text in review with its articles.
func (s *Handlers) readReview(c *fiber.Ctx, _ postgres.User, input readReviewInput) (reply ReadReviewBody, _ error) {
	r, err := s.DB.Review(c.UserContext(), input.Document)
	if err != nil {
		return reply, nameReview(err)
	}
	text, err := s.DB.WholeText(c.UserContext(), input.Document)
	if err != nil {
		return reply, nameReview(err)
	}
	return ReadReviewBody{s.showWaiting(r), respond.ShowAll(text.Articles, func(a law.Article) WaitingArticleBody {
		return WaitingArticleBody{a.Number, a.Heading, append([]string{}, a.Path...), a.Page, a.Text}
	})}, nil
}

type reviewsInput struct {
	Doubt    string `query:"doubt" doc:"Seulement les textes dont cette donnée est douteuse : l’une des valeurs comptées."`
	Group    string `query:"group" doc:"Seulement les textes d’un groupe : ceux dont ces données sont douteuses, et aucune autre."`
	File     string `query:"file" doc:"Seulement les textes des fichiers dont le nom contient ces mots."`
	Page     int    `query:"page" default:"1" minimum:"1" doc:"Numéro de la page."`
	PageSize int    `query:"page_size" default:"20" minimum:"1" maximum:"100" doc:"Textes par page."`
}

type reviewsBody struct {
	Items    []WaitingBody    `json:"items"`
	Total    int              `json:"total"`
	Page     int              `json:"page"`
	PageSize int              `json:"page_size"`
	Doubts   []postgres.Count `json:"doubts" doc:"Les valeurs les plus fréquentes d’abord."`
	Groups   []GroupBody      `json:"groups" doc:"Tous les textes à relire, groupés par ce qu’ils attendent ; le plus grand groupe d’abord."`
}

// GroupBody is the texts in review that wait for the same fields.
type GroupBody = postgres.ReviewGroup

// listAllReviews serves GET /admin/reviews. It shows the texts of all files that wait in review.
func (s *Handlers) listAllReviews(c *fiber.Ctx, _ postgres.User, input reviewsInput) (reply reviewsBody, _ error) {
	which := postgres.ReviewQuery{Doubt: input.Doubt, Group: input.Group, File: input.File}
	found, err := s.DB.ReviewPage(c.UserContext(), which, min(input.Page, form.FarthestPage), input.PageSize)
	if err != nil {
		return reply, err
	}
	return reviewsBody{respond.ShowAll(found.Items, s.showWaiting), found.Total, input.Page, input.PageSize, found.Doubts, found.Groups}, nil
}

// EditionBody is a text with the better edition that superseded it.
type EditionBody struct {
	Document law.Record `json:"document"`
	By       uuid.UUID  `json:"remplace_par" doc:"L’édition qui a pris sa place."`
}

// editionsMost is the maximum number of superseded texts that are listed.
const editionsMost = 10_000

// listEditions serves GET /admin/editions. It shows the texts that a better edition superseded, on
// one page.
func (s *Handlers) listEditions(c *fiber.Ctx, _ postgres.User, _ contract.None) (reply respond.Listing[EditionBody], _ error) {
	list, err := s.DB.AllSuperseded(c.UserContext(), editionsMost)
	if err != nil {
		return reply, err
	}
	return respond.NewListing(list, nil, func(e postgres.Superseded) EditionBody {
		return EditionBody{catalogue.ShowRecord(s.Base(), e.Document), e.By.ID}
	}), nil
}

// exportReviewed serves GET /admin/reviews/truth. It sends the files of which persons have settled something and nothing
// waits any more, as the laboratory reads the truth about gazettes.
func (s *Handlers) exportReviewed(c *fiber.Ctx, _ postgres.User, _ contract.None) (truth map[string]ingestion.Truth, _ error) {
	truth = map[string]ingestion.Truth{}
	err := s.DB.ReviewedFiles(c.UserContext(), func(f postgres.ReviewedFile) error {
		name, entry := ingestion.TruthOf(f)
		truth[name] = entry
		return nil
	})
	if err != nil {
		return nil, err
	}
	raw, err := json.MarshalIndent(truth, "", " ")
	if err != nil {
		return nil, err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="groundtruth.json"`)
	return nil, contract.Written(c.Send(raw))
}

// Metadata is what a person says of a text.
type Metadata struct {
	Title          *string      `json:"title,omitempty" minLength:"1" maxLength:"2000" format:"title"`
	Type           *law.DocType `json:"doc_type,omitempty" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Nature         *string      `json:"nature,omitempty" maxLength:"100" format:"title" doc:"Ce que le texte se dit, par exemple « Ordonnance »."`
	Domain         *string      `json:"domaine,omitempty" doc:"Code d’un domaine qui existe."`
	OfficialNumber *string      `json:"numero_officiel,omitempty" maxLength:"100" format:"title"`
	Promulgated    *time.Time   `json:"date_promulgation,omitempty" format:"date"`
	EntersInForce  *time.Time   `json:"date_entree_vigueur,omitempty" format:"date"`
	Country        *string      `json:"pays,omitempty" format:"country" or:"" doc:"Le pays dont le texte est le droit ; vide : d’une union, ou inconnu."`
}

// Change is what a person changes of a text.
type Change struct {
	Metadata
	Supersedes *uuid.UUID `json:"remplace,omitempty" doc:"Un texte du catalogue, dont celui-ci est une meilleure édition et prend la place."`
}

func (i Change) change() postgres.DocumentChange {
	return postgres.DocumentChange{Title: i.Title, Type: i.Type, Nature: i.Nature, Domain: i.Domain, OfficialNumber: i.OfficialNumber, Promulgated: i.Promulgated, EntersInForce: i.EntersInForce, Country: i.Country, Supersedes: i.Supersedes}
}

// checkDomain finds that there is no domain with a code.
func (s *Handlers) checkDomain(ctx context.Context, f *form.Faults, code *string, loc ...any) error {
	if code == nil {
		return nil
	}
	domains, err := s.DB.AllDomains(ctx)
	codes := make([]string, 0, len(domains))
	for _, d := range domains {
		codes = append(codes, d.Code)
	}
	if err == nil && !slices.Contains(codes, *code) {
		f.Choose(append(loc, "domaine"), form.Quote(*code), codes)
	}
	return err
}

// Decided is what a decision about a text in review changes, and the version that it is for.
type Decided struct {
	Decision string `json:"decision" enum:"accept,reject,reopen" doc:"reopen défait une acceptation."`
	Change
	Version string `json:"version,omitempty" maxLength:"64" doc:"Celle du texte qui a été montré : s’il a changé depuis, rien n’est réglé."`
	Group   string `json:"group,omitempty" maxLength:"500" doc:"Le groupe avec lequel le texte est accepté, pour le journal."`
}

func (i Decided) change() postgres.DocumentChange {
	change := i.Change.change()
	change.Version, change.Group = i.Version, i.Group
	return change
}

type reviewInput struct {
	contract.ByID
	Document uuid.UUID `path:"document_id" doc:"Identifiant du texte à relire."`
	Decided
}

// review serves POST /admin/ingestions/:id/review/:document_id. It settles one text: if accepted,
// with the reviewer's corrections, the response is the document of the catalogue; if rejected, it
// is empty. A person can also reopen an accepted text, which then waits in review as before.
func (s *Handlers) review(c *fiber.Ctx, _ postgres.User, input reviewInput) (reply law.Record, _ error) {
	ctx := c.UserContext()
	var f form.Faults
	if err := errors.Join(s.checkDomain(ctx, &f, input.Domain, "body"), f.Err()); err != nil {
		return reply, err
	}
	var d law.Document
	var err error
	switch input.Decision {
	case "reopen":
		d, err = s.DB.ReopenText(ctx, input.ID, input.Document)
		err = respond.NotFound(err, notAccepted)
	case "reject":
		if err := s.DB.RejectText(ctx, input.ID, input.Document, input.Version); err != nil {
			return reply, nameReview(err)
		}
		return reply, contract.Written(c.SendStatus(fiber.StatusNoContent))
	default:
		if d, err = s.DB.AcceptText(ctx, input.ID, input.Document, input.change()); err != nil {
			err = nameReview(err)
		}
	}
	if err != nil {
		return reply, err
	}
	return catalogue.ShowRecord(s.Base(), d), nil
}

// lackingText is the message for each required field that is missing.
var lackingText = map[string]string{
	"doc_type":          "La nature du texte n’a pas été reconnue : elle doit être donnée.",
	"date_promulgation": "La date de promulgation n’a pas été trouvée dans le texte : elle doit être donnée.",
}

const (
	notAccepted = "Aucun texte du catalogue sous cet identifiant dans ce fichier."
	noReview    = "Aucun texte à relire sous cet identifiant."
)

// nameReview returns the error for a text that cannot be settled: the faults for missing fields that a reviewer must give.
func nameReview(err error) error {
	var lacking *postgres.Lacking
	if errors.As(err, &lacking) {
		var f form.Faults
		for _, field := range lacking.Fields {
			f.Add("missing", []any{"body", field}, nil, "%s", lackingText[field])
		}
		return f.Err()
	}
	return respond.NotFound(err, noReview)
}

// DecisionInput is a reviewer's verdict on one text.
type DecisionInput struct {
	Document uuid.UUID `json:"document_id"`
	Decided
}

type decideReviewsInput struct {
	Decisions []DecisionInput `json:"decisions" minItems:"1" maxItems:"50"`
}

// ReviewOutcomeBody is the result of a decision.
type ReviewOutcomeBody struct {
	Document uuid.UUID `json:"document_id"`
	Decision string    `json:"decision" enum:"accept,reject,reopen"`
	Done     bool      `json:"done"`
	Absent   bool      `json:"absent" doc:"Il n’y a, sous cet identifiant, aucun texte à régler ainsi."`
	Detail   *string   `json:"detail" doc:"Pourquoi le texte n’a pas été réglé."`
	Missing  []string  `json:"missing" enum:"doc_type,date_promulgation" doc:"Ce sans quoi le texte ne peut être accepté."`
}

// decideReviews serves POST /admin/reviews. It settles several texts independently of each other.
func (s *Handlers) decideReviews(c *fiber.Ctx, _ postgres.User, input decideReviewsInput) (reply respond.All[ReviewOutcomeBody], _ error) {
	var f form.Faults
	for n, d := range input.Decisions {
		if err := s.checkDomain(c.UserContext(), &f, d.Domain, "body", "decisions", n); err != nil {
			return reply, err
		}
	}
	if err := f.Err(); err != nil {
		return reply, err
	}
	return respond.All[ReviewOutcomeBody]{Items: respond.ShowAll(input.Decisions, func(d DecisionInput) ReviewOutcomeBody { return s.outcome(c.UserContext(), d) })}, nil
}

// outcome settles one text and returns the result.
func (s *Handlers) outcome(ctx context.Context, d DecisionInput) ReviewOutcomeBody {
	body := ReviewOutcomeBody{Document: d.Document, Decision: d.Decision, Missing: []string{}}
	err := s.decide(ctx, d)
	if body.Done = err == nil; body.Done {
		return body
	}
	var lacking *postgres.Lacking
	status, public := transport.Describe(nameReview(err))
	detail, _ := public.(string)
	switch {
	case errors.As(err, &lacking):
		body.Missing = lacking.Fields
		detail = "Il manque des données sans lesquelles le texte ne peut pas être accepté."
	case errs.Is(err, errs.NotFound):
		body.Absent, detail = true, noReview
		if d.Decision == "reopen" {
			detail = notAccepted
		}
	case status >= fiber.StatusInternalServerError:
		s.Log.ErrorContext(ctx, "decide a review", "document_id", d.Document, "error", err)
	}
	body.Detail = &detail
	return body
}

// decide settles a text in review, reopens one of the catalogue, or accepts one that an edition
// superseded beside it.
func (s *Handlers) decide(ctx context.Context, d DecisionInput) error {
	r, err := s.DB.Review(ctx, d.Document)
	if errs.Is(err, errs.NotFound) && d.Decision != "reject" {
		r.Document, err = s.DB.Document(ctx, d.Document)
		if err == nil && d.Decision == "accept" && r.Document.SupersededBy == nil {
			return errs.New(errs.NotFound, "")
		}
	}
	if err != nil {
		return err
	}
	switch d.Decision {
	case "reject":
		return s.DB.RejectText(ctx, r.Document.IngestionID, d.Document, d.Version)
	case "reopen":
		_, err = s.DB.ReopenText(ctx, r.Document.IngestionID, d.Document)
	default:
		_, err = s.DB.AcceptText(ctx, r.Document.IngestionID, d.Document, d.change())
	}
	return err
}

type changeDocumentInput struct {
	contract.ByID
	Change
	Status          *law.Status `json:"statut,omitempty" enum:"en_vigueur,abroge,modifie"`
	StatusGiven     bool        `given:"statut"`
	RepealedBy      *uuid.UUID  `json:"abroge_par,omitempty" doc:"Un autre texte du catalogue ; le statut est alors abroge."`
	RepealedByGiven bool        `given:"abroge_par"`
}

// status is what the input changes of the status: null lets it again be derived from the relations, or takes back a repeal.
func (i *changeDocumentInput) status() postgres.StatusChange {
	derive := i.StatusGiven && i.Status == nil
	return postgres.StatusChange{Status: i.Status, RepealedBy: i.RepealedBy, Derive: derive, Unrepealed: i.RepealedByGiven && i.RepealedBy == nil && !derive}
}

// Check finds that a text cannot be in force and repealed by another, nor repeal itself.
func (i *changeDocumentInput) Check(f *form.Faults) {
	switch status := i.status(); {
	case status.RepealedBy == nil:
	case *status.RepealedBy == i.ID:
		f.Refuse("abroge_par", i.RepealedBy, "Un texte ne s’abroge pas lui-même.")
	case status.Derive, status.Status != nil && *status.Status != law.Repealed:
		f.Refuse("abroge_par", i.RepealedBy, "Un texte qu’un autre abroge a le statut 'abroge'.")
	}
}

// changeLegalDocument serves PATCH /admin/documents/:id. It changes the metadata or the status of
// a text.
func (s *Handlers) changeLegalDocument(c *fiber.Ctx, _ postgres.User, input changeDocumentInput) (reply law.Record, _ error) {
	ctx := c.UserContext()
	var f form.Faults
	if input.RepealedBy != nil {
		if _, err := s.DB.Document(ctx, *input.RepealedBy); errs.Is(err, errs.NotFound) {
			f.Refuse("abroge_par", input.RepealedBy, "Ce document n’existe pas.")
		} else if err != nil {
			return reply, err
		}
	}
	if err := s.checkDomain(ctx, &f, input.Domain, "body"); err != nil {
		return reply, err
	}
	if err := f.Err(); err != nil {
		return reply, err
	}
	d, err := s.DB.ChangeDocument(ctx, input.ID, input.change(), input.status())
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	return catalogue.ShowRecord(s.Base(), d), nil
}

// deleteDocument serves DELETE /admin/documents/:id. It deletes a text from the catalogue, and its
// file if that has no other text.
func (s *Handlers) deleteDocument(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply contract.None, _ error) {
	orphan, err := s.DB.DeleteDocument(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	if orphan != "" {
		s.dropFile(c.UserContext(), orphan)
	}
	return reply, nil
}

// reindexDocument serves POST /admin/documents/:id/reindex. It requests that the search indexes
// read a text again.
func (s *Handlers) reindexDocument(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply contract.None, _ error) {
	return reply, respond.NoDocument(s.DB.ReindexDocument(c.UserContext(), input.ID))
}
