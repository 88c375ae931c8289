package page

import (
	"testing"

	"vigueur/e2e/browser"
)

// answeredExample waits until the worker has asked its questions. The sample answers few of them surely,
// so that one more is added.
func (v *visit) answeredExample() {
	v.t.Helper()
	const last = `(SELECT max(version) FROM catalogue_changes)`
	await(v.t, v.service, `SELECT version >= `+last+` FROM followers WHERE name = 'versions'`) // the versions change the catalogue once more
	var n int
	must(v.t, v.service.Query(v.t.Context(), `WITH older AS (UPDATE catalogue_changes SET changed_at = now() - interval '1 hour' RETURNING 1) SELECT count(*) FROM older`, &n)) // nobody waits here until it rests
	await(v.t, v.service, `SELECT state = 'done' AND NOT rebuild AND version >= `+last+` FROM followers WHERE name = 'examples'`)
	must(v.t, v.service.Query(v.t.Context(), `WITH added AS (INSERT INTO example_answers (id, question, document_id, article_id, number, page, quote, probability, version)
		SELECT gen_random_uuid(), 'Combien de jours avant une grève faut-il déposer le préavis dans un service public ?', d.id, a.id, a.number, 1, 'La grève ne peut commencer qu’après un préavis.', 0.95, `+last+`
		FROM documents d JOIN articles a ON a.document_id = d.id WHERE d.numero_officiel = '2023-07' AND a.number = '79' ON CONFLICT DO NOTHING RETURNING 1)
		SELECT count(*) FROM added`, &n))
}

// TestAnExampleIsAnswered: a guest reads a question with what answers it, and finds another in the box once signed in.
func TestAnExampleIsAnswered(t *testing.T) {
	v := atSlowPage(t)
	v.answeredExample()
	v.look(axe(t), []screen{
		{"exemple-accueil", "/", func(v *visit) error { return first(v.Has(".answered blockquote"), v.Has(".answered li a")) }},
	})
	must(t, v.Open("/"), v.Click(`.answered p a[href*="/akn/"]`), v.Await(`location.pathname.startsWith("/akn/")`), v.Has("article"))
	must(t, v.Open("/"), v.Has(".answered li a"), v.Await(`(window.asked = document.querySelector(".answered li a").innerText) !== ""`), v.Await(`sessionStorage.setItem("asked", window.asked) === undefined`), v.Click(".answered li a"), v.Await(`location.pathname === "/connexion"`))
	v.signIn("/connexion", v.reader())
	must(t, v.Await(`document.querySelector("#question").value.replace(/\s/g, " ") === sessionStorage.getItem("asked").replace(/\s/g, " ")`), v.Click("form.composer button[type=submit]"), v.Await(answered))
	must(t, v.Open("/"), v.See("Par exemple"), v.Has(".empty li button"))
	v.blameless()
}

// TestAGuestAsks: an answer without an account, its source beside it and on the public page, and the end of what may be asked.
func TestAGuestAsks(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	ask := func(question string) func(*visit) error {
		return func(v *visit) error {
			return first(v.Await(`document.querySelector("#guest-question")?.checkVisibility({ visibilityProperty: true })`), v.Type("#guest-question", question), v.Key("\r"), v.Await(answered))
		}
	}
	v.look(source, []screen{
		{"invite-reponse", "/", func(v *visit) error {
			return first(ask("Que dit l’article 36 du code du travail ?")(v), v.See("Il vous reste"), v.Has(".landing .rule .cite"))
		}},
	})
	kept, err := browser.Eval[bool](v.Tab, `[...document.querySelectorAll("button")].some((b) => /Utile|Reposer|Suivre|Partager/.test(b.innerText))`)
	must(t, err)
	if kept {
		t.Error("a guest is offered what only an account may do")
	}
	must(t, v.Click(".landing .rule .cite"), v.Has(".source mark"), v.ClickOn(`[...document.querySelectorAll(".source a")].find((a) => a.textContent === "Lire le texte")`),
		v.Await(`location.pathname.startsWith("/akn/") && !location.pathname.includes("texte")`), v.Has("article"))
	must(t, v.Open("/akn"), v.Click(`a[href$="/2023"]`), v.Has(".texts li"), v.ClickOn(`[...document.querySelectorAll(".texts a")].find((a) => a.href.includes("2023-07"))`),
		v.Press("Interroger ce texte"), v.See("portant Code du travail"))
	must(t, ask("Que dit l’article 36 ?")(v), v.Has(".landing .rule .cite"))
	v.answeredExample()
	must(t, v.Open("/"), v.Click(".answered li button"), v.Await(answered))
	must(t, v.Open("/"))
	for range guestQuestions {
		if err := ask("Que dit l’article 36 du code du travail ?")(v); err != nil {
			break
		}
		over, err := browser.Eval[bool](v.Tab, `document.querySelector("#guest-left").innerText.includes("vos questions du jour")`)
		must(t, err)
		if over {
			break
		}
		must(t, v.Reload())
	}
	must(t, v.See("Vous avez posé vos questions du jour"), v.Type("#guest-question", "Et encore ?"), v.Key("\r"), v.Has(".landing .failure"), v.Await(`document.querySelector("#guest-question").value === "Et encore ?"`))
	v.blameless("429 (Too Many Requests)", "404 (Not Found") // public pages have no icon
}
