package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"filippo.io/age"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

// backup runs « backup ».
func (a *app) backup(ctx context.Context, in *input) error {
	return a.withDB(ctx, func(db *postgres.DB) error {
		return a.backUp(ctx, db, addressOf(in.args[0]), in.list("recipient"), in.has("verify-all"))
	})
}

// backupList runs « backup list ».
func (a *app) backupList(ctx context.Context, in *input) error {
	shelf, err := a.shelf(addressOf(in.args[0]))
	if err != nil {
		return err
	}
	all, err := backup.List(ctx, shelf)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, all, len(all))
	}
	t := terminal.Table{Head: []string{"SAUVEGARDE", "DÉBUT", "TEXTES", "FICHIERS", "TAILLE", "CHIFFRÉE"}, Omit: []string{"CHIFFRÉE", "DÉBUT"}}
	for _, m := range all {
		sealed := "non"
		if len(m.Recipients) > 0 {
			sealed = "oui"
		}
		t.Add(m.ID, moment(m.Begun), m.Texts, len(m.Files), terminal.Bytes(m.Size()), sealed)
	}
	return t.Write(a.out, "Aucune sauvegarde à cette adresse.")
}

// addressOf returns the address of a store: a path of a folder becomes a file: address.
func addressOf(word string) string {
	if !filepath.IsAbs(word) && !strings.HasPrefix(word, ".") {
		return word
	}
	path, err := filepath.Abs(word)
	if err != nil { // the working folder is gone
		return word
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// shelf opens the store of the backups.
func (a *app) shelf(address string) (blobs.Shelf, error) {
	c, err := a.settings()
	if err != nil {
		return nil, err
	}
	return blobs.OpenShelf(address, c.ShelfKey())
}

// apartFromFiles rejects an address for backups at which the service keeps its own files: a
// pruning would remove these files, because no backup names them.
func (a *app) apartFromFiles(address string) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	if blobs.Same(address, c.BlobsURL) || c.OlderBlobs != "" && blobs.Same(address, c.OlderBlobs) {
		return errs.New(errs.Invalid, "C’est l’adresse des fichiers PDF du service (VIGUEUR_BLOBS_URL) : donnez aux sauvegardes un autre dossier ou un autre préfixe.")
	}
	return nil
}

// filesAndShelf opens the store of PDF files and the store of the backups.
func filesAndShelf(c config.Ingest, address string) (blobs.Store, blobs.Shelf, error) {
	files, err := openFiles(c)
	if err != nil {
		return nil, nil, err
	}
	shelf, err := blobs.OpenShelf(address, c.ShelfKey())
	return files, shelf, err
}

// backedUp is the printed form of a backup.
type backedUp struct {
	ID    string `json:"id"`
	Texts int    `json:"texts"`
	Files int    `json:"files"`
	New   int    `json:"new_files"`
	Bytes int64  `json:"database_bytes"`
}

func (a *app) backUp(ctx context.Context, db *postgres.DB, address string, recipients []string, all bool) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	if err := a.apartFromFiles(address); err != nil {
		return err
	}
	files, shelf, err := filesAndShelf(c, address)
	if err != nil {
		return err
	}
	waiting := func(h backup.Holder) {
		if a.json {
			return
		}
		fmt.Fprintf(a.err, "Un nettoyage des sauvegardes est en cours (%s) : la sauvegarde attend.\n", h)
	}
	if len(recipients) == 0 {
		fmt.Fprintln(a.err, "Attention : sans --recipient, la sauvegarde n’est pas chiffrée ; qui peut la lire lit aussi les conversations et les comptes.")
	}
	progress, end := a.fileBar("Sauvegarde")
	slices.Sort(recipients)
	done, err := (&backup.Backup{DB: db, OwnerURL: c.OwnerURL, Files: files, Shelf: shelf, Recipients: slices.Compact(recipients), All: all, Seal: []byte(c.BackupSeal),
		Progress: progress, Waiting: waiting}).Run(ctx)
	end()
	if err != nil {
		return err
	}
	m := done.Manifest
	if a.json {
		return writeJSON(a.out, backedUp{m.ID, m.Texts, len(m.Files), done.New, m.Database.Size})
	}
	_, err = fmt.Fprintf(a.outcome(), "Sauvegarde %s : %s, %s (%d de plus), relus.\n", m.ID, count(m.Texts, "texte"), count(len(m.Files), "fichier"), done.New)
	return err
}

// fileBar shows a progress bar of files if the standard error is a terminal.
func (a *app) fileBar(what string) (progress func(done, all int), end func()) {
	if terminal.Width(a.err) == 0 || a.json {
		return nil, func() {}
	}
	b := terminal.NewBar(a.err)
	return func(done, all int) { b.Draw(what+" :", "", "", done, all) }, b.End
}

// restore runs « restore ».
func (a *app) restore(ctx context.Context, in *input) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	files, shelf, err := filesAndShelf(c, addressOf(in.args[0]))
	if err != nil {
		return err
	}
	m, identities, err := chosenBackup(ctx, shelf, in)
	if err != nil {
		return err
	}
	progress, end := a.fileBar("Restauration")
	err = (&backup.Restoration{DatabaseURL: cmp.Or(c.OwnerURL, c.DatabaseURL), Files: files, Shelf: shelf, Identities: identities, Seal: []byte(c.BackupSeal),
		Newest: postgres.NewestMigration(), Progress: progress}).Run(ctx, m)
	end()
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, backedUp{ID: m.ID, Texts: m.Texts, Files: len(m.Files), Bytes: m.Database.Size})
	}
	_, err = fmt.Fprintf(a.outcome(), "Restaurée : %s, %s, %s. Ensuite : ingest migrate up\n", m.ID, count(m.Texts, "texte"), count(len(m.Files), "fichier"))
	return err
}

// chosenBackup returns the backup that --backup names, or the newest, and the keys of --identity.
func chosenBackup(ctx context.Context, shelf blobs.Shelf, in *input) (m backup.Manifest, identities []age.Identity, err error) {
	if identities, err = readIdentities(in.text("identity")); err != nil {
		return m, nil, err
	}
	all, err := backup.List(ctx, shelf)
	if err != nil {
		return m, nil, err
	}
	m, err = backup.Choose(all, in.text("backup"))
	return m, identities, err
}

// readIdentities reads age private keys from a file. If path is "", it returns none.
func readIdentities(path string) ([]age.Identity, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, "Le fichier des clés ne peut pas être lu : "+terminal.Line(path), err)
	}
	defer file.Close()
	identities, err := age.ParseIdentities(file)
	if err != nil {
		return nil, errs.New(errs.Invalid, "Le fichier des clés n’a pas de clé privée d’age (AGE-SECRET-KEY-1…) : "+terminal.Line(path))
	}
	return identities, nil
}
