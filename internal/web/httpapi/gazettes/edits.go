package gazettes

import (
	"cmp"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/work/ingestion"
)

// EditBody is an edit of a file's lines.
type EditBody struct {
	ID          uuid.UUID      `json:"id"`
	Kind        string         `json:"kind" enum:"split,merge,move,renumber,retitle,correct"`
	Lines       []EditLineBody `json:"lines"`
	After       *EditLineBody  `json:"after" doc:"De move : la ligne derrière laquelle les lignes viennent ; null quand elles sortent de tout texte."`
	Article     bool           `json:"article"`
	Begins      bool           `json:"begins"`
	Onward      bool           `json:"onward"`
	Text        *string        `json:"text"`
	Number      *string        `json:"number"`
	Title       *string        `json:"title"`
	Type        *law.DocType   `json:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Nature      *string        `json:"nature"`
	Promulgated *string        `json:"date_promulgation" format:"date"`
	Fault       *string        `json:"fault" doc:"Pourquoi elle ne s’applique plus, au dernier découpage."`
	By          *string        `json:"by" doc:"L’adresse de qui l’a faite ; null : la ligne de commande."`
	CreatedAt   string         `json:"created_at" format:"date-time"`
	UndoneAt    *string        `json:"undone_at" format:"date-time"`
}

// EditLineBody identifies a line of an edit.
type EditLineBody struct {
	Page int      `json:"page"`
	Rect law.Rect `json:"rect" doc:"Gauche, haut, droite, bas, en points depuis le coin supérieur gauche de la page."`
	Text string   `json:"text" doc:"Le début de la ligne."`
}

func showEdit(row postgres.Edit) (EditBody, error) {
	e, err := ingestion.EditOf(row)
	if err != nil {
		return EditBody{}, err
	}
	body := EditBody{ID: row.ID, Kind: row.Kind, Article: e.Whole, Begins: e.Begins, Onward: e.Onward, Text: respond.NonEmpty(e.Text), Number: respond.NonEmpty(e.Number), Title: respond.NonEmpty(e.Title),
		Type: respond.NonEmpty(e.Type), Nature: respond.NonEmpty(e.Nature), Fault: respond.NonEmpty(row.Fault), By: respond.NonEmpty(row.Email), CreatedAt: respond.ShowTime(row.CreatedAt), Promulgated: respond.ShowDay(e.Promulgated), UndoneAt: respond.MaybeTime(row.UndoneAt)}
	for _, p := range e.Lines {
		body.Lines = append(body.Lines, EditLineBody{p.Page, p.Rect, p.Text})
	}
	if e.After != nil {
		body.After = &EditLineBody{e.After.Page, e.After.Rect, e.After.Text}
	}
	return body, nil
}

// listEdits serves GET /admin/ingestions/:id/edits. It shows the edits of a file in their order,
// on one page.
func (s *Handlers) listEdits(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply respond.Listing[EditBody], _ error) {
	i, err := s.file(c, input.ID)
	if err != nil {
		return reply, err
	}
	rows, err := s.DB.Edits(c.UserContext(), i.ID)
	if err != nil {
		return reply, err
	}
	bodies := make([]EditBody, len(rows))
	for k, row := range rows {
		if bodies[k], err = showEdit(row); err != nil {
			return reply, err
		}
	}
	return respond.NewListing(bodies, nil, respond.Same), nil
}

// LineInput names a line by its page and rectangle, and its words.
type LineInput struct {
	Page int      `json:"page"`
	Rect law.Rect `json:"rect" doc:"Gauche, haut, droite, bas, en points depuis le coin supérieur gauche de la page."`
	Text string   `json:"text,omitempty" maxLength:"2000" doc:"Les mots de la ligne : aident à la retrouver."`
}

func (l *LineInput) ref() *ingestion.LineRef {
	if l == nil {
		return nil
	}
	return &ingestion.LineRef{Page: l.Page, Rect: l.Rect, Text: l.Text}
}

type editInput struct {
	contract.ByID
	Kind        gazette.EditKind `json:"kind" enum:"split,merge,move,renumber,retitle,correct"`
	Line        LineInput        `json:"line"`
	Through     *LineInput       `json:"through,omitempty" doc:"La dernière des lignes, sur la même page."`
	To          *string          `json:"to,omitempty" enum:"loose,previous,next,after" doc:"Obligatoire pour move."`
	After       *LineInput       `json:"after,omitempty" doc:"La ligne derrière laquelle placer les lignes (to: after)."`
	Article     bool             `json:"article,omitempty" doc:"Pour retitle et correct : l’article entier."`
	Begins      bool             `json:"begins,omitempty" doc:"Pour renumber : un article commence à la ligne."`
	Onward      bool             `json:"onward,omitempty" doc:"Pour renumber : les articles qui suivent sont numérotés à la suite."`
	Text        *string          `json:"text,omitempty" minLength:"1" maxLength:"200000" doc:"Obligatoire pour correct. 2 000 caractères au plus pour une ligne."`
	Number      *string          `json:"number,omitempty" minLength:"1" maxLength:"100" format:"title" doc:"De l’article (renumber, obligatoire) ou du texte (split)."`
	Title       *string          `json:"title,omitempty" minLength:"1" maxLength:"2000" format:"title" doc:"Obligatoire pour retitle."`
	Type        law.DocType      `json:"doc_type,omitempty" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Nature      *string          `json:"nature,omitempty" minLength:"1" maxLength:"100" format:"title" doc:"Ce que le texte s’appelle : « Ordonnance »."`
	Promulgated *time.Time       `json:"date_promulgation,omitempty" format:"date"`
}

// Check finds what the kind needs and is not given.
func (i *editInput) Check(f *form.Faults) {
	for _, need := range []struct {
		kind  gazette.EditKind
		name  string
		value *string
	}{{gazette.MoveLines, "to", i.To}, {gazette.Renumber, "number", i.Number}, {gazette.Retitle, "title", i.Title}, {gazette.Correct, "text", i.Text}} {
		if i.Kind == need.kind && need.value == nil {
			f.Missing([]any{"body", need.name})
		}
	}
	if n := utf8.RuneCountInString(value(i.Text)); !i.Article && n > ingestion.LineLimit && n <= ingestion.ArticleLimit {
		f.Add("string_too_long", []any{"body", "text"}, nil, "Au plus %d caractères.", ingestion.LineLimit)
	}
}

// value returns the text that s points to, "" without one.
func value[T ~string](s *T) T { return *cmp.Or(s, new(T)) }

// addEdit serves POST /admin/ingestions/:id/edits. It adds an edit; a worker segments the file
// again.
func (s *Handlers) addEdit(c *fiber.Ctx, _ postgres.User, input editInput) (reply EditBody, _ error) {
	i, err := s.file(c, input.ID)
	if err != nil {
		return reply, err
	}
	row, err := ingestion.ApplyEdit(c.UserContext(), s.DB, i.ID, ingestion.EditRequest{
		Kind: input.Kind, Line: *input.Line.ref(), Through: input.Through.ref(), To: value(input.To), After: input.After.ref(), Article: input.Article, Begins: input.Begins, Onward: input.Onward,
		Text: value(input.Text), Number: value(input.Number), Title: value(input.Title), Nature: value(input.Nature), Type: input.Type, Promulgated: input.Promulgated,
	})
	var refused *ingestion.Refused
	if errors.As(err, &refused) {
		var f form.Faults
		f.Add("value_error", []any{"body", refused.Field}, nil, "%s", refused.Reason)
		return reply, f
	}
	if err != nil {
		return reply, err
	}
	s.hintIngestion(c.UserContext(), i.ID)
	return showEdit(row)
}

type undoEditInput struct {
	contract.ByID
	Edit uuid.UUID `path:"edit_id" doc:"Identifiant de la correction."`
}

// undoEdit serves DELETE /admin/ingestions/:id/edits/:edit_id. It undoes an edit; a worker
// segments the file again.
func (s *Handlers) undoEdit(c *fiber.Ctx, _ postgres.User, input undoEditInput) (reply IngestionBody, _ error) {
	if _, err := s.file(c, input.ID); err != nil {
		return reply, err
	}
	if err := s.DB.UndoEdit(c.UserContext(), input.ID, input.Edit); err != nil {
		return reply, respond.NotFound(err, "Aucune correction sous cet identifiant dans ce fichier.")
	}
	return s.queued(c, input.ID)
}
