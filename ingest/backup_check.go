package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vigueur/internal/store/backup"
	"vigueur/internal/store/postgres"
)

func (a *app) backupCheckCommand() *cobra.Command {
	var id, identity string
	c := &cobra.Command{
		Use: "check ADRESSE [--backup SAUVEGARDE] [--identity FICHIER]", Short: "Relit une sauvegarde entière, et dit si elle peut être restaurée", Args: takes(1, 1, "l’adresse des sauvegardes"),
		Long: "Relit une sauvegarde, la plus récente sauf --backup : chaque objet est là et a les octets qui ont été écrits, pg_restore\n" +
			"lit la base, et la version de ce programme convient. D’une sauvegarde chiffrée, le contenu n’est lu qu’avec --identity.\n" +
			"Rien n’est restauré. Ce qui manque ou est abîmé est nommé, et le code de sortie est 1.",
		Example:               "  ingest backup check /sauvegardes\n  ingest backup check /sauvegardes --backup 20261125T042751.885Z --identity cle.txt",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.checkBackup(c.Context(), addressOf(args[0]), id, identity)
		},
	}
	c.Flags().StringVar(&id, "backup", "", "`SAUVEGARDE` à relire ; sans elle, la plus récente")
	c.Flags().StringVar(&identity, "identity", "", "`FICHIER` des clés privées d’age")
	return c
}

// checkedBackup is the printed form of a check.
type checkedBackup struct {
	ID      string   `json:"id"`
	Schema  int64    `json:"schema"`
	Objects int      `json:"objects"`
	Bytes   int64    `json:"bytes"`
	Opened  bool     `json:"opened"` // false: encrypted, and no key was given
	Faults  []string `json:"faults"`
}

func (a *app) checkBackup(ctx context.Context, address, id, identity string) error {
	identities, err := readIdentities(identity)
	if err != nil {
		return err
	}
	c, err := a.settings()
	if err != nil {
		return err
	}
	shelf, err := a.shelf(address)
	if err != nil {
		return err
	}
	all, err := backup.List(ctx, shelf)
	if err != nil {
		return err
	}
	m, err := backup.Choose(all, id)
	if err != nil {
		return err
	}
	progress, end := a.fileBar("Relecture")
	done, err := (&backup.Check{Shelf: shelf, Newest: postgres.NewestMigration(), Identities: identities, Seal: []byte(c.BackupSeal), Progress: progress}).Run(ctx, m)
	end()
	if err != nil {
		return err
	}
	if err := a.printCheck(checkedBackup{m.ID, m.Schema, done.Objects, m.Size(), done.Opened, done.Faults}); err != nil {
		return err
	}
	if len(done.Faults) > 0 {
		return quiet{exitFailed}
	}
	return nil
}

func (a *app) printCheck(c checkedBackup) error {
	if a.json {
		return writeJSON(a.out, c)
	}
	for _, fault := range c.Faults {
		fmt.Fprintln(a.out, cleanLine(fault))
	}
	said := "peut être restaurée"
	switch {
	case len(c.Faults) > 0:
		said = "ne peut pas être restaurée entière : " + count(len(c.Faults), "faute")
	case !c.Opened:
		said = "est entière ; elle est chiffrée, et son contenu n’a pas été lu (--identity)"
	}
	_, err := fmt.Fprintf(a.outcome(), "Sauvegarde %s : %s, %s, étape %d de la base. Elle %s.\n", c.ID, count(c.Objects, "objet"), bytesOf(c.Bytes), c.Schema, said)
	return err
}
