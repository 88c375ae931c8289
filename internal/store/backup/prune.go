package backup

import (
	"cmp"
	"context"
	"slices"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
)

// youngest is the age from which an object that no manifest names is removed: what an
// interrupted backup stored is reused by the next one until then.
const youngest = 24 * time.Hour

// Pruning is one run that removes old backups. Its fields are set once, before Run.
type Pruning struct {
	Shelf blobs.Shelf
	Keep  Keep
	// DryRun writes and removes nothing.
	DryRun bool
	// Age is how old an object is that no manifest names when it is removed; 0: a day.
	Age time.Duration
	// Progress is called for each object that is removed; may be nil.
	Progress func(done, all int)
}

// Pruned is what a run removed, or would remove.
type Pruned struct {
	Kept    []KeptBackup
	Removed []Manifest
	Objects int
}

// KeptBackup is a backup that stays.
type KeptBackup struct {
	Manifest
	Reasons []Reason
	// Missing is an object of it that is not there; "": it is whole.
	Missing string
}

// Run removes the backups that are not kept, and then what no backup names. The manifests go
// first: an interrupted run leaves only objects that no manifest names, which the next one
// removes. Backups that lack an object take the place of no other, so the newest whole one
// always stays.
//
// Invalid if nothing is to be kept; NotFound if there is no backup; Unprocessable if a manifest
// cannot be read, because nobody knows then which objects it names; Conflict if no backup is
// whole, or while a backup or another pruning runs. Nothing was removed then.
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

// run is Run under its lock, at a time of the shelf's clock.
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
	// What is named is read anew: of what is there now, whatever was meant to go.
	left, err := manifests(ctx, p.Shelf)
	if err != nil {
		return done, err
	}
	swept := p.unnamed(left, plan.there, now)
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

// dryRun tells what Run would remove.
func (p *Pruning) dryRun(ctx context.Context) (Pruned, error) {
	now := time.Now()
	plan, err := p.plan(ctx, now)
	if err != nil {
		return Pruned{}, err
	}
	out := Pruned{Kept: plan.kept, Objects: len(p.unnamed(plan.left, plan.there, now))}
	for _, m := range plan.removed {
		out.Removed = append(out.Removed, m.Manifest)
	}
	return out, nil
}

// plan is what a pruning does.
type plan struct {
	kept    []KeptBackup
	left    []notedManifest // the same
	removed []notedManifest
	there   map[string]time.Time // all objects
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
	byAll, byWhole := p.Keep.chosen(past), p.Keep.chosen(whole)
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

// unnamed returns the objects that no manifest names and that are not young.
func (p *Pruning) unnamed(left []notedManifest, there map[string]time.Time, now time.Time) (swept []string) {
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
