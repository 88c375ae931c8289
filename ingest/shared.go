package main

import (
	"context"
	"net/http"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/web/httpapi/admin"
)

func (a *app) sharedCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "shared", Short: "Liste et retire les liens des conversations partagées",
		Long: "Liste et retire les liens des conversations partagées. Les mots des conversations ne sont pas montrés."})
	c.AddCommand(a.sharedListCommand(), a.sharedWithdrawCommand())
	return c
}

func (a *app) sharedListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Liste les conversations partagées, le lien le plus récent d’abord", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withServer(c.Context(), func(s *server) error { return a.sharedList(c.Context(), s) })
		},
	}
}

func (a *app) sharedList(ctx context.Context, s *server) error {
	list, err := listAll[admin.AnyLinkBody](ctx, s, "/admin/shared", nil)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	t := table{head: []string{"COMPTE", "PARTAGÉE LE", "QUESTIONS", "ÉTAT", "ID"}, omit: []string{"QUESTIONS"}}
	ids := make([]uuid.UUID, len(list))
	for i, l := range list {
		state := "ouvert"
		if !l.Opens {
			state = "compte fermé"
		}
		ids[i] = l.ID
		t.add(l.UserEmail, momentOf(l.CreatedAt), l.Questions, state, l.ID)
	}
	t.ids = a.shortened(ids)
	return t.write(a.out, "Aucune conversation n’est partagée.")
}

func (a *app) sharedWithdrawCommand() *cobra.Command {
	return &cobra.Command{
		Use: "withdraw ID…", Short: "Retire des liens : ils n’ouvrent plus rien", Args: takes(1, severalMost, "l’identifiant de la conversation"),
		Long:                  "Retire des liens : ils n’ouvrent plus rien, et le journal d’audit le retient. La conversation reste à son auteur. " + severalHelp,
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkIDs(conversations, args); err != nil { // before anything is changed
				return err
			}
			return a.withServer(c.Context(), func(s *server) error {
				return a.several(c.Context(), args, func(ctx context.Context, word string) (any, error) { return a.sharedWithdraw(ctx, s, word) })
			})
		},
	}
}

// sharedWithdraw withdraws a link, says so and returns its printed form.
func (a *app) sharedWithdraw(ctx context.Context, s *server, word string) (any, error) {
	id, err := s.find(ctx, conversations, word)
	if err != nil {
		return nil, err
	}
	if err := s.call(ctx, http.MethodDelete, "/admin/shared/"+id.String(), nil, nil, nil); err != nil {
		return nil, conversations.orAbsent(err, id)
	}
	return map[string]any{"id": id, "withdrawn": true}, a.say("Le lien de la conversation %s est retiré.", id)
}
