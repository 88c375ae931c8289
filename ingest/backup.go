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
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/backup"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
)

func (a *app) backupCommand() *cobra.Command {
	var recipients []string
	var all bool
	c := &cobra.Command{
		Use: "backup ADRESSE [--recipient age1…]… [--verify-all]", Short: "Sauvegarde la base et les fichiers PDF", Args: takes(1, 1, "l’adresse des sauvegardes"),
		Long: "Sauvegarde la base et les fichiers PDF, tels qu’ils sont ensemble au même instant, dans un dossier (son chemin,\n" +
			"ou file:///chemin) ou un compartiment S3 (avec VIGUEUR_BACKUP_KEY, sinon VIGUEUR_BLOBS_KEY). Le service continue\n" +
			"pendant ce temps. Les fichiers qu’une sauvegarde précédente a déjà copiés ne le sont pas de nouveau. Tout ce qui\n" +
			"est écrit est relu ; --verify-all relit aussi le reste. Une sauvegarde interrompue ne compte pas, et la suivante\n" +
			"reprend ce qu’elle avait copié.\n\n" +
			"Quand le service a un rôle à part, la base est lue en propriétaire (VIGUEUR_DATABASE_OWNER_URL).\n\n" +
			"--recipient chiffre la sauvegarde pour une clé publique d’age (age-keygen en fait une) ; il peut être répété.\n" +
			"Gardez la clé privée ailleurs : sans elle, rien ne se restaure. Gardez aussi les secrets des réglages. Les index\n" +
			"et Redis ne sont pas sauvegardés : ils se refont. VIGUEUR_BACKUP_SEAL scelle la liste de ce qui est sauvegardé.",
		Example:               "  ingest backup /sauvegardes\n  ingest backup 's3://sauvegardes/vigueur?endpoint=https://s3.exemple.org' --recipient age1…\n  ingest backup list /sauvegardes\n  ingest backup prune /sauvegardes --keep-daily 7 --keep-monthly 12",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.backUp(c.Context(), db, addressOf(args[0]), recipients, all) })
		},
	}
	c.Flags().StringArrayVar(&recipients, "recipient", nil, "`CLÉ` publique d’age pour laquelle la sauvegarde est chiffrée")
	c.Flags().BoolVar(&all, "verify-all", false, "relit tous les fichiers sauvegardés, pas seulement les nouveaux")
	c.AddCommand(a.backupListCommand(), a.backupCheckCommand(), a.backupPruneCommand())
	return c
}

func (a *app) backupListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list ADRESSE", Short: "Liste les sauvegardes d’une adresse", Args: takes(1, 1, "l’adresse des sauvegardes"),
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			shelf, err := a.shelf(addressOf(args[0]))
			if err != nil {
				return err
			}
			all, err := backup.List(c.Context(), shelf)
			if err != nil {
				return err
			}
			if a.json {
				return writeList(a.out, all, len(all))
			}
			t := table{head: []string{"SAUVEGARDE", "DÉBUT", "TEXTES", "FICHIERS", "TAILLE", "CHIFFRÉE"}, omit: []string{"CHIFFRÉE", "DÉBUT"}}
			for _, m := range all {
				sealed := "non"
				if len(m.Recipients) > 0 {
					sealed = "oui"
				}
				t.add(m.ID, moment(m.Begun), fmt.Sprint(m.Texts), fmt.Sprint(len(m.Files)), bytesOf(m.Size()), sealed)
			}
			return t.write(a.out, "Aucune sauvegarde à cette adresse.")
		},
	}
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
	if widthOf(a.err) == 0 || a.json {
		return nil, func() {}
	}
	b := newBar(a.err)
	return func(done, all int) { b.draw(what+" :", "", "", done, all) }, b.end
}

func (a *app) restoreCommand() *cobra.Command {
	var id, identity string
	c := &cobra.Command{
		Use: "restore ADRESSE [--backup SAUVEGARDE] [--identity FICHIER]", Short: "Restaure une sauvegarde dans une base vide", Args: takes(1, 1, "l’adresse des sauvegardes"),
		Long: "Restaure une sauvegarde, la plus récente sauf --backup : les fichiers PDF dans VIGUEUR_BLOBS_URL, puis la base dans\n" +
			"VIGUEUR_DATABASE_URL, qui doit être vide (n’y lancez pas ingest migrate avant). La base apparaît entière ou pas\n" +
			"du tout ; la commande peut être relancée. Ensuite : ingest migrate up, puis démarrez api et worker ; les index se\n" +
			"refont seuls.\n\n--identity donne le fichier des clés privées d’age d’une sauvegarde chiffrée ; une qui ne l’est pas est alors refusée.\n" +
			"Avec VIGUEUR_BACKUP_SEAL, une sauvegarde qui n’a pas ce sceau est refusée.",
		Example:               "  ingest restore /sauvegardes && ingest migrate up",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.restore(c.Context(), addressOf(args[0]), id, identity)
		},
	}
	c.Flags().StringVar(&id, "backup", "", "`SAUVEGARDE` à restaurer ; sans elle, la plus récente")
	c.Flags().StringVar(&identity, "identity", "", "`FICHIER` des clés privées d’age")
	return c
}

func (a *app) restore(ctx context.Context, address, id, identity string) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	identities, err := readIdentities(identity)
	if err != nil {
		return err
	}
	files, shelf, err := filesAndShelf(c, address)
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

// readIdentities reads age private keys from a file. If path is "", it returns none.
func readIdentities(path string) ([]age.Identity, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, "Le fichier des clés ne peut pas être lu : "+cleanLine(path), err)
	}
	defer file.Close()
	identities, err := age.ParseIdentities(file)
	if err != nil {
		return nil, errs.New(errs.Invalid, "Le fichier des clés n’a pas de clé privée d’age (AGE-SECRET-KEY-1…) : "+cleanLine(path))
	}
	return identities, nil
}
