package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

func (a *app) documentsDeleteCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete ID [--yes]", Short: "Supprime un texte du catalogue, sans retour", Args: takes(1, 1, "l’identifiant du texte"),
		Long: "Supprime un texte du catalogue : ce qu’il abrogeait ou modifiait redevient ce qu’il était, et une édition\n" +
			"qu’il avait remplacée revient. Son fichier disparaît avec le dernier texte qu’il a donné.",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDocument(c.Context(), args[0], func(db *postgres.DB, d law.Document) error {
				if !yes {
					if err := a.confirmDeletion(fmt.Sprintf("« %s » sera supprimé, sans retour.", cleanLine(d.Title))); err != nil {
						return err
					}
				}
				return a.documentDelete(c.Context(), db, d)
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

func (a *app) documentDelete(ctx context.Context, db *postgres.DB, d law.Document) error {
	orphan, err := db.DeleteDocument(ctx, d.ID)
	if errs.Is(err, errs.NotFound) {
		return errs.Newf(errs.Conflict, "Ce texte n’est plus au catalogue : rien n’est supprimé.")
	}
	if err != nil {
		return err
	}
	if orphan != "" {
		if err := a.dropFile(ctx, db, orphan); err != nil {
			return err
		}
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"id": d.ID, "file_deleted": orphan != ""})
	}
	said := fmt.Sprintf("Supprimé : %s.", cleanLine(d.Title))
	if orphan != "" {
		said += " C’était le dernier texte de son fichier, qui est supprimé avec lui."
	}
	_, err = fmt.Fprintln(a.outcome(), said)
	return err
}

// dropFile deletes bytes without a row, unless they were added again. If it fails, the
// bytes only waste disk space until « ingest reconcile » removes them.
func (a *app) dropFile(ctx context.Context, db *postgres.DB, sha string) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	store, err := openFiles(c)
	if err == nil {
		_, err = db.DropBytes(ctx, sha, func(ctx context.Context) error { return store.Delete(ctx, sha) })
	}
	if err != nil {
		fmt.Fprintf(a.always, "Les octets du fichier n’ont pas pu être supprimés (%s) : « ingest reconcile » le fera.\n", cleanLine(err.Error()))
	}
	return nil
}
