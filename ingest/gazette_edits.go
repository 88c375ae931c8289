package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/gazettes"
)

func (a *app) gazetteEditsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "edits ID", Short: "Liste les corrections d’un fichier, celles qui sont annulées aussi", Args: takes(1, 1, "l’identifiant d’une ingestion"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error { return a.gazetteEdits(c.Context(), s, args[0]) })
		},
	}
}

// edits returns the edits of a file.
func (s *server) edits(ctx context.Context, file uuid.UUID) ([]gazettes.EditBody, error) {
	return listAll[gazettes.EditBody](ctx, s, "/admin/ingestions/"+file.String()+"/edits", nil)
}

func (a *app) gazetteEdits(ctx context.Context, s *server, word string) error {
	row, err := s.file(ctx, word)
	if err != nil {
		return err
	}
	list, err := s.edits(ctx, row.ID)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	t := table{head: []string{"FAITE LE", "PAR", "PAGE", "CORRECTION", "ÉTAT", "ID"}, omit: []string{"PAR", "FAITE LE"}}
	var ids []uuid.UUID
	for _, e := range list {
		ids = append(ids, e.ID)
		state := "appliquée"
		switch {
		case e.UndoneAt != nil:
			state = "annulée le " + momentOf(*e.UndoneAt)
		case e.Fault != nil:
			state = *e.Fault
		case !endedState(row.State):
			state = "en attente"
		}
		t.add(momentOf(e.CreatedAt), cmp.Or(value(e.By), "opérateur"), e.Lines[0].Page, editSentence(e), state, e.ID)
	}
	t.ids = a.shortened(ids)
	return t.write(a.out, "Aucune correction.")
}

// editSentence describes an edit in French.
func editSentence(e gazettes.EditBody) string {
	line := "« " + cut(e.Lines[0].Text, 40) + " »"
	lines := line
	if len(e.Lines) > 1 {
		lines += fmt.Sprintf(" et %s", count(len(e.Lines)-1, "ligne"))
	}
	var kind law.DocType
	if e.Type != nil {
		kind = *e.Type
	}
	of := "le texte de "
	if e.Article {
		of = "l’article de "
	}
	switch gazette.EditKind(e.Kind) {
	case gazette.SplitHere:
		said := strings.TrimSpace(strings.Join([]string{string(kind), value(e.Number), cut(value(e.Title), 40)}, " "))
		return strings.TrimSuffix("un texte commence à "+lines+" : "+said, " : ")
	case gazette.MergeBefore:
		return "aucun texte ne commence à " + line
	case gazette.MoveLines:
		if e.After == nil {
			return lines + " hors de tout texte"
		}
		return lines + " derrière « " + cut(e.After.Text, 40) + " »"
	case gazette.Renumber:
		return "l’article de " + line + " est le n° " + value(e.Number)
	case gazette.Retitle:
		return of + line + " s’intitule « " + cut(value(e.Title), 60) + " »"
	}
	if e.Article {
		return of + line + " se lit « " + cut(value(e.Text), 60) + " »"
	}
	return line + " se lit « " + cut(value(e.Text), 60) + " »"
}
