package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/backup"
)

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

// backupPrune runs « backup prune ».
func (a *app) backupPrune(ctx context.Context, in *input) error {
	address, dry := addressOf(in.args[0]), in.has("dry-run")
	keep := backup.Keep{Last: in.number("keep-last"), Daily: in.number("keep-daily"), Weekly: in.number("keep-weekly"), Monthly: in.number("keep-monthly")}
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
	t := terminal.Table{Head: []string{"SAUVEGARDE", "DÉBUT", "RESTE", "REMARQUE"}, Omit: []string{"DÉBUT"}}
	for _, m := range p.Removed {
		t.Add(m.ID, moment(m.Begun), "non", "")
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
		t.Add(k.ID, moment(k.Begun), "oui : "+strings.Join(reasons, ", "), remark)
	}
	if err := t.Write(a.pruning(p), ""); err != nil {
		return err
	}
	what := "Retirées"
	if p.DryRun {
		what = "Seraient retirées"
	}
	_, err := fmt.Fprintf(a.pruning(p), "%s : %s, %s.\n", what, count(len(p.Removed), "sauvegarde"), count(p.Objects, "objet"))
	return err
}
