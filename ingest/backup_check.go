package main

import (
	"context"
	"fmt"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/postgres"
)

// checkedBackup is the printed form of a check.
type checkedBackup struct {
	ID      string   `json:"id"`
	Schema  int64    `json:"schema"`
	Objects int      `json:"objects"`
	Bytes   int64    `json:"bytes"`
	Opened  bool     `json:"opened"` // false: encrypted, and no key was given
	Faults  []string `json:"faults"`
}

// backupCheck runs « backup check ».
func (a *app) backupCheck(ctx context.Context, in *input) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	shelf, err := a.shelf(addressOf(in.args[0]))
	if err != nil {
		return err
	}
	m, identities, err := chosenBackup(ctx, shelf, in)
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
		fmt.Fprintln(a.out, terminal.Line(fault))
	}
	said := "peut être restaurée"
	switch {
	case len(c.Faults) > 0:
		said = "ne peut pas être restaurée entière : " + count(len(c.Faults), "faute")
	case !c.Opened:
		said = "est entière ; elle est chiffrée, et son contenu n’a pas été lu (--identity)"
	}
	_, err := fmt.Fprintf(a.outcome(), "Sauvegarde %s : %s, %s, étape %d de la base. Elle %s.\n", c.ID, count(c.Objects, "objet"), terminal.Bytes(c.Bytes), c.Schema, said)
	return err
}
