package httpapi

import (
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/ingestion"
)

// editBody is an edit of a file's lines.
type editBody struct {
	ID          uuid.UUID      `json:"id"`
	Kind        string         `json:"kind"`
	Lines       []editLineBody `json:"lines"`
	After       *editLineBody  `json:"after"` // the line after which a move inserts the lines; null: outside any text
	Article     bool           `json:"article"`
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

// editLineBody identifies a line of an edit.
type editLineBody struct {
	Page int      `json:"page"`
	Rect law.Rect `json:"rect"`
	Text string   `json:"text"` // beginning of the line
}

func showEdit(row postgres.Edit) (editBody, error) {
	e, err := ingestion.EditOf(row)
	if err != nil {
		return editBody{}, err
	}
	body := editBody{ID: row.ID, Kind: row.Kind, Article: e.Whole, Text: given(e.Text), Number: given(e.Number), Title: given(e.Title),
		Type: given(e.Type), Nature: given(e.Nature), Fault: given(row.Fault), By: given(row.Email), CreatedAt: showTime(row.CreatedAt)}
	for _, p := range e.Lines {
		body.Lines = append(body.Lines, editLineBody{p.Page, p.Rect, p.Text})
	}
	if e.After != nil {
		body.After = &editLineBody{e.After.Page, e.After.Rect, e.After.Text}
	}
	if e.Promulgated != nil {
		day := e.Promulgated.Format(time.DateOnly)
		body.Promulgated = &day
	}
	if row.UndoneAt != nil {
		at := showTime(*row.UndoneAt)
		body.UndoneAt = &at
	}
	return body, nil
}

// given returns a pointer to s, nil if s is empty.
func given[T ~string](s T) *T {
	if s == "" {
		return nil
	}
	return &s
}

// listEdits shows the edits of a file in their order, on one page.
func (s *Server) listEdits(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	rows, err := s.DB.Edits(c.UserContext(), i.ID)
	if err != nil {
		return err
	}
	bodies := make([]editBody, len(rows))
	for k, row := range rows {
		if bodies[k], err = showEdit(row); err != nil {
			return err
		}
	}
	return list(c, bodies, nil, func(b editBody) editBody { return b })
}

// addEdit adds an edit; a worker segments the file again.
func (s *Server) addEdit(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	wish := readWish(body)
	if err := body.err(); err != nil {
		return err
	}
	row, err := ingestion.ApplyEdit(c.UserContext(), s.DB, i.ID, wish)
	var refused *ingestion.Refused
	if errors.As(err, &refused) {
		body.refuse(refused.Field, refused.Reason)
		return body.err()
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

// undoEdit undoes an edit; a worker segments the file again.
func (s *Server) undoEdit(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	edit, err := pathID(c, "edit_id")
	if err != nil {
		return err
	}
	err = s.DB.UndoEdit(c.UserContext(), i.ID, edit)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Aucune correction sous cet identifiant dans ce fichier.", err)
	}
	if err != nil {
		return err
	}
	s.hintIngestion(c.UserContext(), i.ID)
	return s.acceptedIngestion(c)
}

// readWish reads a requested edit from a body; faults are collected in the body.
func readWish(body *object) ingestion.EditRequest {
	w := ingestion.EditRequest{Kind: gazette.EditKind(body.mustOne("kind", texts(gazette.EditKinds()))), Article: body.flag("article"),
		Promulgated: body.day("date_promulgation"), Type: law.DocType(body.one("doc_type", texts(law.DocTypes())))}
	if line := body.lineRef("line"); line != nil {
		w.Line = *line
	} else if _, there := body.optional("line"); !there {
		body.faults.missing(body.at("line"))
	}
	w.Through, w.After = body.lineRef("through"), body.lineRef("after")
	w.To = body.one("to", ingestion.Targets())
	most := ingestion.LineLimit
	if w.Article {
		most = ingestion.ArticleLimit
	}
	w.Text, w.Title = value(body.maybeText("text", 1, most)), value(body.maybeText("title", 1, ingestion.TitleLimit))
	w.Number, w.Nature = value(body.maybeText("number", 1, ingestion.NumberLimit)), value(body.maybeText("nature", 1, ingestion.NumberLimit))
	needs := map[gazette.EditKind]string{gazette.MoveLines: "to", gazette.Renumber: "number", gazette.Retitle: "title", gazette.Correct: "text"}
	if name, asked := needs[w.Kind]; asked {
		if _, there := body.optional(name); !there {
			body.faults.missing(body.at(name))
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

// wholeNumber parses a JSON number without a fraction.
func wholeNumber(raw json.RawMessage) (int, bool) {
	var f float64
	if json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) {
		return 0, false
	}
	return int(min(max(f, -1), math.MaxInt32)), true
}

// lineRef reads an optional line: its page and rectangle, and its words.
func (o *object) lineRef(name string) *ingestion.LineRef {
	line := o.object(name)
	if line == nil {
		return nil
	}
	ref := &ingestion.LineRef{Text: value(line.maybeText("text", 0, ingestion.LineLimit))}
	if raw, there := line.optional("page"); !there {
		line.faults.missing(line.at("page"))
	} else if n, whole := wholeNumber(raw); whole {
		ref.Page = n
	} else {
		line.faults.add("int_type", line.at("page"), raw, "Un nombre entier est attendu.")
	}
	var sides []float64
	if raw, there := line.optional("rect"); !there {
		line.faults.missing(line.at("rect"))
	} else if json.Unmarshal(raw, &sides) != nil || len(sides) != len(ref.Rect) {
		line.faults.add("list_type", line.at("rect"), raw, "Quatre nombres sont attendus : gauche, haut, droite, bas.")
	} else {
		copy(ref.Rect[:], sides)
	}
	return ref
}
