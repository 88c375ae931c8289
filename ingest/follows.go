package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/postgres"
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
			return a.followAdd(c.Context(), f)
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
	_ = c.RegisterFlagCompletionFunc("text", a.rows(postgres.NamedDocuments, postgres.InCatalogue).complete(cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("article", a.articleNumbers(&f.text).complete(cobra.ShellCompDirectiveNoFileComp))
	return c
}

// articleNumbers completes numbers of articles of a text, given by its typed id.
func (a *app) articleNumbers(text *string) proposals {
	return a.propose(func(ctx context.Context, db *postgres.DB, word string) (all []string, err error) {
		meant, err := typedID(texts, *text)
		if err != nil {
			return nil, err
		}
		document, err := meant.find(ctx, db)
		if err != nil {
			return nil, err
		}
		articles, err := db.Articles(ctx, document)
		for _, a := range articles {
			if a.Wording == nil && a.Number != "" && strings.HasPrefix(a.Number, word) && len(all) < completed {
				all = append(all, proposal(a.Number, a.Heading))
			}
		}
		return all, err
	})
}

// follow checks the arguments. text is the typed id of the text, if there is one.
func (f followAsked) follow() (made postgres.Follow, text *typed, err error) {
	made = postgres.Follow{Kind: postgres.FollowScope, Words: strings.TrimSpace(f.words), Type: law.DocType(f.kind), Domain: f.domain}
	if f.owner == "" {
		return made, nil, usage("Il manque --owner.")
	}
	if f.country != "" {
		code, known := country.Parse(f.country)
		if !known {
			return made, nil, usage("--pays attend un code de pays en deux lettres, comme bf.")
		}
		made.Country = string(code)
	}
	known := f.kind == ""
	for _, t := range law.DocTypes() {
		known = known || string(t) == f.kind
	}
	switch {
	case !known:
		return made, nil, usage("--type ne peut pas valoir « %s ».", cleanLine(f.kind))
	case f.text != "" && (f.words != "" || f.kind != "" || f.domain != "" || f.country != ""):
		return made, nil, usage("--text ne va avec aucune autre option que --owner et --article.")
	case f.text != "":
		id, err := typedID(texts, f.text)
		if made.Kind = postgres.FollowText; f.article != "" {
			made.Kind = postgres.FollowArticle
		}
		return made, &id, err
	case f.article != "":
		return made, nil, usage("--article ne va qu’avec --text.")
	case made.Words != "":
		made.Kind = postgres.FollowSearch
		if fulltext.Parse(made.Words).Empty() {
			return made, nil, usage("Ces mots sont trop courants pour être suivis.")
		}
	case f.kind == "" && f.domain == "" && f.country == "":
		return made, nil, usage("Il manque ce qui est à suivre : --text, --search, --domaine, --pays ou --type.")
	}
	return made, nil, nil
}

func (a *app) followAdd(ctx context.Context, f followAsked) error {
	made, text, err := f.follow()
	if err != nil {
		return err
	}
	return a.withDB(ctx, func(db *postgres.DB) error {
		if text != nil {
			id, err := text.find(ctx, db)
			if err != nil {
				return err
			}
			made.Document = &id
			if made.Kind == postgres.FollowArticle {
				article, err := articleTyped(ctx, db, id, f.article)
				if err != nil {
					return err
				}
				made.Article = &article
			}
		}
		return a.withUser(ctx, db, f.owner, func(u postgres.User) error {
			kept, added, err := db.AddFollow(ctx, u.ID, made)
			if errs.Is(err, errs.NotFound) {
				return errs.New(errs.NotFound, "Ce texte n’est pas au catalogue, ou cet article ou ce domaine n’existe pas.")
			}
			if err != nil {
				return err
			}
			if a.json {
				return writeJSON(a.out, followViewOf(kept))
			}
			said := "suit maintenant"
			if !added {
				said = "suivait déjà"
			}
			_, err = fmt.Fprintf(a.outcome(), "%s %s : %s\n", u.Email, said, cleanLine(kept.Label))
			return err
		})
	})
}

// articleTyped returns the article of a text with a number, or with a complete id.
func articleTyped(ctx context.Context, db *postgres.DB, document uuid.UUID, typed string) (uuid.UUID, error) {
	if id, err := uuid.Parse(typed); err == nil {
		return id, nil
	}
	key := law.ArticleKey(typed)
	changed, _, err := db.VersionsOfText(ctx, document)
	if errs.Is(err, errs.NotFound) {
		return uuid.Nil, texts.absent(document)
	}
	if err != nil {
		return uuid.Nil, err
	}
	if at := slices.IndexFunc(changed, func(v postgres.ArticleVersion) bool { return law.ArticleKey(v.Number) == key }); at >= 0 {
		return changed[at].Article, nil
	}
	articles, err := db.Articles(ctx, document)
	if err != nil {
		return uuid.Nil, err
	}
	at := slices.IndexFunc(articles, func(a law.Article) bool { return a.Wording == nil && a.Number != "" && law.ArticleKey(a.Number) == key })
	if at < 0 {
		return uuid.Nil, noArticle(document, typed)
	}
	return articles[at].ID, nil
}

// followView is the printed form of a follow.
type followView struct {
	ID        uuid.UUID  `json:"id"`
	Kind      string     `json:"kind"`
	Label     string     `json:"label"`
	Document  *uuid.UUID `json:"document_id"`
	Article   *uuid.UUID `json:"article_id"`
	Message   *uuid.UUID `json:"message_id"`
	Words     string     `json:"q"`
	CreatedAt time.Time  `json:"created_at"`
}

func followViewOf(f postgres.Follow) followView {
	return followView{f.ID, f.Kind, f.Label, f.Document, f.Article, f.Message, f.Words, f.CreatedAt.UTC()}
}

// followNames are the kinds of follows in French.
var followNames = map[string]string{postgres.FollowText: "texte", postgres.FollowArticle: "article", postgres.FollowAnswer: "réponse", postgres.FollowSearch: "recherche", postgres.FollowScope: "domaine"}

func (a *app) followListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list COMPTE", Short: "Liste ce que suit un compte", Args: takes(1, 1, "l’adresse ou l’identifiant du compte"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				return a.withUser(c.Context(), db, args[0], func(u postgres.User) error { return a.followList(c.Context(), db, u) })
			})
		},
	}
}

func (a *app) followList(ctx context.Context, db *postgres.DB, u postgres.User) error {
	list, err := db.Follows(ctx, u.ID)
	if err != nil {
		return err
	}
	views := []followView{}
	t := table{head: []string{"SUJET", "SUIVI", "DEPUIS", "ID"}, omit: []string{"DEPUIS"}}
	var ids []uuid.UUID
	for _, f := range list {
		views, ids = append(views, followViewOf(f)), append(ids, f.ID)
		t.add(followNames[f.Kind], f.Label, moment(f.CreatedAt), f.ID)
	}
	if a.json {
		return writeList(a.out, views, len(views))
	}
	if t.ids, err = a.shortIDs(ctx, db, follows, ids...); err != nil {
		return err
	}
	return t.write(a.out, "Ce compte ne suit rien.")
}

func (a *app) followDeleteCommand() *cobra.Command {
	return &cobra.Command{
		Use: "delete ID", Short: "Ne suit plus un sujet ; ses alertes partent avec lui", Args: takes(1, 1, "l’identifiant du sujet suivi"),
		RunE: func(c *cobra.Command, args []string) error {
			meant, err := typedID(follows, args[0])
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				id, err := meant.find(c.Context(), db)
				if err != nil {
					return err
				}
				return a.followDelete(c.Context(), db, id)
			})
		},
	}
}

func (a *app) followDelete(ctx context.Context, db *postgres.DB, id uuid.UUID) error {
	user, err := db.FollowOwner(ctx, id)
	if err == nil {
		err = db.DeleteFollow(ctx, user, id)
	}
	if errs.Is(err, errs.NotFound) {
		return follows.absent(id)
	}
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"id": id, "deleted": true})
	}
	_, err = fmt.Fprintln(a.outcome(), "Ce sujet n’est plus suivi.")
	return err
}
