package page

import (
	"fmt"
	"testing"

	"vigueur/e2e/browser"
)

// entered ingests a gazette with a decree that tests draw, and accepts the decree as one of a day.
func (v *visit) entered(day, number string, d decree) {
	v.t.Helper()
	if out, code := v.service.Ingest(v.t.Context(), "", "add", undated(v.t, number+".pdf", d)); code != 0 && code != 4 {
		v.t.Fatalf("add %s: exit %d: %s", number, code, out)
	}
	var id string
	must(v.t, v.service.Query(v.t.Context(), `SELECT id::text FROM documents WHERE in_review AND numero_officiel = '`+number+`'`, &id))
	if out, code := v.service.Ingest(v.t.Context(), "", "review", "accept", id, "--set", "date="+day); code != 0 {
		v.t.Fatalf("accept %s: exit %d: %s", number, code, out)
	}
}

// An editor settles an amendment by keys: what is proposed is marked, accepted, undone, written,
// and rejected.
func TestTheDeskOfAmendments(t *testing.T) {
	const down = "\u0301"
	v := atPage(t)
	v.entered("2024-05-03", "2024-921", decree{"Décret n° 2024-921", "fixant le prix du safran", "Le prix du safran est fixé chaque année par le conseil des épices et publié au port."})
	v.entered("2024-06-03", "2024-922", decree{"Décret n° 2024-922", "modifiant le décret n° 2024-921",
		"À l’article 1er du décret n° 2024-921 du 3 mai 2024 fixant le prix du safran, les mots : « par le conscil des épices » sont remplacés par les mots : « par le ministre du commerce »."})
	v.assembled()
	v.signIn("/connexion?suite=/textes", editor)
	var amended string
	must(t, v.service.Query(t.Context(), `SELECT id::text FROM documents WHERE numero_officiel = '2024-921'`, &amended))
	must(t, v.Open("/textes/"+amended), v.See("Une modification de ce texte attend une vérification"), v.Click(".pending summary"), v.See("par le conscil des épices"))
	v.judge(axe(t), screen{name: "modification en attente"})
	must(t, v.Open("/admin/modifications"), v.Has(".amendments"))
	mine := `document.querySelector(".amendment section:last-child")?.textContent.includes("safran")`
	shown := func() error {
		return v.Await(`(() => { const e = document.querySelector(".amendments"); if (!e) return false; if (` + mine + `) return true
			e.querySelector(".row:last-child button:nth-child(2)").click(); return false })()`)
	}
	must(t, shown(), v.Await(`document.querySelector(".law-words del")?.textContent.includes("conseil des épices")`),
		v.Await(`document.querySelector(".law-words ins")?.textContent.includes("ministre du commerce")`), v.See("l’article"))
	v.judge(axe(t), screen{name: "modifications"})
	waiting, err := browser.Eval[int](v.Tab, `parseInt(document.querySelector(".amendments [role=status]").textContent.split("sur")[1])`)
	must(t, err)
	left := func(n int) error {
		if n == 0 {
			return v.See("Aucune modification n’attend.")
		}
		return v.Await(fmt.Sprintf(`parseInt(document.querySelector(".amendments [role=status]")?.textContent.split("sur")[1]) === %d`, n))
	}
	focus := v.Await(`(document.querySelector(".amendments").focus(), document.activeElement.matches(".amendments"))`)
	must(t, focus, v.Key("a"), v.See("Le texte de l’article est arrêté."), left(waiting-1), v.See("Accepté"))
	must(t, v.Press("Annuler"), v.See("La décision est annulée."), left(waiting), shown())
	must(t, v.Await(`(document.querySelector(".amendments").focus(), true)`), v.Key("m"), v.Await(`document.activeElement.id === "mended" && document.activeElement.value.includes("ministre du commerce")`),
		v.Write("Nouveau. "), v.Press("Enregistrer Ctrl Entrée"), left(waiting-1), v.See("Écrit"))
	var body string
	must(t, v.service.Query(t.Context(), `SELECT v.body FROM article_versions v JOIN documents d ON d.id = v.document_id WHERE d.numero_officiel = '2024-921' AND v.person`, &body))
	if len(body) < 40 {
		t.Errorf("the written wording is %q", body)
	}
	must(t, v.Press("Annuler"), left(waiting), shown(), v.Await(`(document.querySelector(".amendments").focus(), true)`), v.Key(down), v.Key("\u0301"))
	must(t, shown(), v.Await(`(document.querySelector(".amendments").focus(), true)`), v.Key("r"), v.See("La modification n’est pas appliquée."), left(waiting-1), v.See("Rejeté"))
	// A wrong country is corrected where it is seen, and what waits is asked for once.
	must(t, v.Open("/textes/"+amended), v.Choose("main select[name=pays]", "tg"), v.Press("Enregistrer le pays"), v.See("Le pays est corrigé."))
	var countries string
	must(t, v.service.Query(t.Context(), `SELECT countries::text FROM documents WHERE numero_officiel = '2024-921'`, &countries))
	if countries != "{tg}" {
		t.Errorf("its countries are %s", countries)
	}
	must(t, v.Before(`window.asked = 0; { const real = fetch; window.fetch = (r, i) => (window.asked += String(r.url ?? r).includes("/admin/waiting"), real(r, i)) }`),
		v.Open("/admin"), v.Has(".rows .file"))
	if asked, err := browser.Eval[int](v.Tab, `new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => drawn(window.asked))))`); err != nil || asked != 1 {
		t.Errorf("what waits was asked for %d times, %v", asked, err)
	}
	v.blameless()
}
