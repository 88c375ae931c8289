package backup

import (
	"cmp"
	"context"
	"slices"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
)

// youngest is the default age from which an object that no manifest names is removed. Until
// then, the next backup can reuse the objects of an interrupted one.
const youngest = 24 * time.Hour

// Pruning is one run that removes old backups. Its fields must be set before Run.
type Pruning struct {
	Shelf blobs.Shelf
	Keep  Keep
	// DryRun makes Run write and remove nothing.
	DryRun bool
	// Age is the age from which an object that no manifest names is removed; 0: a day.
	Age time.Duration
	// Progress is called after each removed object; may be nil.
	Progress func(done, all int)
}

// Pruned is what a run removed, or what it would remove.
type Pruned struct {
	Kept    []KeptBackup
	Removed []Manifest
	Objects int
}

// KeptBackup is a backup that stays, with the reasons.
type KeptBackup struct {
	Manifest
	Reasons []Reason
	// Missing is the name of an object that the backup lacks; "": it is complete.
	Missing string
}

// Run removes the backups that Keep does not select, and then the objects that no backup
// names. It removes manifests first: an interrupted run leaves only objects that no
// manifest names, which the next run removes. A backup that lacks an object never replaces
// a complete one, so the newest complete backup always stays.
//
// Run removes nothing and returns an error in these cases: Invalid if Keep selects nothing;
// NotFound if there is no backup; Unprocessable if a manifest cannot be read, because its
// objects are then unknown; Conflict if no backup is complete, or while a backup or another
// pruning runs.
func (p *Pruning) Run(ctx context.Context) (Pruned, error) {
	if p.Keep.none() {
		return Pruned{}, errs.New(errs.Invalid, "Dites ce qui reste : --keep-last, --keep-daily, --keep-weekly ou --keep-monthly.")
	}
	if p.DryRun {
		return p.dryRun(ctx)
	}
	held, ctx, err := acquire(ctx, p.Shelf, pruning)
	if err != nil {
		return Pruned{}, err
	}
	defer held.release()
	others, now, err := held.others(ctx, storing, pruning)
	if err != nil {
		return Pruned{}, held.reason(err)
	}
	if len(others) > 0 {
		return Pruned{}, errs.Newf(errs.Conflict, "Une sauvegarde ou un nettoyage est en cours (%s) : recommencez quand il est fini.", others[0])
	}
	out, err := p.run(ctx, held, now)
	return out, held.reason(err)
}

// run removes backups while it holds the lock. now is the time by the shelf's clock.
func (p *Pruning) run(ctx context.Context, held *lock, now time.Time) (Pruned, error) {
	plan, err := p.plan(ctx, now)
	if err != nil {
		return Pruned{}, err
	}
	done := Pruned{Kept: plan.kept}
	for _, m := range plan.removed {
		if err := held.valid(); err != nil {
			return done, err
		}
		if err := p.Shelf.DeleteNote(ctx, m.note); err != nil {
			return done, err
		}
		done.Removed = append(done.Removed, m.Manifest)
	}
	// Read the remaining manifests again: only these determine which objects are needed.
	left, err := manifests(ctx, p.Shelf)
	if err != nil {
		return done, err
	}
	swept := p.sweepUnnamed(left, plan.there, now)
	for _, object := range swept {
		if err := held.valid(); err != nil {
			return done, err
		}
		if err := p.Shelf.Delete(ctx, object); err != nil {
			return done, err
		}
		done.Objects++
		if p.Progress != nil {
			p.Progress(done.Objects, len(swept))
		}
	}
	return done, nil
}

// dryRun returns what Run would remove.
func (p *Pruning) dryRun(ctx context.Context) (Pruned, error) {
	now := time.Now()
	plan, err := p.plan(ctx, now)
	if err != nil {
		return Pruned{}, err
	}
	out := Pruned{Kept: plan.kept, Objects: len(p.sweepUnnamed(plan.left, plan.there, now))}
	for _, m := range plan.removed {
		out.Removed = append(out.Removed, m.Manifest)
	}
	return out, nil
}

// plan is the list of backups to keep and to remove.
type plan struct {
	kept    []KeptBackup
	left    []notedManifest // manifests of the kept backups
	removed []notedManifest
	there   map[string]time.Time // all objects, with the time of writing
}

// plan decides which backups stay.
func (p *Pruning) plan(ctx context.Context, now time.Time) (plan, error) {
	all, err := manifests(ctx, p.Shelf)
	if err != nil {
		return plan{}, err
	}
	if len(all) == 0 {
		return plan{}, errs.New(errs.NotFound, "Il n’y a pas de sauvegarde à cette adresse : rien n’est retiré.")
	}
	out := plan{}
	if out.there, err = objects(ctx, p.Shelf); err != nil {
		return plan{}, err
	}
	var past, whole []notedManifest
	missing := map[string]string{}
	sound := false
	for _, m := range all {
		missing[m.note] = m.missing(out.there)
		sound = sound || missing[m.note] == ""
		if m.Begun.After(now) {
			continue
		}
		past = append(past, m)
		if missing[m.note] == "" {
			whole = append(whole, m)
		}
	}
	if !sound {
		return plan{}, errs.Newf(errs.Conflict, "Aucune sauvegarde de cette adresse n’est entière (de la dernière, %s manque) : rien n’est retiré.", missing[all[len(all)-1].note])
	}
	byAll, byWhole := p.Keep.choose(past), p.Keep.choose(whole)
	for _, m := range all {
		reasons := byAll[m.note]
		switch {
		case m.Begun.After(now):
			reasons = []Reason{KeptFuture}
		case reasons == nil && byWhole[m.note] != nil:
			reasons = []Reason{KeptWhole}
		case reasons == nil:
			out.removed = append(out.removed, m)
			continue
		}
		out.left = append(out.left, m)
		out.kept = append(out.kept, KeptBackup{m.Manifest, reasons, missing[m.note]})
	}
	return out, nil
}

// sweepUnnamed returns the objects that no manifest names and that have reached the age for
// removal.
func (p *Pruning) sweepUnnamed(left []notedManifest, there map[string]time.Time, now time.Time) (swept []string) {
	named := map[string]bool{}
	for _, m := range left {
		named[m.Database.Stored] = true
		for _, f := range m.Files {
			named[f.Stored] = true
		}
	}
	for object, written := range there {
		if !named[object] && now.Sub(written) >= cmp.Or(p.Age, youngest) {
			swept = append(swept, object)
		}
	}
	slices.Sort(swept)
	return swept
}
