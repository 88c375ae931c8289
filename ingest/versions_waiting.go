package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/law/amend"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/transport"
)

// mostAmendments is the maximum number of waiting operations or decisions that a command lists.
const mostAmendments = 10_000

func (a *app) versionsWaitingCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use: "waiting", Short: "Liste les modifications qui ne sont pas appliquées, et pourquoi", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 || limit > mostAmendments {
				return usage("--limit va de 1 à %d.", mostAmendments)
			}
			return a.withServer(c.Context(), func(s *server) error { return a.versionsWaiting(c.Context(), s, limit) })
		},
	}
	number(c, &limit, "limit", 100, "`N` modifications au plus")
	return c
}

func (a *app) versionsWaiting(ctx context.Context, s *server, limit int) error {
	list, total, err := numbered[gazettes.AmendmentBody](ctx, s, "/admin/versions/waiting", nil, limit)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, total)
	}
	t := table{head: []string{"PAR L’ACTE", "PAGE", "TEXTE À MODIFIER", "ARTICLE", "MOTIF", "PROPOSÉ", "ID"}, omit: []string{"PAGE", "PROPOSÉ", "PAR L’ACTE"}}
	ids := make([]uuid.UUID, len(list))
	for i, v := range list {
		ids[i] = v.ID
		target, proposed := v.Named, "non"
		if v.Target != nil {
			target = v.Target.Title
		}
		if v.Proposal != nil {
			proposed = "oui"
		}
		t.add(cut(v.Act.Title, beginning), v.Instruction.Page, cut(target, beginning), v.Article, v.Sentence, proposed, v.ID)
	}
	if len(list) == total {
		t.ids = a.shortened(ids)
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
			if _, err := typedID(amendments, args[0]); err != nil {
				return err
			}
			decided, err := s.decision(a.in)
			if err != nil {
				return err
			}
			return a.withServer(c.Context(), func(s *server) error { return a.versionsSettle(c.Context(), s, args[0], decided) })
		},
	}
	c.Flags().BoolVar(&s.accept, "accept", false, "applique le texte proposé")
	c.Flags().BoolVar(&s.reject, "reject", false, "n’applique pas la modification")
	c.Flags().StringVar(&s.file, "text-file", "", "applique le texte de `FICHIER` (- : l’entrée standard)")
	c.Flags().StringVar(&s.date, "date", "", "premier jour du texte, `AAAA-MM-JJ`, si ce n’est pas celui de l’acte")
	return c
}

// settledBody is a decision as the API reads it.
type settledBody struct {
	Decision string  `json:"decision"`
	Body     string  `json:"text,omitempty"`
	From     *string `json:"date,omitempty"`
}

// decision reads what was decided.
func (s settling) decision(in io.Reader) (d settledBody, err error) {
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
		if err := checkDay("date", s.date); err != nil {
			return d, err
		}
		d.From = &s.date
	}
	if d.Decision != "mend" {
		return d, nil
	}
	d.Body, err = readWords(in, s.file)
	return d, err
}

// readWords returns the text of a file, or of in for « - », without the blanks around it.
func readWords(in io.Reader, path string) (string, error) {
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return "", usage("« %s » ne peut pas être lu : %v.", cleanLine(path), reasonOf(err))
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	words, err := io.ReadAll(io.LimitReader(in, amend.MaxBytes+1))
	switch text := strings.TrimSpace(string(words)); {
	case err != nil:
		return "", usage("« %s » ne peut pas être lu : %v.", cleanLine(path), reasonOf(err))
	case text == "":
		return "", usage("« %s » est vide : pour ne pas appliquer la modification, --reject.", cleanLine(path))
	case len(words) > amend.MaxBytes:
		return "", usage("« %s » est plus long que %d octets.", cleanLine(path), amend.MaxBytes)
	case clean(text) != strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\t", " "):
		return "", usage("« %s » n’est pas du texte en UTF-8.", cleanLine(path))
	default:
		return text, nil
	}
}

func (a *app) versionsSettle(ctx context.Context, s *server, typed string, decided settledBody) error {
	id, err := s.find(ctx, amendments, typed)
	if err != nil {
		return err
	}
	if err := s.call(ctx, http.MethodPost, "/admin/versions/waiting/"+id.String(), nil, decided, nil); err != nil {
		return amendments.orAbsent(err, id)
	}
	return a.said(map[string]any{"id": id, "decision": decided.Decision}, "C’est noté ; les versions de l’article sont refaites. Annuler : ingest versions decisions, puis undo.")
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
			return a.withServer(c.Context(), func(s *server) error { return a.versionsDecisions(c.Context(), s, limit) })
		},
	}
	number(c, &limit, "limit", 100, "`N` décisions au plus")
	return c
}

func (a *app) versionsDecisions(ctx context.Context, s *server, limit int) error {
	list, total, err := numbered[gazettes.DecisionBody](ctx, s, "/admin/versions/decisions", nil, limit)
	if err != nil {
		return err
	}
	if a.json {
		return writeList(a.out, list, total)
	}
	t := table{head: []string{"DÉCIDÉ LE", "TEXTE", "ARTICLE", "PAR L’ACTE", "DÉCISION", "ID"}, omit: []string{"DÉCIDÉ LE", "PAR L’ACTE"}}
	ids := make([]uuid.UUID, len(list))
	for i, d := range list {
		ids[i] = d.ID
		t.add(momentOf(d.At), cut(d.Target.Title, beginning), d.Article, cut(d.Act.Title, beginning), decisionWords[d.Decision], d.ID)
	}
	if len(list) == total {
		t.ids = a.shortened(ids)
	}
	return t.write(a.out, "Aucune décision.")
}

func (a *app) versionsUndoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "undo ID", Short: "Annule une décision ; la modification attend de nouveau", Args: takes(1, 1, "l’identifiant de la décision"),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := typedID(decisions, args[0]); err != nil {
				return err
			}
			return a.withServer(c.Context(), func(s *server) error {
				id, err := s.find(c.Context(), decisions, args[0])
				if err != nil {
					return err
				}
				if err := s.call(c.Context(), http.MethodDelete, "/admin/versions/decisions/"+id.String(), nil, nil, nil); err != nil {
					return decisions.orAbsent(err, id)
				}
				return a.said(map[string]any{"id": id}, "La décision est annulée ; les versions de l’article sont refaites.")
			})
		},
	}
}

func (a *app) versionsTruthCommand() *cobra.Command {
	return &cobra.Command{
		Use: "truth", Short: "Écrit ce que des personnes ont dit des passages d’actes, pour l’apprentissage", Args: takes(0, 0, ""),
		Long: "Écrit un passage par ligne, en JSON : s’il ordonne un changement, d’après les décisions prises et les textes dont il\n" +
			"est dit qu’ils n’ordonnent rien. « scripts/train noticing -told FICHIER » l’apprend.",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withServer(c.Context(), func(s *server) error {
				r, err := http.NewRequestWithContext(c.Context(), http.MethodGet, s.base+transport.Prefix+"/admin/versions/truth", http.NoBody)
				if err != nil {
					return err
				}
				response, err := s.send(r)
				if err != nil {
					return err
				}
				defer response.Body.Close()
				if _, err := io.Copy(a.out, response.Body); err != nil {
					return s.away(c.Context(), err)
				}
				return nil
			})
		},
	}
}
