package page

import (
	"testing"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
)

// The account's owner sees where it is signed in, ends that there, and has another name.
func TestSessions(t *testing.T) {
	const who = "sessions@exemple.org"
	v := atPage(t)
	must(t, v.service.AddUser(t.Context(), who, "user"))
	elsewhere := func() {
		_, err := v.service.ClientOf(t.Context(), v.service.api, who)
		must(t, err)
	}
	elsewhere()
	v.signIn("/compte", who)
	must(t, v.Await(`document.querySelectorAll(".sessions li").length === 2`), v.Await(`document.querySelectorAll(".sessions [data-current=true]").length === 1`),
		v.See("Chrome, Linux (cette session)"), v.See("Go-http-client/1.1"))
	must(t, v.Press("Fermer"), v.Await(`document.querySelectorAll(".sessions li").length === 1`), v.Await(`document.activeElement.id === "sessions"`))
	must(t, v.Type("[name=full_name]", "   "), v.Press("Changer le nom"), v.Await(`document.activeElement.name === "full_name" && document.activeElement.ariaInvalid === "true"`))
	must(t, v.Type("[name=full_name]", "Aïssatou Sène"), v.Press("Changer le nom"), v.Await(`document.querySelector("dl.facts dd").textContent === "Aïssatou Sène"`))
	elsewhere()
	elsewhere()
	must(t, v.Open("/compte"), v.See("Aïssatou Sène"), v.Await(`document.querySelectorAll(".sessions li").length === 3`))
	must(t, v.Press("Fermer toutes les autres"), v.Await(`document.querySelectorAll(".sessions li").length === 1`))
	elsewhere()
	must(t, v.Press("Quitter partout"), v.Await(`location.pathname === "/"`), v.See("Se connecter"))
	var open int
	must(t, v.service.Query(t.Context(), `SELECT count(*) FROM refresh_tokens t JOIN users u ON u.id = t.user_id WHERE u.email = '`+who+`' AND t.revoked_at IS NULL`, &open))
	if open != 0 {
		t.Errorf("%d sessions are open still", open)
	}
	v.blameless("422 (Unprocessable")
}

// TestThemeIsChosen keeps the theme that a reader has chosen, over a reload, whatever that
// of the device.
func TestThemeIsChosen(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion", v.reader())
	paper := func(color string) error {
		return v.Await(`getComputedStyle(document.body).backgroundColor === "` + color + `"`)
	}
	const light, dark = "rgb(253, 252, 249)", "rgb(23, 24, 27)"
	must(t, v.Dark(false), v.Open("/compte"), v.Has("#theme"), paper(light))
	must(t, v.Choose("#theme", "dark"), paper(dark), v.Reload(), v.Has("#theme"), paper(dark))
	must(t, v.Dark(true), v.Choose("#theme", "light"), paper(light))
	must(t, v.Choose("#theme", "device"), paper(dark), v.Reload(), v.Has("#theme"), paper(dark))
}

// An account chooses its country: the law of that country answers what names none, and the answer says so.
func TestOwnCountryIsChosen(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	v.signIn("/connexion", v.reader())
	must(t, v.Open("/compte"), v.Await(`document.querySelectorAll("#own-country:enabled option").length > 1`))
	code, err := browser.Eval[string](v.Tab, `document.querySelector("#own-country option:nth-of-type(2)").value`)
	must(t, err)
	must(t, v.Choose("#own-country", code), v.See("Vos questions portent sur le droit de ce pays"), v.Open("/"), v.Await(`document.querySelector(".composer .country select")?.value === `+quote(code)))
	v.ask("Que dit l’article 36 du code du travail ?")
	must(t, v.Await(answered), v.Await(`document.querySelector(".actions .meta").innerText.includes("Droit demandé")`))
	v.look(source, []screen{
		{"pays-du-compte", "/compte", func(v *visit) error {
			return v.Await(`document.querySelector("#own-country").value !== ""`)
		}},
		{"pays-du-catalogue", "/textes", func(v *visit) error { return first(v.See("Le droit de votre pays"), v.Has(".texts li")) }},
		{"pays-question", "/", func(v *visit) error { return v.Has(".composer .country") }},
	})
	must(t, v.Open("/textes"), v.Press("Tous les pays"), v.Await(`location.search === "?pays=tous" && document.querySelector(".texts li") && !document.body.innerText.includes("votre pays")`))
	must(t, v.Open("/"), v.Has(".composer .country"), v.Choose(".composer .country select", ""), v.See("le droit de tous les pays"))
	v.ask("Que dit l’article 36 du code du travail ?")
	must(t, v.Await(answered), v.Await(`document.querySelector(".turn:last-child .actions .meta") && !document.querySelector(".turn:last-child .actions .meta").innerText.includes("Droit demandé")`))
	v.blameless()
}

// TestCountryFirst is the country that a guest is asked for with one tap; it goes with every question, and can be changed
// beside the box.
func TestCountryFirst(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	must(t, v.Before(stand), v.Open("/"), v.stands(`[["/countries",[{"pays":"bj","nom":"Bénin","documents_count":3},{"pays":"tg","nom":"Togo","documents_count":2}]]]`))
	v.look(source, []screen{{"pays-arrivee", "/", func(v *visit) error { return v.See("Le droit de quel pays") }}})
	must(t, v.stands(`[["/countries",[{"pays":"bj","nom":"Bénin","documents_count":3},{"pays":"tg","nom":"Togo","documents_count":2}]]]`), v.Open("/"), v.See("Le droit de quel pays"),
		v.Press("Togo"), v.Await(`document.querySelector(".guest .country select")?.value === "tg" && !document.body.innerText.includes("Le droit de quel pays")`),
		v.Reload(), v.Await(`document.querySelector(".guest .country select")?.value === "tg" && document.querySelector("[role=search] [name=pays]").value === "tg"`))
	must(t, v.Await(`!document.querySelector(".unknown")`), v.Type("#guest-question", notice), v.Key("\r"), v.Await(answered), v.See("Droit demandé : Togo"), v.Choose(".guest .country select", ""), v.Await(`localStorage.getItem("vigueur.pays") === "tous"`))
	must(t, v.stands("[]"))
	_, err := browser.Eval[bool](v.Tab, `!void localStorage.removeItem("vigueur.pays")`)
	must(t, err)
	v.blameless()
}

// TestAGuestRefinesTheCountry checks that one tap beside an answer asks again for the law of one of the countries that it cites.
func TestAGuestRefinesTheCountry(t *testing.T) {
	t.Parallel()
	own := serve(t, func(s *stage.Stage) {
		s.Set("VIGUEUR_PUBLIC_CATALOGUE", "true")
		s.Set("VIGUEUR_GUEST_QUESTIONS", "9")
		must(t, s.Query(t.Context(), `WITH two AS (UPDATE documents SET countries = '{bj,tg}' RETURNING id),
			told AS (INSERT INTO catalogue_changes (document_id) SELECT id FROM two RETURNING 1) SELECT count(*) FROM told`, new(int)))
	})
	t.Cleanup(func() { must(t, own.Close()) })
	v := visitOf(t, own)
	must(t, v.Open("/"), v.See("Le droit de quel pays"), v.Type("#guest-question", notice), v.Key("\r"), v.Await(answered), v.ClickOn(`[...document.querySelectorAll(".turn .which-country button")].find((b) => b.innerText === "Togo")`),
		v.Await(`document.querySelectorAll(".turn .answer[data-phase=done]").length === 2`), v.See("Droit demandé : Togo"))
	v.blameless()
}

// TestAccountIsDeleted checks that an account's owner deletes it with the password, and is signed out of an account that is
// no more.
func TestAccountIsDeleted(t *testing.T) {
	const who = "adieu@exemple.org"
	v := atPage(t)
	must(t, v.service.AddUser(t.Context(), who, "user"))
	v.signIn("/compte", who)
	_, password := v.service.Account()
	must(t, v.Size(360, 640), v.Press("Supprimer mon compte"), v.Type("form:has(button.danger) [name=password]", password), v.Press("Supprimer pour toujours"), v.See("Votre compte est supprimé."), v.Await(`location.pathname === "/" && scrollY === 0 && document.activeElement.matches("h1")`))
	var left int
	must(t, v.service.Query(t.Context(), `SELECT count(*) FROM users WHERE email = '`+who+`'`, &left))
	if left != 0 {
		t.Error("the account is there")
	}
	v.blameless("422 (Unprocessable") // no session is left to sign out of
}
