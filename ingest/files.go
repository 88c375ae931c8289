package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

func (a *app) filesCommand() *cobra.Command {
	c := &cobra.Command{Use: "files COMMANDE", Short: "Les fichiers PDF : les copier d’un dépôt à un autre"}
	c.AddCommand(a.filesCopyCommand())
	group(c)
	return c
}

func (a *app) filesCopyCommand() *cobra.Command {
	var from, to string
	c := &cobra.Command{
		Use: "copy [--from ADRESSE] [--to ADRESSE]", Short: "Copie les fichiers PDF d’un dépôt à un autre", Args: takes(0, 0, ""),
		Long: "Copie les fichiers PDF de toutes les gazettes d’un dépôt à un autre, dossier ou compartiment S3. Sans --from ou\n" +
			"sans --to, ce côté est le dépôt des réglages (VIGUEUR_BLOBS_URL). Ce qui est déjà arrivé n’est pas copié de\n" +
			"nouveau : la commande reprend là où elle a été arrêtée. Rien n’est supprimé. Un fichier qui manque ou ne peut\n" +
			"être copié est nommé, les autres sont copiés quand même, et le code de sortie est 1.\n\n" +
			"Pour déménager sans arrêter le service : copiez ; redémarrez api et worker avec la nouvelle adresse dans\n" +
			"VIGUEUR_BLOBS_URL et l’ancienne dans VIGUEUR_BLOBS_OLDER_URL ; copiez encore avec --from et l’ancienne adresse ;\n" +
			"retirez enfin VIGUEUR_BLOBS_OLDER_URL.",
		Example:               "  ingest files copy --to 's3://gazettes/pdf?endpoint=https://s3.exemple.org'\n  ingest files copy --from file:///var/lib/vigueur/blobs",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			from, to = addressOf(from), addressOf(to)
			if from == to {
				return usage("Donnez --from ou --to, l’adresse de l’autre dépôt. Usage : %s", useLine(c))
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.copyFiles(c.Context(), db, from, to) })
		},
	}
	c.Flags().StringVar(&from, "from", "", "`ADRESSE` du dépôt dont les fichiers sont copiés")
	c.Flags().StringVar(&to, "to", "", "`ADRESSE` du dépôt où ils sont copiés")
	return c
}

// copying is the printed result of « files copy ».
type copying struct {
	Copied int      `json:"copied"`
	There  int      `json:"there"` // number of files that the target already had
	Failed []string `json:"failed"`
}

func (a *app) copyFiles(ctx context.Context, db *postgres.DB, from, to string) error {
	source, err := a.filesAt(from)
	if err != nil {
		return err
	}
	target, err := a.filesAt(to)
	if err != nil {
		return err
	}
	// The list is read first, because copying may take longer than the timeout of a statement.
	var rows []postgres.Ingestion
	err = db.Files(ctx, func(i postgres.Ingestion) error {
		rows = append(rows, i)
		return nil
	})
	if err != nil {
		return err
	}
	done, err := a.copyAll(ctx, source, target, rows)
	if err != nil {
		return err
	}
	if a.json {
		err = writeJSON(a.out, done)
	} else {
		_, err = fmt.Fprintf(a.outcome(), "Copiés : %d. Déjà là : %d. En échec : %d.\n", done.Copied, done.There, len(done.Failed))
	}
	if err == nil && len(done.Failed) > 0 {
		return quiet{exitFailed}
	}
	return err
}

// filesAt opens the store at an address. If address is "", it opens the configured store.
func (a *app) filesAt(address string) (blobs.Store, error) {
	c, err := a.settings()
	if err != nil {
		return nil, err
	}
	if address == "" {
		return openFiles(c)
	}
	return blobs.Open(blobs.Settings{URL: address, Key: c.BlobsKey})
}

// copyAll copies the files one after another. It stops if a store is down, but continues if
// a single file cannot be copied.
func (a *app) copyAll(ctx context.Context, source, target blobs.Store, rows []postgres.Ingestion) (copying, error) {
	done := copying{Failed: []string{}}
	var shown *bar
	if widthOf(a.err) > 0 && !a.json {
		shown = newBar(a.err)
		defer shown.end()
	}
	for n, row := range rows {
		if shown != nil {
			shown.draw(fmt.Sprintf("Copie %d/%d :", n+1, len(rows)), row.Filename, "", n, len(rows))
		}
		copied, err := blobs.Copy(ctx, source, target, row.SHA256)
		switch {
		case err == nil && copied:
			done.Copied++
		case err == nil:
			done.There++
		case errs.Is(err, errs.NotFound), errs.Is(err, errs.Conflict):
			done.Failed = append(done.Failed, row.SHA256)
			said := fmt.Sprintf("%s (%.12s…) : %s", cleanLine(row.Filename), row.SHA256, errs.Public(err))
			if shown != nil {
				shown.say(said)
			} else {
				fmt.Fprintln(a.always, said)
			}
		default:
			return done, err
		}
	}
	return done, nil
}
