package page

import "testing"

// A reader follows a text and an article, sees them among the alerts, and stops; the mail is turned off and stays off.
func TestFollowedTextsAreListed(t *testing.T) {
	const who = "alertes@exemple.org"
	v := atPage(t)
	must(t, v.service.AddUser(t.Context(), who, "user"))
	v.signIn("/textes?q=code+du+travail&kind=texte", who)
	must(t, v.Click("main ol a[href^='/textes/']"), v.Has("main h1[data-verbatim]"))
	must(t, v.Click("main .row button:not([aria-expanded])"), v.See("Vous serez averti des changements"), v.Await(`[...document.querySelectorAll("main button")].some((b) => b.textContent === "Suivi")`))
	must(t, v.Open("/compte"), v.Await(`document.querySelectorAll("[data-follows] li").length === 1`), v.See("Rien n’a changé dans ce que vous suivez."))
	must(t, v.Click(".alerts input[type=checkbox]"), v.See("Plus aucun résumé ne vous sera envoyé."))
	must(t, v.Reload(), v.Await(`document.querySelector(".alerts input[type=checkbox]")?.checked === false`))
	must(t, v.Click("[data-follows] button"), v.Await(`document.querySelectorAll("[data-follows] li").length === 0`))
	v.blameless()
}
