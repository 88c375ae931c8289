package page

import (
	"testing"

	"vigueur/e2e/browser"
)

// TestAnExampleIsAsked: a guest picks a question, and finds it in the box once signed in.
func TestAnExampleIsAsked(t *testing.T) {
	v := atSlowPage(t)
	v.look(axe(t), []screen{
		{"exemple-accueil", "/", func(v *visit) error { return v.Has(".examples li a") }},
	})
	must(t, v.Open("/"), v.Has(".examples li a"), v.Await(`(window.asked = document.querySelector(".examples li a").innerText) !== ""`), v.Await(`sessionStorage.setItem("asked", window.asked) === undefined`), v.Click(".examples li a"), v.Await(`location.pathname === "/connexion"`))
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
	must(t, v.Open("/"), v.Click(".examples li button"), v.Await(answered))
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
