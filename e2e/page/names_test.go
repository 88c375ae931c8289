package page

import "testing"

// TestGivenNames: a name that is given to a text finds it, also with a word that is mistyped.
func TestGivenNames(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	v.signIn("/connexion", admin)
	v.look(source, []screen{{"noms", "/admin/noms", func(v *visit) error { return v.See("Noms courts des textes") }}})
	must(t, v.Press("Donner un nom"), v.Type("dialog .field:nth-of-type(1) input", "Grimoire"))
	must(t, v.Type("dialog .field:nth-of-type(2) input", "code du travail"), v.ClickOn(`document.querySelector("dialog button[type=submit]")`), v.See("Désignera"))
	must(t, v.ClickOn(`document.querySelector("dialog button[type=submit]")`), v.See("Grimoire"))
	must(t, v.Open("/textes?q=grimoire"), v.See("portant Code du travail"))
	must(t, v.Open("/textes?q=grimoire+preavsi"), v.Has(".texts li mark"))
	v.blameless("422 (Unprocessable Entity)") // a browser without a session
}
