package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
	"vigueur/internal/work/notify"
)

// userErase runs « user erase ».
func (a *app) userErase(ctx context.Context, in *input) error {
	email := strings.TrimSpace(in.args[0])
	if strings.EqualFold(email, operator) {
		return errs.Newf(errs.Conflict, "Le compte de la commande elle-même ne s’efface pas.")
	}
	if !in.has("yes") {
		if err := a.confirm(email); err != nil {
			return err
		}
	}
	return a.withDB(ctx, func(db *postgres.DB) error { return a.erase(ctx, db, email, in.has("inquiries")) })
}

// confirm asks the operator to type the address again.
func (a *app) confirm(email string) error {
	fmt.Fprintf(a.always, "Toutes les données de %s seront effacées, sans retour. Tapez l’adresse pour confirmer : ", terminal.Line(email))
	line, err := bufio.NewReader(io.LimitReader(a.in, 1024)).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	if !strings.EqualFold(strings.TrimSpace(line), email) {
		return usage("Rien n’est effacé : l’adresse n’a pas été confirmée (--yes efface sans demander).")
	}
	return nil
}

// erased is the printed form of an erasure.
type erased struct {
	UserID        *uuid.UUID `json:"user_id"` // null if no account had the address
	Pseudonym     *string    `json:"pseudonym"`
	Conversations int        `json:"conversations"`
	Messages      int        `json:"messages"`
	Inquiries     int        `json:"inquiries"`
	EML           int        `json:"message_files"`
}

func (a *app) erase(ctx context.Context, db *postgres.DB, email string, inquiries bool) error {
	e, err := db.EraseUser(ctx, email, inquiries)
	if err != nil {
		return err
	}
	a.stopAnswers(ctx, e)
	messages, err := a.forgetMessages(email, e.InquiryIDs)
	if err != nil {
		return err
	}
	shown := erased{Conversations: e.Conversations, Messages: e.Messages, Inquiries: e.Inquiries, EML: messages}
	if e.User != uuid.Nil {
		pseudonym := postgres.Pseudonym(e.User)
		shown.UserID, shown.Pseudonym = &e.User, &pseudonym
	}
	if a.json {
		return writeJSON(a.out, shown)
	}
	said := fmt.Sprintf("Aucun compte pour %s : rien à effacer.", terminal.Line(email))
	if e.User != uuid.Nil {
		said = fmt.Sprintf("Le compte est effacé, avec %s et %s. Le journal le connaît sous %s.",
			count(e.Conversations, "conversation"), count(e.Messages, "message"), postgres.Pseudonym(e.User))
	}
	if inquiries {
		said += fmt.Sprintf(" Demandes de rendez-vous effacées : %d.", e.Inquiries)
	}
	if messages > 0 {
		said += fmt.Sprintf(" Fichiers de messages (.eml) supprimés : %d.", messages)
	}
	_, err = fmt.Fprintln(a.outcome(), said)
	return err
}

// forgetMessages deletes the files of messages to an address, and of the messages that
// announced its erased inquiries. It returns the number of deleted files.
func (a *app) forgetMessages(email string, inquiries []uuid.UUID) (int, error) {
	c, err := a.settings()
	if err != nil || c.MailDir == "" {
		return 0, err
	}
	names := make([]string, len(inquiries))
	for i, id := range inquiries {
		names[i] = id.String()
	}
	return notify.Forget(c.MailDir, email, names...)
}

// stopAnswers notifies the readers and workers of deleted answers, and deletes the answers'
// events in the relay. If Redis is down, readers and workers notice the deletion from the
// row some seconds later, and the events expire.
func (a *app) stopAnswers(ctx context.Context, e postgres.Erased) {
	if len(e.Running)+len(e.Recent) == 0 {
		return
	}
	r, stop, err := a.openRelay(ctx)
	if err != nil {
		return
	}
	defer stop()
	for _, answer := range e.Running {
		r.Publisher(ctx, answer.ID, answer.Attempt).End(ctx, chat.ErrorKind, chat.ErrorData("Cette réponse a été supprimée."))
		_ = r.Cancel(ctx, answer.ID) // if the call fails, the worker loses its lease within seconds
	}
	if err := r.Forget(ctx, e.Recent...); err != nil {
		fmt.Fprintln(a.always, "Redis ne répond pas : le texte de réponses récentes y reste un quart d’heure au plus.")
	}
}

// openRelay returns a relay that runs until stop is called.
func (a *app) openRelay(ctx context.Context) (r *relay.Relay, stop func(), err error) {
	c, err := a.settings()
	if err != nil {
		return nil, nil, err
	}
	if r, err = relay.Open(c.RedisURL, slog.New(slog.DiscardHandler)); err != nil {
		return nil, nil, err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() { _ = r.Run(running) }) // what it could not do is told by its calls
	return r, func() { cancel(); done.Wait() }, nil
}
