package page

import (
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"vigueur/e2e/browser"
)

// A forgotten password: the link of the message sets another one, once, and does not
// stay in the address bar.
func TestForgottenPassword(t *testing.T) {
	const who, fresh = "oubli@exemple.org", "vent d’ouest sur la digue"
	v := atPage(t)
	must(t, v.service.AddUser(t.Context(), who, "user"))
	must(t, v.Open("/connexion"), v.Press("Mot de passe oublié"), v.See("Donnez l’adresse de votre compte"))
	must(t, v.Type("[name=email]", "sans arobase"), v.Press("Envoyer le lien"), v.Has(".field .fault"), v.Await(`document.activeElement.name === "email"`))
	must(t, v.Type("[name=email]", "personne@exemple.org"), v.Press("Envoyer le lien"), v.See("Regardez vos messages"))
	must(t, v.Press("demandez un autre lien"), v.Type("[name=email]", who), v.Press("Envoyer le lien"), v.See("Si l’adresse "+who+" a un compte"))
	link := v.linkIn(who, `/mot-de-passe#jeton=\S+`)
	must(t, v.Open("/"), v.Open(link), v.Has("[name=new_password]"), v.Await(`location.hash === ""`))
	must(t, v.Type("[name=new_password]", fresh), v.Type("[name=again]", fresh+"s"), v.Press("Changer le mot de passe"), v.See("Écrivez deux fois le même"))
	must(t, v.Press("Montrer le mot de passe"), v.Await(`document.querySelector("[name=new_password]").type === "text"`), v.Type("[name=new_password]", "court"), v.Type("[name=again]", "court"), v.Press("Changer le mot de passe"),
		v.Await(`document.activeElement.name === "new_password" && document.activeElement.ariaInvalid === "true"`))
	must(t, v.Await(`document.querySelector("[name=new_password]").type === "password"`)) // it was sent
	must(t, v.Type("[name=new_password]", fresh), v.Type("[name=again]", fresh), v.Press("Changer le mot de passe"), v.See("Connectez-vous avec le nouveau"))
	must(t, v.Type("[name=email]", who), v.Type("[name=password]", fresh), v.Key("\r"), v.Has(".top nav button"))
	must(t, v.Open(link), v.Type("[name=new_password]", fresh), v.Type("[name=again]", fresh), v.Press("Changer le mot de passe"), v.See("Ce lien ne sert plus"))
	must(t, v.Press("Demander un autre lien"), v.See("Mot de passe oublié"))
	v.blameless("422 (Unprocessable", "400 (Bad Request")
}

// An account is opened by who has an address of a domain that the operator named, and
// its owner is signed in.
func TestSignUp(t *testing.T) {
	const who, password = "noe@" + signupDomain, "marée haute sur le port"
	v := atPage(t)
	must(t, v.Open("/connexion"), v.Press("Demandez-en un."), v.See("Demander un compte"))
	must(t, v.Type("[name=email]", "noe@ailleurs.example"), v.Type("[name=full_name]", "Noé Lancel"), v.Press("Demander le compte"),
		v.See("aux adresses de ce domaine"), v.Await(`document.activeElement.name === "email"`))
	must(t, v.Type("[name=email]", who), v.Press("Demander le compte"), v.See("Regardez vos messages"))
	link := v.linkIn(who, `/inscription#jeton=\S+`)
	// Put into the bar of the screen that is open, it loads nothing anew.
	_, err := browser.Eval[string](v.Tab, fmt.Sprintf("location.href = %q", link))
	must(t, err, v.Type("[name=password]", password), v.Await(`location.hash === ""`), v.Type("[name=again]", password), v.Press("Ouvrir le compte"))
	must(t, v.Await(`location.pathname === "/"`), v.Has("#question"), v.Open("/compte"), v.See("Noé Lancel"))
	must(t, v.Open("/inscription#jeton="), v.See("Le lien est incomplet"))
	v.blameless("422 (Unprocessable")
}

// Where the operator opened nothing, who wants an account is told so before filling in a form.
func TestSignUpIsClosed(t *testing.T) {
	v := atSlowPage(t)
	must(t, v.Open("/inscription"), v.See("Les inscriptions sont fermées"), v.See("L’administrateur du service ouvre les comptes"))
	v.blameless()
}

// linkIn waits for a message to an address, and gives the link in it.
func (v *visit) linkIn(to, pattern string) string {
	v.t.Helper()
	link := regexp.MustCompile(pattern)
	for until := time.Now().Add(2 * time.Minute); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
		letters, err := filepath.Glob(filepath.Join(v.service.Dir, "mail", "*.eml"))
		must(v.t, err)
		for _, path := range letters {
			file, err := os.Open(path)
			must(v.t, err)
			letter, err := mail.ReadMessage(file)
			must(v.t, err)
			words, err := io.ReadAll(quotedprintable.NewReader(letter.Body))
			must(v.t, err, file.Close())
			addressed, err := letter.Header.AddressList("To")
			must(v.t, err)
			if found := link.Find(words); found != nil && addressed[0].Address == to {
				return string(found)
			}
		}
	}
	v.t.Fatalf("no message to %s came", to)
	return ""
}
