package main

import (
	"context"
	"fmt"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/ops/reconcile"
	"vigueur/internal/store/postgres"
)

// reconcile runs « reconcile ».
func (a *app) reconcile(ctx context.Context, in *input) error {
	return a.withDB(ctx, func(db *postgres.DB) error {
		c, err := a.settings()
		if err != nil {
			return err
		}
		files, err := openFiles(c)
		if err != nil {
			return err
		}
		found, err := reconcile.Look(ctx, reconcile.Stores{DB: db, Files: files, MeiliURL: c.MeiliURL, MeiliKey: c.MeiliKey, MilvusURL: c.MilvusURL, MilvusKey: c.MilvusKey}, !in.has("dry-run"))
		if err != nil {
			return err
		}
		return a.printFindings(found)
	})
}

// kindNames are the French names of inconsistencies.
var kindNames = [][2]string{
	{"review", "fichier en revue sans texte à relire"}, {"waiting", "texte à relire dans un fichier terminé"},
	{"passages", "nombre de passages faux"}, {"pages", "nombre de pages lues faux"}, {"status", "statut qui ne suit pas des relations"},
	{"missing", "octets du fichier absents"}, {"orphan", "fichier sans ligne"}, {"abandoned", "envois de fichiers interrompus"}, {"titles", "index des titres en désaccord avec le catalogue"},
	{"index", "index des passages en désaccord avec le catalogue"},
}

func kindName(kind string) string {
	for _, k := range kindNames {
		if k[0] == kind {
			return k[1]
		}
	}
	return kind
}

// printFindings prints the findings.
func (a *app) printFindings(found []reconcile.Finding) error {
	left := 0
	t := terminal.Table{Head: []string{"CONSTAT", "OBJET", "NOM", "RÉPARÉ"}}
	for _, f := range found {
		mended := "oui"
		if !f.Mended {
			left++
			mended = "non"
		}
		t.Add(kindName(f.What), f.Object, f.Name, mended)
	}
	var err error
	switch {
	case a.json:
		err = writeList(a.out, found, len(found))
	case len(found) > 0:
		err = t.Write(a.out, "")
	default:
		_, err = fmt.Fprintln(a.outcome(), "Tout concorde.")
	}
	if err == nil && left > 0 {
		return quiet{exitFailed}
	}
	return err
}
