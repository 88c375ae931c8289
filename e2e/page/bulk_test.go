package page

import (
	"fmt"
	"testing"

	"vigueur/e2e/browser"
)

// refuse makes the API refuse the changes of one row, until the page is loaded anew or takes it back.
func (v *visit) refuse(id string) {
	v.t.Helper()
	_, err := browser.Eval[any](v.Tab, `(() => { window.real ??= window.fetch; window.fetch = async (request) => request.method === "PATCH" && request.url.includes(`+quote(id)+`)
		? new Response(JSON.stringify({detail: "Ce compte est le dernier administrateur."}), {status: 409, headers: {"Content-Type": "application/json"}}) : window.real(request) })()`)
	must(v.t, err)
}

// Several accounts are closed at once: each is told for itself, what was refused is tried again, and one's own is not among them.
func TestManyAccountsAtOnce(t *testing.T) {
	v := atPage(t)
	for i := range 3 {
		must(t, v.service.AddUser(t.Context(), fmt.Sprintf("lot-%d@exemple.org", i), "user"))
	}
	v.signIn("/connexion?suite=/admin/comptes", admin)
	must(t, v.See("lot-2@exemple.org"), v.Await(`!document.querySelector('[data-account="`+admin+`"] input[type=checkbox]')`))
	must(t, v.Type("input.find", "lot-"), v.Await(`document.querySelectorAll("tbody tr").length === 3`))
	must(t, v.Click(".bulk input"), v.See("3 comptes choisis"), v.Await(`[...document.querySelectorAll(".bulk button")].some((b) => b.innerText === "Rouvrir" && b.disabled)`))
	v.look(axe(t), []screen{
		{"lot-choisi", "", nil},
		{"lot-demande", "", func(v *visit) error { return first(v.Press("Fermer"), v.See("Fermer 3 comptes")) }},
	})
	var id string
	must(t, v.service.Query(t.Context(), `SELECT id::text FROM users WHERE email = 'lot-1@exemple.org'`, &id))
	v.refuse(id)
	must(t, v.Press("Fermer 3 comptes"), v.See("2 comptes sont fermés ; il en reste 1."), v.See("lot-1@exemple.org : Ce compte est le dernier administrateur."))
	v.look(axe(t), []screen{{"lot-refus", "", nil}})
	_, err := browser.Eval[any](v.Tab, `void (window.fetch = window.real)`)
	must(t, err, v.Press("Réessayer pour 1"), v.See("3 comptes sont fermés."), v.Await(`!document.querySelector("dialog")`))
	must(t, v.Await(`[...document.querySelectorAll("tbody tr")].every((r) => r.innerText.includes("Fermé"))`), v.Await(`!document.querySelector("tbody input:checked")`))
	var closed, noted int
	must(t, v.service.Query(t.Context(), `SELECT count(*) FROM users WHERE email LIKE 'lot-%' AND NOT active`, &closed))
	must(t, v.service.Query(t.Context(), `SELECT count(*) FROM audit a JOIN users u ON a.object = u.id::text WHERE u.email LIKE 'lot-%' AND a.action = 'user.update'`, &noted))
	if closed != 3 || noted != 3 {
		t.Errorf("%d accounts closed, %d lines of the log", closed, noted)
	}
	v.blameless()
}

// Several texts are given to a domain at once.
func TestManyTextsAtOnce(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion?suite=/admin/textes", admin)
	must(t, v.Has(".rows li"), v.Click(".rows li input"), v.See("1 texte choisi"), v.Await(`document.querySelector(".bulk input").indeterminate`))
	v.look(axe(t), []screen{{"lot-textes", "", nil}})
	must(t, v.Press("Changer le domaine"), v.Await(`document.querySelector("dialog select").options.length > 1`), v.Press("Ne rien faire"), v.Await(`!document.querySelector("dialog")`))
	must(t, v.Press("Réindexer"), v.Press("Réindexer 1 texte"), v.See("1 texte va être réindexé."), v.Await(`!document.querySelector(".rows input:checked")`))
	v.blameless()
}
