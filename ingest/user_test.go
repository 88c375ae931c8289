package main

import (
	"strings"
	"testing"

	"vigueur/internal/web/auth"
)

const good = "trois crayons verts"

func (d *desk) user(t *testing.T, in string, args ...string) result {
	t.Helper()
	return d.runWith(t.Context(), in, nil, append([]string{"user"}, args...)...)
}

func TestUsers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, "", "list").want(t, exitDone, "Aucun compte.")
	d.user(t, good+"\r\nseconde ligne\n", "create", "--email", " Admin@Vigueur.local ", "--name", "Ada", "--role", "admin", "--password-stdin").
		want(t, exitDone, "Le compte admin@vigueur.local est créé (admin).")
	d.user(t, good, "create", "--email", "admin@vigueur.local", "--name", "B", "--password-stdin").want(t, exitFailed, "existe déjà", "user password")
	d.user(t, good, "create", "--email", "lise@vigueur.local", "--name", "Lise", "--password-stdin", "--json").want(t, exitDone, `"role": "user"`)
	if _, err := operatorOf(t.Context(), d.db(t)); err != nil {
		t.Fatal(err)
	}
	for _, easy := range []string{"motdepasse123", "lucie.aubert", "Lucie Aubert 2026"} {
		d.user(t, easy, "create", "--email", "lucie.aubert@vigueur.local", "--name", "Lucie Aubert", "--password-stdin").want(t, exitUsage, "trop facile à deviner")
	}
	d.user(t, "lise@vigueur.local", "password", "lise@vigueur.local", "--password-stdin").want(t, exitUsage, "trop facile à deviner")
	d.golden(t, "users", d.user(t, "", "list").out)
	d.checkPassword(t, "admin@vigueur.local", good)

	d.user(t, "", "deactivate", "admin@vigueur.local").want(t, exitFailed, "dernier administrateur")
	d.user(t, "", "deactivate", "LISE@vigueur.local").want(t, exitDone, "Le compte lise@vigueur.local est fermé")
	lise := ""
	for _, u := range items[accountBody](t, d.user(t, "", "list", "--json")) {
		if u.Email == "lise@vigueur.local" {
			lise = u.ID.String()
		}
	}
	d.user(t, "", "activate", lise[:20]).want(t, exitDone, "Le compte lise@vigueur.local est ouvert.")
	d.user(t, "", "deactivate", lise).want(t, exitDone, "Le compte lise@vigueur.local est fermé")
	d.user(t, "", "deactivate", "ffffffff").want(t, exitFailed, "Aucun compte")
	d.user(t, "", "list").want(t, exitDone, "fermé")
	d.user(t, "", "activate", "lise@vigueur.local").want(t, exitDone, "est ouvert")
	for _, command := range []string{"deactivate", "activate"} {
		d.user(t, "", command, "personne@vigueur.local").want(t, exitFailed, "Aucun compte pour personne@vigueur.local")
		d.user(t, "", command, operator).want(t, exitFailed, "Aucun compte")
	}
	both := d.user(t, "", "deactivate", "admin@vigueur.local", "lise@vigueur.local", "lise@vigueur.local", "personne@vigueur.local")
	both.want(t, exitFailed, "Le compte lise@vigueur.local est fermé")
	if !strings.Contains(both.err, "admin@vigueur.local : ") || !strings.Contains(both.err, "personne@vigueur.local : Aucun compte") || strings.Count(both.out, "lise") != 1 {
		t.Errorf("out %q, told %q", both.out, both.err)
	}
	d.user(t, "", "activate", "lise@vigueur.local", "admin@vigueur.local", "--json").want(t, exitDone, `"failed": []`, `"email": "lise@vigueur.local"`)
	d.user(t, "", "deactivate", "lise@vigueur.local", "ffffffff", "--json").want(t, exitFailed, `"given": "ffffffff"`, `"error": "Aucun compte`, `"active": false`)
	d.user(t, "", "activate", "lise@vigueur.local").want(t, exitDone, "est ouvert")
	d.user(t, "", "country", "lise@vigueur.local", "BF").want(t, exitDone, "Le pays du compte lise@vigueur.local est : Burkina Faso.")
	d.user(t, "", "list", "--json").want(t, exitDone, `"pays": "bf"`)
	d.user(t, "", "country", "lise@vigueur.local", "zz").want(t, exitUsage, "n’est pas un code de pays")
	d.user(t, "", "country", "lise@vigueur.local", "aucun").want(t, exitDone, "n’a plus de pays")
	d.user(t, "", "country", "personne@vigueur.local", "bf").want(t, exitFailed, "Aucun compte")
	d.user(t, good, "password", operator, "--password-stdin").want(t, exitFailed, "Aucun compte")
	d.user(t, "un autre mot de passe\n", "password", "admin@vigueur.local", "--password-stdin").want(t, exitDone, "est changé")
	d.checkPassword(t, "admin@vigueur.local", "un autre mot de passe")
}

// checkPassword fails the test unless the account has the password.
func (d *desk) checkPassword(t *testing.T, email, password string) {
	t.Helper()
	u, err := d.db(t).UserByEmail(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := auth.NewPasswords().Verify(t.Context(), password, u.PasswordHash); err != nil || !ok {
		t.Errorf("the password of %s does not open it: %v, error %v", email, ok, err)
	}
}

func TestPasswordOnTheTerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	create := []string{"create", "--email", "a@b.fr", "--name", "A"}
	d.user(t, "", create...).want(t, exitUsage, "--password-stdin")
	d.secrets = []string{"court"}
	d.user(t, "", create...).want(t, exitUsage, "12 à 128 caractères ; celui-ci en a 5")
	d.secrets = []string{good, good + "!"}
	d.user(t, "", create...).want(t, exitUsage, "diffèrent")
	d.secrets = []string{good, good}
	d.user(t, "", create...).want(t, exitDone, "est créé")
	d.checkPassword(t, "a@b.fr", good)
}

func TestAccountsThatCannotBe(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, c := range []struct{ email, name, role, password, want string }{
		{"", "N", "user", good, "Il manque --email."},
		{"a", "N", "user", good, "--email : Une adresse e-mail est attendue."},
		{"a@b", "N", "user", good, "--email : Une adresse e-mail est attendue."},
		{"a@b@c.fr", "N", "user", good, "--email : Une adresse e-mail est attendue."},
		{"@b.fr", "N", "user", good, "--email : Une adresse e-mail est attendue."},
		{"a b@c.fr", "N", "user", good, "--email : Une adresse e-mail est attendue."},
		{strings.Repeat("a", 250) + "@b.fr", "N", "user", good, "--email : Une adresse e-mail est attendue."},
		{"a@b.fr", "  ", "user", good, "Il manque --name."},
		{"a@b.fr", "a\x1b[1m", "user", good, "--name : Ce texte contient un caractère qui n’est pas admis."},
		{"a@b.fr", strings.Repeat("n", 256), "user", good, "--name : Au plus 255 caractères."},
		{"a@b.fr", "N", "root", good, "--role : Valeur attendue : 'user', 'editor' ou 'admin'."},
		{"a@b.fr", "N", "user", "", "celui-ci en a 0"},
		{"a@b.fr", "N", "user", "onze lettre\n" + good, "celui-ci en a 11"},
		{"a@b.fr", "N", "user", strings.Repeat("é", 129), "celui-ci en a 129"},
		{"a@b.fr", "N", "user", strings.Repeat("x", 10_000), "12 à 128"},
		{"a@b.fr", "N", "user", strings.Repeat("\xff", 20), "12 à 128"},
	} {
		d.user(t, c.password, "create", "--email", c.email, "--name", c.name, "--role", c.role, "--password-stdin").want(t, exitUsage, c.want)
	}
	longest := strings.Repeat("marée haute sur le port", 2) + strings.Repeat("é", 82)
	d.user(t, longest+"\n", "create", "--email", "a@b.fr", "--name", "N", "--password-stdin").want(t, exitDone)
}
