package main

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"

	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/admin"
)

func (a *app) namesCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "names", Short: "Donne, liste et retire les noms courts des textes",
		Long: "Donne, liste et retire les noms courts des textes, par lesquels les questions et la recherche les trouvent. « AUSCGIE »,\n" +
			"« COCC », « moudawana » et d’autres sont connus sans être donnés."})
	c.AddCommand(a.nameListCommand(), a.nameAddCommand(), a.nameRemoveCommand())
	return c
}

func (a *app) nameListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Liste les noms donnés", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				list, err := listAll[admin.TextNameBody](c.Context(), s, "/admin/names", nil)
				if err != nil {
					return err
				}
				if a.json {
					return writeList(a.out, list, len(list))
				}
				t := table{head: []string{"NOM", "TEXTE", "PAYS"}}
				for _, n := range list {
					t.add(n.Name, n.Means, n.Country)
				}
				return t.write(a.out, "Aucun nom n’est donné.")
			})
		},
	}
}

func (a *app) nameAddCommand() *cobra.Command {
	var of string
	c := &cobra.Command{
		Use: "add NOM TEXTE [--pays CODE]", Short: "Donne un nom court à un texte", Args: takes(2, 2, "le nom et le texte"),
		Long:                  "Donne un nom court à un texte, dit par son numéro ou son titre. De quatre lettres au plus et en capitales, il ne se lit qu’ainsi.",
		Example:               "  ingest names add \"Code vert\" \"loi n° 2016-32\" --pays sn",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			asked := map[string]string{"name": args[0], "means": args[1]}
			if of != "" {
				asked["pays"] = of
			}
			return a.withServer(c.Context(), func(s *server) error {
				var made admin.TextNameBody
				if err := s.call(c.Context(), http.MethodPost, "/admin/names", nil, asked, &made); err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, made)
				}
				return a.say("« %s » est le nom de : %s.", cleanLine(made.Name), cleanLine(made.Means))
			})
		},
	}
	c.Flags().StringVar(&of, "pays", "", "`CODE` du pays dont c’est la loi : bf, bj…")
	return c
}

func (a *app) nameRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "remove NOM…", Short: "Retire des noms", Args: takes(1, severalMost, "le nom"), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				return a.several(c.Context(), args, func(ctx context.Context, word string) (any, error) { return a.nameRemove(ctx, s, word) })
			})
		},
	}
}

// nameRemove takes a name back, says so and returns its printed form.
func (a *app) nameRemove(ctx context.Context, s *server, name string) (any, error) {
	list, err := listAll[admin.TextNameBody](ctx, s, "/admin/names", nil)
	if err != nil {
		return nil, err
	}
	for _, n := range list {
		if law.Fold(n.Name) == law.Fold(name) {
			if err := s.call(ctx, http.MethodDelete, "/admin/names/"+n.ID.String(), nil, nil, nil); err != nil {
				return nil, err
			}
			return map[string]any{"name": n.Name, "removed": true}, a.say("Le nom « %s » est retiré.", cleanLine(n.Name))
		}
	}
	return nil, usage("Aucun texte n’a reçu le nom « %s » : ingest names list.", cleanLine(name))
}
