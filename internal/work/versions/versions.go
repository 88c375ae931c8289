// Package versions keeps the versions of articles in step with the catalogue. When a text
// enters, changes or leaves the catalogue, its operations are read (law/amend), the texts that
// they name are looked up (search/named), and each text that is amended is assembled again
// from its printed articles, all acts that amend it, and what persons have decided.
//
// The row of the versions is a job of package indexsync. Each text is replaced in one
// transaction, so a job that is repeated, or killed at any point, gives the same rows.
package versions

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/indexsync"
	"vigueur/internal/work/queue"
)

// portion is the number of changed texts that are handled together.
const portion = 200

// Runner keeps the versions up to date. Its fields are set once, before the first job.
type Runner struct {
	DB  *postgres.DB
	Log *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Worker keeps the versions up to date.
func (r *Runner) Worker() work.Worker {
	return indexsync.Follower{Names: queue.Versions, DB: r.DB, Row: r.DB.VersionIndex(), Portion: portion,
		Open: func() indexsync.Feed { return r }, Reason: errs.Public, Log: r.Log, Renew: r.Renew}
}

// Outdated reports whether the operations were read by another version of the grammar.
func (r *Runner) Outdated(ctx context.Context) (bool, error) {
	grammar, err := r.DB.VersionsGrammar(ctx)
	return grammar != amend.Grammar, err
}

// Rebuild reads all texts of the catalogue and assembles all that are amended. It also deletes
// the rows of texts that have left the catalogue.
func (r *Runner) Rebuild(ctx context.Context) (version int64, texts int, err error) {
	if version, err = r.DB.CatalogueVersion(ctx); err != nil {
		return 0, 0, err
	}
	there, err := r.DB.CatalogueIDs(ctx)
	if err != nil {
		return 0, 0, err
	}
	acts, _, err := r.DB.AmendmentTexts(ctx)
	if err != nil {
		return 0, 0, err
	}
	for id := range there {
		acts = append(acts, id)
	}
	targets, err := r.read(ctx, acts)
	if err != nil {
		return 0, 0, err
	}
	_, more, err := r.DB.AmendmentTexts(ctx)
	if err != nil {
		return 0, 0, err
	}
	if err := r.assemble(ctx, append(targets, more...)); err != nil {
		return 0, 0, err
	}
	return version, len(there), r.DB.SetVersionsGrammar(ctx, amend.Grammar)
}

// Write handles texts that have entered, changed or left the catalogue: their own operations,
// those of acts that amend them or name texts like them, and the texts that all these amend.
func (r *Runner) Write(ctx context.Context, _ int64, ids []uuid.UUID) error {
	var terms [][]string
	err := r.DB.CatalogueTexts(ctx, ids, func(d law.Document) error {
		terms = append(terms, termsOf(d))
		return nil
	})
	if err != nil {
		return err
	}
	acts, err := r.DB.ActsNaming(ctx, ids, terms)
	if err != nil {
		return err
	}
	targets, err := r.read(ctx, append(acts, ids...))
	if err != nil {
		return err
	}
	return r.assemble(ctx, append(targets, ids...))
}

// read reads the operations of texts, and returns the texts that they amend or amended before.
func (r *Runner) read(ctx context.Context, acts []uuid.UUID) (targets []uuid.UUID, err error) {
	for _, act := range unique(acts) {
		amended, err := r.DB.SaveAmendments(ctx, act, func(a postgres.Act) ([]postgres.Amendment, error) {
			return readAct(ctx, r.DB, a)
		})
		if err != nil {
			return nil, err
		}
		targets = append(targets, amended...)
	}
	return targets, nil
}

func (r *Runner) assemble(ctx context.Context, targets []uuid.UUID) error {
	for _, target := range unique(targets) {
		if err := r.DB.RebuildVersions(ctx, target, Assemble); err != nil {
			return err
		}
	}
	return nil
}

// unique returns ids in their order, each once, so that two jobs lock them in one order.
func unique(ids []uuid.UUID) []uuid.UUID {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

// termsOf returns the terms by which an act may name a text.
func termsOf(d law.Document) []string {
	terms := french.Terms(d.Title)
	if d.OfficialNumber != "" {
		terms = append(terms, french.TextTerm(d.OfficialNumber))
	}
	return terms
}

// Settle records what a person decided on an operation that waits, and assembles the text
// again in the same transaction. NotFound if no such operation waits; Conflict if there is
// nothing to accept, or if the text to amend or the article is unknown.
func (r *Runner) Settle(ctx context.Context, waiting uuid.UUID, s postgres.Settlement) error {
	return r.DB.SettleAmendment(ctx, waiting, s, Assemble)
}

// Undo deletes a decision of a person, and assembles the text again in the same transaction.
// NotFound if there is no such decision.
func (r *Runner) Undo(ctx context.Context, settlement uuid.UUID) error {
	return r.DB.UndoSettlement(ctx, settlement, Assemble)
}
