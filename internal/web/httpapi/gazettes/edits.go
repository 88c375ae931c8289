package gazettes

import (
	"encoding/json"
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/ingestion"
)

// EditBody is an edit of a file's lines.
type EditBody struct {
	ID          uuid.UUID      `json:"id"`
	Kind        string         `json:"kind"`
	Lines       []EditLineBody `json:"lines"`
	After       *EditLineBody  `json:"after"` // the line after which a move inserts the lines; null: outside any text
	Article     bool           `json:"article"`
	Begins      bool           `json:"begins"`
	Onward      bool           `json:"onward"`
	Text        *string        `json:"text"`
	Number      *string        `json:"number"`
	Title       *string        `json:"title"`
	Type        *law.DocType   `json:"doc_type"`
	Nature      *string        `json:"nature"`
	Promulgated *string        `json:"date_promulgation"`
	Fault       *string        `json:"fault"` // why the edit no longer applies
	By          *string        `json:"by"`    // who made it; null: the command line
	CreatedAt   string         `json:"created_at"`
	UndoneAt    *string        `json:"undone_at"`
}

// EditLineBody identifies a line of an edit.
type EditLineBody struct {
	Page int      `json:"page"`
	Rect law.Rect `json:"rect"`
	Text string   `json:"text"` // beginning of the line
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
func (s *Handlers) listEdits(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	rows, err := s.DB.Edits(c.UserContext(), i.ID)
	if err != nil {
		return err
	}
	bodies := make([]EditBody, len(rows))
	for k, row := range rows {
		if bodies[k], err = showEdit(row); err != nil {
			return err
		}
	}
	return respond.ListAll(c, bodies, nil)
}

// addEdit serves POST /admin/ingestions/:id/edits. It adds an edit; a worker segments the file
// again.
func (s *Handlers) addEdit(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	body := transport.ReadBody(c)
	wish := readWish(body)
	if err := body.Err(); err != nil {
		return err
	}
	row, err := ingestion.ApplyEdit(c.UserContext(), s.DB, i.ID, wish)
	var refused *ingestion.Refused
	if errors.As(err, &refused) {
		body.Refuse(refused.Field, refused.Reason)
		return body.Err()
	}
	if err != nil {
		return err
	}
	s.hintIngestion(c.UserContext(), i.ID)
	shown, err := showEdit(row)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).JSON(shown)
}

// undoEdit serves DELETE /admin/ingestions/:id/edits/:edit_id. It undoes an edit; a worker
// segments the file again.
func (s *Handlers) undoEdit(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	edit, err := form.PathID(c, "edit_id")
	if err != nil {
		return err
	}
	err = s.DB.UndoEdit(c.UserContext(), i.ID, edit)
	if err != nil {
		return respond.NotFound(err, "Aucune correction sous cet identifiant dans ce fichier.")
	}
	s.hintIngestion(c.UserContext(), i.ID)
	return s.acceptedIngestion(c)
}

// readWish reads a requested edit from a body; faults are collected in the body.
func readWish(body *form.Object) ingestion.EditRequest {
	w := ingestion.EditRequest{Kind: gazette.EditKind(body.MustOne("kind", form.Strings(gazette.EditKinds()))), Article: body.Flag("article"), Begins: body.Flag("begins"), Onward: body.Flag("onward"),
		Promulgated: body.Day("date_promulgation"), Type: law.DocType(body.One("doc_type", form.Strings(law.DocTypes())))}
	if line := readLineRef(body, "line"); line != nil {
		w.Line = *line
	} else if _, there := body.Optional("line"); !there {
		body.Faults.Missing(body.At("line"))
	}
	w.Through, w.After = readLineRef(body, "through"), readLineRef(body, "after")
	w.To = body.One("to", ingestion.Targets())
	most := ingestion.LineLimit
	if w.Article {
		most = ingestion.ArticleLimit
	}
	w.Text, w.Title = value(body.MaybeText("text", 1, most)), value(body.MaybeText("title", 1, ingestion.TitleLimit))
	w.Number, w.Nature = value(body.MaybeText("number", 1, ingestion.NumberLimit)), value(body.MaybeText("nature", 1, ingestion.NumberLimit))
	needs := map[gazette.EditKind]string{gazette.MoveLines: "to", gazette.Renumber: "number", gazette.Retitle: "title", gazette.Correct: "text"}
	if name, asked := needs[w.Kind]; asked {
		if _, there := body.Optional(name); !there {
			body.Faults.Missing(body.At(name))
		}
	}
	return w
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// readLineRef reads an optional line: its page and rectangle, and its words.
func readLineRef(o *form.Object, name string) *ingestion.LineRef {
	line := o.Object(name)
	if line == nil {
		return nil
	}
	ref := &ingestion.LineRef{Text: value(line.MaybeText("text", 0, ingestion.LineLimit))}
	if raw, there := line.Optional("page"); !there {
		line.Faults.Missing(line.At("page"))
	} else if n, whole := form.WholeNumber(raw); whole {
		ref.Page = n
	} else {
		line.Faults.Add("int_type", line.At("page"), raw, "Un nombre entier est attendu.")
	}
	var sides []float64
	if raw, there := line.Optional("rect"); !there {
		line.Faults.Missing(line.At("rect"))
	} else if json.Unmarshal(raw, &sides) != nil || len(sides) != len(ref.Rect) {
		line.Faults.Add("list_type", line.At("rect"), raw, "Quatre nombres sont attendus : gauche, haut, droite, bas.")
	} else {
		copy(ref.Rect[:], sides)
	}
	return ref
}
