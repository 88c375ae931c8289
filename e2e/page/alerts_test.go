package page

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vigueur/e2e/stage"
)

// A reader follows a text and an article, sees them among the alerts, and stops; the mail is turned off and stays off.
func TestFollowedTextsAreListed(t *testing.T) {
	const who = "alertes@exemple.org"
	v := atPage(t)
	must(t, v.service.AddUser(t.Context(), who, "user"))
	v.signIn("/textes?q=code+du+travail&kind=texte", who)
	must(t, v.Click("main ol a[href^='/textes/']"), v.Has("main h1[data-verbatim]"))
	must(t, v.Click("main .row button:not([aria-expanded])"), v.See("Vous serez averti des changements"), v.Await(`[...document.querySelectorAll("main button")].some((b) => b.textContent === "Suivi")`))
	must(t, v.Open("/compte"), v.Await(`document.querySelectorAll("[data-follows] li").length === 1`), v.See("Rien n’a changé dans ce que vous suivez."))
	v.judge(axe(t), screen{name: "suivi"})
	must(t, v.Click(".alerts input[type=checkbox]"), v.See("Plus aucun résumé ne vous sera envoyé."))
	must(t, v.Reload(), v.Await(`document.querySelector(".alerts input[type=checkbox]")?.checked === false`))
	must(t, v.Click("[data-follows] button"), v.Await(`document.querySelectorAll("[data-follows] li").length === 0`))
	v.blameless()
}

// An alert about an article leads to it; so does what is followed.
func TestAlertsLeadToTheArticle(t *testing.T) {
	const who = "mene@exemple.org"
	v := atPage(t)
	must(t, v.service.AddUser(t.Context(), who, "user"))
	var document, article, number string
	must(t, v.service.Query(t.Context(), `SELECT d.id::text, a.id::text, a.number FROM documents d JOIN articles a ON a.document_id = d.id
		WHERE NOT d.in_review AND a.number <> '' AND NOT EXISTS (SELECT FROM wordings w WHERE w.article_id = a.id) AND d.title ILIKE '%code du travail%'
		ORDER BY a.position DESC LIMIT 1`, &document, &article, &number))
	v.signIn("/textes/"+document+"?article="+article, who)
	must(t, v.Click("article.aimed button[aria-label^=Suivre]"), v.See("Vous serez averti des changements"))
	var id int64 // of what an act changes, as the journal has it
	must(t, v.service.Query(t.Context(), `INSERT INTO law_changes (kind, document_id, title, doc_type, domaine, articles, keys, article_id, act_title, valid_from)
		SELECT 'modified', d.id, d.title, d.doc_type, d.domaine, ARRAY['`+number+`'], ARRAY[t.article_key], '`+article+`', 'Loi n° 2030-01', '2030-02-01'
		FROM documents d JOIN follow_targets t ON t.document_id = d.id WHERE d.id = '`+document+`' AND t.article_key <> '' RETURNING id`, &id))
	must(t, v.Open("/compte"), v.Has("[data-follows] a[href$='?article="+article+"']"))
	await(t, v.service, fmt.Sprintf(`SELECT EXISTS (SELECT FROM alerts WHERE change_id = %d)`, id))
	must(t, v.Reload(), v.See("est modifié ou abrogé par « Loi n° 2030-01 »"))
	v.judge(axe(t), screen{name: "alertes"})
	must(t, v.Click(".alerts a[href$='?article="+article+"']"), v.Has("#art-"+article+".aimed"))
	v.blameless()
}

// await waits until a worker has done what a condition of the database says.
func await(t *testing.T, s *service, condition string) {
	t.Helper()
	// Three minutes: workers ask some four hundred example questions, and give way to those of other tests.
	for done, until := false, time.Now().Add(3*time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if must(t, s.Query(t.Context(), condition, &done)); done {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("no worker does it: %s", condition)
		}
	}
}

// A reader enters a webhook, sees its secret once, tries it, reads what was sent, and turns it off and deletes it.
func TestWebhooks(t *testing.T) {
	const who = "webhooks@exemple.org"
	taken := make(chan string, 10)
	r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err == nil {
			taken <- q.Header.Get("webhook-signature") + " " + string(body)
		}
	}))
	t.Cleanup(r.Close)
	t.Parallel()
	own := serve(t, func(s *stage.Stage) {
		s.Set("VIGUEUR_WEBHOOKS", "true")
		s.Set("VIGUEUR_WEBHOOK_HOSTS", strings.TrimPrefix(r.URL, "http://"))
	})
	t.Cleanup(func() { must(t, own.Close()) })
	must(t, own.AddUser(t.Context(), who, "user"))
	v := visitOf(t, own)
	v.signIn("/compte", who)
	must(t, v.Type(".alerts input[type=url]", "https://127.0.0.1/"), v.Press("Ajouter le webhook"), v.Has(".alerts form [aria-invalid=true]"))
	must(t, v.Type(".alerts input[type=url]", r.URL+"/"), v.Press("Ajouter le webhook"), v.Await(`/^whsec_/.test(document.querySelector(".alerts [role=status] code")?.textContent ?? "")`))
	must(t, v.Has("[data-webhooks] li"), v.See("allumé"), v.Press("Essayer"), v.Has("[data-deliveries] li"))
	if told := <-taken; !strings.HasPrefix(told, "v1,") || !strings.Contains(told, `"type":"test"`) {
		t.Errorf("sent %s", told)
	}
	await(t, own, `SELECT EXISTS (SELECT FROM webhook_deliveries WHERE state = 'done')`)
	must(t, v.Press("Relire les envois"), v.Await(`/essai, remis \(200\)/.test(document.querySelector("[data-deliveries]")?.textContent)`))
	must(t, v.Await(`getComputedStyle(document.querySelector("[data-deliveries] li")).display === "list-item"`)) // its words stand together
	must(t, v.Press("Refaire l’envoi"))
	if told := <-taken; !strings.Contains(told, `"type":"test"`) {
		t.Errorf("sent again: %s", told)
	}
	v.judge(axe(t), screen{name: "webhooks"})
	must(t, v.Press("Éteindre"), v.See("éteint"), v.Reload(), v.See("éteint"), v.Press("Rallumer"), v.See("allumé"))
	must(t, v.Press("Supprimer"), v.Await(`document.querySelectorAll("[data-webhooks] li").length === 0`))
	v.blameless("422 (Unprocessable")
}
