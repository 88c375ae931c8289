package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"vigueur/internal/web/httpapi/admin"
)

func (a *app) feedbackCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "feedback COMMANDE", Short: "Les avis des lecteurs sur les réponses"})
	c.AddCommand(a.feedbackExportCommand())
	return c
}

func (a *app) feedbackExportCommand() *cobra.Command {
	var rating, since string
	c := &cobra.Command{
		Use: "export [--rating down|up] [--since AAAA-MM-JJ]", Short: "Écrit les questions mal répondues comme cas d’évaluation (JSONL)", Args: takes(0, 0, ""),
		Long: "Écrit, une par ligne, les questions dont la réponse a reçu un avis défavorable, dans la forme que lit « scripts/eval\n" +
			"answers ». Adresses, liens, numéros et noms propres que le catalogue ne connaît pas sont remplacés ; ni compte, ni\n" +
			"heure, ni commentaire ne sort. Ce que la réponse citait est dans « cited ». Relisez chaque ligne avant de la donner à\n" +
			"d’autres : ce qui reste peut encore dire de qui il s’agit. Puis écrivez dans « gold » où se trouve la réponse (rien,\n" +
			"si elle n’est nulle part), dans « key_facts » ce qu’elle doit dire, et retirez « undecided ».\n\n" +
			"L’export est noté au journal.",
		Example:               "  ingest feedback export > avis.jsonl\n  ingest feedback export --since 2026-01-01 --rating up",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			query := url.Values{}
			for name, value := range map[string]string{"rating": rating, "from": since} {
				if value != "" {
					query.Set(name, value)
				}
			}
			return a.withServer(c.Context(), func(s *server) error { return a.exportFeedback(c.Context(), s, query) })
		},
	}
	c.Flags().StringVar(&rating, "rating", "", "`AVIS` des lecteurs : down, ou up ; sans cette option, down")
	c.Flags().StringVar(&since, "since", "", "avis donnés depuis ce jour, `AAAA-MM-JJ`")
	return c
}

func (a *app) exportFeedback(ctx context.Context, s *server, query url.Values) error {
	var list struct {
		Items []admin.RatedBody `json:"items"`
	}
	if err := s.call(ctx, http.MethodGet, "/admin/rated", query, nil, &list); err != nil {
		return err
	}
	for _, one := range list.Items {
		if err := writeJSONLine(a.out, one); err != nil {
			return err
		}
	}
	if len(list.Items) == 0 {
		rating, since := "défavorable", ""
		if query.Get("rating") == "up" {
			rating = "favorable"
		}
		if day := query.Get("from"); day != "" {
			since = " depuis le " + cleanLine(day)
		}
		fmt.Fprintf(a.err, "Aucune réponse n’a reçu d’avis %s%s.\n", rating, since)
		return nil
	}
	fmt.Fprintf(a.err, "%s. Relisez chaque ligne, écrivez « gold » et « key_facts », retirez « undecided », puis : scripts/eval answers (ingest feedback export --help).\n",
		count(len(list.Items), "question"))
	return nil
}
