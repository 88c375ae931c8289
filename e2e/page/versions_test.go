package page

import (
	"testing"
	"time"

	"vigueur/e2e/browser"
)

// assembled waits until the worker has made the versions of all articles.
func (v *visit) assembled() {
	v.t.Helper()
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		var done bool
		must(v.t, v.service.Query(v.t.Context(), `SELECT state = 'done' AND NOT rebuild AND version >= (SELECT coalesce(max(version), 0) FROM catalogue_changes)
			FROM followers WHERE name = 'versions'`, &done))
		if done {
			tick.Stop()
			return
		}
	}
}

// A text is read on a day that is chosen among its own: an article that an act has changed
// names the act, and the old wording stands beside the new one.
func TestTheTextOnADay(t *testing.T) {
	v := atPage(t)
	v.assembled()
	v.signIn("/connexion?suite=/textes", v.reader())
	must(t, v.Open("/textes?q=code+du+travail&objet=texte"), v.Await(`document.querySelector(".texts a")?.textContent === "Loi n° 2023-07 du 14 mars 2023 portant Code du travail"`),
		v.Click(".texts a"), v.See("Le texte d’aujourd’hui."), v.Has(".law .changed a"), v.Has(".law-text .altered .changed-by a[href*='article=']"), v.See("Imprimé avant, p."), v.See("texte consolidé par le service, sans valeur officielle"))
	changed := `[...document.querySelectorAll(".law")].filter((a) => a.querySelector(".changed"))`
	must(t, v.Await(changed+`.every((a) => !a.querySelector(".law-text") || a.querySelector(".law-text").textContent.length > 0)`))
	if gone, err := browser.Eval[bool](v.Tab, changed+`.some((a) => a.classList.contains("past") || a.classList.contains("future"))`); err != nil || gone {
		t.Errorf("a wording of the day is shown as past or future: %v", err)
	}
	must(t, v.ClickOn(`[...document.querySelectorAll(".law")].find((a) => a.innerText.startsWith("Article 8"))?.querySelector("button[aria-label^='Cité par']")`),
		v.Await(`[...document.querySelectorAll(".law section.timeline a")].some((a) => a.textContent === "Article 86")`)) // « en violation de l’article 8 »
	must(t, v.Press("Tel qu’imprimé"), v.See("Tel qu’imprimé. D’autres textes"), v.Press("lire le texte d’aujourd’hui"), v.See("Le texte d’aujourd’hui."))
	// A day that changed the text is compared with the day before.
	must(t, v.ClickOn(changed+`[0].querySelector(".timeline summary")`), v.Await(changed+`[0].querySelectorAll(".timeline li").length > 1`),
		v.Fill(`document.querySelector("#days")`, "0"), v.See("entrée en vigueur"), v.Await(`!document.querySelector(".law .changed")`),
		v.Fill(`document.querySelector("#days")`, "1"), v.Await(`document.querySelector("#on-day").value !== "" && document.querySelector(".days output").textContent.includes("article")`))
	first := changed + `.find((a) => a.querySelector(".compared, .changed button"))`
	must(t, v.Has(".changed"), v.Await(`(`+changed+`[0].scrollIntoView(), document.querySelector(".compared ins"))`), v.Has(".compared section[aria-label=Avant] .law-text"),
		v.Await(`document.querySelector(".compared").closest(".law").querySelector(":scope > .law-text")`)) // read when the article comes near
	whole, err := browser.Eval[bool](v.Tab, `(() => {
		const article = document.querySelector(".compared").closest(".law"), after = article.querySelector("section[aria-label=Après] .law-text")
		const own = article.querySelector(":scope > .law-text").cloneNode(true)
		own.querySelectorAll(".changed-by").forEach((e) => e.remove())
		return after.textContent === own.textContent
	})()`)
	must(t, err)
	if !whole {
		t.Error("the new side of the comparison is not the article")
	}
	act, err := browser.Eval[string](v.Tab, first+`.querySelector(".changed a").getAttribute("href")`)
	must(t, err, v.ClickOn(first+`.querySelector(".changed a")`), v.Await(`location.pathname + location.search === `+quote(act)), v.Has(".law.aimed .law-text"))
	v.blameless()
}

// Who reads a consolidated edition as of a day before its own is told that its words are later.
func TestALaterEditionIsTold(t *testing.T) {
	v := atPage(t)
	var id string
	must(t, v.service.Query(t.Context(), `UPDATE documents SET as_of = '2025-06-01' WHERE numero_officiel = '2024-009' RETURNING id::text`, &id))
	const doubt = "Texte imprimé dans sa version consolidée au 1er juin 2025 : son état au 31 mai 2025 n’est pas connu."
	v.signIn("/connexion?suite="+"/textes/"+id, v.reader())
	must(t, v.See("imprimé dans sa version consolidée au 1er juin 2025"), v.Open("/textes/"+id+"?date=2025-05-31"), v.See(doubt))
	must(t, v.Open("/textes/"+id+"?date=2025-06-01"), v.See("Seulement ce qui est en vigueur le 1er juin 2025."))
	if told, err := browser.Eval[bool](v.Tab, `document.body.textContent.includes("pas connu")`); err != nil || told {
		t.Errorf("the day of the edition is doubted: %v", err)
	}
	v.blameless()
}

// A repeal is shown with the sentence that orders it, and an editor takes it back.
func TestARepealIsTakenBack(t *testing.T) {
	v := atPage(t)
	var text, relation, status string
	must(t, v.service.Query(t.Context(), `INSERT INTO relations (id, source_id, source_article, kind, target_number, effective_on, words)
		SELECT gen_random_uuid(), a.document_id, a.id, 'abroge', '0', '2025-07-01', 'Le décret susvisé est abrogé.' FROM articles a JOIN documents d ON d.id = a.document_id
		WHERE NOT d.in_review AND d.numero_officiel <> '2024-009' LIMIT 1 RETURNING id::text, (SELECT id::text FROM documents WHERE numero_officiel = '2024-009' AND NOT in_review)`, &relation, &text))
	client, err := v.service.ClientOf(t.Context(), v.service.api, editor)
	must(t, err)
	defer client.HTTP.CloseIdleConnections()
	must(t, client.JSON(t.Context(), "POST", "/api/v1/admin/relations/"+relation, map[string]string{"decision": "accept", "document_id": text}, nil))
	v.signIn("/connexion?suite=/textes/"+text, editor)
	must(t, v.See("Abrogé par"), v.See("Le décret susvisé est abrogé."), v.ClickOn(`[...document.querySelectorAll(".relation-list button")].find((b) => b.textContent === "Retirer")`),
		v.Await(`!document.querySelector(".relation-list button")`), v.service.Query(t.Context(), `SELECT statut FROM documents WHERE id = '`+text+`'`, &status))
	if status != "en_vigueur" {
		t.Errorf("the text is %s", status)
	}
	v.blameless()
}
