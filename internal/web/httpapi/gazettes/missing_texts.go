package gazettes

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// MissingBody is a text that acts change and that the catalogue lacks.
type MissingBody struct {
	Named     string        `json:"named"`
	Countries []string      `json:"countries"`
	Articles  int           `json:"articles"`
	Changes   int           `json:"changes"`
	Repealed  bool          `json:"repealed"`
	Act       candidateBody `json:"act"`
}

// MissingTextsBody are the texts that acts change most, and how many there are in all.
type MissingTextsBody struct {
	Items []MissingBody `json:"items"`
	Total int           `json:"total"`
}

// listMissingTexts serves GET /admin/versions/missing. It shows the texts that acts change and
// that the catalogue lacks, or all of them as CSV.
func (s *Handlers) listMissingTexts(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	format := q.One("format", []string{"json", "csv"})
	if err := q.Err(); err != nil {
		return err
	}
	list, err := s.DB.MissingTexts(c.UserContext())
	if err != nil {
		return err
	}
	if format == "csv" {
		return sendMissing(c, list)
	}
	total := len(list)
	body := respond.ShowAll(list[:min(total, missingMost)], func(m postgres.MissingText) MissingBody {
		return MissingBody{m.Named, m.Countries, m.Articles, m.Changes, m.Repealed, showCandidate(m.Act)}
	})
	return c.JSON(MissingTextsBody{body, total})
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
