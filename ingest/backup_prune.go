package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/store/backup"
)

func (a *app) backupPruneCommand() *cobra.Command {
	var keep backup.Keep
	var dry bool
	c := &cobra.Command{
		Use: "prune ADRESSE [--keep-last N] [--keep-daily N] [--keep-weekly N] [--keep-monthly N] [--dry-run]", Short: "Retire les sauvegardes anciennes",
		Args: takes(1, 1, "l’adresse des sauvegardes"),
		Long: "Retire les sauvegardes qu’aucune règle ne garde, puis ce qu’aucune sauvegarde ne nomme plus. Les règles s’ajoutent :\n" +
			"--keep-last garde les N dernières ; --keep-daily, --keep-weekly et --keep-monthly gardent la dernière de chacun des\n" +
			"N derniers jours, semaines ou mois qui en ont une (UTC). La dernière sauvegarde entière reste toujours, et celles\n" +
			"qui sont datées du futur. La clé des sauvegardes chiffrées n’est pas nécessaire.\n\n" +
			"Une sauvegarde qui commence pendant ce temps attend ; pendant une sauvegarde, la commande refuse. Interrompue, elle\n" +
			"se relance. Ne la lancez pas pendant la restauration d’une sauvegarde ancienne. Ce qu’une sauvegarde interrompue a\n" +
			"copié est gardé un jour.",
		Example:               "  ingest backup prune /sauvegardes --keep-daily 7 --keep-weekly 5 --keep-monthly 12 --dry-run",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			return a.pruneBackups(c.Context(), addressOf(args[0]), keep, dry)
		},
	}
	for name, of := range map[string]struct {
		count *int
		help  string
	}{
		"keep-last":    {&keep.Last, "garde les `N` dernières sauvegardes"},
		"keep-daily":   {&keep.Daily, "garde la dernière sauvegarde de chacun des `N` derniers jours"},
		"keep-weekly":  {&keep.Weekly, "garde la dernière sauvegarde de chacune des `N` dernières semaines"},
		"keep-monthly": {&keep.Monthly, "garde la dernière sauvegarde de chacun des `N` derniers mois"},
	} {
		c.Flags().Var((*natural)(of.count), name, of.help)
	}
	c.Flags().BoolVar(&dry, "dry-run", false, "montre ce qui serait retiré, et ne retire rien")
	return c
}

// natural is the value of an option that is a number from 0 on.
type natural int

// String implements pflag.Value.
func (n *natural) String() string { return fmt.Sprint(int(*n)) }

// Type implements pflag.Value.
func (*natural) Type() string { return "N" }

// Set implements pflag.Value.
func (n *natural) Set(s string) error {
	parsed, err := strconv.ParseUint(s, 10, 16)
	*n = natural(parsed)
	return err
}

// pruned is the printed form of a pruning.
type pruned struct {
	DryRun  bool           `json:"dry_run"`
	Kept    []keptBackup   `json:"kept"`
	Removed []prunedBackup `json:"removed"`
	Objects int            `json:"objects"`
}

type prunedBackup struct {
	ID    string    `json:"id"`
	Begun time.Time `json:"begun"`
}

type keptBackup struct {
	prunedBackup
	Reasons []backup.Reason `json:"reasons"`
	Missing *string         `json:"missing"` // object that the backup lacks; null if it is complete
}

// keptBy maps the rule that keeps a backup to its French name.
var keptBy = map[backup.Reason]string{
	backup.KeptLast: "dernières", backup.KeptDaily: "jours", backup.KeptWeekly: "semaines", backup.KeptMonthly: "mois",
	backup.KeptFuture: "datée du futur", backup.KeptWhole: "entière, à la place d’une autre",
}

func (a *app) pruneBackups(ctx context.Context, address string, keep backup.Keep, dry bool) error {
	shelf, err := a.shelf(address)
	if err != nil {
		return err
	}
	if err := a.apartFromFiles(address); err != nil {
		return err
	}
	progress, end := a.fileBar("Nettoyage")
	done, err := (&backup.Pruning{Shelf: shelf, Keep: keep, DryRun: dry, Progress: progress}).Run(ctx)
	end()
	if err != nil {
		return err
	}
	return a.printPruned(prunedView(done, dry))
}

func prunedView(done backup.Pruned, dry bool) pruned {
	shown := pruned{DryRun: dry, Kept: []keptBackup{}, Removed: []prunedBackup{}, Objects: done.Objects}
	for _, k := range done.Kept {
		view := keptBackup{prunedBackup: prunedBackup{k.ID, k.Begun}, Reasons: k.Reasons}
		if k.Missing != "" {
			view.Missing = &k.Missing
		}
		shown.Kept = append(shown.Kept, view)
	}
	for _, m := range done.Removed {
		shown.Removed = append(shown.Removed, prunedBackup{m.ID, m.Begun})
	}
	return shown
}

// pruning returns the output of what was removed; of a rehearsal, the list is what was asked for.
func (a *app) pruning(p pruned) io.Writer {
	if p.DryRun {
		return a.out
	}
	return a.outcome()
}

func (a *app) printPruned(p pruned) error {
	if a.json {
		return writeJSON(a.out, p)
	}
	t := table{head: []string{"SAUVEGARDE", "DÉBUT", "RESTE", "REMARQUE"}, omit: []string{"DÉBUT"}}
	for _, m := range p.Removed {
		t.add(m.ID, moment(m.Begun), "non", "")
	}
	for _, k := range p.Kept {
		var reasons []string
		for _, r := range k.Reasons {
			reasons = append(reasons, keptBy[r])
		}
		remark := ""
		if k.Missing != nil {
			remark = "incomplète : " + *k.Missing + " manque"
		}
		t.add(k.ID, moment(k.Begun), "oui : "+strings.Join(reasons, ", "), remark)
	}
	if err := t.write(a.pruning(p), ""); err != nil {
		return err
	}
	what := "Retirées"
	if p.DryRun {
		what = "Seraient retirées"
	}
	_, err := fmt.Fprintf(a.pruning(p), "%s : %s, %s.\n", what, count(len(p.Removed), "sauvegarde"), count(p.Objects, "objet"))
	return err
}
