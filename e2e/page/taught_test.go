package page

import "testing"

// TestTeaching: a reader says which article was meant, an editor pins it, and the same question is answered by it at once; a
// name that is given to a text finds it.
func TestTeaching(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	const asked = "Le meunier du barrage peut-il vendre ses pigeons voyageurs ?"
	v.signIn("/connexion", v.reader())
	v.ask(asked)
	must(t, v.Await(answered), v.Press("Pas utile"), v.Has(".feedback .pick input"), v.Type(".feedback .pick input", "préavis démission"), v.Has(".picks button"))
	v.judge(source, screen{name: "avis-article"})
	must(t, v.Click(".picks button"), v.See("En choisir un autre"), v.Press("Envoyer"), v.See("Merci, c’est noté."))

	must(t, v.Forget())
	v.signIn("/connexion", admin)
	v.look(source, []screen{{"noms-reponses", "/admin/noms", func(v *visit) error { return v.See("Ce que des lecteurs cherchaient") }}})
	must(t, v.ClickOn(`[...document.querySelectorAll("button")].find((b) => b.ariaLabel?.startsWith("Épingler la réponse à Le meunier"))`), v.Has("dialog textarea"))
	v.judge(source, screen{name: "epingler"})
	must(t, v.ClickOn(`document.querySelector("dialog button[type=submit]")`), v.Await(`!document.querySelector("dialog")`), v.Await(`!document.body.innerText.includes("Ce que des lecteurs cherchaient")`))
	must(t, v.Press("Donner un nom"), v.Type("dialog .field:nth-of-type(1) input", "Grimoire"))
	must(t, v.Type("dialog .field:nth-of-type(2) input", "code du travail"), v.ClickOn(`document.querySelector("dialog button[type=submit]")`), v.See("Grimoire"))

	must(t, v.Open("/"))
	v.ask(asked)
	must(t, v.Await(answered), v.See("Réponse vérifiée par une personne"), v.Has(".rule .cite"))
	must(t, v.Open("/textes?q=grimoire"), v.See("portant Code du travail"))
	must(t, v.Open("/textes?q=grimoire+preavsi"), v.Has(".texts li mark"))
	v.blameless("422 (Unprocessable Entity)") // a browser without a session
}
