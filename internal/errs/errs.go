// Package errs is the closed list of what can go wrong, and the one table that
// says what follows from it: the HTTP status, whether a job tries again, and
// the sentence a stranger may read.
//
// An error carries a Kind from where it is first understood to where it is
// answered. In between it is wrapped with fmt.Errorf("%w") and with whatever
// names the work item; KindOf finds the kind again. An error without a kind is
// Internal: its text goes to the log and never to the public.
package errs

import (
	"context"
	"errors"
	"fmt"
)

// Kind is one entry of the closed list.
type Kind uint8

// The kinds. Internal is the zero value: what nobody has classified is ours.
const (
	Internal      Kind = iota // a defect of the service
	Invalid                   // a request that means nothing (400)
	Unauthorized              // nobody, or no longer somebody (401)
	Forbidden                 // somebody, with too small a role (403)
	NotFound                  // not there, or not the caller's (404)
	Conflict                  // at odds with what is there (409)
	TooLarge                  // over a stated limit (413)
	Unsupported               // a content type or file format not taken (415)
	Unprocessable             // well-formed, but of a wrong shape (422)
	TooMany                   // over a rate limit (429)
	Unavailable               // a store or a model is down, try later (503)
	Cancelled                 // stopped on request
	LeaseLost                 // another worker holds the row now
)

// Row is what follows from a kind.
type Row struct {
	Name   string // for logs and metrics
	Status int    // the HTTP status
	Retry  bool   // whether the same work may succeed later
	Public string // the French sentence shown when the error carries none
}

// table has one row a kind; a test holds it complete.
var table = [...]Row{
	Internal:      {"internal", 500, false, "Une erreur interne est survenue. Réessayez ; si elle se répète, signalez l’identifiant de la requête."},
	Invalid:       {"invalid", 400, false, "La requête n’est pas valide."},
	Unauthorized:  {"unauthorized", 401, false, "Authentification requise."},
	Forbidden:     {"forbidden", 403, false, "Votre rôle ne permet pas cette action."},
	NotFound:      {"not_found", 404, false, "Ressource introuvable."},
	Conflict:      {"conflict", 409, false, "La ressource est dans un état qui ne permet pas cette action."},
	TooLarge:      {"too_large", 413, false, "Le contenu envoyé dépasse la taille admise."},
	Unsupported:   {"unsupported", 415, false, "Ce type de contenu n’est pas pris en charge."},
	Unprocessable: {"unprocessable", 422, false, "Les données envoyées ne sont pas valides."},
	TooMany:       {"too_many", 429, true, "Trop de requêtes. Réessayez plus tard."},
	Unavailable:   {"unavailable", 503, true, "Le service est momentanément indisponible. Réessayez dans quelques instants."},
	Cancelled:     {"cancelled", 409, false, "L’opération a été annulée."},
	LeaseLost:     {"lease_lost", 409, false, "Un autre processus traite déjà cette demande."},
}

// Describe returns the table's row for k; an unknown kind reads as Internal.
func Describe(k Kind) Row {
	if int(k) >= len(table) {
		return table[Internal]
	}
	return table[k]
}

// String is the kind's name in logs.
func (k Kind) String() string { return Describe(k).Name }

// Error is an error with a kind and, where the public may know more than the
// table says, a French sentence of its own.
type Error struct {
	Kind   Kind
	Public string // empty: the table's sentence
	Err    error  // the cause, for the log; may be nil
}

// Error gives the text for logs.
func (e *Error) Error() string {
	switch {
	case e.Err != nil && e.Public != "":
		return fmt.Sprintf("%s: %s: %v", e.Kind, e.Public, e.Err)
	case e.Err != nil:
		return fmt.Sprintf("%s: %v", e.Kind, e.Err)
	case e.Public != "":
		return fmt.Sprintf("%s: %s", e.Kind, e.Public)
	}
	return e.Kind.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// New makes an error of kind k whose public text is the given French sentence.
func New(k Kind, public string) error { return &Error{Kind: k, Public: public} }

// Newf is New with a format.
func Newf(k Kind, format string, args ...any) error {
	return &Error{Kind: k, Public: fmt.Sprintf(format, args...)}
}

// Wrap gives err the kind k and a public sentence (empty: the table's). It
// returns nil when err is nil.
func Wrap(k Kind, public string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Kind: k, Public: public, Err: err}
}

// Away is that a store does not answer, for its operator: which, at what address ("": it
// is not said), and what to do, in an installation and in a copy of the repository. setting
// is the variable that has the address. It returns nil when err is nil.
func Away(store, address, setting string, err error) error {
	if address != "" {
		address = " (" + address + ")"
	}
	return Wrap(Unavailable, fmt.Sprintf("%s ne répond pas%s. Vérifiez qu’il tourne et que %s le désigne (dans une copie du dépôt, scripts/services start le démarre).",
		store, address, setting), err)
}

// KindOf finds the outermost kind in err's chain. A context that was cancelled
// reads as Cancelled, one whose deadline passed as Unavailable, all else as
// Internal.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return Unavailable
	}
	return Internal
}

// Is tells whether err is of kind k.
func Is(err error, k Kind) bool { return err != nil && KindOf(err) == k }

// Public is the sentence a stranger may read of err: its own for every kind
// but Internal, whose cause is never told.
func Public(err error) string {
	var e *Error
	if errors.As(err, &e) && e.Kind != Internal && e.Public != "" {
		return e.Public
	}
	return Describe(KindOf(err)).Public
}
