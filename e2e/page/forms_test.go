package page

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
)

// The form for enterprises tells each fault at its field, and when to come back.
func TestInquiries(t *testing.T) {
	v := atPage(t)
	must(t, v.Open("/entreprises"), v.Press("Envoyer la demande"), v.Await(`document.querySelectorAll(".field .fault").length === 4`),
		v.Await(`document.activeElement.name === "company"`))
	fill := func() {
		must(t, v.Type("[name=company]", "Étude Sène"), v.Type("[name=contact_name]", "Aïssatou Sène"), v.Type("[name=email]", "sans arobase"),
			v.Type("[name=use_case]", "Répondre aux agents."))
	}
	fill()
	must(t, v.Press("Envoyer la demande"), v.Await(`document.querySelectorAll(".field .fault").length === 1`), v.Await(`document.activeElement.name === "email"`))
	must(t, v.Type("[name=email]", "a@etude.example"), v.Press("Envoyer la demande"), v.See("Votre demande est reçue"))
	body := `{company: "Étude", contact_name: "A. S.", email: "a@etude.example", use_case: "Besoin."}`
	_, err := browser.Eval[any](v.Tab, `Promise.all([1, 2, 3, 4].map(() => fetch("/api/v1/business/inquiry", {method: "POST",
		headers: {"Content-Type": "application/json"}, body: JSON.stringify(`+body+`)}).then((r) => r.text())))`)
	must(t, err)
	must(t, v.Open("/entreprises"))
	fill()
	must(t, v.Type("[name=email]", "a@etude.example"), v.Press("Envoyer la demande"), v.See("Revenez dans"))
	v.blameless("422 (Unprocessable", "429 (Too Many")
}

// An editor drops a gazette, follows it, and mends it on the desk by keys.
func TestTheDesk(t *testing.T) {
	v := atPage(t)
	source, err := os.ReadFile(filepath.Join(stage.Root(), "scripts", "sample", "gazettes", "jo-2024-02.pdf"))
	must(t, err)
	// Other bytes, so that it is another file.
	path := filepath.Join(t.TempDir(), "arrivee.pdf")
	must(t, os.WriteFile(path, append(bytes.Clone(source), "\n% une autre copie\n"...), 0o600))
	v.signIn("/connexion?suite=/admin", editor)
	must(t, v.See("Déposez des PDF"), v.Upload("input[type=file]", path), v.See("Reçu"))
	done := `["done", "review"].includes([...document.querySelectorAll(".file")].find((f) => f.textContent.includes("arrivee.pdf"))?.classList[1])`
	must(t, v.Await(done), v.Press("arrivee.pdf"), v.Await(`document.querySelectorAll(".line").length > 10`), v.Has(".desk-sheet img"))
	must(t, v.Await(`document.activeElement.matches(".surface-keys")`))
	must(t, v.Key("\u0301"), v.Await(`document.querySelectorAll(".line.on").length === 1`)) // a key of no meaning
	must(t, v.Key("c"), v.Has("dialog textarea"), v.Await(`document.activeElement.matches("dialog textarea")`), v.Write("Des mots corrigés à la main"), v.Key("\r"),
		v.See("Mots corrigés, p. 1"))
	settled := `document.querySelector(".desk-head .state.done, .desk-head .state.review")`
	must(t, v.Await(settled), v.Await(`[...document.querySelectorAll(".line")].some((l) => l.title.includes("Des mots corrigés à la main"))`))
	must(t, v.Click(".surface-keys"), v.Key("u"), v.See("annulée"), v.Await(settled))
	v.judge(axe(t), screen{name: "atelier"})
	v.blameless()
}

// Every part of the administration opens, for the role that has it.
func TestAdministration(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	v.signIn("/connexion?suite=/admin", admin)
	v.look(source, []screen{
		{"gazettes", "/admin", func(v *visit) error { return v.See("jo-2024-02.pdf") }},
		{"relecture", "/admin/relecture", func(v *visit) error { return v.Has("main p.meta[role=status]") }},
		{"admin-textes", "/admin/textes", func(v *visit) error { return v.Has(".rows li") }},
		{"files", "/admin/files", func(v *visit) error { return v.Has("tbody tr") }},
		{"chiffres", "/admin/chiffres", func(v *visit) error { return v.Has(".plots svg") }},
		{"domaines", "/admin/domaines", func(v *visit) error {
			return first(v.Press("Ajouter un domaine"), v.Type("dialog input", "maritime"), v.Has("dialog"))
		}},
		{"comptes", "/admin/comptes", func(v *visit) error { return v.See("editrice@exemple.org") }},
		{"demandes", "/admin/demandes", func(v *visit) error { return v.See("Demandes de rendez-vous") }},
		{"journal", "/admin/journal", func(v *visit) error { return v.Has("tbody tr") }},
	})
	v.blameless()
}
