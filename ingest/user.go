package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/strength"
)

// Limits of an account.
const (
	minPassword = auth.MinPassword
	maxPassword = auth.MaxPassword // in code points
	maxEmail    = 254
)

// roles returns the roles of accounts, in ascending order.
func roles() []string { return []string{"user", "editor", "admin"} }

func (a *app) userCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "user", Short: "Crée et gère les comptes",
		Long: "Crée et gère les comptes. Un mot de passe a 12 à 128 caractères ; il est lu sur l’entrée standard\n" +
			"(--password-stdin, première ligne) ou demandé au terminal, jamais donné en argument."})
	c.AddCommand(a.userCreateCommand(), a.userListCommand(), a.userPasswordCommand(),
		a.userActiveCommand("deactivate", "Ferme un compte et toutes ses sessions", false),
		a.userActiveCommand("activate", "Rouvre un compte fermé", true), a.userCountryCommand(), a.userEraseCommand(), a.userFactorCommand(), a.userIdentitiesCommand())
	return c
}

func (a *app) userCreateCommand() *cobra.Command {
	var u postgres.User
	var stdin bool
	c := &cobra.Command{
		Use: "create --email E --name N [--role R] [--password-stdin]", Short: "Crée un compte", Args: takes(0, 0, ""),
		Example: "  echo \"$MOT_DE_PASSE\" | ingest user create --email a.b@exemple.org --name \"A. B.\" --role admin --password-stdin",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkAccount(&u); err != nil {
				return err
			}
			return a.withHash(c.Context(), stdin, func(*postgres.DB) ([]string, error) { return []string{u.Email, u.FullName}, nil }, func(db *postgres.DB, hash string) error {
				u.ID, u.Active, u.PasswordHash = postgres.NewID(), true, hash
				return a.userCreate(c.Context(), db, u)
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

// checkAccount normalizes the arguments, or rejects them.
func checkAccount(u *postgres.User) error {
	u.Email, u.FullName = strings.ToLower(strings.TrimSpace(u.Email)), strings.TrimSpace(u.FullName)
	switch name, domain, ok := strings.Cut(u.Email, "@"); {
	case u.Email == "":
		return usage("Il manque --email.")
	case !ok || name == "" || strings.Contains(domain, "@") || !strings.Contains(strings.Trim(domain, "."), ".") ||
		strings.ContainsFunc(u.Email, func(r rune) bool { return r <= ' ' || r == 0x7f }) ||
		!utf8.ValidString(u.Email) || len(u.Email) > maxEmail:
		return usage("« %s » n’est pas une adresse électronique.", cleanLine(u.Email))
	}
	if u.FullName == "" || utf8.RuneCountInString(u.FullName) > 255 || clean(u.FullName) != u.FullName || strings.Contains(u.FullName, "\n") {
		return usage("--name attend un nom de 1 à 255 caractères.")
	}
	if !slices.Contains(roles(), u.Role) {
		return usage("--role ne peut pas valoir « %s » : %s.", cleanLine(u.Role), strings.Join(roles(), ", "))
	}
	return nil
}

func (a *app) userCreate(ctx context.Context, db *postgres.DB, u postgres.User) error {
	err := db.CreateUser(ctx, u)
	if errs.Is(err, errs.Conflict) {
		return errs.Wrap(errs.Conflict, fmt.Sprintf("Un compte existe déjà pour %s. Son mot de passe se change par : ingest user password %s", u.Email, u.Email), err)
	}
	if err != nil {
		return err
	}
	return a.saidOf(ctx, db, u.ID, "Le compte %s est créé (%s).", u.Email, u.Role)
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
	return writeJSON(a.out, accountOf(u))
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
		// One byte more than the longest password in UTF-8, not counting the line end.
		line, err := bufio.NewReader(io.LimitReader(a.in, 4*maxPassword+3)).ReadString('\n')
		if err != nil && err != io.EOF {
			return "", err
		}
		return checkPassword(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
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

func checkPassword(p string) (string, error) {
	n := utf8.RuneCountInString(p)
	if n < minPassword || n > maxPassword || !utf8.ValidString(p) || strings.ContainsRune(p, 0) {
		return "", usage("Le mot de passe doit avoir %d à %d caractères ; celui-ci en a %d.", minPassword, maxPassword, n)
	}
	return p, nil
}

// account is the printed form of an account.
type account struct {
	ID        uuid.UUID `json:"id"`
	Email     string    `json:"email"`
	FullName  string    `json:"full_name"`
	Role      string    `json:"role"`
	Active    bool      `json:"active"`
	Country   string    `json:"pays"`
	CreatedAt time.Time `json:"created_at"`
}

func accountOf(u postgres.User) account {
	return account{u.ID, u.Email, u.FullName, u.Role, u.Active, u.Country, u.CreatedAt.UTC()}
}

func (a *app) userListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Liste les comptes", Args: takes(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.userList(c.Context(), db) })
		},
	}
}

func (a *app) userList(ctx context.Context, db *postgres.DB) error {
	users, err := db.Users(ctx)
	if err != nil {
		return err
	}
	list := []account{}
	t := table{head: []string{"ADRESSE", "NOM", "RÔLE", "ÉTAT", "CRÉÉ LE", "ID"}, omit: []string{"CRÉÉ LE", "ID"}}
	var ids []uuid.UUID
	for _, u := range users {
		if u.Email == operator {
			continue // the command's own account belongs to nobody
		}
		state := "actif"
		if !u.Active {
			state = "fermé"
		}
		list = append(list, accountOf(u))
		ids = append(ids, u.ID)
		t.add(u.Email, u.FullName, u.Role, state, moment(u.CreatedAt), u.ID)
	}
	if a.json {
		return writeList(a.out, list, len(list))
	}
	if t.ids, err = a.shortIDs(ctx, db, accounts, ids...); err != nil {
		return err
	}
	return t.write(a.out, "Aucun compte. Créez le premier : ingest user create --role admin …")
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
	id, err := meant.find(ctx, db)
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
				return usage("« %s » n’est pas un code de pays : %s, ou %s.", cleanLine(args[1]), joined(country.Listed()), anyCountry)
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				return a.withUser(c.Context(), db, args[0], func(u postgres.User) error {
					own := string(code)
					if _, err := db.ChangeUser(c.Context(), u.ID, postgres.UserChange{Country: &own}); err != nil {
						return err
					}
					if own == "" {
						return a.saidOf(c.Context(), db, u.ID, "Le compte %s n’a plus de pays.", u.Email)
					}
					return a.saidOf(c.Context(), db, u.ID, "Le pays du compte %s est : %s.", u.Email, country.Name(code))
				})
			})
		},
	}
}
