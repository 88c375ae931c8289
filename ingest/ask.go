package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"vigueur/internal/answer/refer"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
	"vigueur/internal/work/queue"
)

// operator is the address of the account that this command uses. The account is closed and
// its password hash is invalid, so nobody can sign in to it.
const operator = "operateur@localhost"

// maxQuestion is the maximum length of a question in code points, as in the HTTP interface.
const maxQuestion = 4000

func (a *app) askCommand() *cobra.Command {
	var f law.Filters
	var date, model string
	var explain bool
	c := &cobra.Command{
		Use: "ask QUESTION", Short: "Pose une question et écrit la réponse à mesure, avec ses sources",
		Long: "Pose une question sur les textes du catalogue. La réponse s’écrit à mesure qu’un worker la produit,\n" +
			"puis viennent ses sources et, s’il y a lieu, un avertissement. Une abstention n’est pas un échec :\n" +
			"le code de sortie est 0, et --json porte « abstained ».\n\n" + exitHelp,
		Example: "  ingest ask \"Combien de jours de congé par mois de travail ?\"\n  ingest ask \"Quel est le préavis ?\" --date 2024-01-31 --domaine travail --pays bf",
		Args:    takes(1, 1, "la question (entre guillemets)"), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			turn, err := turnOf(args[0], date, model, f)
			if err != nil {
				return err
			}
			return a.withQueue(c.Context(), func(db *postgres.DB, q *queue.Client) error {
				return a.ask(c.Context(), db, q, turn, explain)
			})
		},
	}
	c.Flags().StringVar(&date, "date", "", "répond selon le droit en vigueur ce jour-là, `AAAA-MM-JJ`")
	c.Flags().StringVar(&f.Domain, "domaine", "", "`CODE` du domaine : travail, impots…")
	c.Flags().StringVar(&f.Country, "pays", "", "`CODE` du pays dont le droit est demandé, si la question n’en nomme pas : bf, bj…")
	c.Flags().StringVar((*string)(&f.Type), "type", "", "`NATURE` : "+joined(law.DocTypes()))
	c.Flags().StringVar((*string)(&f.Status), "statut", "", "`STATUT` : "+joined(law.Statuses()))
	c.Flags().StringVar(&model, "model", "", "`MODÈLE` qui rédige la réponse")
	c.Flags().BoolVar(&explain, "explain", false, "dit d’abord comment la question est comprise, puis quels articles ont été considérés et ce qui a décidé")
	return c
}

// turnOf makes a turn from the arguments, or rejects them.
func turnOf(question, date, model string, f law.Filters) (t postgres.Turn, err error) {
	question = strings.TrimSpace(question)
	if n := utf8.RuneCountInString(question); n < 1 || n > maxQuestion || !utf8.ValidString(question) || strings.ContainsRune(question, 0) {
		return t, usage("La question doit avoir 1 à %d caractères ; celle-ci en a %d.", maxQuestion, n)
	}
	if date != "" {
		day, err := time.Parse(time.DateOnly, date)
		if err != nil {
			return t, usage("--date attend une date de la forme AAAA-MM-JJ, pas « %s ».", cleanLine(date))
		}
		f.Date = &day
	}
	if f.Type != "" && !slices.Contains(law.DocTypes(), f.Type) {
		return t, usage("--type ne peut pas valoir « %s » : %s.", f.Type, joined(law.DocTypes()))
	}
	if f.Status != "" && !slices.Contains(law.Statuses(), f.Status) {
		return t, usage("--statut ne peut pas valoir « %s » : %s.", f.Status, joined(law.Statuses()))
	}
	if f.Country != "" {
		code, ok := country.Parse(f.Country)
		if !ok {
			return t, usage("--pays ne peut pas valoir « %s » : %s.", cleanLine(f.Country), joined(country.List()))
		}
		f.Country = string(code)
	}
	return postgres.Turn{Question: question, Filters: f, Model: model}, nil
}

// ask asks a question and prints the answer while it is written.
func (a *app) ask(ctx context.Context, db *postgres.DB, q *queue.Client, t postgres.Turn, explain bool) error {
	if err := checkDomain(ctx, db, t.Filters.Domain); err != nil {
		return err
	}
	var read *refer.Reading
	if explain {
		var err error
		if read, err = a.explain(ctx, db, t); err != nil {
			return err
		}
	}
	m, err := a.answer(ctx, db, q, &t)
	if err != nil {
		return err
	}
	if !explain {
		return a.printAnswer(t, m, nil, nil)
	}
	became, err := whyOf(ctx, db, m.ID)
	if err != nil {
		return err
	}
	if printed := a.printAnswer(t, m, read, became); a.json || printed != nil {
		return printed
	}
	return a.became(ctx, db, became)
}

// answer stores a question as the API does, prints the answer while it is written, and
// returns the stored message. It sets the turn's owner and message.
func (a *app) answer(ctx context.Context, db *postgres.DB, q *queue.Client, t *postgres.Turn) (chat.Message, error) {
	user, err := operatorOf(ctx, db)
	if err != nil {
		return chat.Message{}, err
	}
	t.UserID = user.ID
	r, stop, err := a.openRelay(ctx)
	if err != nil {
		return chat.Message{}, err
	}
	defer stop()
	// Subscribe first, so that no event is missed.
	var events *relay.Subscription
	if t.MessageID, events, err = r.Begin(ctx, postgres.NewID); err != nil {
		return chat.Message{}, err
	}
	defer events.Close()
	conversation, _, err := db.CreateTurn(ctx, *t)
	if err != nil {
		return chat.Message{}, err
	}
	if err := q.Enqueue(ctx, queue.Answers, t.MessageID); err != nil {
		return chat.Message{}, err
	}
	l := &listening{app: a, db: db, queue: q, relay: r, turn: *t, conversation: conversation}
	return l.listen(ctx, events.Events())
}

// checkDomain rejects an unknown domain and lists the existing ones.
func checkDomain(ctx context.Context, db *postgres.DB, code string) error {
	if code == "" {
		return nil
	}
	domains, err := db.Domains(ctx)
	if err != nil {
		return err
	}
	return checkCode("--domaine", code, domains)
}

// checkCode rejects a code that is not among the domains.
func checkCode(option, code string, domains []law.Domain) error {
	var codes []string
	for _, d := range domains {
		codes = append(codes, d.Code)
	}
	if !slices.Contains(codes, code) {
		return usage("%s ne peut pas valoir « %s » : %s.", option, cleanLine(code), strings.Join(codes, ", "))
	}
	return nil
}

// operatorOf returns the account of this command. It creates the account when it is first
// needed.
func operatorOf(ctx context.Context, db *postgres.DB) (postgres.User, error) {
	u, err := db.UserByEmail(ctx, operator)
	if !errs.Is(err, errs.NotFound) {
		return u, err
	}
	u = postgres.User{ID: postgres.NewID(), Email: operator, FullName: "Opérateur (ingest ask)", Role: "user", PasswordHash: ""}
	if err := db.CreateUser(ctx, u); err != nil && !errs.Is(err, errs.Conflict) {
		return u, fmt.Errorf("create %s: %w", operator, err)
	}
	return db.UserByEmail(ctx, operator) // a concurrent command may have created it
}
