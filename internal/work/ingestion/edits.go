package ingestion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/store/postgres"
)

// loadEdits returns the edits of the file that were not undone, as rows and as package
// segment takes them.
func (j *job) loadEdits(ctx context.Context) (rows []postgres.Edit, edits []gazette.Edit, err error) {
	all, err := j.DB.Edits(ctx, j.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range all {
		if row.UndoneAt != nil {
			continue
		}
		e, err := EditOf(row)
		if err != nil {
			return nil, nil, err
		}
		rows, edits = append(rows, row), append(edits, e)
	}
	return rows, edits, nil
}

// EditOf decodes a stored edit.
func EditOf(row postgres.Edit) (e gazette.Edit, err error) {
	err = json.Unmarshal(row.Payload, &e)
	if err == nil && len(e.Lines) == 0 {
		err = errNoLine
	}
	e.Kind, e.Made = gazette.EditKind(row.Kind), row.CreatedAt
	if err != nil {
		return e, fmt.Errorf("edit %s: %w", row.ID, err)
	}
	return e, nil
}

var errNoLine = errors.New("it names no line")

// noteEdits records the edits that no longer apply: in the remark on the file and beside
// the edit. If the edit had no fault before, its text is reopened for review even if a
// person has accepted it.
func (j *job) noteEdits(cut *postgres.Segmentation, rows []postgres.Edit, issue gazette.Issue) {
	cut.Faults = map[uuid.UUID]string{}
	for _, u := range issue.Unapplied {
		row := rows[u.Edit]
		why := u.Why.Sentence()
		cut.Faults[row.ID] = why
		j.missing = strings.TrimSpace(j.missing + " " + why)
		if row.Fault != "" {
			continue
		}
		for i := range cut.Texts {
			for _, d := range cut.Texts[i].Doubts {
				if d.Field == gazette.CorrectionField && d.Reason == why {
					cut.Texts[i].Reopened = true
				}
			}
		}
	}
}

// linesOf groups the lines of a cut by page, each with the text and article that it became
// part of.
func linesOf(pages []layout.Page, issue gazette.Issue, texts []postgres.Text) []postgres.PageLines {
	of := make(map[int]*postgres.PageLines, len(pages))
	for _, p := range pages {
		of[p.Number] = &postgres.PageLines{Page: p.Number, Width: p.Width, Height: p.Height, Lines: []postgres.Line{}}
	}
	for _, l := range issue.Lines {
		line := postgres.Line{Rect: l.Rect, Text: clean(l.Text), Label: l.Label, Confidence: l.Confidence}
		if l.TextIndex >= 0 {
			t := texts[l.TextIndex]
			line.TextIndex, line.DocumentID = &l.TextIndex, &t.Document.ID
			if l.Article >= 0 && t.Articles[l.Article].Number != "" {
				line.Article = &t.Articles[l.Article].Number
			}
		}
		if p := of[l.Page]; p != nil {
			p.Lines = append(p.Lines, line)
		}
	}
	out := make([]postgres.PageLines, 0, len(of))
	for _, n := range slices.Sorted(maps.Keys(of)) {
		out = append(out, *of[n])
	}
	return out
}

// clean removes what PostgreSQL's JSON does not accept.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "")
}

// beginsAt encodes the position of a text's first line.
func beginsAt(p gazette.Place) string {
	if p.Page == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%g,%g,%g,%g", p.Page, p.Rect[0], p.Rect[1], p.Rect[2], p.Rect[3])
}
