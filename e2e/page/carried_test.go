package page

import (
	"fmt"
	"testing"

	"vigueur/e2e/browser"
)

// TestTextsAreCarried: the page can be installed, a followed text is read when the service cannot be reached, and signing out
// forgets it.
func TestTextsAreCarried(t *testing.T) {
	t.Parallel()
	own := serve(t, nil) // it is stopped
	t.Cleanup(func() { must(t, own.Close()) })
	v := visitOf(t, own)
	v.signIn("/connexion", v.reader())
	must(t, v.resolves(`fetch(document.querySelector("link[rel=manifest]").href).then((r) => r.json()).then((m) => m.start_url === "/" && fetch(m.icons[0].src).then((r) => r.ok))`))
	must(t, v.Open("/textes?q=code+du+travail&objet=texte"), v.ClickOn(`[...document.querySelectorAll(".texts a")].find((a) => a.textContent.endsWith("portant Code du travail"))`), v.Has(".law-text"))
	must(t, v.ClickOn(`document.querySelector(".leaf button[aria-label^=Suivre]")`), v.See("Vous serez averti des changements"))
	must(t, v.resolves(`caches.has("vigueur-textes").then((has) => has && caches.open("vigueur-textes")).then((c) => c && c.keys()).then((all) => all?.length === 1)`),
		v.resolves(`caches.open("vigueur-page").then((c) => c.keys()).then((all) => all.some((r) => /\/offline-/.test(r.url)) && all.some((r) => new URL(r.url).pathname === "/"))`))
	own.api.Kill()
	must(t, v.Open("/textes"), v.Await(`location.pathname === "/hors-ligne"`), v.See("portant Code du travail"), v.Press("Lire"), v.See("Article 26"))
	v.judge(axe(t), screen{name: "hors-ligne"})
}

// resolves waits until a promise that an expression makes is kept with something true.
func (v *visit) resolves(expression string) error {
	const kept = `window[%q] === true`
	key := fmt.Sprintf(kept, expression)
	return v.Await(fmt.Sprintf(`(%s) || void (%s).then((so) => { window[%q] = so === true })`, key, expression, expression))
}

// TestFewData: who saves data sees the page of a gazette when they ask for it.
func TestFewData(t *testing.T) {
	v := atPage(t)
	v.signIn("/compte", v.reader())
	must(t, v.See("Peu de données"), v.ClickOn(`[...document.querySelectorAll("label.check")].find((l) => l.innerText.startsWith("Peu de données"))`), v.Open("/"))
	v.ask("Que dit l’article 36 du code du travail ?")
	must(t, v.Await(answered), v.Click(".cite"), v.Has(".gazette-page button"), v.See("Voir la page"))
	drawn, err := browser.Eval[int](v.Tab, `performance.getEntriesByType("resource").filter((e) => /\/pages\/\d+\.png/.test(e.name)).length`)
	must(t, err)
	if drawn != 0 {
		t.Errorf("%d images of pages came unasked", drawn)
	}
	v.blameless()
}

// TestABusyServer: the page of a gazette is asked for again by itself while the server has too many to draw.
func TestABusyServer(t *testing.T) {
	v := atPage(t)
	must(t, v.Before(stand))
	v.signIn("/connexion", v.reader())
	v.ask("Que dit l’article 36 du code du travail ?")
	must(t, v.Await(answered), v.stands(`[[".png",503,"once"]]`), v.Click(".cite"), v.Has(".gazette-page .sheet[data-drawn]"))
	must(t, v.Await(`sessionStorage.getItem("test.stand") === "[]"`))
	v.blameless()
}

// TestLargeText: with letters of 200 % nothing is cut off or beside the screen.
func TestLargeText(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion", v.reader())
	must(t, v.Size(1280, 900))
	for _, path := range []string{"/", "/textes", "/textes?q=travail", "/compte", "/verifier"} {
		must(t, v.Open(path), v.Has("main h1, main textarea"), v.Await(`!document.querySelector("main > .waiting")`),
			v.Await(`(document.documentElement.style.fontSize = "200%") !== ""`))
		wide, err := browser.Eval[[]string](v.Tab, `[...document.querySelectorAll("main *, header *")].filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".sr")).map((e) => e.outerHTML.slice(0, 120))`)
		must(t, err)
		if len(wide) > 0 {
			t.Errorf("%s: beside the screen: %q", path, wide)
		}
		cut, err := browser.Eval[[]string](v.Tab, `[...document.querySelectorAll("main button, main a, main label, main h1, main p")].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".sr") && ["hidden", "clip"].includes(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).textOverflow !== "ellipsis").map((e) => e.outerHTML.slice(0, 120))`)
		must(t, err)
		if len(cut) > 0 {
			t.Errorf("%s: cut off: %q", path, cut)
		}
	}
	v.blameless()
}
