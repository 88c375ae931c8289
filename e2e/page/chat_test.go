package page

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"vigueur/e2e/browser"
)

const notice = "Je suis cadre et je démissionne : combien de temps dure mon préavis ?"

// The answer comes, its mark opens the gazette at the page, and the words that are marked
// there are the excerpt. A question whose reply was lost stays in its box, and is asked once
// however often it is sent.
func TestAskAndFollowACitation(t *testing.T) {
	v := atPage(t)
	asked := func() (n int) {
		must(t, v.service.Query(t.Context(), `SELECT count(*) FROM messages WHERE role = 'user'`, &n))
		return n
	}
	v.signIn("/connexion", v.reader())
	before := asked()
	v.loseReply("/chat-rag/stream")
	must(t, v.Type("#question", notice), v.Key("\r"), v.See("Le service ne répond pas"), v.Await(`document.querySelector("#question").value === `+quote(notice)))
	must(t, v.Key("\r"), v.Await(answered))
	if n := asked() - before; n != 1 {
		t.Errorf("a question that was sent twice was asked %d times", n)
	}
	must(t, v.Await(answered), v.See("trois mois pour le cadre"), v.See("Passages cités sans rédaction"))
	must(t, v.Await(`/^\/c\/[0-9a-f-]{36}$/.test(location.pathname)`), v.Await(`document.documentElement.scrollHeight <= innerHeight`)) // the thread scrolls, not the page
	must(t, v.Click(".cite"), v.Await(browser.Inked), v.Has(".gazette-page .sheet img"))
	v.judge(axe(t), screen{name: "source-article"})
	must(t, v.Press("Feuilleter la gazette"), v.Has(".pdf .sheet canvas"), v.Await(browser.Inked))
	words, err := browser.Eval[browser.Words](v.Tab, browser.Highlighted)
	must(t, err)
	if !words.Same {
		t.Errorf("marked: %q\nexcerpt: %q", words.Marked, words.Excerpt)
	}
	in, err := browser.Eval[bool](v.Tab, `(() => {
		const box = document.querySelector(".pdf").getBoundingClientRect(), r = document.querySelector(".region").getBoundingClientRect()
		return r.top >= box.top && r.bottom <= box.bottom && innerHeight >= r.bottom
	})()`)
	must(t, err)
	if !in {
		t.Error("the marked words are not in view")
	}
	// The bar: larger, on to another page and back by its number, and the next citation of the answer.
	wide := `document.querySelector(".sheet").offsetWidth`
	before0, err := browser.Eval[int](v.Tab, wide)
	must(t, err, v.Click(".pdf-zoom button:last-child"), v.Await(fmt.Sprintf("%s > %d * 1.2", wide, before0)), v.See("125"), v.Click(".pdf-zoom button:first-child"), v.Await(fmt.Sprintf("%s === %d", wide, before0)))
	must(t, v.Click(`.pdf-bar button[aria-label="Page suivante"]`), v.Await(`(() => { const pdf = document.querySelector(".pdf"), n = document.querySelector(".pdf-bar input").value
		return Math.abs(document.querySelector('.sheet[data-page="' + n + '"]').offsetTop - pdf.scrollTop) < 3 || pdf.scrollTop + pdf.clientHeight >= pdf.scrollHeight - 3 })()`))
	must(t, v.Await(`(() => { const n = document.querySelector(".pdf-bar input"); n.value = "1"; n.dispatchEvent(new Event("change", { bubbles: true })); return true })()`), v.Await(`document.querySelector(".pdf").scrollTop < 5`))
	several, err := browser.Eval[bool](v.Tab, `!!document.querySelector(".citations-bar")`)
	must(t, err)
	if several {
		must(t, v.Press("Citation suivante"), v.Await(`document.querySelector(".citations-bar [role=status]").textContent.startsWith("Citation 2 sur")`), v.Press("Citation précédente"), v.Await(`document.querySelector(".citations-bar [role=status]").textContent.startsWith("Citation 1 sur")`))
	}
	v.judge(axe(t), screen{name: "source"})
	inOneLine := `[".pdf-bar", ".citations-bar"].every((bar) => { const tops = [...(document.querySelector(bar)?.querySelectorAll("button, input") ?? [])].map((e) => { const r = e.getBoundingClientRect(); return (r.top + r.bottom) / 2 })
		return tops.every((top) => Math.abs(top - tops[0]) < 6) })`
	must(t, v.Size(360, 800), v.Await(inOneLine), v.Size(1440, 900), v.Await(inOneLine))
	must(t, v.Press("Fermer"), v.Await(`!document.querySelector(".source")`))

	v.loseReply("/feedback")
	must(t, v.Press("Utile"), v.See("Le service ne répond pas"), v.Await(`!document.querySelector(".feedback textarea")`)) // nothing claims that it was noted
	must(t, v.Press("Utile"), v.Type(".feedback textarea", "Clair et juste."), v.Click(".feedback button.main"), v.See("Merci, c’est noté."))
	var rating, comment string
	must(t, v.service.Query(t.Context(), `SELECT rating, comment FROM feedback WHERE comment <> ''`, &rating, &comment))
	if rating != "up" || comment != "Clair et juste." {
		t.Errorf("noted: %s %q", rating, comment)
	}
	must(t, v.Reload(), v.See("trois mois pour le cadre"), v.Has(".cite"), v.Await(`document.querySelector(".feedback [aria-pressed=true]")?.textContent === "Utile"`))

	// Who has read further up is not moved, and comes back to the end at a press.
	must(t, v.Size(360, 420), v.Await(`(() => { const t = document.querySelector(".thread"); t.scrollTop = 0; return t.scrollHeight > t.clientHeight + 100 })()`))
	must(t, v.Has(".to-end"), v.Press("Aller à la fin"), v.Await(`(() => { const t = document.querySelector(".thread"); return t.scrollHeight - t.scrollTop - t.clientHeight < 48 })()`),
		v.Await(`!document.querySelector(".to-end")`))
	v.blameless()
}

// A lost page, a second tab and a worker's end leave nothing of an answer behind;
// stop keeps what is written.
func TestAnswersSurviveTheirReader(t *testing.T) {
	v := atSlowPage(t)
	t.Cleanup(v.service.HoldModel(midway))
	v.signIn("/connexion", v.reader())
	v.ask("Quelle est la durée du préavis d’un cadre ?")
	must(t, v.Await(lastAnswer+`.querySelector(".prose").textContent.length > 60`))
	before, err := browser.Eval[string](v.Tab, lastAnswer+`.querySelector(".prose").textContent.slice(0, 60)`)
	must(t, err)
	path, err := browser.Eval[string](v.Tab, `location.pathname`)
	must(t, err)

	// What the worker that is lost had written is dropped, and written anew by the next one.
	_, err = browser.Eval[any](v.Tab, `(() => { const answer = `+lastAnswer+`
		new MutationObserver(() => { window.dropped ||= answer.querySelector(".prose").textContent.length < 20 }).observe(answer, {subtree: true, childList: true, characterData: true}) })()`)
	must(t, err)
	v.service.worker.Kill()
	v.service.worker, err = v.service.Worker(context.WithoutCancel(t.Context()), nil)
	must(t, err, v.Await(`window.dropped`), v.Await(lastAnswer+`.querySelector(".prose").textContent.length > 60`))

	other, err := v.Beside()
	must(t, err)
	defer other.Close()
	must(t, other.Open(path))
	must(t, v.Reload())
	same := fmt.Sprintf(`%s?.dataset.phase === "writing" && %s.querySelector(".prose").textContent.startsWith(%q)`, lastAnswer, lastAnswer, before)
	for name, tab := range map[string]*browser.Tab{"reloaded": v.Tab, "other": other} {
		if err := tab.Await(same); err != nil {
			t.Fatalf("the %s tab: %v", name, err)
		}
	}
	must(t, v.Press("Arrêter"), v.Await(answered), other.Await(answered), v.See("a été interrompue"))
	texts := make([]string, 2)
	for i, tab := range []*browser.Tab{v.Tab, other} {
		texts[i], err = browser.Eval[string](tab, lastAnswer+`.querySelector(".prose").innerText`)
		must(t, err)
	}
	if texts[0] != texts[1] || !strings.HasPrefix(texts[0], before[:20]) {
		t.Errorf("the tabs differ:\n%s\n%s", texts[0], texts[1])
	}
	v.blameless()
}

// The server is gone for a moment in mid-answer: the text is the whole one, each
// word once.
func TestAnswersSurviveTheServer(t *testing.T) {
	v := atSlowPage(t)
	release := v.service.HoldModel(midway)
	t.Cleanup(release)
	var err error
	v.signIn("/connexion", v.reader())
	v.ask("Quel est le préavis d’un ouvrier ?")
	must(t, v.Await(lastAnswer+`.querySelector(".prose").textContent.length > 60`), v.Await(`!document.querySelector(".side .waiting")`))
	v.service.api.Kill()
	must(t, v.See("Connexion perdue"))
	v.service.api, err = v.service.APIAt(t.Context(), strings.TrimPrefix(v.service.api.URL, "http://"))
	release()
	must(t, err, v.Await(answered))
	text, err := browser.Eval[string](v.Tab, `(() => { const p = `+lastAnswer+`.querySelector(".prose").cloneNode(true)
		for (const m of p.querySelectorAll(".marks")) m.remove()
		return p.textContent.replace(/\s+/g, " ").trim() })()`)
	must(t, err)
	want := strings.Join(strings.Fields(strings.ReplaceAll(slowly.Text(), " [1]", "")), " ")
	if text != want {
		t.Errorf("shown: %s\nwritten: %s", text, want)
	}
	v.blameless("net::ERR_")
}

// A session that ends while somebody writes costs nothing of what was written.
func TestSessionsEndInMidTyping(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion", v.reader())
	must(t, v.See("Par exemple"), v.Type("#question", notice))
	var n int
	must(t, v.service.Query(t.Context(), `WITH changed AS (UPDATE users SET token_version = token_version + 1 RETURNING 1) SELECT count(*) FROM changed`, &n))
	_, password := v.service.Account()
	must(t, v.Key("\r"), v.See("La session a pris fin"), v.Await(`document.activeElement.name === "password"`), v.Write(password), v.Key("\r"),
		v.Await(`!document.querySelector("dialog")`))
	must(t, v.Await(answered), v.See("trois mois pour le cadre")) // the question was asked, and waited

	// Without a question under way too, and over a reload.
	must(t, v.Type("#question", "Une question à moitié"), v.Reload(), v.Await(`document.querySelector("#question")?.value === "Une question à moitié"`))
	v.blameless("401 (Unauthorized)")
}

// What people write is shown as they wrote it, and never run.
func TestHostileWords(t *testing.T) {
	v := atPage(t)
	const hostile = `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"> מסמך עברי`
	client, err := v.service.ClientOf(t.Context(), v.service.api, editor)
	must(t, err)
	defer client.HTTP.CloseIdleConnections()
	var found struct{ Items []struct{ ID, Title string } }
	must(t, client.JSON(t.Context(), "GET", "/api/v1/documents?page_size=1", nil, &found))
	path := "/api/v1/admin/documents/" + found.Items[0].ID
	must(t, client.JSON(t.Context(), "PATCH", path, map[string]string{"title": hostile}, nil))
	defer func() {
		must(t, client.JSON(t.Context(), "PATCH", path, map[string]string{"title": found.Items[0].Title}, nil))
	}()
	v.signIn("/connexion?suite=/textes", v.reader())
	must(t, v.See("<script>window.hacked = 1</script>"), v.Click(".texts a"), v.See("window.hacked"), v.Has(".law-text"))
	must(t, v.Open("/"))
	v.ask(string([]rune(hostile + strings.Repeat(" préavis", 500))[:4000])) // the longest that there may be
	must(t, v.Await(answered), v.See("<script>window.hacked = 1</script>"))
	hacked, err := browser.Eval[bool](v.Tab, `window.hacked !== undefined || document.querySelector("main script, main img[src=x]") !== null`)
	must(t, err)
	if hacked {
		t.Error("what a person wrote was run")
	}
	v.blameless()
}

// From the sign-in to the gazette's page by the keyboard alone.
func TestKeyboardAlone(t *testing.T) {
	v := atPage(t)
	_, password := v.service.Account()
	must(t, v.Open("/"), v.See("article par article"))
	v.tabTo(`document.activeElement.textContent === "Se connecter"`)
	must(t, v.Key("\r"), v.Await(`document.activeElement.name === "email"`), v.Write(v.reader()))
	v.tabTo(`document.activeElement.name === "password"`)
	must(t, v.Write(password), v.Key("\r"), v.Await(`document.activeElement.id === "question"`), v.Compose(notice), v.Key("\r"), v.Await(answered))
	must(t, v.Await(`document.activeElement.id === "question"`), v.Key("\u0308"))                       // a key of no meaning
	must(t, v.Key(kb.ArrowUp), v.Await(`document.querySelector("#question").value === `+quote(notice))) // the last question, to be reworded
	must(t, v.Click(".thread"))
	v.tabTo(`document.activeElement.matches(".cite")`)
	must(t, v.Has(".card"), v.Key("\r"), v.Await(browser.Drawn), v.Await(`document.activeElement.closest(".source")`))
	must(t, v.Key("\u001b"), v.Await(`!document.querySelector(".source")`), v.Await(`document.activeElement.matches(".cite")`))
	must(t, v.Key("/"), v.Await(`document.activeElement.id === "question"`))
	v.blameless()
}

// tabTo presses the tabulator until what has the focus is what is looked for.
func (v *visit) tabTo(here string) {
	v.t.Helper()
	for range 60 {
		so, err := browser.Eval[bool](v.Tab, `!!(`+here+`)`)
		must(v.t, err)
		if so {
			return
		}
		must(v.t, v.Key("\t"))
	}
	v.t.Fatalf("sixty tabs do not lead to %s", here)
}

// The day that narrowed a question stands beside its answer, also after a reload.
func TestWhatNarrowedAQuestionStays(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion", v.reader())
	_, err := browser.Eval[bool](v.Tab, `!void sessionStorage.setItem("vigueur.filters.new", JSON.stringify({ date: "2024-03-01" }))`)
	must(t, err, v.Reload(), v.See("au 1er mars 2024"))
	v.ask("Combien d’heures par semaine travaille-t-on légalement à temps plein ?")
	must(t, v.Await(answered), v.See("Droit du 1er mars 2024"))
	must(t, v.Reload(), v.Has(".cite"), v.See("Droit du 1er mars 2024"))
	must(t, v.Press("Retirer le filtre au 1er mars 2024"), v.Await(`!document.querySelector(".composer").textContent.includes("2024")`))
	v.blameless()
}

// Conversations are found, renamed, and deleted with a way back.
func TestConversations(t *testing.T) {
	v := atPage(t)
	const reader = "archiviste@exemple.org"
	must(t, v.service.AddUser(t.Context(), reader, "user"))
	v.signIn("/connexion", reader)
	v.ask(notice)
	must(t, v.Await(answered), v.Press("Nouvelle question"), v.Await(`location.pathname === "/"`))
	v.ask("À combien est fixé le salaire minimum de l’heure, hors agriculture ?")
	must(t, v.Await(answered), v.Await(`document.querySelectorAll(".side li").length === 2`))
	must(t, v.Type("#find", "démissionne"), v.Await(`document.querySelectorAll(".side li").length === 1`))
	must(t, v.Press("Renommer "+notice), v.Type(".rename input", "Préavis des cadres"), v.Key("\r"), v.See("Préavis des cadres"))
	must(t, v.Press("Supprimer Préavis des cadres"), v.Await(`document.querySelectorAll(".side li").length === 0`), v.Press("Annuler"), v.See("Préavis des cadres"))
	must(t, v.Press("Supprimer Préavis des cadres"), v.Open("/")) // leaving deletes at once
	must(t, v.Await(`document.querySelectorAll(".side li").length === 1`), v.See("salaire minimum"))
	v.blameless("404 (Not Found") // it was deleted by the page that was left, before the next one asked
}
