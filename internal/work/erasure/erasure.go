// Package erasure erases accounts, for their owners and for operators: the rows that belong to them, the files of messages
// to them, and what the relay still has of their answers.
package erasure

import (
	"context"
	"fmt"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
	"vigueur/internal/work/notify"
)

// Eraser erases accounts. Its fields are set once.
type Eraser struct {
	DB *postgres.DB
	// MailDir is the folder of messages; "": messages are no files.
	MailDir string
	// Relay returns a relay that runs until stop is called.
	Relay func(ctx context.Context) (r *relay.Relay, stop func(), err error)
}

// Outcome is what became of an account.
type Outcome struct {
	postgres.Erased
	Files int  // messages that were deleted
	Late  bool // Redis does not answer: the text of recent answers stays there for a quarter of an hour
}

// Erase erases the account with an address, if there is one, and with inquiries also the requests for an appointment from
// that address (postgres.DB.EraseUser). An error of the files is returned with what has been erased.
func (e *Eraser) Erase(ctx context.Context, email string, inquiries bool) (o Outcome, err error) {
	if o.Erased, err = e.DB.EraseUser(ctx, email, inquiries); err != nil {
		return Outcome{}, err // nothing is erased
	}
	o.Late = !e.stopAnswers(ctx, o.Erased)
	if e.MailDir == "" {
		return o, nil
	}
	names := make([]string, len(o.InquiryIDs)) // of the messages that announced them
	for i, id := range o.InquiryIDs {
		names[i] = id.String()
	}
	if o.Files, err = notify.Forget(e.MailDir, email, names...); err != nil {
		return o, fmt.Errorf("erasure: %w", err)
	}
	return o, nil
}

// stopAnswers notifies the readers and workers of deleted answers, and deletes the answers'
// events in the relay. If Redis is down, it returns false; readers and workers notice the deletion from the
// row some seconds later, and the events expire.
func (e *Eraser) stopAnswers(ctx context.Context, gone postgres.Erased) (done bool) {
	if len(gone.Running)+len(gone.Recent) == 0 {
		return true
	}
	r, stop, err := e.Relay(ctx)
	if err != nil {
		return false
	}
	defer stop()
	for _, answer := range gone.Running {
		r.Publisher(ctx, answer.ID, answer.Attempt).End(ctx, chat.ErrorKind, chat.ErrorData("Cette réponse a été supprimée."))
		_ = r.Cancel(ctx, answer.ID) // if the call fails, the worker loses its lease within seconds
	}
	return r.Forget(ctx, gone.Recent...) == nil
}
