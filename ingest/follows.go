package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/alerts"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/respond"
)

func (a *app) followCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "follow", Short: "Suit le droit pour un compte, qui est averti des changements",
		Long: "Suit le droit pour un compte, qui est averti de ce qui change : par la page, par un résumé envoyé par courriel et par\n" +
			"ses webhooks."})
	c.AddCommand(a.followAddCommand(), a.followListCommand(), a.followDeleteCommand())
	return c
}

// followAsked is what is to be followed.
type followAsked struct {
	owner, text, article, words, kind, domain, country string
}

func (a *app) followAddCommand() *cobra.Command {
	var f followAsked
	c := &cobra.Command{
		Use: "add --owner E (--text TEXTE [--article NUMÉRO] | --search MOTS | --domaine CODE | --pays CODE)", Args: takes(0, 0, ""),
		Short: "Suit un texte, un article, une recherche, un domaine ou un pays",
		Example: "  ingest follow add --owner a.b@exemple.org --text 4f02… --article 14\n" +
			"  ingest follow add --owner a.b@exemple.org --search « congé de maternité » --pays bf",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withServer(c.Context(), func(s *server) error { return a.followAdd(c.Context(), s, f) })
		},
	}
	c.DisableFlagsInUseLine = true
	flags := c.Flags()
	flags.StringVar(&f.owner, "owner", "", "le compte qui suit : `ADRESSE` ou identifiant")
	flags.StringVar(&f.text, "text", "", "identifiant d’un `TEXTE`")
	flags.StringVar(&f.article, "article", "", "avec --text : `NUMÉRO` d’un de ses articles, ou son identifiant entier ; seul cet article est suivi")
	flags.StringVar(&f.words, "search", "", "`MOTS` d’une recherche")
	flags.StringVar(&f.kind, "type", "", "`TYPE` des textes d’une recherche, d’un domaine ou d’un pays : loi, decret …")
	flags.StringVar(&f.domain, "domaine", "", "`CODE` d’un domaine")
	flags.StringVar(&f.country, "pays", "", "`CODE` d’un pays, comme bf")
	// The calls fail only if a completion was registered before.
	_ = c.RegisterFlagCompletionFunc("text", a.rows(texts, "catalogue").complete(cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("article", a.articleNumbers(&f.text).complete(cobra.ShellCompDirectiveNoFileComp))
	return c
}

// articleNumbers completes numbers of articles of a text, given by its typed id.
func (a *app) articleNumbers(text *string) proposals {
	return a.propose(func(ctx context.Context, s *server, word string) (all []string, err error) {
		articles, err := s.articles(ctx, *text)
		for _, a := range articles {
			if a.Replaces == nil && a.Number != "" && strings.HasPrefix(a.Number, word) && len(all) < completed {
				all = append(all, proposal(a.Number, a.Heading))
			}
		}
		return all, err
	})
}

// articles returns the articles of a text, given by its typed id, without their words.
func (s *server) articles(ctx context.Context, text string) ([]catalogue.ArticleBody, error) {
	id, err := s.find(ctx, texts, text)
	if err != nil {
		return nil, err
	}
	var list respond.Page[catalogue.ArticleBody]
	err = s.call(ctx, http.MethodGet, "/documents/"+id.String()+"/articles", nil, nil, &list)
	return list.Items, notListed(err, id)
}

// follow returns what is to be followed as the API takes it.
func (f followAsked) follow(ctx context.Context, s *server) (map[string]any, error) {
	if f.text == "" {
		made := map[string]any{"kind": postgres.FollowScope}
		for name, value := range map[string]string{"q": strings.TrimSpace(f.words), "doc_type": f.kind, "domaine": f.domain, "pays": f.country} {
			if value != "" {
				made[name] = value
			}
		}
		if made["q"] != nil {
			made["kind"] = postgres.FollowSearch
		}
		return made, nil
	}
	id, err := s.find(ctx, texts, f.text)
	if err != nil || f.article == "" {
		return map[string]any{"kind": postgres.FollowText, "document_id": id}, err
	}
	article, err := uuid.Parse(f.article)
	if err != nil {
		if article, err = articleNumbered(ctx, s, id, f.article); err != nil {
			return nil, err
		}
	}
	return map[string]any{"kind": postgres.FollowArticle, "document_id": id, "article_id": article}, nil
}

func (a *app) followAdd(ctx context.Context, s *server, f followAsked) error {
	switch {
	case f.owner == "":
		return usage("Il manque --owner.")
	case f.text != "" && (f.words != "" || f.kind != "" || f.domain != "" || f.country != ""):
		return usage("--text ne va avec aucune autre option que --owner et --article.")
	case f.text == "" && f.article != "":
		return usage("--article ne va qu’avec --text.")
	case f.text == "" && strings.TrimSpace(f.words) == "" && f.kind == "" && f.domain == "" && f.country == "":
		return usage("Il manque ce qui est à suivre : --text, --search, --domaine, --pays ou --type.")
	}
	of, err := s.account(ctx, f.owner)
	if err != nil {
		return err
	}
	asked, err := f.follow(ctx, s)
	if err != nil {
		return err
	}
	var kept alerts.FollowBody
	if err := s.call(ctx, http.MethodPost, "/admin/users/"+of.ID.String()+"/follows", nil, asked, &kept); err != nil {
		return err
	}
	return a.said(kept, "%s suit : %s", of.Email, cleanLine(kept.Label))
}

// followNames are the kinds of follows in French.
var followNames = map[string]string{postgres.FollowText: "texte", postgres.FollowArticle: "article", postgres.FollowAnswer: "réponse", postgres.FollowSearch: "recherche", postgres.FollowScope: "domaine"}

func (a *app) followListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list COMPTE", Short: "Liste ce que suit un compte", Args: takes(1, 1, "l’adresse ou l’identifiant du compte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				of, err := s.account(c.Context(), args[0])
				if err != nil {
					return err
				}
				return a.followList(c.Context(), s, of.ID)
			})
		},
	}
}

func (a *app) followList(ctx context.Context, s *server, of uuid.UUID) error {
	var list struct {
		Items []alerts.FollowBody `json:"items"`
	}
	if err := s.call(ctx, http.MethodGet, "/admin/users/"+of.String()+"/follows", nil, nil, &list); err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list.Items, len(list.Items))
	}
	t := table{head: []string{"SUJET", "SUIVI", "DEPUIS", "ID"}, omit: []string{"DEPUIS"}}
	var ids []uuid.UUID
	for _, f := range list.Items {
		ids = append(ids, f.ID)
		t.add(followNames[f.Kind], f.Label, momentOf(f.CreatedAt), f.ID)
	}
	t.ids = a.shortened(ids)
	return t.write(a.out, "Ce compte ne suit rien.")
}

func (a *app) followDeleteCommand() *cobra.Command {
	return &cobra.Command{
		Use: "delete ID", Short: "Ne suit plus un sujet ; ses alertes partent avec lui", Args: takes(1, 1, "l’identifiant du sujet suivi"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				id, err := s.find(c.Context(), follows, args[0])
				if err != nil {
					return err
				}
				if err := s.call(c.Context(), http.MethodDelete, "/admin/follows/"+id.String(), nil, nil, nil); err != nil {
					return follows.orAbsent(err, id)
				}
				return a.said(map[string]any{"id": id, "deleted": true}, "Ce sujet n’est plus suivi.")
			})
		},
	}
}
