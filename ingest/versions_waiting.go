package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/amend"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/versions"
)

// mostAmendments is the maximum number of waiting operations or decisions that a command lists.
const mostAmendments = 10_000

// amendmentView is an operation that waits, in the form of the HTTP interface.
type amendmentView struct {
	ID          uuid.UUID         `json:"id"`
	Act         candidateView     `json:"act"`
	Target      *candidateView    `json:"target"`
	Named       string            `json:"named"`
	Article     string            `json:"article"`
	Operation   amend.Kind        `json:"operation"`
	Instruction postgres.Evidence `json:"instruction"`
	Reason      amend.Reason      `json:"reason"`
	Sentence    string            `json:"sentence"`
	Before      *string           `json:"before"`
	Proposal    *string           `json:"proposal"`
	Cited       int               `json:"cited"`
}

func amendmentOf(w postgres.ShownWaiting) amendmentView {
	view := amendmentView{w.ID, candidateView{w.Act.ID, w.Act.Title, isoDay(w.Act.Promulgated)}, nil, w.Named, w.Article, w.Kind, w.Evidence, w.Reason,
		w.Reason.Sentence(), w.Before, w.Proposal, w.Cited}
	if w.Target != nil {
		view.Target = &candidateView{w.Target.ID, w.Target.Title, isoDay(w.Target.Promulgated)}
	}
	return view
}

func (a *app) versionsWaitingCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use: "waiting", Short: "Liste les modifications qui ne sont pas appliquées, et pourquoi", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 || limit > mostAmendments {
				return usage("--limit va de 1 à %d.", mostAmendments)
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.versionsWaiting(c.Context(), db, limit) })
		},
	}
	number(c, &limit, "limit", 100, "`N` modifications au plus")
	return c
}

func (a *app) versionsWaiting(ctx context.Context, db *postgres.DB, limit int) error {
	list, total, err := db.WaitingAmendments(ctx, 1, limit)
	if err != nil {
		return err
	}
	views := make([]amendmentView, len(list))
	t := table{head: []string{"PAR L’ACTE", "PAGE", "TEXTE À MODIFIER", "ARTICLE", "MOTIF", "PROPOSÉ", "ID"}, omit: []string{"PAGE", "PROPOSÉ", "PAR L’ACTE"}}
	var ids []uuid.UUID
	for i, w := range list {
		v := amendmentOf(w)
		views[i], ids = v, append(ids, v.ID)
		target, proposed := v.Named, "non"
		if v.Target != nil {
			target = v.Target.Title
		}
		if v.Proposal != nil {
			proposed = "oui"
		}
		t.add(cut(v.Act.Title, beginning), v.Instruction.Page, cut(target, beginning), v.Article, v.Sentence, proposed, v.ID)
	}
	if a.json {
		return writeList(a.out, views, total)
	}
	if t.ids, err = a.shortIDs(ctx, db, amendments, ids...); err != nil {
		return err
	}
	if err := t.write(a.out, "Aucune modification n’attend."); err != nil || total == 0 {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s. Régler : ingest versions settle ID --accept, --reject ou --text-file FICHIER\n", count(total, "modification"))
	return err
}

// settling is what « versions settle » was asked.
type settling struct {
	accept, reject bool
	file, date     string
}

func (a *app) versionsSettleCommand() *cobra.Command {
	var s settling
	c := &cobra.Command{
		Use: "settle ID --accept|--reject|--text-file FICHIER", Short: "Accepte, rejette ou écrit le texte d’un article qui attend",
		Args: takes(1, 1, "l’identifiant de la modification"), DisableFlagsInUseLine: true,
		Long: "Règle une modification qui attend : --accept prend le texte proposé, --text-file le texte de tout l’article après la\n" +
			"modification, --reject ne l’applique pas. Les versions de l’article sont refaites aussitôt.",
		Example: "  ingest versions settle 4f02… --accept\n  ingest versions settle 4f02… --text-file article.txt --date 2025-01-01",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := typedID(amendments, args[0])
			if err != nil {
				return err
			}
			decided, err := s.decision(a.in)
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.versionsSettle(c.Context(), db, id, decided) })
		},
	}
	c.Flags().BoolVar(&s.accept, "accept", false, "applique le texte proposé")
	c.Flags().BoolVar(&s.reject, "reject", false, "n’applique pas la modification")
	c.Flags().StringVar(&s.file, "text-file", "", "applique le texte de `FICHIER` (- : l’entrée standard)")
	c.Flags().StringVar(&s.date, "date", "", "premier jour du texte, `AAAA-MM-JJ`, si ce n’est pas celui de l’acte")
	return c
}

// decision reads what was decided.
func (s settling) decision(in io.Reader) (d postgres.Settlement, err error) {
	given := 0
	for decision, set := range map[string]bool{"accept": s.accept, "reject": s.reject, "mend": s.file != ""} {
		if set {
			given++
			d.Decision = decision
		}
	}
	if given != 1 {
		return d, usage("Donnez --accept, --reject ou --text-file, l’un des trois.")
	}
	if s.date != "" {
		day, err := typedDay("date", s.date)
		if err != nil {
			return d, err
		}
		d.From = &day
	}
	if d.Decision != "mend" {
		return d, nil
	}
	if s.file != "-" {
		file, err := os.Open(s.file)
		if err != nil {
			return d, usage("« %s » ne peut pas être lu : %v.", cleanLine(s.file), reasonOf(err))
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	words, err := io.ReadAll(io.LimitReader(in, amend.MaxBytes+1))
	switch d.Body = strings.TrimSpace(string(words)); {
	case err != nil:
		return d, usage("« %s » ne peut pas être lu : %v.", cleanLine(s.file), reasonOf(err))
	case d.Body == "":
		return d, usage("« %s » est vide : pour ne pas appliquer la modification, --reject.", cleanLine(s.file))
	case len(words) > amend.MaxBytes:
		return d, usage("« %s » est plus long que %d octets.", cleanLine(s.file), amend.MaxBytes)
	case clean(d.Body) != strings.ReplaceAll(strings.ReplaceAll(d.Body, "\r", ""), "\t", " "):
		return d, usage("« %s » n’est pas du texte en UTF-8.", cleanLine(s.file))
	}
	return d, nil
}

func (a *app) versionsSettle(ctx context.Context, db *postgres.DB, meant typed, decided postgres.Settlement) error {
	id, err := meant.find(ctx, db)
	if err != nil {
		return err
	}
	err = (&versions.Runner{DB: db}).Settle(ctx, id, decided)
	if errs.Is(err, errs.NotFound) {
		return amendments.absent(id)
	}
	if err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"id": id, "decision": decided.Decision})
	}
	_, err = fmt.Fprintln(a.outcome(), "C’est noté ; les versions de l’article sont refaites. Annuler : ingest versions decisions, puis undo.")
	return err
}

// decisionView is a decision on an amendment, in the form of the HTTP interface.
type decisionView struct {
	ID       uuid.UUID `json:"id"`
	Target   uuid.UUID `json:"target_id"`
	Title    string    `json:"target_title"`
	Act      uuid.UUID `json:"act_id"`
	ActTitle string    `json:"act_title"`
	Article  string    `json:"article"`
	Decision string    `json:"decision"`
	Text     string    `json:"text"`
	From     *string   `json:"date"`
	At       time.Time `json:"settled_at"`
}

// decisionWords are the French words of decisions.
var decisionWords = map[string]string{"accept": "accepté", "mend": "écrit", "reject": "rejeté"}

func (a *app) versionsDecisionsCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use: "decisions", Short: "Liste les décisions prises sur des modifications, la dernière d’abord", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 || limit > mostAmendments {
				return usage("--limit va de 1 à %d.", mostAmendments)
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.versionsDecisions(c.Context(), db, limit) })
		},
	}
	number(c, &limit, "limit", 100, "`N` décisions au plus")
	return c
}

func (a *app) versionsDecisions(ctx context.Context, db *postgres.DB, limit int) error {
	list, total, err := db.Settlements(ctx, 1, limit)
	if err != nil {
		return err
	}
	views := make([]decisionView, len(list))
	t := table{head: []string{"DÉCIDÉ LE", "TEXTE", "ARTICLE", "PAR L’ACTE", "DÉCISION", "ID"}, omit: []string{"DÉCIDÉ LE", "PAR L’ACTE"}}
	var ids []uuid.UUID
	for i, s := range list {
		views[i] = decisionView{s.ID, s.Target.ID, s.Target.Title, s.Act.ID, s.Act.Title, s.Article, s.Decision, s.Body, dayOrNone(s.From), s.At.UTC()}
		ids = append(ids, s.ID)
		t.add(moment(s.At), cut(s.Target.Title, beginning), s.Article, cut(s.Act.Title, beginning), decisionWords[s.Decision], s.ID)
	}
	if a.json {
		return writeList(a.out, views, total)
	}
	if t.ids, err = a.shortIDs(ctx, db, decisions, ids...); err != nil {
		return err
	}
	return t.write(a.out, "Aucune décision.")
}

func (a *app) versionsUndoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "undo ID", Short: "Annule une décision ; la modification attend de nouveau", Args: takes(1, 1, "l’identifiant de la décision"),
		RunE: func(c *cobra.Command, args []string) error {
			meant, err := typedID(decisions, args[0])
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				id, err := meant.find(c.Context(), db)
				if err != nil {
					return err
				}
				err = (&versions.Runner{DB: db}).Undo(c.Context(), id)
				if errs.Is(err, errs.NotFound) {
					return decisions.absent(id)
				}
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, map[string]any{"id": id})
				}
				_, err = fmt.Fprintln(a.outcome(), "La décision est annulée ; les versions de l’article sont refaites.")
				return err
			})
		},
	}
}
