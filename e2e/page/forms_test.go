package page

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
)

// loseReply loses the reply to the next request of an address that ends so: it comes in, and the page hears nothing of it.
func (v *visit) loseReply(ending string) {
	v.t.Helper()
	_, err := browser.Eval[any](v.Tab, `(() => { const real = window.fetch; window.fetch = async (request) => {
		const reply = await real(request)
		if (!request.url?.endsWith(`+quote(ending)+`)) return reply
		window.fetch = real
		await reply.body?.cancel()
		throw new TypeError("lost")
	} })()`)
	must(v.t, err)
}

// The form for enterprises tells each fault at its field, takes what is sent again after a
// lost connection once, and tells when to come back.
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
	must(t, v.Type("[name=email]", "a@etude.example"))
	v.loseReply("/inquiry")
	must(t, v.Press("Envoyer la demande"), v.See("Le service ne répond pas"), v.Press("Envoyer la demande"), v.See("Votre demande est reçue"))
	body := `{company: "Étude", contact_name: "A. S.", email: "a@etude.example", use_case: "Besoin."}`
	taken, err := browser.Eval[int](v.Tab, `Promise.all([1, 2, 3, 4].map(() => fetch("/api/v1/business/inquiry", {method: "POST",
		headers: {"Content-Type": "application/json"}, body: JSON.stringify(`+body+`)}).then((r) => r.ok))).then((all) => all.filter((ok) => ok).length)`)
	must(t, err)
	if taken != 4 { // of five an hour
		t.Errorf("%d more inquiries were taken, want 4: the one whose reply was lost counted twice", taken)
	}
	must(t, v.Open("/entreprises"))
	fill()
	must(t, v.Type("[name=email]", "a@etude.example"), v.Press("Envoyer la demande"), v.See("Réessayez dans"))
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
	must(t, v.See("Déposez des PDF"), v.Upload("input[type=file]", path), v.Await(received))
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

// An administrator makes a key, sees it once, and revokes it.
func TestKeys(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion?suite=/admin/cles", admin)
	must(t, v.See("Aucune clé."), v.Press("Faire une clé"), v.Press("Faire la clé"), v.Await(`document.querySelectorAll("dialog .field .fault").length === 2`), v.See("Choisissez un compte."),
		v.Await(`document.activeElement.matches("dialog [name=key_name]")`))
	must(t, v.Type("dialog [name=key_name]", "Intranet de la chambre"))
	_, err := browser.Eval[any](v.Tab, `(async () => {
		const s = document.querySelector("dialog [name=key_owner]")
		while (s.options.length < 3) await new Promise((r) => setTimeout(r, 20))
		s.value = [...s.options].find((o) => o.text === "`+editor+`").value
		s.dispatchEvent(new Event("change", {bubbles: true}))
	})()`)
	must(t, err)
	_, err = browser.Eval[any](v.Tab, `(async () => {
		const make = [...document.querySelectorAll("dialog button")].find((b) => b.textContent === "Faire la clé")
		make.click()
		await new Promise((r) => setTimeout(r))
		make.click()
	})()`) // as an impatient hand does
	must(t, err, v.Has("dialog [name=key_secret]"))
	v.judge(axe(t), screen{name: "cle"})
	opened, err := browser.Eval[int](v.Tab, `fetch("/api/v1/documents", {headers: {Authorization: "Bearer " + document.querySelector("[name=key_secret]").value}}).then((r) => {
		window.keyOf = document.querySelector("[name=key_secret]").value
		return r.status
	})`)
	must(t, err, v.Press("C’est noté"), v.See("Intranet de la chambre"), v.See(editor), v.Await(`document.querySelectorAll("tbody tr").length === 1`))
	if opened != 200 {
		t.Errorf("the key opens the catalogue with %d", opened)
	}
	if shown, err := browser.Eval[bool](v.Tab, `document.documentElement.outerHTML.includes(window.keyOf)`); err != nil || shown {
		t.Errorf("the key is still in the page: %v, %v", shown, err)
	}
	must(t, v.Press("Révoquer Intranet de la chambre"), v.See("n’ouvrira plus rien"))
	v.judge(axe(t), screen{name: "revocation"})
	must(t, v.Press("Révoquer la clé"), v.See("Révoquée, aujourd’hui"))
	closed, err := browser.Eval[int](v.Tab, `fetch("/api/v1/documents", {headers: {Authorization: "Bearer " + window.keyOf}}).then((r) => r.status)`)
	must(t, err)
	if closed != 401 {
		t.Errorf("a key that was revoked opens the catalogue with %d", closed)
	}
	v.blameless("422 (Unprocessable", "401 (Unauthorized")
}

// Every part of the administration opens, for the role that has it.
func TestAdministration(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	var spent int // on two days, which are summed
	must(t, v.service.Query(t.Context(), `WITH s AS (INSERT INTO model_usage (attempt, server, model, requests, tokens_in, tokens_out, estimated, cost, spent_at)
		SELECT 1, 'gpu.exemple.org', 'grand', 1, 400 + d, 30, d = 1, 0.06, now() - d * interval '1 day' FROM generate_series(1, 2) d RETURNING 1) SELECT count(*) FROM s`, &spent))
	// Something waits, which the parts tell: an inquiry that needs no mail.
	must(t, v.service.Query(t.Context(), `WITH i AS (INSERT INTO inquiries (id, company, contact_name, email, use_case, address_hash, created_at, changed_at, state, lease_until)
		SELECT gen_random_uuid(), 'Étude Lancel', 'Noé Lancel', 'noe@exemple.org', 'Essayer le service', decode(repeat('00', 32), 'hex'), t, t, 'done', t
		FROM clock_timestamp() t RETURNING 1) SELECT count(*) FROM i`, &spent))
	v.signIn("/connexion?suite=/admin", admin)
	must(t, v.Has(".parts .waits"))
	v.look(source, []screen{
		{"gazettes", "/admin", func(v *visit) error { return v.See("jo-2024-02.pdf") }},
		{"relecture", "/admin/relecture", func(v *visit) error { return v.Has("main p.meta[role=status]") }},
		{"admin-textes", "/admin/textes", func(v *visit) error { return v.Has(".rows li") }},
		{"files", "/admin/files", func(v *visit) error { return v.Has("tbody tr") }},
		{"chiffres", "/admin/chiffres", func(v *visit) error {
			return first(v.Has(".plots svg"), v.See("Questions sans réponse sûre"), v.See("Sujets suivis"), v.See("gpu.exemple.org"), v.See("environ 803"), v.See("0,12"))
		}},
		{"domaines", "/admin/domaines", func(v *visit) error {
			return first(v.Press("Ajouter un domaine"), v.Type("dialog input", "maritime"), v.Has("dialog"))
		}},
		{"comptes", "/admin/comptes", func(v *visit) error { return v.See("editrice@exemple.org") }},
		{"cles", "/admin/cles", func(v *visit) error { return first(v.Press("Faire une clé"), v.Has("dialog fieldset")) }},
		{"demandes", "/admin/demandes", func(v *visit) error { return v.See("Demandes de rendez-vous") }},
		{"journal", "/admin/journal", func(v *visit) error { return v.Has("tbody tr") }},
	})
	// What is looked for narrows the lists; the log names what it has the id of.
	must(t, v.Open("/admin/comptes"), v.Type("input.find", "ÉDITRICE"), v.Await(`document.querySelectorAll("tbody tr").length === 1`), v.See("editrice@exemple.org"), v.See("Dernière connexion"))
	must(t, v.Type("input.find", "personne ainsi"), v.See("Aucun compte n’a ces lettres."))
	must(t, v.Open("/admin"), v.Type("input.find", "JO-2024"), v.Await(`document.querySelectorAll(".rows .file").length > 0 && [...document.querySelectorAll(".rows .file .verbatim")].every((e) => e.innerText.includes("jo-2024"))`))
	must(t, v.Await(`[...document.querySelectorAll(".chips button")].some((b) => /^Terminé \(\d+\)$/.test(b.innerText.replace(/\s/g, " ")))`))
	must(t, v.Open("/admin/journal?action=auth.login"), v.Await(`document.querySelector("tbody td span[title]")?.innerText.includes("@")`))
	must(t, v.Open("/admin"), v.Click(".rows .file a"), v.Press("Couleurs des lignes"), v.See("hors de tout texte"))
	v.look(source, []screen{{"legende", "", nil}})
	v.blameless()
}
