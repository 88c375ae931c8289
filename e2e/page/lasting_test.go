package page

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vigueur/e2e/browser"
)

// written is the last answer as it is shown, without its marks.
const written = `(() => { const p = ` + lastAnswer + `.querySelector(".prose").cloneNode(true)
	for (const m of p.querySelectorAll(".marks")) m.remove()
	return p.textContent.replace(/\s+/g, " ").trim() })()`

// The network is gone for a moment in mid-answer: the page says so, and the text is the
// whole one in the end, each word once.
func TestOfflineAndBack(t *testing.T) {
	v := atSlowPage(t)
	release := v.service.HoldModel(midway)
	t.Cleanup(release)
	v.signIn("/connexion", v.reader())
	v.ask("Quel est le préavis d’un employé ?")
	must(t, v.Await(lastAnswer+`.querySelector(".prose").textContent.length > 60`), v.Await(`!document.querySelector(".side .waiting")`))
	must(t, v.Offline(true), v.See("Connexion perdue"))
	release()
	must(t, v.Offline(false), v.Await(answered))
	text, err := browser.Eval[string](v.Tab, written)
	must(t, err)
	if want := strings.Join(strings.Fields(strings.ReplaceAll(slowly.Text(), " [1]", "")), " "); text != want {
		t.Errorf("shown: %s\nwritten: %s", text, want)
	}
	// A screen that was never loaded says so and keeps the page: loading it anew would lose it.
	must(t, v.Offline(true), v.Press("Textes"), v.See("vous êtes hors ligne"), v.Press("Réessayer"), v.See("vous êtes hors ligne"),
		v.Offline(false), v.Press("Réessayer"), v.Has(".texts li"))
	v.blameless("net::ERR_")
}

// A sign-out that does not reach the service says so, and is made good once it does: after
// that the browser's cookie opens nothing.
func TestASignOutThatDoesNotArrive(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion", v.reader())
	const open = `fetch("/api/v1/auth/refresh", {method: "POST", headers: {"Content-Type": "application/json"}, body: "{}"}).then((r) => r.status)`
	must(t, v.Offline(true), v.Press("Quitter"), v.See("Se connecter"), v.See("votre session y reste ouverte"))
	must(t, v.Offline(false), v.See("Votre session est maintenant fermée"))
	status, err := browser.Eval[int](v.Tab, open)
	must(t, err)
	if status != http.StatusUnauthorized && status != http.StatusUnprocessableEntity {
		t.Errorf("the cookie still opens a session: %d", status)
	}
	// The page was closed meanwhile: the next one makes it good before anything else.
	v.signIn("/connexion", v.reader())
	_, err = browser.Eval[bool](v.Tab, `(localStorage.setItem("vigueur.leaving", "1"), true)`)
	must(t, err, v.Open("/"), v.See("Se connecter"))
	if status, err = browser.Eval[int](v.Tab, open); err != nil || status == http.StatusOK {
		t.Errorf("the cookie still opens a session: %d, %v", status, err)
	}
	v.blameless("net::ERR_", "422 (Unprocessable Entity)")
}

// Five hundred conversations are read as one comes to them, and searched all at once.
func TestFiveHundredConversations(t *testing.T) {
	const reader = "greffier@exemple.org"
	v := atPage(t)
	must(t, v.service.AddUser(t.Context(), reader, "user"))
	var n int
	must(t, v.service.Query(t.Context(), `WITH made AS (INSERT INTO conversations (id, user_id, title, last_message_at, created_at)
		SELECT gen_random_uuid(), u.id, 'Question numéro ' || i, now() - (i - 1) * interval '7 hours', now() - (i - 1) * interval '7 hours'
		FROM users u, generate_series(1, 500) i WHERE u.email = '`+reader+`' RETURNING 1) SELECT count(*) FROM made`, &n))
	v.signIn("/connexion", reader)
	must(t, v.Await(`document.querySelectorAll(".side li").length === 50`), v.See("Aujourd’hui"))
	for have := 50; have < n; have += 50 {
		_, err := browser.Eval[any](v.Tab, `(() => { const l = document.querySelector(".side-list"); l.scrollTop = l.scrollHeight })()`)
		must(t, err, v.Await(fmt.Sprintf(`document.querySelectorAll(".side li").length >= %d`, have+50)))
	}
	must(t, v.Await(`document.querySelectorAll(".side li").length === 500 && new Set([...document.querySelectorAll(".side li a")].map((a) => a.href)).size === 500`))
	must(t, v.Type("#find", "numéro 437"), v.Await(`document.querySelectorAll(".side li").length === 1`), v.Press("Question numéro 437"),
		v.Await(`document.querySelector(".talk-head h1").textContent === "Question numéro 437"`))
	v.blameless()
}

// Who enlarges everything twofold has all of it: nothing is cut off or under something
// else, and what is written into is in view.
func TestEnlargedTwofold(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion", v.reader())
	must(t, v.Zoom(1280, 900, 2))
	for _, s := range []screen{
		{"reponse", "/", func(v *visit) error {
			v.ask(notice)
			return first(v.Await(answered), v.Await(`(() => { const b = document.querySelector("#question").getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight })()`),
				v.Await(`document.querySelector(".thread").clientHeight > 80`))
		}},
		{"recherche", "/textes?q=travail", func(v *visit) error { return v.Has(".texts mark") }},
		{"texte", "/textes", func(v *visit) error { return first(v.Click(".texts a"), v.Has(".law-text")) }},
		{"compte", "/compte", func(v *visit) error { return v.See("cette session") }},
	} {
		must(t, v.Open(s.path), s.do(v))
		wide, err := browser.Eval[[]int](v.Tab, `[document.documentElement.scrollWidth, innerWidth]`)
		must(t, err)
		if wide[0] > wide[1] {
			t.Errorf("%s is %d px wide of %d", s.name, wide[0], wide[1])
		}
	}
	v.blameless()
}

// On paper there is the question, the answer and the words of each source, and nothing
// of the tool.
func TestAnswersArePrinted(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion", v.reader())
	v.ask(notice)
	must(t, v.Await(answered), v.Click(".cite"), v.Has(".source"), v.Printed(true))
	for _, there := range []string{notice, "trois mois pour le cadre", "Code du travail", "En vigueur"} {
		must(t, v.See(there))
	}
	hidden, err := browser.Eval[[]string](v.Tab, `[".top", ".side", ".composer", ".source", ".actions", ".card"].filter((s) => [...document.querySelectorAll(s)].some((e) => e.checkVisibility({ visibilityProperty: true })))`)
	must(t, err)
	if len(hidden) > 0 {
		t.Errorf("on paper too: %q", hidden)
	}
	excerpts, err := browser.Eval[[]bool](v.Tab, `[...document.querySelectorAll(".rule blockquote")].map((e) => e.checkVisibility({ visibilityProperty: true }) && e.textContent.length > 20)`)
	must(t, err)
	if len(excerpts) == 0 || !excerpts[0] {
		t.Errorf("the words of the sources: %v", excerpts)
	}
	cut, err := browser.Eval[bool](v.Tab, `(() => { const t = document.querySelector(".thread"); return t.scrollHeight > t.clientHeight + 1 })()`)
	must(t, err)
	if cut {
		t.Error("the end of the answer is cut off")
	}
	printed, err := v.PDF()
	must(t, err)
	if !bytes.HasPrefix(printed, []byte("%PDF-")) || len(printed) < 5000 {
		t.Errorf("printed: %d bytes", len(printed))
	}

	// The browser's key prints a text when all of it is read; its menu cannot wait, and what it prints says what is missing.
	must(t, v.Printed(false), v.Before(`(() => {
		const real = window.fetch, gate = new Promise((open) => { window.release = open })
		window.fetch = async (request, init) => { if (String(request.url ?? request).includes("text=true")) await gate; return real(request, init) }
		window.print = () => { window.unread = document.querySelectorAll(".law .waiting").length }
	})()`), v.Open("/textes?q=code+du+travail&objet=texte"), v.Click(".texts a"), v.Has(".law-text"))
	taken, err := browser.Eval[bool](v.Tab, `!document.dispatchEvent(new KeyboardEvent("keydown", {key: "p", ctrlKey: true, bubbles: true, cancelable: true}))`)
	must(t, err, v.Printed(true), v.See("Seuls les articles déjà lus"), v.Printed(false), v.Await(`window.unread === undefined && (release(), true)`), v.Await(`window.unread === 0`))
	if !taken {
		t.Error("the browser printed what was read")
	}
	v.blameless()
}
