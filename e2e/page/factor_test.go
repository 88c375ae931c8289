package page

import (
	"strings"
	"testing"
	"time"

	"vigueur/e2e/browser"
	"vigueur/internal/web/factor"
)

// person is somebody with a program that makes codes.
type person struct {
	secret factor.Secret
	last   int64 // step of the last code
}

// code returns a code that is good now and was not given before: that of the moment, or the
// one after it, which the service takes too. Nobody waits for a clock.
func (p *person) code(t *testing.T) string {
	t.Helper()
	p.last = max(factor.Step(time.Now()), p.last+1)
	code, err := p.secret.Code(p.last)
	must(t, err)
	return code
}

// enroll chooses a second factor at the screen that is open, and gives its recovery codes.
// With the source of axe its screens are judged.
func (v *visit) enroll(axe string, p *person) []string {
	v.t.Helper()
	_, password := v.service.Account()
	must(v.t, v.Type(".factor [name=password], h1 ~ form [name=password]", password), v.Press("Choisir un second facteur"), v.Has("svg.qr path"), v.Await(`document.activeElement.name === "code"`))
	if axe != "" {
		v.judge(axe, screen{name: "second facteur"})
	}
	spelled, err := browser.Eval[string](v.Tab, `document.querySelector(".secret").textContent`)
	must(v.t, err)
	p.secret = factor.Secret(strings.ReplaceAll(spelled, " ", ""))
	must(v.t, v.Type("form:has(svg.qr) [name=code]", "000000"), v.Press("Confirmer"), v.See("Le code est incorrect"))
	must(v.t, v.Type("form:has(svg.qr) [name=code]", p.code(v.t)), v.Press("Confirmer"), v.Has(".recovery"), v.See("Ils ne seront plus jamais montrés"))
	if axe != "" {
		v.judge(axe, screen{name: "codes de secours"})
	}
	codes, err := browser.Eval[[]string](v.Tab, `[...document.querySelectorAll(".recovery li")].map((l) => l.textContent)`)
	must(v.t, err)
	if len(codes) != factor.Codes {
		v.t.Fatalf("recovery codes: %q", codes)
	}
	must(v.t, v.Press("J’ai gardé ces codes"), v.Await(`!document.querySelector(".recovery")`))
	return codes
}

// begin signs in as far as the password goes.
func (v *visit) begin(email string) {
	v.t.Helper()
	_, password := v.service.Account()
	must(v.t, v.Type("[name=email]", email), v.Type("[name=password]", password), v.Key("\r"), v.Has("[name=code]"), v.Await(`document.activeElement.name === "code"`))
}

// A second factor is chosen, asked for, stands in for by a recovery code, and removed.
func TestSecondFactor(t *testing.T) {
	const who = "facteur@exemple.org"
	v, source, p := atPage(t), axe(t), &person{}
	must(t, v.service.AddUser(t.Context(), who, "user"))
	v.signIn("/compte", who)
	codes := v.enroll(source, p)
	must(t, v.See("Il reste 10 codes de secours"), v.Press("Quitter"), v.See("Se connecter"))

	must(t, v.Open("/connexion"))
	v.begin(who)
	v.judge(source, screen{name: "code de vérification"})
	must(t, v.Type("[name=code]", "000000"), v.Press("Continuer"), v.See("Le code est incorrect ou a déjà servi"))
	must(t, v.Press("Recommencer"))
	v.begin(who)
	must(t, v.Type("[name=code]", p.code(t)), v.Key("\r"), v.Has("#question"), v.Press("Quitter"), v.See("Se connecter"))

	must(t, v.Open("/connexion"))
	v.begin(who)
	must(t, v.Type("[name=code]", strings.ToUpper(codes[4])), v.Key("\r"), v.Has("#question"), v.Open("/compte"), v.See("Il reste 9 codes de secours"))
	_, password := v.service.Account()
	must(t, v.Type(".factor [name=password]", password), v.Type(".factor [name=code]", codes[4]), v.Press("Retirer le second facteur"), v.See("Le mot de passe ou le code est incorrect"))
	must(t, v.Type(".factor [name=code]", codes[5]), v.Press("Refaire les codes de secours"), v.Has(".recovery"))
	fresh, err := browser.Eval[string](v.Tab, `document.querySelector(".recovery li").textContent`)
	must(t, err, v.Press("J’ai gardé ces codes"), v.See("Il reste 10 codes de secours"))
	must(t, v.Type(".factor [name=password]", password), v.Type(".factor [name=code]", fresh), v.Press("Retirer le second facteur"), v.See("qui apprend votre mot de passe n’entre pas"))
	v.blameless("400 (Bad Request", "401 (Unauthorized")
}

// Where it is required, an editor sees nothing else before it is chosen; an administrator
// removes the one of who has lost it.
func TestSecondFactorIsRequired(t *testing.T) {
	const who, chief = "exigee@exemple.org", "cheffe@exemple.org"
	v, source := atPage(t), axe(t)
	ctx := t.Context()
	must(t, v.service.AddUser(ctx, who, "editor"), v.service.AddUser(ctx, chief, "admin"))
	v.service.Set("VIGUEUR_SECOND_FACTOR_REQUIRED", "true")
	strict, err := v.service.API(ctx)
	v.service.Set("VIGUEUR_SECOND_FACTOR_REQUIRED", "false")
	must(t, err)
	tab, err := world.chrome.Tab(strict.URL)
	must(t, err)
	defer tab.Close()
	v = &visit{Tab: tab, t: t, service: v.service}
	enter := func(path, email string) {
		_, password := v.service.Account()
		must(t, v.Open(path), v.Type("[name=email]", email), v.Type("[name=password]", password), v.Key("\r"), v.See("Choisissez un second facteur"))
	}
	enter("/admin", who)
	must(t, v.Open("/textes"), v.See("Choisissez un second facteur"))
	v.enroll(source, &person{})
	must(t, v.Has(".texts li"), v.Press("Quitter"), v.See("Se connecter"))
	enter("/connexion", chief)
	v.enroll("", &person{}) // the screens of before
	must(t, v.Open("/admin/comptes"), v.Press("Retirer le second facteur de Essai"))
	must(t, v.Has("dialog .danger"), v.Press("Fermer"))
	var left int
	must(t, v.service.Query(ctx, `SELECT count(*) FROM second_factors f JOIN users u ON u.id = f.user_id WHERE u.email IN ('`+who+`', '`+chief+`')`, &left))
	if left != 2 {
		t.Errorf("%d second factors", left)
	}
	must(t, v.Click(`[data-account="`+who+`"] [data-lost]`), v.Press("Retirer le second facteur"), v.Await(`!document.querySelector("dialog")`))
	must(t, v.service.Query(ctx, `SELECT count(*) FROM second_factors f JOIN users u ON u.id = f.user_id WHERE u.email IN ('`+who+`', '`+chief+`')`, &left))
	if left != 1 {
		t.Errorf("%d second factors after one was removed", left)
	}
	v.blameless("400 (Bad Request")
}
