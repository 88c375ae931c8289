package main

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

func (a *app) sharedCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "shared", Short: "Liste et retire les liens des conversations partagées",
		Long: "Liste et retire les liens des conversations partagées. Les mots des conversations ne sont pas montrés."})
	c.AddCommand(a.sharedListCommand(), a.sharedWithdrawCommand())
	return c
}

// sharedLink is the printed form of a link.
type sharedLink struct {
	ID        uuid.UUID `json:"id"`
	UserID    uuid.UUID `json:"user_id"`
	UserEmail string    `json:"user_email"`
	CreatedAt time.Time `json:"created_at"`
	Questions int       `json:"questions"`
	Opens     bool      `json:"opens"`
}

// linksOnPage is the number of links that are read at a time.
const linksOnPage = 500

func (a *app) sharedListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Liste les conversations partagées, le lien le plus récent d’abord", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.sharedList(c.Context(), db) })
		},
	}
}

func (a *app) sharedList(ctx context.Context, db *postgres.DB) error {
	list, ids := []sharedLink{}, []uuid.UUID{}
	t := table{head: []string{"COMPTE", "PARTAGÉE LE", "QUESTIONS", "ÉTAT", "ID"}, omit: []string{"QUESTIONS"}}
	for before := (*time.Time)(nil); ; {
		page, next, err := db.Links(ctx, before, linksOnPage)
		if err != nil {
			return err
		}
		for _, l := range page {
			state := "ouvert"
			if !l.Opens {
				state = "compte fermé"
			}
			list, ids = append(list, sharedLink{l.Conversation, l.Owner, l.OwnerEmail, l.CreatedAt.UTC(), l.Questions, l.Opens}), append(ids, l.Conversation)
			t.add(l.OwnerEmail, moment(l.CreatedAt), l.Questions, state, l.Conversation)
		}
		if before = next; next == nil {
			break
		}
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	var err error
	if t.ids, err = a.shortIDs(ctx, db, conversations, ids...); err != nil {
		return err
	}
	return t.write(a.out, "Aucune conversation n’est partagée.")
}

func (a *app) sharedWithdrawCommand() *cobra.Command {
	return &cobra.Command{
		Use: "withdraw ID…", Short: "Retire des liens : ils n’ouvrent plus rien", Args: takes(1, severalMost, "l’identifiant de la conversation"),
		Long:                  "Retire des liens : ils n’ouvrent plus rien, et le journal d’audit le retient. La conversation reste à son auteur. " + severalHelp,
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := typedIDs(conversations, args); err != nil { // before anything is changed
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				return a.several(c.Context(), args, func(ctx context.Context, word string) (any, error) { return a.sharedWithdraw(ctx, db, word) })
			})
		},
	}
}

// sharedWithdraw withdraws a link, says so and returns its printed form.
func (a *app) sharedWithdraw(ctx context.Context, db *postgres.DB, word string) (any, error) {
	meant, err := typedID(conversations, word)
	if err != nil {
		return nil, err
	}
	id, err := meant.find(ctx, db)
	if err != nil {
		return nil, err
	}
	err = db.WithdrawLink(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return nil, conversations.absent(id)
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"id": id, "withdrawn": true}, a.say("Le lien de la conversation %s est retiré.", id)
}
