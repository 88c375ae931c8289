package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/ingestion"
)

// editView is an edit in JSON, for --json.
type editView struct {
	ID        uuid.UUID    `json:"id"`
	Kind      string       `json:"kind"`
	Edit      gazette.Edit `json:"edit"`
	Fault     string       `json:"fault"`
	By        string       `json:"by"`
	CreatedAt time.Time    `json:"created_at"`
	UndoneAt  *time.Time   `json:"undone_at"`
}

func editViewOf(row postgres.Edit) (editView, error) {
	e, err := ingestion.EditOf(row)
	return editView{row.ID, row.Kind, e, row.Fault, row.Email, row.CreatedAt.UTC(), row.UndoneAt}, err
}

func (a *app) gazetteEditsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "edits ID", Short: "Liste les corrections d’un fichier, celles qui sont annulées aussi", Args: takes(1, 1, "l’identifiant d’une ingestion"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.gazetteEdits(c.Context(), db, args[0]) })
		},
	}
}

func (a *app) gazetteEdits(ctx context.Context, db *postgres.DB, id string) error {
	row, err := findGazette(ctx, db, id)
	if err != nil {
		return err
	}
	list, err := db.Edits(ctx, row.ID)
	if err != nil {
		return err
	}
	views := make([]editView, len(list))
	t := table{head: []string{"FAITE LE", "PAR", "PAGE", "CORRECTION", "ÉTAT", "ID"}, omit: []string{"PAR", "FAITE LE"}}
	var ids []uuid.UUID
	for i, e := range list {
		ids = append(ids, e.ID)
		if views[i], err = editViewOf(e); err != nil {
			return err
		}
		by, state := e.Email, "appliquée"
		if by == "" {
			by = "opérateur"
		}
		switch {
		case e.UndoneAt != nil:
			state = "annulée le " + moment(*e.UndoneAt)
		case e.Fault != "":
			state = e.Fault
		case !row.Ended():
			state = "en attente"
		}
		t.add(moment(e.CreatedAt), by, views[i].Edit.Lines[0].Page, editSentence(views[i].Edit), state, e.ID)
	}
	if a.json {
		return writeList(a.out, views, len(views))
	}
	if t.ids, err = a.shortIDs(ctx, db, edits, ids...); err != nil {
		return err
	}
	return t.write(a.out, "Aucune correction.")
}

// editSentence describes an edit in French.
func editSentence(e gazette.Edit) string {
	line := "« " + cut(e.Lines[0].Text, 40) + " »"
	lines := line
	if len(e.Lines) > 1 {
		lines += fmt.Sprintf(" et %s", count(len(e.Lines)-1, "ligne"))
	}
	of := "le texte de "
	if e.Whole {
		of = "l’article de "
	}
	switch e.Kind {
	case gazette.SplitHere:
		said := strings.TrimSpace(strings.Join([]string{string(e.Type), e.Number, cut(e.Title, 40)}, " "))
		return strings.TrimSuffix("un texte commence à "+lines+" : "+said, " : ")
	case gazette.MergeBefore:
		return "aucun texte ne commence à " + line
	case gazette.MoveLines:
		if e.After == nil {
			return lines + " hors de tout texte"
		}
		return lines + " derrière « " + cut(e.After.Text, 40) + " »"
	case gazette.Renumber:
		return "l’article de " + line + " est le n° " + e.Number
	case gazette.Retitle:
		return of + line + " s’intitule « " + cut(e.Title, 60) + " »"
	}
	if e.Whole {
		return of + line + " se lit « " + cut(e.Text, 60) + " »"
	}
	return line + " se lit « " + cut(e.Text, 60) + " »"
}
