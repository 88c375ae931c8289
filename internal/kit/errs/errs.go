// Package errs is the closed list of kinds of errors, with one table of their consequences:
// the HTTP status, whether a job is retried, and the public message.
//
// The code that first recognizes an error gives it a Kind. Its callers wrap it with
// fmt.Errorf("%w") and whatever identifies the work item; KindOf finds the kind. An error
// without a kind is Internal: its text is logged and never shown to the public.
package errs

import (
	"context"
	"errors"
	"fmt"
)

// Kind is the kind of an error.
type Kind uint8

// The kinds. Internal is the zero value: an unclassified error is a defect.
const (
	Internal      Kind = iota // a defect of the service
	Invalid                   // a malformed request (400)
	Unauthorized              // not authenticated, or no longer (401)
	Forbidden                 // authenticated, but not allowed (403)
	NotFound                  // does not exist, or belongs to another user (404)
	Conflict                  // conflicts with the current state (409)
	TooLarge                  // exceeds a stated limit (413)
	Unsupported               // a content type or file format that is not supported (415)
	Unprocessable             // well-formed, but invalid (422)
	TooMany                   // exceeds a rate limit (429)
	Unavailable               // a store or a model is down, retry later (503)
	Cancelled                 // stopped on request
	LeaseLost                 // another worker holds the row
)

// Row holds the consequences of a kind.
type Row struct {
	Name   string // for logs and metrics
	Status int    // the HTTP status
	Retry  bool   // whether the same work may succeed later
	Public string // French message for errors without a public message
}

// table has one row per kind. A test checks that none is missing.
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

// Describe returns the row of k. An unknown kind counts as Internal.
func Describe(k Kind) Row {
	if int(k) >= len(table) {
		return table[Internal]
	}
	return table[k]
}

// String returns the kind's name for logs.
func (k Kind) String() string { return Describe(k).Name }

// Error is an error with a kind and optionally a French public message.
type Error struct {
	Kind   Kind
	Public string // French; "": the message of the table
	Err    error  // the cause, for the log; may be nil
}

// Error returns the text for logs.
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

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New returns an error of kind k with a French public message.
func New(k Kind, public string) error { return &Error{Kind: k, Public: public} }

// Newf returns an error of kind k with a formatted French public message.
func Newf(k Kind, format string, args ...any) error {
	return &Error{Kind: k, Public: fmt.Sprintf(format, args...)}
}

// Wrap returns an error that wraps err and has the kind k and a French public message ("":
// the message of the table). It returns nil if err is nil.
func Wrap(k Kind, public string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Kind: k, Public: public, Err: err}
}

// Away returns the error for an operator that a store does not respond. Its message
// contains the name of the store, its address ("": left out), and what to do in an
// installation and in a clone of the repository. setting is the variable that contains the
// address. It returns nil if err is nil.
func Away(store, address, setting string, err error) error {
	if address != "" {
		address = " (" + address + ")"
	}
	return Wrap(Unavailable, fmt.Sprintf("%s ne répond pas%s. Vérifiez qu’il tourne et que %s le désigne (dans une copie du dépôt, scripts/services start le démarre).",
		store, address, setting), err)
}

// KindOf returns the outermost kind in err's chain. Without a kind, a canceled context
// counts as Cancelled, an expired one as Unavailable, and any other error as Internal.
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

// Is reports whether err is of kind k.
func Is(err error, k Kind) bool { return err != nil && KindOf(err) == k }

// Public returns the French public message of err. For kind Internal it is always the
// message of the table, so that the cause is never shown.
func Public(err error) string {
	var e *Error
	if errors.As(err, &e) && e.Kind != Internal && e.Public != "" {
		return e.Public
	}
	return Describe(KindOf(err)).Public
}
