package page

import (
	"strings"
	"testing"

	"vigueur/e2e/browser"
)

// A conversation is shared by a link, which a guest reads until it is withdrawn.
func TestShareAConversation(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	v.signIn("/connexion", v.reader())
	must(t, v.Open("/"))
	v.ask("Que dit l’article 36 du code du travail ?")
	must(t, v.Await(answered), v.Press("Partager"), v.See("ne peut rien y changer"), v.Press("Faire un lien"), v.Has("dialog input[readonly]"))
	link, err := browser.Eval[string](v.Tab, `document.querySelector("dialog input[readonly]").value`)
	must(t, err)
	_, token, _ := strings.Cut(link, "/partage#jeton=")
	path := "/partage#jeton=" + token
	v.look(source, []screen{
		{"partage-lien", "", nil},
		{"partage-fait", "", func(v *visit) error {
			return first(v.Press("Fermer"), v.Press("Partager"), v.See("qui en montre 1 question"))
		}},
		{"partage-lu", path, func(v *visit) error {
			return first(v.See("Partagée depuis aujourd’hui"), v.See("Que dit l’article 36"), v.Has(".shared .rule .cite"))
		}},
		{"partage-source", "", func(v *visit) error {
			return first(v.Click(".shared .rule .cite"), v.Has(".shared .source .sheet img"))
		}},
	})
	rated, err := browser.Eval[bool](v.Tab, `[...document.querySelectorAll("button")].some((b) => /Utile|Reposer|Suivre|Partager/.test(b.innerText))`)
	must(t, err)
	if rated {
		t.Error("a reader of the link is offered what only its owner may do")
	}

	guest := visitOf(t, v.service)
	must(t, guest.Open(path), guest.See("Que dit l’article 36"), guest.Click(".shared .rule .cite"), guest.Has(".source blockquote mark"), guest.Has(".gazette-page .sheet img"), guest.Press("Lire le texte"), guest.Await(`location.pathname.startsWith("/akn/")`), guest.See("Code du travail"))

	must(t, v.Back(), v.Await(`location.pathname.startsWith("/c/")`), v.Press("Partager"), v.Press("Retirer le lien"), v.See("il n’ouvre plus rien"), v.See("Faire un lien"))
	must(t, guest.Open(path), guest.See("Ce lien n’ouvre rien"))
	guest.blameless("404 (Not Found)")
	v.blameless()
}

// Who shares conversations finds the links again under Compte; an administrator withdraws them without a word of what they show.
func TestListsOfSharedConversations(t *testing.T) {
	v := atPage(t)
	who := v.reader()
	v.signIn("/connexion", who)
	const asked = "Que dit l’article 36 du code du travail ?"
	must(t, v.Open("/"))
	v.ask(asked)
	must(t, v.Await(answered), v.Press("Partager"), v.Press("Faire un lien"), v.Has("dialog input[readonly]"), v.Press("Fermer"))
	must(t, v.Open("/compte"), v.See("Conversations partagées"), v.See("1 question."))
	v.look(axe(t), []screen{{"compte-partages", "", nil}})
	must(t, v.Press("Retirer le lien de "+asked), v.See("Aucune de vos conversations n’a de lien."))
	must(t, v.Back(), v.Await(`location.pathname.startsWith("/c/")`), v.Press("Partager"), v.Press("Faire un lien"), v.Has("dialog input[readonly]"), v.Press("Fermer"))
	must(t, v.Open("/"), v.Press("Quitter"))

	chief := visitOf(t, v.service)
	chief.signIn("/connexion?suite=/admin/partages", admin)
	must(t, chief.See(who), chief.Await(`!document.querySelector("main").innerText.includes("article 36")`))
	chief.look(axe(t), []screen{{"partages", "", nil}})
	must(t, chief.ClickOn(`[...document.querySelectorAll("tbody tr")].find((r) => r.innerText.includes("`+who+`")).querySelector("input")`),
		chief.Press("Retirer"), chief.Press("Retirer 1 lien"), chief.See("1 lien est retiré."), chief.Await(`![...document.querySelectorAll("tbody tr")].some((r) => r.innerText.includes("`+who+`"))`))
	chief.blameless()
	v.blameless()
}
