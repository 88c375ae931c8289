package page

import (
	"testing"

	"vigueur/e2e/browser"
)

// stand has requests of the API that no test can bring about at will end as a test says: an
// address that ends with a name is answered by a status, by a body, never ("wait"), or not at
// all ("lost"). The list lies in the tab's session, for pages that are opened later too. A rule
// with a third member holds for one request.
const stand = `(() => {
	const real = window.fetch
	window.standing = true
	window.fetch = (request, init) => {
		const url = new URL(request.url ?? request, location.href).pathname
		const rules = JSON.parse(sessionStorage.getItem("test.stand") ?? "[]")
		for (const [i, [ending, how, once]] of rules.entries()) {
			if (!url.endsWith(ending)) continue
			if (once) sessionStorage.setItem("test.stand", JSON.stringify(rules.toSpliced(i, 1)))
			if (how === "wait") return new Promise(() => {})
			if (how === "lost") return Promise.reject(new TypeError("lost"))
			if (typeof how === "number") return Promise.resolve(new Response(JSON.stringify({detail: "Le service a rencontré un problème. Réessayez dans un instant."}), {status: how, headers: {"Content-Type": "application/json"}}))
			return Promise.resolve(new Response(JSON.stringify(how), {headers: {"Content-Type": "application/json"}}))
		}
		return real(request, init)
	}
})()`

// stands says how requests end from now on, in a page that has loaded stand.
func (v *visit) stands(rules string) error {
	_, err := browser.Eval[any](v.Tab, `standing && sessionStorage.setItem("test.stand", `+quote(rules)+`)`)
	return err
}

// States that people come to when something is wrong, is awaited, or is over: they keep the
// rules of the screens, and tell what to do.
var (
	before = []screen{
		{"connexion-refusee", "/connexion", func(v *visit) error {
			return first(v.Type("[name=email]", v.reader()), v.Type("[name=password]", "faux"), v.Key("\r"), v.See("Adresse e-mail ou mot de passe incorrect"))
		}},
		{"lien-mort", "/mot-de-passe?#jeton=abc", func(v *visit) error {
			return first(v.Type("[name=new_password]", "vent d’ouest sur la digue"), v.Type("[name=again]", "vent d’ouest sur la digue"), v.Press("Changer le mot de passe"), v.See("ne sert plus"))
		}},
	}
	within = []screen{
		{"bonjour", "/", func(v *visit) error {
			v.ask("Bonjour")
			return first(v.Await(answered), v.Await(`!document.querySelector(".warning") && !/À vérifier|Passages cités/.test(document.body.innerText)`))
		}},
		{"menu", "", func(v *visit) error {
			return first(v.Press("Pas utile"), v.Has(".feedback textarea"), v.Press("Garder"), v.See("Exporter en Markdown"), v.Key(escape), v.Await(`!document.querySelector(".menu[open]")`), v.Press("Garder"))
		}},
		{"fiche", "/", func(v *visit) error {
			v.ask("Article 26 du code du travail")
			return first(v.Await(answered), v.Await(`(document.querySelector(".cite")?.focus(), document.querySelector(".card"))`))
		}},
		{"envoi", "/", func(v *visit) error {
			return first(v.stands(`[["/chat-rag/stream","wait"]]`), v.Type("#question", notice), v.Key("\r"), v.See("Envoi de la question"))
		}},
		{"conversations-absentes", "/", func(v *visit) error {
			return first(v.stands(`[["/conversations",503]]`), v.Open("/"), v.Has(".side .failure button"))
		}},
		{"conversation-inconnue", "/c/018f0000-0000-7000-8000-000000000000", func(v *visit) error {
			return first(v.See("Conversation introuvable"), v.Press("Poser une nouvelle question"), v.Await(`location.pathname === "/"`), v.Back(), v.See("Conversation introuvable"),
				v.Await(`!document.querySelector(".failure button, .menu")`))
		}},
		{"tiroir", "/", func(v *visit) error {
			return first(v.Size(360, 900), v.Press("Conversations"), v.Has(".side.open li"), v.Await(`document.querySelector("main").inert && document.activeElement.id === "find"`),
				v.Key(escape), v.Await(`!document.querySelector(".side.open") && document.activeElement.textContent === "Conversations"`), v.Press("Conversations"), v.Has(".side.open li"))
		}},
		{"texte-inconnu", "/textes/018f0000-0000-7000-8000-000000000000", func(v *visit) error {
			return first(v.See("Ce texte n’existe pas"), v.Press("Voir tous les textes"), v.Has(".texts li"), v.Back(), v.See("Ce texte n’existe pas"))
		}},
		{"recherche-attendue", "/", func(v *visit) error {
			return first(v.stands(`[["/search","wait"]]`), v.Open("/textes?q=travail"), v.See("Recherche dans les articles"))
		}},
		{"texte-de-poche", "/textes", func(v *visit) error {
			return first(v.Size(360, 900), v.Click(".texts a"), v.Has(".law-text"), v.Await(`!document.querySelector("#find-in").checkVisibility({ visibilityProperty: true })`), v.Press("Sommaire et recherche"),
				v.Await(`document.querySelector("#find-in").checkVisibility({ visibilityProperty: true })`), v.Click(".law h3 button"), v.Has(".gazette .sheet[data-drawn]"), v.Click(".gazette-head button"), v.Await(`!document.querySelector(".gazette")`))
		}},
		{"session-expiree", "/", func(v *visit) error {
			return first(v.stands(`[["/chat-rag/stream",401],["/auth/refresh",401]]`), v.Type("#question", notice), v.Key("\r"), v.See("La session a pris fin"))
		}},
	}
)

const escape = "\u001b"

func TestStates(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	must(t, v.Before(stand))
	v.look(source, before)
	v.signIn("/connexion", v.reader())
	v.look(source, within)
	v.blameless("400 (Bad Request", "401 (Unauthorized", "404 (Not Found")
}
