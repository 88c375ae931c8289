package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/strength"
	"vigueur/internal/work/erasure"
)

// Limits of an account.
const (
	minPassword = auth.MinPassword
	maxPassword = auth.MaxPassword // in code points
)

// userCreate runs « user create ».
func (a *app) userCreate(ctx context.Context, in *input) error {
	return a.withServer(ctx, func(s *server) error { // nobody types a password twice only to learn that the server is down
		password, err := a.password(in.has("password-stdin"))
		if err != nil {
			return err
		}
		fields := map[string]any{"email": strings.ToLower(strings.TrimSpace(in.text("email"))), "full_name": strings.TrimSpace(in.text("name")), "role": in.text("role"), "password": password}
		var made accountBody
		err = s.Call(ctx, http.MethodPost, "/admin/users", nil, fields, &made)
		if errs.Is(err, errs.Conflict) {
			return errs.Wrap(errs.Conflict, fmt.Sprintf("Un compte existe déjà pour %[1]s. Son mot de passe se change par : ingest user password %[1]s", fields["email"]), err)
		}
		if err != nil {
			return err
		}
		return a.said(made, "Le compte %s est créé (%s).", made.Email, made.Role)
	})
}

// saidOf prints the account in its stored state as JSON, or a message about it.
func (a *app) saidOf(ctx context.Context, db *postgres.DB, id uuid.UUID, format string, args ...any) error {
	if !a.json {
		return a.say(format, args...)
	}
	u, err := db.UserByID(ctx, id)
	if err != nil {
		return err
	}
	return writeJSON(a.out, account.ShowAccount(u))
}

// withHash reads a password, hashes it and calls f with the database. It opens the database
// first, so that nobody types a password twice only to learn that the database is down or
// that there is no such account. own returns data of the user, which the password must not
// consist of.
func (a *app) withHash(ctx context.Context, stdin bool, own func(db *postgres.DB) ([]string, error), f func(db *postgres.DB, hash string) error) error {
	return a.withDB(ctx, func(db *postgres.DB) error {
		words, err := own(db)
		if err != nil {
			return err
		}
		password, err := a.password(stdin)
		if err != nil {
			return err
		}
		if strength.Weak(password, words...) {
			return usage("Ce mot de passe est trop facile à deviner : il est courant, tiré du nom ou de l’adresse du compte, ou fait d’une\n" +
				"suite, d’une répétition ou d’une date. Choisissez plusieurs mots sans rapport entre eux.")
		}
		hash, err := auth.NewPasswords().Hash(ctx, password)
		if err != nil {
			return err
		}
		return f(db, hash)
	})
}

// password reads a password from the first line of the input, or asks for it twice on the
// terminal.
func (a *app) password(stdin bool) (string, error) {
	if stdin {
		line, err := a.firstLine()
		if err != nil {
			return "", err
		}
		return checkPassword(line)
	}
	first, ok, err := a.secret("Mot de passe : ")
	if !ok {
		return "", usage("Il manque le mot de passe : donnez-le sur l’entrée standard avec --password-stdin.")
	}
	if err != nil {
		return "", err
	}
	if _, err := checkPassword(first); err != nil {
		return "", err
	}
	second, _, err := a.secret("Encore une fois : ")
	if err != nil {
		return "", err
	}
	if first != second {
		return "", usage("Les deux mots de passe diffèrent.")
	}
	return first, nil
}

// firstLine reads the first line of the input, which is a secret.
func (a *app) firstLine() (string, error) {
	// One byte more than the longest password in UTF-8, not counting the line end.
	line, err := bufio.NewReader(io.LimitReader(a.in, 4*maxPassword+3)).ReadString('\n')
	if err == io.EOF {
		err = nil
	}
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), err
}

func checkPassword(p string) (string, error) {
	n := utf8.RuneCountInString(p)
	if n < minPassword || n > maxPassword || !utf8.ValidString(p) || strings.ContainsRune(p, 0) {
		return "", usage("Le mot de passe doit avoir %d à %d caractères ; celui-ci en a %d.", minPassword, maxPassword, n)
	}
	return p, nil
}

// accountBody is the printed form of an account.
type accountBody = account.Body

// account returns the account that has the given e-mail address, or an id that begins so.
func (s *server) account(ctx context.Context, word string) (found accountBody, err error) {
	word = strings.TrimSpace(word)
	absent := errs.Newf(errs.NotFound, "Aucun compte pour %s. « ingest user list » donne la liste.", terminal.Line(word))
	if strings.Contains(word, "@") {
		list, err := client.ListAll[accountBody](ctx, s.Client, "/admin/users", url.Values{"q": {word}})
		pos := slices.IndexFunc(list, func(u accountBody) bool { return strings.EqualFold(u.Email, word) })
		if err != nil || pos < 0 || list[pos].Email == operator {
			return found, cmp.Or(err, absent)
		}
		return list[pos], nil
	}
	id, err := s.find(ctx, accounts, word)
	if err == nil {
		err = s.Call(ctx, http.MethodGet, "/admin/users/"+id.String(), nil, nil, &found)
	}
	if errs.Is(err, errs.NotFound) || err == nil && found.Email == operator {
		err = absent
	}
	return found, err
}

// accountNamed returns the id of the account that has the given e-mail address, or an id that begins so.
func accountNamed(ctx context.Context, s *server, word string) (string, error) {
	found, err := s.account(ctx, word)
	return found.ID.String(), err
}

// withUser calls f with the account that has the given e-mail address or id.
func (a *app) withUser(ctx context.Context, db *postgres.DB, email string, f func(u postgres.User) error) error {
	u, err := userOf(ctx, db, strings.TrimSpace(email))
	if errs.Is(err, errs.NotFound) || (err == nil && u.Email == operator) {
		return errs.Newf(errs.NotFound, "Aucun compte pour %s. « ingest user list » donne la liste.", terminal.Line(email))
	}
	if err != nil {
		return err
	}
	return f(u)
}

// userOf returns the account with the given e-mail address, or with the given id if word is
// not an address.
func userOf(ctx context.Context, db *postgres.DB, word string) (postgres.User, error) {
	meant, err := typedID(accounts, word)
	if err != nil {
		return db.UserByEmail(ctx, word)
	}
	found, err := db.Between(ctx, postgres.NamedUsers, meant.from, meant.to, candidatesTold+1)
	if err != nil {
		return postgres.User{}, err
	}
	id, err := meant.one(found)
	if err != nil {
		return postgres.User{}, err
	}
	return db.UserByID(ctx, id)
}

// userPassword runs « user password ».
func (a *app) userPassword(ctx context.Context, in *input) error {
	var u postgres.User
	own := func(db *postgres.DB) ([]string, error) {
		err := a.withUser(ctx, db, in.args[0], func(found postgres.User) error { u = found; return nil })
		return []string{u.Email, u.FullName}, err
	}
	return a.withHash(ctx, in.has("password-stdin"), own, func(db *postgres.DB, hash string) error {
		if err := db.SetPassword(ctx, u.ID, hash); err != nil {
			return err
		}
		return a.saidOf(ctx, db, u.ID, "Le mot de passe de %s est changé ; ses sessions sont fermées.", u.Email)
	})
}

// anyCountry is the argument that takes the country of an account away.
const anyCountry = "aucun"

// userCountry runs « user country ».
func (a *app) userCountry(ctx context.Context, in *input) error {
	code, known := country.Parse(in.args[1])
	if in.args[1] == anyCountry {
		code, known = "", true
	}
	if !known {
		return usage("« %s » n’est pas un code de pays : %s, ou %s.", terminal.Line(in.args[1]), joined(country.List()), anyCountry)
	}
	return a.withServer(ctx, func(s *server) error {
		now, err := s.account(ctx, in.args[0])
		if err == nil {
			err = s.Call(ctx, http.MethodPatch, "/admin/users/"+now.ID.String(), nil, map[string]any{"pays": code}, &now)
		}
		switch {
		case err != nil:
			return err
		case code == "":
			return a.said(now, "Le compte %s n’a plus de pays.", now.Email)
		}
		return a.said(now, "Le pays du compte %s est : %s.", now.Email, country.Name(code))
	})
}

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
	c, err := a.settings()
	if err != nil {
		return err
	}
	e, err := (&erasure.Eraser{DB: db, MailDir: c.MailDir, Relay: a.openRelay}).Erase(ctx, email, inquiries)
	if err != nil {
		return err
	}
	if e.Late {
		fmt.Fprintln(a.always, "Redis ne répond pas : le texte de réponses récentes y reste un quart d’heure au plus.")
	}
	shown := erased{Conversations: e.Conversations, Messages: e.Messages, Inquiries: e.Inquiries, EML: e.Files}
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
	if e.Files > 0 {
		said += fmt.Sprintf(" Fichiers de messages (.eml) supprimés : %d.", e.Files)
	}
	_, err = fmt.Fprintln(a.outcome(), said)
	return err
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
