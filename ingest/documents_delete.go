package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) documentsDeleteCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete ID [--yes]", Short: "Supprime un texte du catalogue, sans retour", Args: takes(1, 1, "l’identifiant du texte"),
		Long: "Supprime un texte du catalogue : ce qu’il abrogeait ou modifiait redevient ce qu’il était, et une édition\n" +
			"qu’il avait remplacée revient. Son fichier disparaît avec le dernier texte qu’il a donné.",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				d, err := s.document(c.Context(), args[0])
				if err != nil {
					return err
				}
				if !yes {
					if err := a.confirmDeletion(fmt.Sprintf("« %s » sera supprimé, sans retour.", cleanLine(d.Title))); err != nil {
						return err
					}
				}
				id := d.ID
				if err := s.call(c.Context(), http.MethodDelete, "/admin/documents/"+id.String(), nil, nil, nil); err != nil {
					return notListed(err, id)
				}
				return a.said(map[string]any{"id": id}, "Supprimé : %s.", cleanLine(d.Title))
			})
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "supprime sans demander")
	return c
}

// confirmDeletion asks the operator to confirm with « oui » before something is deleted.
func (a *app) confirmDeletion(what string) error {
	return a.agreedTo(what, "Rien n’est supprimé : ce n’a pas été confirmé (--yes supprime sans demander).")
}

// agreedTo asks the operator to confirm with « oui ». refusal is the error otherwise.
func (a *app) agreedTo(what, refusal string) error {
	fmt.Fprintf(a.always, "%s Tapez « oui » pour confirmer : ", what)
	line, err := bufio.NewReader(io.LimitReader(a.in, 1024)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !strings.EqualFold(strings.TrimSpace(line), "oui") {
		return usage("%s", refusal)
	}
	return nil
}
