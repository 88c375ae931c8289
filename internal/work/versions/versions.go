// Package versions keeps the versions of articles in step with the catalogue. When a text
// enters, changes or leaves the catalogue, its operations are read (law/amend), the texts that
// they name are looked up (search/named), and each text that is amended is assembled again
// from its printed articles, all acts that amend it, and what persons have decided.
//
// The row of the versions is a job of package indexsync. Each text is replaced in one
// transaction, so a job that is repeated, or killed at any point, gives the same rows.
package versions

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/amend"
	"vigueur/internal/law/french"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/indexsync"
	"vigueur/internal/work/queue"
)

// portion is the number of changed texts that are handled together.
const portion = 200

// VersionAssembler keeps the versions up to date. Its fields are set once, before the first job.
type VersionAssembler struct {
	DB  *postgres.DB
	Log *slog.Logger
}

// Worker keeps the versions up to date.
func (r *VersionAssembler) Worker() work.Worker {
	return indexsync.Follower{Names: queue.Versions, DB: r.DB, Row: r.DB.VersionIndex(), Portion: portion,
		Open: func() indexsync.Feed { return r }, Reason: errs.Public, Log: r.Log}
}

// Outdated reports whether the operations were read by another version of the grammar.
func (r *VersionAssembler) Outdated(ctx context.Context) (bool, error) {
	grammar, err := r.DB.VersionsGrammar(ctx)
	return grammar != amend.Grammar, err
}

// Rebuild reads all texts of the catalogue and assembles all that are amended. It also deletes
// the rows of texts that have left the catalogue.
func (r *VersionAssembler) Rebuild(ctx context.Context) (version int64, texts int, err error) {
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
func (r *VersionAssembler) Write(ctx context.Context, _ int64, ids []uuid.UUID) error {
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
func (r *VersionAssembler) read(ctx context.Context, acts []uuid.UUID) (targets []uuid.UUID, err error) {
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

func (r *VersionAssembler) assemble(ctx context.Context, targets []uuid.UUID) error {
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
func (r *VersionAssembler) Settle(ctx context.Context, waiting uuid.UUID, s postgres.Settlement) error {
	return r.DB.SettleAmendment(ctx, waiting, s, Assemble)
}

// Undo deletes a decision of a person, and assembles the text again in the same transaction.
// NotFound if there is no such decision.
func (r *VersionAssembler) Undo(ctx context.Context, settlement uuid.UUID) error {
	return r.DB.UndoSettlement(ctx, settlement, Assemble)
}

// wordsMost is the number of bytes of an instruction that are stored with its operation.
const wordsMost = 4000

// readAct reads the operations of an act and looks up the texts that they amend.
func readAct(ctx context.Context, source named.Source, a postgres.Act) (out []postgres.Amendment, err error) {
	text, parts := amend.Written(a.Articles)
	res := resolver{act: a, texts: named.NewLookup(source), known: map[amend.TargetText]meant{}}
	for i, op := range amend.Read(text, amend.Options{Parts: parts, Title: a.Document.Title}) {
		one := postgres.Amendment{Act: a.Document.ID, Ordinal: i, Operation: op}
		for _, p := range parts {
			if op.Evidence.Start < p.Start || op.Evidence.Start >= p.End {
				continue
			}
			start, end := op.Evidence.Start-p.Start, min(op.Evidence.End, p.End)-p.Start
			one.Article, one.Page, one.Words = &p.Article.ID, p.Article.Page, cut(p.Article.Text[start:end])
			if regions := law.Regions(p.Article.Spans, start, end); len(regions) > 0 {
				one.Page = regions[0].Page
			}
			break
		}
		m, err := res.resolve(ctx, op.Text)
		if err != nil {
			return nil, err
		}
		one.Target, one.Reason, one.Terms = m.id, m.reason, m.terms
		out = append(out, one)
	}
	return out, nil
}

// cut shortens the words of an instruction at the boundary of a character.
func cut(words string) string {
	if len(words) <= wordsMost {
		return words
	}
	n := wordsMost
	for !utf8.RuneStart(words[n]) {
		n--
	}
	return words[:n]
}

// meant is the text that a name means in an act.
type meant struct {
	id     *uuid.UUID
	reason amend.Reason // why there is no id
	terms  []string
}

// resolver looks up the texts that an act names, each name once.
type resolver struct {
	act   postgres.Act
	texts *named.Lookup
	known map[amend.TargetText]meant
}

func (r resolver) resolve(ctx context.Context, t amend.TargetText) (m meant, err error) {
	if m, ok := r.known[t]; ok {
		return m, nil
	}
	switch {
	case t.Self:
		m.reason = amend.OwnText
	case t.Zero():
		m.reason = amend.TextMissing
	default:
		m, err = r.lookUp(ctx, t)
	}
	r.known[t] = m
	return m, err
}

func (r resolver) lookUp(ctx context.Context, t amend.TargetText) (m meant, err error) {
	if t.Number != "" {
		m.terms = []string{french.TextTerm(t.Number)}
	} else {
		m.terms = french.Terms(t.Title)
	}
	found, err := r.texts.InAct(ctx, t, named.Act{ID: r.act.Document.ID, Countries: r.act.Countries, Day: r.act.Document.Promulgated})
	switch {
	case err != nil:
	case found.Edition != nil:
		m.id = &found.Edition.Document.ID
	case len(found.Texts) > 0:
		m.reason = amend.TextAmbiguous
	default:
		m.reason = amend.TextMissing
	}
	return m, err
}

// nameOf returns a name that only editions of one act share: numbers begin again each year.
func nameOf(d law.Document) amend.TargetText {
	return amend.TargetText{Type: d.Type, Title: cmp.Or(d.OfficialNumber, d.Title) + " " + d.Promulgated.Format(time.DateOnly)}
}

// Told is a passage of an act of which a person has said whether it orders a change.
type Told struct {
	Country  string   `json:"country"`
	Act      string   `json:"act"`
	Passage  string   `json:"passage"`
	Order    bool     `json:"order"`
	Features []string `json:"features"` // as amend.Noticing knows them
}

// Truth calls yield with each passage of which persons have said whether it orders a change: all passages of an act that
// orders nothing do not, and those whose wording a person accepted or wrote do.
func (r *VersionAssembler) Truth(ctx context.Context, yield func(Told) error) error {
	return r.DB.ToldActs(ctx, func(a postgres.ToldAct) error {
		act, parts := amend.Written(a.Articles)
		accepted := map[string]bool{}
		for _, e := range a.Accepted {
			accepted[e.Words] = true
		}
		for _, d := range amend.Decisions(act, amend.Options{Parts: parts, Title: a.Document.Title}) {
			passage := cut(act[d.Start:d.End])
			if !a.Without && !accepted[passage] {
				continue
			}
			told := Told{Country: strings.Join(a.Countries, " "), Act: a.Document.Title, Passage: passage, Order: !a.Without, Features: d.Features}
			if err := yield(told); err != nil {
				return err
			}
		}
		return nil
	})
}
