package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/strength"
)

// Limits of an account.
const (
	minPassword = auth.MinPassword
	maxPassword = auth.MaxPassword // in code points
)

// roles returns the roles of accounts, in ascending order.
func roles() []string { return []string{"user", "editor", "admin"} }

func (a *app) userCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "user", Short: "Crée et gère les comptes",
		Long: "Crée et gère les comptes. Un mot de passe a 12 à 128 caractères ; il est lu sur l’entrée standard\n" +
			"(--password-stdin, première ligne) ou demandé au terminal, jamais donné en argument."})
	c.AddCommand(a.userCreateCommand(), a.userListCommand(), a.userPasswordCommand(),
		a.userActiveCommand("deactivate", "Ferme un compte et toutes ses sessions", false),
		a.userActiveCommand("activate", "Rouvre un compte fermé", true), a.userCountryCommand(), a.userEraseCommand(), a.userDetachCommand(secondFactor), a.userDetachCommand(identities))
	return c
}

// accountAsked is a requested account.
type accountAsked struct {
	Email    string `json:"email"`
	FullName string `json:"full_name"`
	Role     string `json:"role"`
	Password string `json:"password"`
}

func (a *app) userCreateCommand() *cobra.Command {
	var u accountAsked
	var stdin bool
	c := &cobra.Command{
		Use: "create --email E --name N [--role R] [--password-stdin]", Short: "Crée un compte", Args: takes(0, 0, ""),
		Example: "  echo \"$MOT_DE_PASSE\" | ingest user create --email a.b@exemple.org --name \"A. B.\" --role admin --password-stdin",
		RunE: func(c *cobra.Command, _ []string) error {
			u.Email, u.FullName = strings.ToLower(strings.TrimSpace(u.Email)), strings.TrimSpace(u.FullName)
			switch {
			case u.Email == "":
				return usage("Il manque --email.")
			case u.FullName == "":
				return usage("Il manque --name.")
			}
			return a.withServer(c.Context(), func(s *server) (err error) { // nobody types a password twice only to learn that the server is down
				if u.Password, err = a.password(stdin); err != nil {
					return err
				}
				var made accountBody
				err = s.call(c.Context(), http.MethodPost, "/admin/users", nil, u, &made)
				if errs.Is(err, errs.Conflict) {
					return errs.Wrap(errs.Conflict, fmt.Sprintf("Un compte existe déjà pour %s. Son mot de passe se change par : ingest user password %s", u.Email, u.Email), err)
				}
				if err != nil {
					return err
				}
				return a.said(made, "Le compte %s est créé (%s).", made.Email, made.Role)
			})
		},
	}
	c.DisableFlagsInUseLine = true
	c.Flags().StringVar(&u.Email, "email", "", "`ADRESSE` électronique, qui est aussi l’identifiant")
	c.Flags().StringVar(&u.FullName, "name", "", "`NOM` affiché")
	c.Flags().StringVar(&u.Role, "role", "user", "`RÔLE` : user (par défaut), editor ou admin")
	c.Flags().Lookup("role").DefValue = ""
	c.Flags().BoolVar(&stdin, "password-stdin", false, "lit le mot de passe sur la première ligne de l’entrée standard")
	return c
}

// saidOf prints the account in its stored state as JSON, or a message about it.
func (a *app) saidOf(ctx context.Context, db *postgres.DB, id uuid.UUID, format string, args ...any) error {
	if !a.json {
		_, err := fmt.Fprintf(a.outcome(), format+"\n", args...)
		return err
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

func (a *app) userListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Liste les comptes", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withServer(c.Context(), func(s *server) error { return a.userList(c.Context(), s) })
		},
	}
}

func (a *app) userList(ctx context.Context, s *server) error {
	list, err := listAll[accountBody](ctx, s, "/admin/users", nil)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(u accountBody) bool { return u.Email == operator }) // the command's own account belongs to nobody
	slices.Reverse(list)                                                                    // the oldest first
	if a.json {
		return writeList(a.out, list, len(list))
	}
	t := table{head: []string{"ADRESSE", "NOM", "RÔLE", "ÉTAT", "CRÉÉ LE", "ID"}, omit: []string{"CRÉÉ LE", "ID"}}
	ids := make([]uuid.UUID, len(list))
	for i, u := range list {
		state := "actif"
		if !u.Active {
			state = "fermé"
		}
		ids[i] = u.ID
		t.add(u.Email, u.FullName, u.Role, state, momentOf(u.CreatedAt), u.ID)
	}
	t.ids = a.shortened(ids)
	return t.write(a.out, "Aucun compte. Créez le premier : ingest user create --role admin …")
}

// account returns the account that has the given e-mail address, or an id that begins so.
func (s *server) account(ctx context.Context, word string) (found accountBody, err error) {
	word = strings.TrimSpace(word)
	absent := errs.Newf(errs.NotFound, "Aucun compte pour %s. « ingest user list » donne la liste.", cleanLine(word))
	if strings.Contains(word, "@") {
		list, err := listAll[accountBody](ctx, s, "/admin/users", url.Values{"q": {word}})
		at := slices.IndexFunc(list, func(u accountBody) bool { return strings.EqualFold(u.Email, word) })
		if err != nil || at < 0 || list[at].Email == operator {
			return found, cmp.Or(err, absent)
		}
		return list[at], nil
	}
	id, err := s.find(ctx, accounts, word)
	if err == nil {
		err = s.call(ctx, http.MethodGet, "/admin/users/"+id.String(), nil, nil, &found)
	}
	if errs.Is(err, errs.NotFound) || err == nil && found.Email == operator {
		err = absent
	}
	return found, err
}

// withUser calls f with the account that has the given e-mail address or id.
func (a *app) withUser(ctx context.Context, db *postgres.DB, email string, f func(u postgres.User) error) error {
	u, err := userOf(ctx, db, strings.TrimSpace(email))
	if errs.Is(err, errs.NotFound) || (err == nil && u.Email == operator) {
		return errs.Newf(errs.NotFound, "Aucun compte pour %s. « ingest user list » donne la liste.", cleanLine(email))
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

func (a *app) userPasswordCommand() *cobra.Command {
	var stdin bool
	c := &cobra.Command{
		Use: "password ADRESSE|ID [--password-stdin]", Short: "Change le mot de passe d’un compte et ferme ses sessions",
		Args: takes(1, 1, "l’adresse du compte"), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			var u postgres.User
			own := func(db *postgres.DB) ([]string, error) {
				err := a.withUser(c.Context(), db, args[0], func(found postgres.User) error { u = found; return nil })
				return []string{u.Email, u.FullName}, err
			}
			return a.withHash(c.Context(), stdin, own, func(db *postgres.DB, hash string) error {
				if err := db.SetPassword(c.Context(), u.ID, hash); err != nil {
					return err
				}
				return a.saidOf(c.Context(), db, u.ID, "Le mot de passe de %s est changé ; ses sessions sont fermées.", u.Email)
			})
		},
	}
	c.Flags().BoolVar(&stdin, "password-stdin", false, "lit le mot de passe sur la première ligne de l’entrée standard")
	return c
}

// anyCountry is the argument that takes the country of an account away.
const anyCountry = "aucun"

func (a *app) userCountryCommand() *cobra.Command {
	return &cobra.Command{
		Use: "country ADRESSE|ID CODE", Short: "Change le pays d’un compte, dont le droit répond aux questions qui n’en nomment pas",
		Long: "Change le pays d’un compte : son droit répond aux questions qui n’en nomment pas et n’ont pas d’autre filtre de pays.\n" +
			"« " + anyCountry + " » le retire.",
		Example: "  ingest user country a.b@exemple.org bf", Args: takes(2, 2, "l’adresse ou l’identifiant du compte, et un code de pays"), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			code, known := country.Parse(args[1])
			if args[1] == anyCountry {
				code, known = "", true
			}
			if !known {
				return usage("« %s » n’est pas un code de pays : %s, ou %s.", cleanLine(args[1]), joined(country.List()), anyCountry)
			}
			return a.withServer(c.Context(), func(s *server) error {
				now, err := s.changeAccount(c.Context(), args[0], map[string]any{"pays": code})
				if err != nil {
					return err
				}
				if code == "" {
					return a.said(now, "Le compte %s n’a plus de pays.", now.Email)
				}
				return a.said(now, "Le pays du compte %s est : %s.", now.Email, country.Name(code))
			})
		},
	}
}

// changeAccount changes an account and returns its new state.
func (s *server) changeAccount(ctx context.Context, word string, change map[string]any) (now accountBody, err error) {
	of, err := s.account(ctx, word)
	if err != nil {
		return now, err
	}
	err = s.call(ctx, http.MethodPatch, "/admin/users/"+of.ID.String(), nil, change, &now)
	return now, err
}
